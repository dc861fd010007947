"""The schema of the graph: its labels, relationship types and properties.

DDL, constraints, COPY and UNWIND statements, import headers and the contract tests of the stores are generated from the tables
in this module. Hierarchies point up (special -> general, member -> group); the breadth of a hierarchy is a property of the node
at its general end, and ``descendants`` of a synset counts all synsets below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

PropertyType = Literal["string", "int", "float", "bool", "strings"]

BASE_NAME = re.compile(r"[a-z0-9_.-]+")

CATEGORY = "Category:"

MAX_KEY_BYTES = 4_096
"""Longest id and name, in bytes of UTF-8; Neo4j cannot index longer values."""


@dataclass(frozen=True, slots=True)
class NodeType:
    """A label and its properties; ``id``, the first, is the key."""

    label: str
    properties: Mapping[str, PropertyType]

    @property
    def shared(self) -> bool:
        """Whether nodes of this label belong to no base."""
        return "base" not in self.properties


@dataclass(frozen=True, slots=True)
class RelationshipType:
    """A relationship type, the pairs of labels that it may join, and its properties.

    ``breadth`` names the property of the target that counts the relationships of this type that lead to it.
    """

    name: str
    ends: tuple[tuple[str, str], ...]
    properties: Mapping[str, PropertyType] = field(default_factory=dict)
    breadth: str | None = None


_LEMMAS: dict[str, PropertyType] = {"from_lemma": "string", "to_lemma": "string"}


def _nodes(**types: dict[str, PropertyType]) -> dict[str, NodeType]:
    return {label: NodeType(label, {"id": "string", **properties}) for label, properties in types.items()}


def _relationships(*types: RelationshipType) -> dict[str, RelationshipType]:
    return {type.name: type for type in types}


def _synsets(name: str, properties: Mapping[str, PropertyType] | None = None, breadth: str | None = None) -> RelationshipType:
    return RelationshipType(name, (("Synset", "Synset"),), properties or {}, breadth)


NODES: dict[str, NodeType] = _nodes(
    Base={
        "kind": "string",
        "source": "string",
        "revision": "int",
        "state": "string",
        "loading": "string",
        "left_out": "string",
        "language": "string",
        "load_options": "string",
        "schema": "string",
    },
    Stem={},
    Label={"base": "string", "name": "string", "uses": "int"},
    Synset={
        "base": "string",
        "name": "string",
        "pos": "string",
        "lemmas": "strings",
        "gloss": "string",
        "examples": "strings",
        "lexfile": "string",
        "ili": "string",
        "hyponyms": "int",
        "descendants": "int",
    },
    Article={
        "base": "string",
        "name": "string",
        "gloss": "string",
        "opening": "string",
        "disambiguation": "bool",
        "stem": "string",
        "folded_stem": "string",
    },
    Redirect={"base": "string", "name": "string"},
    Category={"base": "string", "name": "string", "members": "int", "subcategories": "int"},
    Hashtag={"base": "string", "name": "string", "tweets": "int"},
)

RELATIONSHIPS: dict[str, RelationshipType] = _relationships(
    RelationshipType("FORM", (("Stem", "Label"),)),
    RelationshipType("FOLDS", (("Stem", "Label"),)),
    RelationshipType(
        "SENSE",
        (("Label", "Synset"), ("Label", "Article")),
        {"uses": "int", "prior": "float", "rank": "int", "lemma": "string", "key": "string"},
    ),
    RelationshipType("INFLECTION_OF", (("Label", "Label"),), {"pos": "string"}),
    _synsets("HYPERNYM", {"instance": "bool"}, breadth="hyponyms"),
    _synsets("SIMILAR", _LEMMAS),
    _synsets("ALSO", _LEMMAS),
    _synsets("DERIVATION", _LEMMAS),
    _synsets("ANTONYM", _LEMMAS),
    _synsets("PERTAINS_TO", _LEMMAS),
    _synsets("PARTICIPLE_OF", _LEMMAS),
    _synsets("VERB_GROUP", _LEMMAS),
    _synsets("ATTRIBUTE"),
    _synsets("ENTAILS"),
    _synsets("CAUSES"),
    _synsets("PART_OF"),
    _synsets("MEMBER_OF"),
    _synsets("SUBSTANCE_OF"),
    _synsets("IN_TOPIC", _LEMMAS),
    _synsets("IN_REGION", _LEMMAS),
    _synsets("IN_USAGE", _LEMMAS),
    _synsets("RELATED", {"kind": "string", **_LEMMAS}),
    RelationshipType("REDIRECTS_TO", (("Redirect", "Article"),)),
    RelationshipType("IN_CATEGORY", (("Article", "Category"),), breadth="members"),
    RelationshipType("CENTRAL_TO", (("Article", "Category"),)),
    RelationshipType("SUBCATEGORY_OF", (("Category", "Category"),), breadth="subcategories"),
    RelationshipType("LINKS_TO", (("Article", "Article"),), {"rank": "int", "place": "int", "anchor": "string"}),
    RelationshipType("LINKS_IN_PARENTHESES", (("Article", "Article"),), {"place": "int", "anchor": "string"}),
    RelationshipType("SYNONYM", (("Hashtag", "Hashtag"),), {"rank": "int", "distance": "float"}),
)


_BUILT_IN = (dict(NODES), dict(RELATIONSHIPS))


@cache
def schema_fingerprint() -> str:
    """Return a hash of the names, ends and properties that this version of wayword declares.

    It is stored with each base, so that a base of another schema is refused instead of being misread. Types that
    ``register_types`` adds are not included, so a base stays readable whether or not an extension is installed.
    """
    from hashlib import sha256  # not at the top: importing it takes 2 ms, and a score needs none

    nodes, relationships = _BUILT_IN
    tables = [*((label, *node.properties.items()) for label, node in nodes.items())]
    tables += [(name, *type.ends, *type.properties.items()) for name, type in relationships.items()]
    return sha256(repr(tables).encode()).hexdigest()[:16]


def register_types(nodes: Iterable[NodeType] = (), relationships: Iterable[RelationshipType] = ()) -> None:
    """Add the node and relationship types of a further kind of base.

    An existing relationship type is extended by new ends, so that ``SENSE`` can lead to nodes of a new label.
    Every process that opens an embedded store must have registered the same types as the process that wrote it.

    Raises:
        ValueError: A type exists with other properties.
    """
    for node in nodes:
        registered = NODES.setdefault(node.label, node)
        if registered != node:
            raise ValueError(f"the label {node.label} already has other properties; choose another label")
    for relationship in relationships:
        known_type = RELATIONSHIPS.setdefault(relationship.name, relationship)
        if (known_type.properties, known_type.breadth) != (relationship.properties, relationship.breadth):
            raise ValueError(f"the type {relationship.name} already has other properties; choose another type")
        ends = tuple(dict.fromkeys((*known_type.ends, *relationship.ends)))
        RELATIONSHIPS[relationship.name] = replace(known_type, ends=ends)


def label_id(base: str, name: str) -> str:
    """Return the id of a label of a base: ``wordnet/dog``."""
    return f"{base}/{name}"


def entity_id(base: str, key: str) -> str:
    """Return the id of an entity of a base: ``wordnet:02086723-n``."""
    return f"{base}:{key}"


def base_of(node_id: str) -> str:
    """Return the base of an entity or a label, which is the first part of its id."""
    return re.split("[:/]", node_id, maxsplit=1)[0]
