"""What a load must not take for its own, nor delete with the old rows of a base: whatever somebody else put on the server.

It is looked for when everything is staged and nothing is changed yet, and any of it refuses the load.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..errors import LoadError
from ..schema import NODES, RELATIONSHIPS
from .markers import LIVE, STEM, marker_label, staging_label

if TYPE_CHECKING:
    from .connection import Connection

Counts = Mapping[str, int]


def refuse_foreign_data(connection: Connection, base: str, labels: Counts, types: Counts) -> None:
    """Refuse ids that a stranger's node has under the same label, and what others hung on our nodes or put between them.

    The first would be taken for ours in a user's statements, the others would be deleted with the old nodes. ``labels`` and
    ``types`` are what is staged: how many nodes of each label and relationships of each type.
    """
    _refuse_ids(connection, base, labels)
    properties = {name: list(type_.properties) for name, type_ in RELATIONSHIPS.items()}
    keys = {label: list(node.properties) for label, node in NODES.items()}
    for beginning in (f"{base}:", f"{base}/"):
        parameters = {"beginning": beginning, "base": base, "keys": keys, "properties": properties}
        for label, id_, how in connection.read(_HUNG, parameters):
            raise LoadError(
                f"{base} was not loaded: (:{label} {{id: {id_!r}}}) of {connection.address} carries {how} that wayword did not"
                " make and that replacing it would delete; remove that, or load under another --name"
            )
    _refuse_added(connection, base, types)


def _refuse_ids(connection: Connection, base: str, labels: Counts) -> None:
    bound = {row[0] for row in connection.read(_CONSTRAINED)}
    conflicts = [("Base", f"MATCH (m:Base {{id: $base}}) WHERE NOT m:{LIVE} RETURN m.id LIMIT 1")]
    for label in labels:
        if not NODES[label].shared or label in bound:
            foreign = f"MATCH (m:{label} {{id: n.id}}) WHERE NOT m:{marker_label(label)} RETURN m.id LIMIT 1"
            found = f"MATCH (n:{staging_label(label)}) {foreign}"
            conflicts.append((label, found))
    for label, statement in conflicts:
        for (taken,) in connection.read(statement, {"base": base}):
            raise LoadError(
                f"{base} was not loaded: {connection.address} has a (:{label} {{id: {taken!r}}}) that wayword did not make;"
                " give it another id or label, or load under another --name"
            )


def _refuse_added(connection: Connection, base: str, types: Counts) -> None:
    """Refuse relationships of our types beyond those that the last load counted.

    The server knows at once how many there are of each type, ours or not. Only where those are more than all loads made are
    the base's own counted.
    """
    made = {name: json.loads(counts) for name, counts in connection.read(_MADE) if counts}
    if base not in made:  # loaded by a version that did not count, or not at all
        return
    names = list(RELATIONSHIPS)
    (there,) = connection.read(f"RETURN {', '.join(f'COUNT {{ ()-[:{name}]->() }}' for name in names)}")
    expected = {name: types.get(name, 0) + sum(counts.get(name, 0) for counts in made.values()) for name in names}
    more = [name for name, count in zip(names, there, strict=True) if count > expected[name]]
    if not more:
        return
    found: dict[str, int] = {}
    for beginning in (f"{base}:", f"{base}/"):
        parameters = {"beginning": beginning, "base": base, "types": more}
        for name, count in connection.read(_BETWEEN, parameters):
            found[name] = found.get(name, 0) + count
        for name, start, end in connection.read(_ACROSS, parameters):
            raise LoadError(
                f"{base} was not loaded: {connection.address} has a relationship {name} from {start!r} to {end!r} of another"
                " base, which wayword did not make; remove that, or load under another --name"
            )
    for name, count in found.items():
        if count > made[base].get(name, 0):
            raise LoadError(
                f"{base} was not loaded: {connection.address} has {count:,} relationships {name} between its nodes and wayword"
                f" made {made[base].get(name, 0):,} of them; remove those that were added, or load under another --name"
            )


_CONSTRAINED = "SHOW CONSTRAINTS YIELD labelsOrTypes, properties WHERE properties = ['id'] RETURN labelsOrTypes[0]"

_HUNG = f"""MATCH (n:{LIVE}) WHERE n.id STARTS WITH $beginning AND n.base = $base
WITH n, head([label IN labels(n) WHERE label IN keys($keys)]) AS label
WITH n, label, CASE WHEN size(labels(n)) <> 2 THEN 'a label' WHEN any(key IN keys(n) WHERE NOT key IN $keys[label])
 THEN 'a property' WHEN EXISTS {{ MATCH (n)-[r]-(m) WHERE $properties[type(r)] IS NULL OR NOT (m:{LIVE} OR m:{STEM}) }}
 THEN 'a relationship' WHEN EXISTS {{ MATCH (n)<-[r]-() WHERE any(key IN keys(r) WHERE NOT key IN $properties[type(r)]) }}
 THEN 'a relationship with a property' END AS how
WHERE how IS NOT NULL RETURN coalesce(label, '{LIVE}'), n.id, how LIMIT 1"""

_MADE = f"MATCH (b:Base:{LIVE}) RETURN b.id, b.relationships"

_BETWEEN = f"""MATCH (n:{LIVE}) WHERE n.id STARTS WITH $beginning AND n.base = $base
MATCH (n)<-[r]-(m) WHERE type(r) IN $types AND (m:{LIVE} OR m:{STEM}) RETURN type(r), count(*)"""

_ACROSS = f"""MATCH (n:{LIVE}) WHERE n.id STARTS WITH $beginning AND n.base = $base
MATCH (n)-[r]->(m:{LIVE}) WHERE type(r) IN $types AND m.base <> n.base RETURN type(r), n.id, m.id LIMIT 1"""
