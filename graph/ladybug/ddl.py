"""The schema in the words of LadybugDB: tables, the macros that bring its Cypher nearer to Neo4j's, and a fingerprint.

One node table for each label, one relationship table for each type. There is no index on a property on purpose: it makes
``=`` faster and a recursion that starts from it endless.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from ..schema import NODES, RELATIONSHIPS, PropertyType

FINGERPRINT = "wayword_schema"

_TYPES: dict[PropertyType, str] = {
    "string": "STRING",
    "int": "INT64",
    "float": "DOUBLE",
    "bool": "BOOL",
    "strings": "STRING[]",
}

_MACROS = (
    "type(r) AS label(r)",
    "head(l) AS list_extract(l, 1)",
    "last(l) AS list_extract(l, -1)",
    "toString(x) AS CAST(x AS STRING)",
    "toInteger(x) AS CAST(x AS INT64)",
    "toFloat(x) AS CAST(x AS DOUBLE)",
    "split(s, d) AS string_split(s, d)",
    "exp(x) AS 2.718281828459045 ^ x",
)


def table_statements() -> Iterator[str]:
    """The statements that make every table, nodes before relationships."""
    for label, node in NODES.items():
        columns = ", ".join(f"`{name}` {_TYPES[kind]}" for name, kind in node.properties.items())
        yield f"CREATE NODE TABLE `{label}`({columns}, PRIMARY KEY (`id`))"
    for name, relationship in RELATIONSHIPS.items():
        ends = [f"FROM `{start}` TO `{end}`" for start, end in relationship.ends]
        columns_ = [f"`{column}` {_TYPES[kind]}" for column, kind in relationship.properties.items()]
        yield f"CREATE REL TABLE `{name}`({', '.join(ends + columns_)})"


def macro_statements() -> Iterator[str]:
    """The statements that make the macros, the fingerprint of the schema among them."""
    for macro in _MACROS:
        yield f"CREATE MACRO {macro}"
    yield f"CREATE MACRO {FINGERPRINT}() AS '{fingerprint()}'"


def fingerprint() -> str:
    """What tells a file of this schema from one of another."""
    return hashlib.sha256("\n".join((*table_statements(), *_MACROS)).encode()).hexdigest()[:16]


def copy_statement(type: str, ends: tuple[str, str] | None) -> str:
    """The statement that copies the Arrow table ``$rows`` into a table.

    >>> copy_statement("SENSE", ("Label", "Synset"))
    "COPY `SENSE` FROM $rows (from='Label', to='Synset')"
    """
    if ends is None and NODES[type].shared and type != "Base":
        return f"COPY `{type}` FROM (LOAD FROM $rows RETURN DISTINCT id)"  # kept by one base, and brought again by another
    if ends is None or len(RELATIONSHIPS[type].ends) == 1:
        return f"COPY `{type}` FROM $rows"
    return f"COPY `{type}` FROM $rows (from='{ends[0]}', to='{ends[1]}')"
