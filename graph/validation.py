"""Checks the rows of a load before a store takes them, the same for every store.

``conform`` gives each batch the columns of the schema, in its order and types, and refuses what could hurt another base: an id
that does not name the base, an end outside it, a type that the schema does not have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.messages import quote_value
from .arrow_schema import node_columns, relationship_columns
from .errors import LoadError
from .schema import BASE_NAME, LONGEST, NODES, RELATIONSHIPS

if TYPE_CHECKING:
    import pyarrow as pa

    from .records import Base, Batch


def check_base(base: Base) -> None:
    """Refuse a base whose name cannot begin an id."""
    if not BASE_NAME.fullmatch(base.id):
        raise LoadError(f"{base.id!r} cannot name a base; use lower-case letters, digits, '.', '-' and '_'")


def prefix(base: str, label: str) -> str:
    """What the ids of a base's nodes of this label begin with; nothing for the shared stems.

    >>> prefix("wordnet", "Label"), prefix("wordnet", "Synset"), prefix("wordnet", "Stem")
    ('wordnet/', 'wordnet:', '')
    """
    if NODES[label].shared:
        return ""
    return f"{base}/" if label == "Label" else f"{base}:"


def conform(batch: Batch, base: str) -> pa.RecordBatch:
    """The rows of a batch with exactly the columns of the schema, or a ``LoadError`` that names the value at fault."""
    if batch.ends is None:
        return _nodes(batch, base)
    return _relationships(batch, batch.ends, base)


def _nodes(batch: Batch, base: str) -> pa.RecordBatch:
    import pyarrow as pa
    import pyarrow.compute as pc

    if batch.type not in NODES or batch.type == "Base":
        known = ", ".join(label for label in NODES if label != "Base")
        raise LoadError(f"no rows of a load can be nodes {batch.type!r}; the labels are {known}")
    rows = _take(batch.rows, node_columns(batch.type), batch.type)
    _check_ids(rows["id"], prefix(base, batch.type), batch.type, "id")
    _check_lengths(rows["id"], batch.type, "id")
    if NODES[batch.type].shared:
        return rows
    _check_lengths(rows["name"], batch.type, "name")
    named = rows["base"]
    if named.null_count:
        rows = rows.set_column(1, rows.schema.field(1), pc.fill_null(named, base))
    wrong = pc.filter(named, pc.not_equal(named, base))
    if len(wrong):
        raise LoadError(f"a {batch.type} of the load of {base!r} has the base {quote_value(wrong[0].as_py())}")
    if batch.type == "Label":
        ids = pc.binary_join_element_wise(pa.scalar(f"{base}/"), rows["name"], "")
        odd = pc.filter(rows["id"], pc.fill_null(pc.not_equal(rows["id"], ids), True))
        if len(odd):
            raise LoadError(f"the id {quote_value(odd[0].as_py())} of a Label is not {base + '/'!r} and its name")
    return rows


def _relationships(batch: Batch, ends: tuple[str, str], base: str) -> pa.RecordBatch:
    known = RELATIONSHIPS.get(batch.type)
    if known is None:
        raise LoadError(f"no relationship is a {batch.type!r}; the types are {', '.join(RELATIONSHIPS)}")
    if ends not in known.ends:
        wanted = " or ".join(f"{start} to {end}" for start, end in known.ends)
        raise LoadError(f"{batch.type} leads from {wanted}, not from {ends[0]} to {ends[1]}")
    rows = _take(batch.rows, relationship_columns(batch.type), batch.type)
    for column, label in zip(("from", "to"), ends, strict=True):
        _check_ids(rows[column], prefix(base, label), batch.type, column)
    return rows


def _take(rows: pa.RecordBatch, columns: pa.Schema, type: str) -> pa.RecordBatch:
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
            raise LoadError(f"the column {column.name!r} of {type} does not hold what it should: {error}") from error
    return pa.RecordBatch.from_arrays(arrays, schema=columns)


def _check_ids(ids: pa.Array, beginning: str, type: str, column: str) -> None:
    import pyarrow.compute as pc

    if ids.null_count:
        raise LoadError(f"a {type} has no {column!r} in row {ids.is_null().index(True).as_py()} of its batch")
    short = pc.less_equal(pc.binary_length(ids), len(beginning.encode()))
    wrong = pc.filter(ids, pc.or_(short, pc.invert(pc.starts_with(ids, pattern=beginning))))
    if len(wrong):
        wanted = f"does not begin with {beginning!r}" if beginning else "is empty"
        raise LoadError(f"{column!r} of a {type} is {quote_value(wrong[0].as_py())}, which {wanted} and more")


def _check_lengths(texts: pa.Array, type: str, column: str) -> None:
    import pyarrow.compute as pc

    long = pc.filter(texts, pc.greater(pc.binary_length(texts), LONGEST))
    if len(long):
        raise LoadError(f"{column!r} of a {type} is {quote_value(long[0].as_py())}, which is longer than {LONGEST} bytes")
