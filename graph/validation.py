"""Validate the rows of a load, the same way for every store.

``conform`` converts each batch to the columns of the schema, in their order and with their types. It rejects whatever could
damage another base: an id that does not begin with the base's name, an end outside the base, a type that is not in the schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.errors import hint
from ..core.messages import quote_value, truncate
from .arrow_schema import node_columns, relationship_columns
from .errors import BaseMissing, LoadError
from .schema import BASE_NAME, MAX_KEY_BYTES, NODES, RELATIONSHIPS

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa

    from .records import Base, Batch


def check_base(base: Base) -> None:
    """Raise ``LoadError`` if the base's name is not a valid prefix of an id."""
    if not BASE_NAME.fullmatch(base.id):
        raise LoadError(f"{base.id!r} is not a name for a base; use lower-case letters, digits, '.', '-' and '_'")


def check_kind(base: Base, stored: Base | None) -> None:
    """Raise ``LoadError`` if a base would replace one of another kind; ``stored`` is the base of its name, or None."""
    if stored is not None and stored.kind != base.kind:
        raise LoadError(
            f"the store has a base {base.id!r} of the kind {stored.kind}, which one of the kind {base.kind} cannot replace",
            hint("set", option="name", what="another base"),
            hint("unload", base=base.id),
        )


def missing_base(address: object, name: str, bases: Iterable[str]) -> BaseMissing:
    """Return the error of a base that the store does not have."""
    listed = ", ".join(bases)
    return BaseMissing(f"the store {address} has no base {truncate(name)!r}; it has {listed or 'none'}")


def prefix(base: str, label: str) -> str:
    """Return the prefix of the ids of a base's nodes of a label; empty for stems, which bases share.

    >>> prefix("wordnet", "Label"), prefix("wordnet", "Synset"), prefix("wordnet", "Stem")
    ('wordnet/', 'wordnet:', '')
    """
    if NODES[label].shared:
        return ""
    return f"{base}/" if label == "Label" else f"{base}:"


def conform(batch: Batch, base: str) -> pa.RecordBatch:
    """Return the rows of a batch with exactly the columns of the schema.

    Raises:
        LoadError: A row does not fit the schema or the base; the message names the value.
    """
    if batch.ends is None:
        return _conform_nodes(batch, base)
    return _conform_relationships(batch, batch.ends, base)


def _conform_nodes(batch: Batch, base: str) -> pa.RecordBatch:
    import pyarrow as pa
    import pyarrow.compute as pc

    if batch.type not in NODES or batch.type == "Base":
        labels = ", ".join(label for label in NODES if label != "Base")
        raise LoadError(f"a load cannot contain nodes {batch.type!r}; the labels are {labels}")
    rows = _select_columns(batch.rows, node_columns(batch.type), batch.type)
    _check_ids(rows["id"], prefix(base, batch.type), batch.type, "id")
    _check_lengths(rows["id"], batch.type, "id")
    if NODES[batch.type].shared:
        return rows
    _check_lengths(rows["name"], batch.type, "name")
    bases = rows["base"]
    if bases.null_count:
        rows = rows.set_column(1, rows.schema.field(1), pc.fill_null(bases, base))
    wrong = pc.filter(bases, pc.not_equal(bases, base))
    if len(wrong):
        raise LoadError(f"a {batch.type} in the load of {base!r} has the base {quote_value(wrong[0].as_py())}")
    if batch.type == "Label":
        ids = pc.binary_join_element_wise(pa.scalar(f"{base}/"), rows["name"], "")
        wrong = pc.filter(rows["id"], pc.fill_null(pc.not_equal(rows["id"], ids), True))
        if len(wrong):
            raise LoadError(f"the id {quote_value(wrong[0].as_py())} of a Label is not {base + '/'!r} followed by its name")
    return rows


def _conform_relationships(batch: Batch, ends: tuple[str, str], base: str) -> pa.RecordBatch:
    relationship = RELATIONSHIPS.get(batch.type)
    if relationship is None:
        raise LoadError(f"there is no relationship type {batch.type!r}; the types are {', '.join(RELATIONSHIPS)}")
    if ends not in relationship.ends:
        allowed = " or ".join(f"{start} to {end}" for start, end in relationship.ends)
        raise LoadError(f"{batch.type} leads from {allowed}, not from {ends[0]} to {ends[1]}")
    rows = _select_columns(batch.rows, relationship_columns(batch.type), batch.type)
    for column, label in zip(("from", "to"), ends, strict=True):
        _check_ids(rows[column], prefix(base, label), batch.type, column)
    return rows


def _select_columns(rows: pa.RecordBatch, columns: pa.Schema, type: str) -> pa.RecordBatch:
    import pyarrow as pa

    unknown = [name for name in rows.schema.names if name not in columns.names]
    if unknown:
        raise LoadError(f"{type} has no column {unknown[0]!r}; it has {', '.join(columns.names)}")
    arrays = []
    for column in columns:
        if column.name not in rows.schema.names:
            arrays.append(pa.nulls(rows.num_rows, column.type))
            continue
        try:
            arrays.append(rows[column.name].cast(column.type))
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise LoadError(f"the column {column.name!r} of {type} must be of type {column.type}: {error}") from error
    return pa.RecordBatch.from_arrays(arrays, schema=columns)


def _check_ids(ids: pa.Array, start: str, type: str, column: str) -> None:
    import pyarrow.compute as pc

    if ids.null_count:
        raise LoadError(f"row {ids.is_null().index(True).as_py()} of a batch of {type} has no {column!r}")
    short = pc.less_equal(pc.binary_length(ids), len(start.encode()))
    wrong = pc.filter(ids, pc.or_(short, pc.invert(pc.starts_with(ids, pattern=start))))
    if len(wrong):
        problem = f"must be {start!r} followed by a key" if start else "must not be empty"
        raise LoadError(f"{column!r} of a {type} is {quote_value(wrong[0].as_py())} but {problem}")


def _check_lengths(texts: pa.Array, type: str, column: str) -> None:
    import pyarrow.compute as pc

    long = pc.filter(texts, pc.greater(pc.binary_length(texts), MAX_KEY_BYTES))
    if len(long):
        raise LoadError(f"{column!r} of a {type} is longer than {MAX_KEY_BYTES} bytes: {quote_value(long[0].as_py())}")
