"""The values of a Cypher answer, the same from every engine.

Nodes, relationships and paths become the records below, everything else plain Python. Null properties are omitted, because
Neo4j does not store them; whole decimals become integers. ``encode`` and ``decode`` convert the same values to JSON and back.
"""

from __future__ import annotations

import base64
import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import chain
from typing import Any

LARGEST = 64 << 20
"""Largest answer in bytes, estimated by ``byte_size``; small enough for a process to hold a few copies."""

TOO_LARGE = f"the answer is larger than {LARGEST >> 20} MB; return fewer columns, collect fewer values, or lower the row limit"

_NUMBER_TYPES = frozenset({int, float, bool, type(None)})
_PLAIN_TYPES = frozenset({str, int, float, bool, type(None)})
"""Types that JSON has; lists of them can have millions of values, so they are not converted one by one."""

_POINTER_BYTES = 8


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the graph; ``properties`` includes the id."""

    id: str
    label: str
    properties: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the node as plain data.

        >>> Node("dog", "Stem", {"id": "dog"}).to_dict()
        {'id': 'dog', 'label': 'Stem', 'properties': {'id': 'dog'}}
        """
        return {"id": self.id, "label": self.label, "properties": to_json_value(dict(self.properties))}

    def __str__(self) -> str:
        name = self.properties.get("name", self.id)
        return f"({self.id})" if name == self.id else f"({self.id} {name})"


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship from the node with the id ``start`` to the node with the id ``end``."""

    type: str
    start: str
    end: str
    properties: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the relationship as plain data.

        >>> Relationship("FORM", "dog", "wordnet/dog").to_dict()
        {'type': 'FORM', 'start': 'dog', 'end': 'wordnet/dog', 'properties': {}}
        """
        return {"type": self.type, "start": self.start, "end": self.end, "properties": to_json_value(dict(self.properties))}

    def __str__(self) -> str:
        return f"({self.start})-[:{self.type}]->({self.end})"


