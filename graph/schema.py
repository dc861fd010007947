"""What is stored: the labels, relationship types and properties of the graph, declared once.

DDL, constraints, COPY and UNWIND statements, import headers and the contract tests of the stores are all made from the
tables in this module. Hierarchies point up (special -> general, member -> group), and the breadth of a hierarchy is a
property of the node at its general end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

PropertyType = Literal["string", "int", "float", "bool", "strings"]

BASE_NAME = re.compile(r"[a-z0-9_.-]+")

CATEGORY = "Category:"

LONGEST = 4_096
"""Bytes of the longest id and name: what a server can keep in an index."""


@dataclass(frozen=True, slots=True)
class NodeType:
    """A label with its properties; ``id`` is the key and is the first of them."""

    label: str
    properties: Mapping[str, PropertyType]

    @property
    def shared(self) -> bool:
        """Whether nodes of this label belong to no base."""
        return "base" not in self.properties


@dataclass(frozen=True, slots=True)
class RelationshipType:
    """A relationship type, the labels that it may join, and its properties.

    ``breadth`` names the property of the general end that counts how many relationships of this type (and its siblings)
    lead to it.
    """

    name: str
    ends: tuple[tuple[str, str], ...]
    properties: Mapping[str, PropertyType] = field(default_factory=dict)
    breadth: str | None = None


_WORDS: dict[str, PropertyType] = {"from_lemma": "string", "to_lemma": "string"}


def _nodes(**types: dict[str, PropertyType]) -> dict[str, NodeType]:
    return {label: NodeType(label, {"id": "string", **properties}) for label, properties in types.items()}


def _relationships(*types: RelationshipType) -> dict[str, RelationshipType]:
    return {each.name: each for each in types}


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
    _synsets("SIMILAR", _WORDS),
    _synsets("ALSO", _WORDS),
    _synsets("DERIVATION", _WORDS),
    _synsets("ANTONYM", _WORDS),
    _synsets("PERTAINS_TO", _WORDS),
    _synsets("PARTICIPLE_OF", _WORDS),
    _synsets("VERB_GROUP", _WORDS),
    _synsets("ATTRIBUTE"),
    _synsets("ENTAILS"),
    _synsets("CAUSES"),
    _synsets("PART_OF"),
    _synsets("MEMBER_OF"),
    _synsets("SUBSTANCE_OF"),
    _synsets("IN_TOPIC", _WORDS),
    _synsets("IN_REGION", _WORDS),
    _synsets("IN_USAGE", _WORDS),
    _synsets("RELATED", {"kind": "string", **_WORDS}),
    RelationshipType("REDIRECTS_TO", (("Redirect", "Article"),)),
    RelationshipType("IN_CATEGORY", (("Article", "Category"),), breadth="members"),
    RelationshipType("CENTRAL_TO", (("Article", "Category"),)),
    RelationshipType("SUBCATEGORY_OF", (("Category", "Category"),), breadth="subcategories"),
    RelationshipType("LINKS_TO", (("Article", "Article"),), {"rank": "int", "place": "int", "anchor": "string"}),
    RelationshipType("LINKS_IN_PARENTHESES", (("Article", "Article"),), {"place": "int", "anchor": "string"}),
    RelationshipType("SYNONYM", (("Hashtag", "Hashtag"),), {"rank": "int", "distance": "float"}),
)


def register_types(nodes: Iterable[NodeType] = (), relationships: Iterable[RelationshipType] = ()) -> None:
    """Add the node and relationship types of a further kind of base.

    A relationship type that exists gains the ends that it does not have yet: a ``SENSE`` may so lead to nodes of a new label.
    Every process that reads a store must have registered the types that it was made with.

    Raises:
        ValueError: A type exists with other properties.
    """
    for node in nodes:
        known = NODES.setdefault(node.label, node)
        if known != node:
            raise ValueError(f"nodes {node.label} have other properties already; choose another label")
    for relationship in relationships:
        known_type = RELATIONSHIPS.setdefault(relationship.name, relationship)
        if (known_type.properties, known_type.breadth) != (relationship.properties, relationship.breadth):
            raise ValueError(f"relationships {relationship.name} have other properties already; choose another type")
        ends = tuple(dict.fromkeys((*known_type.ends, *relationship.ends)))
        RELATIONSHIPS[relationship.name] = replace(known_type, ends=ends)


def label_id(base: str, name: str) -> str:
    """The id of a base's label: ``wordnet/dog``."""
    return f"{base}/{name}"


def entity_id(base: str, key: str) -> str:
    """The id of a base's entity: ``wordnet:02086723-n``."""
    return f"{base}:{key}"


def base_of(node_id: str) -> str:
    """The base that an entity's or a label's id names."""
    return re.split("[:/]", node_id, maxsplit=1)[0]
