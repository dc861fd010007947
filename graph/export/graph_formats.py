"""Export to one file: GraphML (networkx, Gephi, yEd) and node-link JSON (networkx, d3)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO
from xml.sax.saxutils import escape, quoteattr

from ..schema import NODES, RELATIONSHIPS, PropertyType

if TYPE_CHECKING:
    from . import ExportSource

_XML_TYPES: dict[PropertyType, str] = {
    "int": "long",
    "float": "double",
    "bool": "boolean",
    "string": "string",
    "strings": "string",
}
_NOT_XML = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF, *range(0xD800, 0xE000)), "\ufffd")
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'


def write_graphml(source: ExportSource, target: BinaryIO) -> None:
    """Write GraphML; labels and relationship types become an attribute ``type``, and lists become JSON text."""
    target.write(_HEAD.encode())
    target.writelines(line.encode() for line in _keys())
    target.write(b'<graph edgedefault="directed">\n')
    for label, node in NODES.items():
        for batch in source.nodes(label):
            target.writelines(_xml_node(label, row, node.properties).encode() for row in batch.to_pylist())
    for relationship in RELATIONSHIPS.values():
        for batch in source.relationships(relationship.name):
            target.writelines(_xml_edge(relationship.name, row, relationship.properties).encode() for row in batch.to_pylist())
    target.write(b"</graph>\n</graphml>\n")


def _keys() -> Iterator[str]:
    for domain, tables in (("node", NODES), ("edge", RELATIONSHIPS)):
        properties: dict[str, PropertyType] = {"type": "string"}
        for table in tables.values():
            properties.update({name: kind for name, kind in table.properties.items() if name != "id"})
        for name, kind in properties.items():
            yield f'<key id="{domain}.{name}" for="{domain}" attr.name="{name}" attr.type="{_XML_TYPES[kind]}"/>\n'


def _xml_node(label: str, row: dict[str, Any], properties: Any) -> str:
    key = _attribute(node_key(label, row["id"]))
    return f"<node id={key}>{_data('node', label, row, properties)}</node>\n"


def _xml_edge(type: str, row: dict[str, Any], properties: Any) -> str:
    start, end = _ends(type, row)
    return f"<edge source={_attribute(start)} target={_attribute(end)}>{_data('edge', type, row, properties)}</edge>\n"


def _data(domain: str, type: str, row: dict[str, Any], properties: Any) -> str:
    data = f'<data key="{domain}.type">{type}</data>'
    for name in properties:
        value = row[name]
        if name != "id" and value is not None:
            data += f'<data key="{domain}.{name}">{escape(_text(value).translate(_NOT_XML))}</data>'
    return data


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else str(value)


def _attribute(text: str) -> str:
    return quoteattr(text.translate(_NOT_XML))


def node_key(label: str, id: str) -> str:
    """Return a key of a node that is unique across labels; a stem is prefixed, since its id may be that of another node.

    >>> node_key("Stem", "dog"), node_key("Label", "wordnet/dog")
    ('stem dog', 'wordnet/dog')
    """
    return f"stem {id}" if label == "Stem" else id


def _ends(type: str, row: dict[str, Any]) -> tuple[str, str]:
    start, end = RELATIONSHIPS[type].ends[0]
    return node_key(start, row["from"]), node_key(end, row["to"])


def write_json(source: ExportSource, target: BinaryIO) -> None:
    """Write node-link JSON, one node or edge a line; read it with ``networkx.node_link_graph(data, edges="edges")``."""
    target.write(b'{"directed": true, "multigraph": true, "graph": {},\n"nodes": [')
    _write_list(target, (_json_node(label, row) for label in NODES for row in _rows(source.nodes(label))))
    target.write(b'],\n"edges": [')
    _write_list(target, (_json_edge(name, row) for name in RELATIONSHIPS for row in _rows(source.relationships(name))))
    target.write(b"]}\n")


def _rows(batches: Any) -> Iterator[dict[str, Any]]:
    for batch in batches:
        yield from batch.to_pylist()


def _write_list(target: BinaryIO, items: Iterator[dict[str, Any]]) -> None:
    comma = "\n"
    for item in items:
        target.write((comma + json.dumps(item, ensure_ascii=False)).encode("utf-8", "backslashreplace"))
        comma = ",\n"


def _json_node(label: str, row: dict[str, Any]) -> dict[str, Any]:
    properties = {name: value for name, value in row.items() if value is not None}
    return {**properties, "id": node_key(label, row["id"]), "type": label}


def _json_edge(type: str, row: dict[str, Any]) -> dict[str, Any]:
    start, end = _ends(type, row)
    properties = {name: value for name, value in row.items() if value is not None and name not in ("from", "to")}
    return {"source": start, "target": end, "type": type, **properties}
