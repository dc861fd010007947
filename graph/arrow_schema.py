"""The Arrow schemas of the graph's tables."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from .schema import NODES, RELATIONSHIPS, PropertyType

if TYPE_CHECKING:
    import pyarrow as pa


@cache
def node_columns(label: str) -> pa.Schema:
    """Return the Arrow schema of the nodes of a label.

    >>> node_columns("Stem").names
    ['id']
    """
    return _columns({}, NODES[label].properties)


@cache
def relationship_columns(type: str) -> pa.Schema:
    """Return the Arrow schema of the relationships of a type.

    >>> relationship_columns("HYPERNYM").names
    ['from', 'to', 'instance']
    """
    return _columns({"from": "string", "to": "string"}, RELATIONSHIPS[type].properties)


def _columns(ends: Mapping[str, PropertyType], properties: Mapping[str, PropertyType]) -> pa.Schema:
    import pyarrow as pa

    types: dict[PropertyType, pa.DataType] = {
        "string": pa.string(),
        "int": pa.int64(),
        "float": pa.float64(),
        "bool": pa.bool_(),
        "strings": pa.list_(pa.string()),
    }
    return pa.schema([(name, types[kind]) for name, kind in {**ends, **properties}.items()])