@dataclass(frozen=True, slots=True)
class Path:
    """A path: its nodes and the relationships between them, in order."""

    nodes: tuple[Node, ...]
    relationships: tuple[Relationship, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the path as plain data.

        >>> Path((Node("dog", "Stem"),), ()).to_dict()
        {'nodes': [{'id': 'dog', 'label': 'Stem', 'properties': {}}], 'relationships': []}
        """
        return {
            "nodes": [node.to_dict() for node in self.nodes],
            "relationships": [relationship.to_dict() for relationship in self.relationships],
        }

    def __str__(self) -> str:
        text = str(self.nodes[0]) if self.nodes else ""
        for previous, node, step in zip(self.nodes, self.nodes[1:], self.relationships, strict=False):
            text += f"-[:{step.type}]->" if step.start == previous.id else f"<-[:{step.type}]-"
            text += str(node)
        return text


def to_number(value: Decimal) -> int | float:
    """Convert a decimal to the number that Neo4j returns, where the sum of integers is an integer.

    >>> to_number(Decimal("3")), to_number(Decimal("1.50"))
    (3, 1.5)
    """
    whole = value.is_finite() and value == value.to_integral_value()
    exponent = value.as_tuple().exponent
    return int(value) if whole and exponent == 0 else float(value)


def byte_size(value: Any, limit: int) -> int:
    """Estimate the size in bytes of a value from either engine; counting stops once it exceeds ``limit``.

    >>> byte_size([1, "dog", {"a": None}], 1000)
    52
    >>> byte_size([0] * 1_000_000, 1000)
    1008
    """
    total = 0
    stack = [iter((value,))]
    while stack and total <= limit:
        for item in stack[-1]:
            total += _POINTER_BYTES
            if type(item) in _NUMBER_TYPES:  # first, because there can be millions
                pass
            elif isinstance(item, str | bytes | bytearray):
                total += len(item)
            elif isinstance(item, Mapping):
                stack.append(chain.from_iterable(item.items()))
                break
            elif isinstance(item, list | tuple):
                stack.append(iter(item))
                break
            elif hasattr(item, "relationships"):
                stack.append(chain(item.nodes, item.relationships))
                break
            if total > limit:
                break
        else:
            stack.pop()
    return total


def to_json_value(value: Any) -> Any:
    """Convert a value to JSON for people: records as dictionaries, times as text, bytes as base64.

    >>> to_json_value([Node("dog", "Stem"), datetime.date(2020, 1, 2)])
    [{'id': 'dog', 'label': 'Stem', 'properties': {}}, '2020-01-02']
    """
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Node() | Relationship() | Path():
            return value.to_dict()
        case Mapping():
            return {
                key if isinstance(key, str) else str(to_json_value(key)): to_json_value(item) for key, item in value.items()
            }
        case list() | tuple():
            return [to_json_value(item) for item in value]
        case datetime.date() | datetime.time():
            return value.isoformat()
        case datetime.timedelta():
            return value.total_seconds()
        case Decimal():
            return to_number(value)
        case bytes():
            return base64.b64encode(value).decode("ascii")
        case _:
            return str(value)


def quote_text(text: str) -> str:
    r"""Quote a text as Cypher for both engines.

    >>> print(quote_text("wordnet:it's"))
    'wordnet:it\'s'
    """
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    # Neo4j decodes \u escapes before it parses, even after another backslash.
    return "'" + escaped.replace("\\u", "\\' + 'u") + "'"


def encode(value: Any) -> Any:
    """Convert a value to JSON for ``decode``. A type that JSON lacks becomes an object with one key that begins with ``$``."""
    if type(value) in _PLAIN_TYPES:
        return value
    match value:
        case list() | tuple():
            return list(value) if _PLAIN_TYPES.issuperset(map(type, value)) else [encode(item) for item in value]
        case dict():
            if all(type(key) is str and not key.startswith("$") for key in value):
                return {key: encode(item) for key, item in value.items()}
            return {"$map": [[encode(key), encode(item)] for key, item in value.items()]}
        case Node():
            return {"$node": [value.id, value.label, encode(dict(value.properties))]}
        case Relationship():
            return {"$relationship": [value.type, value.start, value.end, encode(dict(value.properties))]}
        case Path():
            return {"$path": [[encode(node) for node in value.nodes], [encode(item) for item in value.relationships]]}
        case datetime.datetime():
            return {"$datetime": value.isoformat()}
        case datetime.date():
            return {"$date": value.isoformat()}
        case datetime.time():
            return {"$time": value.isoformat()}
        case datetime.timedelta():
            return {"$duration": [value.days, value.seconds, value.microseconds]}
        case Decimal():
            return to_number(value)
        case bytes():
            return {"$bytes": base64.b64encode(value).decode("ascii")}
        case _:
            return str(value)


def decode(value: Any) -> Any:
    """Convert a value back from ``encode``.

    >>> decode(encode({"when": datetime.date(2020, 1, 2)}))
    {'when': datetime.date(2020, 1, 2)}
    """
    if isinstance(value, list):
        return value if _PLAIN_TYPES.issuperset(map(type, value)) else [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    kind = next(iter(value), "")
    if not kind.startswith("$"):
        return {key: decode(item) for key, item in value.items()}
    content = value[kind]
    match kind:
        case "$map":
            return {_key(decode(key)): decode(item) for key, item in content}
        case "$node":
            return Node(content[0], content[1], decode(content[2]))
        case "$relationship":
            return Relationship(content[0], content[1], content[2], decode(content[3]))
        case "$path":
            nodes, relationships = content
            return Path(tuple(decode(node) for node in nodes), tuple(decode(item) for item in relationships))
        case "$datetime":
            return datetime.datetime.fromisoformat(content)
        case "$date":
            return datetime.date.fromisoformat(content)
        case "$time":
            return datetime.time.fromisoformat(content)
        case "$duration":
            return datetime.timedelta(*content)
        case "$bytes":
            return base64.b64decode(content)
    raise ValueError(f"unknown kind of value {kind}")


def _key(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
