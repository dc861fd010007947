"""Refuse loads and removals that would mix with, or delete, data that users have put on the server.

The checks run when everything is staged and nothing has been changed yet. The load is refused if there is:

- A user's node with the label and id of a staged node, which Cypher statements could not tell apart.
- A label, property or relationship that a user attached to a node of the old base, with which it would be deleted.
- A relationship of one of our types that a user added between our nodes. It looks like ours, so it is detected by counting:
  each load records how many relationships of each type it created.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...core.errors import hint
from ..errors import LoadError, UnloadError
from ..schema import NODES, RELATIONSHIPS, schema_fingerprint
from .markers import LIVE, STEM, marker_label, staging_label

if TYPE_CHECKING:
    from .connection import Connection

Counts = Mapping[str, int]


def refuse_foreign_data(
    connection: Connection, base: str, staged_nodes: Counts, staged_relationships: Counts, *, removing: bool = False
) -> None:
    """Raise ``LoadError``, or ``UnloadError``, if replacing or removing a base would mix with or delete foreign data.

    Args:
        connection: The server.
        base: The base that is about to be replaced or removed.
        staged_nodes: The number of staged nodes by label.
        staged_relationships: The number of staged relationships by type.
        removing: Whether the base is to be removed; then nothing is staged.
    """
    try:
        _refuse_foreign_data(connection, base, staged_nodes, staged_relationships)
    except _ForeignDataError as found:
        if removing:
            raise UnloadError(f"{base} was not removed: {found}") from None
        raise LoadError(f"{base} was not loaded: {found}", hint("set", option="name", what="a new base")) from None


class _ForeignDataError(Exception):
    """Foreign data was found; the message says which, and what to do."""


def _refuse_foreign_data(connection: Connection, base: str, staged_nodes: Counts, staged_relationships: Counts) -> None:
    recorded = {name: (json.loads(counts or "null"), same) for name, counts, same in _read_records(connection)}
    _refuse_equal_ids(connection, base, staged_nodes)
    counts, is_our_schema = recorded.get(base, (None, True))
    _refuse_attachments(connection, base, counts or {}, is_our_schema=is_our_schema)
    if counts is not None:  # recorded by every load, but not by an import of exported CSV files
        all_counts = [base_counts for base_counts, _ in recorded.values() if base_counts is not None]
        _refuse_added_relationships(connection, base, counts, all_counts, staged_relationships)


def _read_records(connection: Connection) -> list[tuple[str, str | None, bool]]:
    """Return for each base its recorded relationship counts as JSON, and whether its schema is ours."""
    rows = connection.read(_RECORDS, {"schema": schema_fingerprint()})
    return [(name, counts, same) for name, counts, same in rows]


def _refuse_equal_ids(connection: Connection, base: str, staged_nodes: Counts) -> None:
    constrained = {row[0] for row in connection.read(_CONSTRAINED_LABELS)}
    checks = [("Base", f"MATCH (m:Base {{id: $base}}) WHERE NOT m:{LIVE} RETURN m.id LIMIT 1")]
    for label in staged_nodes:
        # A user's stem may have the same id as ours, unless a constraint makes ids unique under that label.
        if not NODES[label].shared or label in constrained:
            foreign = f"MATCH (m:{label} {{id: n.id}}) WHERE NOT m:{marker_label(label)} RETURN m.id LIMIT 1"
            checks.append((label, f"MATCH (n:{staging_label(label)}) {foreign}"))
    for label, statement in checks:
        for (id_,) in connection.read(statement, {"base": base}):
            raise _ForeignDataError(
                f"{connection.address} has a node (:{label} {{id: {id_!r}}}) that wayword did not create; give it another id"
                " or label"
            )


def _refuse_attachments(connection: Connection, base: str, counts: Counts, *, is_our_schema: bool) -> None:
    # A base of another version is being replaced, as its error advises. Its types are those that it recorded; its properties
    # are unknown, so properties are checked only in bases of our schema.
    types = {**dict.fromkeys(counts), **{name: list(relationship.properties) for name, relationship in RELATIONSHIPS.items()}}
    labels = {label: list(node.properties) for label, node in NODES.items()}
    for start in (f"{base}:", f"{base}/"):
        parameters = {"start": start, "base": base, "labels": labels, "types": types, "check_properties": is_our_schema}
        for label, id_, kind in connection.read(_ATTACHMENTS, parameters):
            raise _ForeignDataError(
                f"(:{label} {{id: {id_!r}}}) of {connection.address} has {kind} that wayword did not create and that would be"
                " deleted with the base; remove it"
            )


def _refuse_added_relationships(
    connection: Connection, base: str, counts: Counts, all_counts: list[Counts], staged: Counts
) -> None:
    # The server knows the total of each type without counting. Only if it exceeds what all loads created, staged ones included,
    # are the base's own relationships counted.
    names = list(RELATIONSHIPS)
    (totals,) = connection.read(f"RETURN {', '.join(f'COUNT {{ ()-[:{name}]->() }}' for name in names)}")
    expected = {name: staged.get(name, 0) + sum(base_counts.get(name, 0) for base_counts in all_counts) for name in names}
    exceeded = [name for name, total in zip(names, totals, strict=True) if total > expected[name]]
    if not exceeded:
        return
    present: dict[str, int] = {}
    for start in (f"{base}:", f"{base}/"):
        parameters = {"start": start, "base": base, "types": exceeded}
        for name, count in connection.read(_INCOMING, parameters):
            present[name] = present.get(name, 0) + count
        for name, source, target in connection.read(_INTO_OTHER_BASES, parameters):
            raise _ForeignDataError(
                f"{connection.address} has a relationship {name} from {source!r} to {target!r} of another base that wayword did"
                " not create; remove it"
            )
    for name, count in present.items():
        created = counts.get(name, 0)
        if count > created:
            raise _ForeignDataError(
                f"{connection.address} has {count:,} relationships {name} between its nodes, but wayword created {created:,};"
                " remove those that were added"
            )


_RECORDS = f"MATCH (b:Base:{LIVE}) RETURN b.id, b.relationships, coalesce(b.schema = $schema, false)"

_CONSTRAINED_LABELS = "SHOW CONSTRAINTS YIELD labelsOrTypes, properties WHERE properties = ['id'] RETURN labelsOrTypes[0]"

_ATTACHMENTS = f"""MATCH (n:{LIVE}) WHERE n.id STARTS WITH $start AND n.base = $base
WITH n, head([label IN labels(n) WHERE label IN keys($labels)]) AS label
WITH n, label, CASE WHEN size(labels(n)) <> 2 THEN 'a label'
 WHEN $check_properties AND any(key IN keys(n) WHERE NOT key IN $labels[label]) THEN 'a property'
 WHEN EXISTS {{ MATCH (n)-[r]-(m) WHERE NOT type(r) IN keys($types) OR NOT (m:{LIVE} OR m:{STEM}) }} THEN 'a relationship'
 WHEN $check_properties AND EXISTS {{ MATCH (n)<-[r]-() WHERE any(key IN keys(r) WHERE NOT key IN $types[type(r)]) }}
 THEN 'a relationship with a property' END AS kind
WHERE kind IS NOT NULL RETURN coalesce(label, '{LIVE}'), n.id, kind LIMIT 1"""

_INCOMING = f"""MATCH (n:{LIVE}) WHERE n.id STARTS WITH $start AND n.base = $base
MATCH (n)<-[r]-(m) WHERE type(r) IN $types AND (m:{LIVE} OR m:{STEM}) RETURN type(r), count(*)"""

_INTO_OTHER_BASES = f"""MATCH (n:{LIVE}) WHERE n.id STARTS WITH $start AND n.base = $base
MATCH (n)-[r]->(m:{LIVE}) WHERE type(r) IN $types AND m.base <> n.base RETURN type(r), n.id, m.id LIMIT 1"""
