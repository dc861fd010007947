"""The DDL of LadybugDB: tables, macros that bring its Cypher closer to Neo4j's, and a fingerprint of both.

There is one node table for each label and one relationship table for each type. Properties are deliberately not indexed: an
index makes ``=`` faster, but a recursive pattern that starts from an indexed property never ends.
"""

from __future__ import annotations

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
    """Yield the statements that create the tables, nodes before relationships."""
    for label, node in NODES.items():
        columns = ", ".join(f"`{name}` {_TYPES[kind]}" for name, kind in node.properties.items())
        yield f"CREATE NODE TABLE `{label}`({columns}, PRIMARY KEY (`id`))"
    for name, relationship in RELATIONSHIPS.items():
        ends = [f"FROM `{start}` TO `{end}`" for start, end in relationship.ends]
        properties = [f"`{column}` {_TYPES[kind]}" for column, kind in relationship.properties.items()]
        yield f"CREATE REL TABLE `{name}`({', '.join(ends + properties)})"


def macro_statements() -> Iterator[str]:
    """Yield the statements that create the macros; one of them returns the fingerprint."""
    for macro in _MACROS:
        yield f"CREATE MACRO {macro}"
    yield f"CREATE MACRO {FINGERPRINT}() AS '{fingerprint()}'"


def fingerprint() -> str:
    """Return a hash of all tables and macros, including registered types; a file with another hash is rejected."""
    from hashlib import sha256

    return sha256("\n".join((*table_statements(), *_MACROS)).encode()).hexdigest()[:16]


def copy_statement(type: str, ends: tuple[str, str] | None) -> str:
    """Return the statement that copies the Arrow table ``$rows`` into a table.

    >>> copy_statement("SENSE", ("Label", "Synset"))
    "COPY `SENSE` FROM $rows (from='Label', to='Synset')"
    """
    if ends is None and NODES[type].shared and type != "Base":
        return f"COPY `{type}` FROM (LOAD FROM $rows RETURN DISTINCT id)"  # several bases may have the same stem
    if ends is None or len(RELATIONSHIPS[type].ends) == 1:
        return f"COPY `{type}` FROM $rows"
    return f"COPY `{type}` FROM $rows (from='{ends[0]}', to='{ends[1]}')"
