"""The tables of the graph as Arrow has them: which columns, in which order and types."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from .schema import NODES, RELATIONSHIPS, PropertyType

if TYPE_CHECKING:
    import pyarrow as pa


@cache
def node_columns(label: str) -> pa.Schema:
    """The Arrow schema of a label's nodes.

    >>> node_columns("Stem").names
    ['id']
    """
    return _columns({}, NODES[label].properties)


@cache
def relationship_columns(type: str) -> pa.Schema:
    """The Arrow schema of a type's relationships.

    >>> relationship_columns("HYPERNYM").names
    ['from', 'to', 'instance']
    """
    return _columns({"from": "string", "to": "string"}, RELATIONSHIPS[type].properties)


def _columns(first: Mapping[str, PropertyType], then: Mapping[str, PropertyType]) -> pa.Schema:
    import pyarrow as pa

    types: dict[PropertyType, pa.DataType] = {
        "string": pa.string(),
        "int": pa.int64(),
        "float": pa.float64(),
        "bool": pa.bool_(),
        "strings": pa.list_(pa.string()),
    }
    return pa.schema([(name, types[kind]) for name, kind in {**first, **then}.items()])
