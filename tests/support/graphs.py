"""Batches from plain dictionaries, and small graphs with most kinds of rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from wayword.graph.arrow_schema import node_columns, relationship_columns
from wayword.graph.records import Base, Batch
from wayword.graph.schema import RELATIONSHIPS

Row = dict[str, Any]


def nodes(label: str, *rows: Row) -> Batch:
    """A batch of nodes; columns that no row has are omitted, and the store must fill them in."""
    return Batch(label, _batch(rows, node_columns(label)))


def edges(type: str, *rows: tuple[str, str] | tuple[str, str, Row], ends: tuple[str, str] | None = None) -> Batch:
    """A batch of relationships, each (from, to) or (from, to, properties)."""
    flat = [{"from": row[0], "to": row[1], **(row[2] if len(row) > 2 else {})} for row in rows]
    return Batch(type, _batch(flat, relationship_columns(type)), ends or RELATIONSHIPS[type].ends[0])


def _batch(rows: tuple[Row, ...] | list[Row], columns: pa.Schema) -> pa.RecordBatch:
    used = {name for row in rows for name in row} | {"id", "from", "to"}
    return pa.RecordBatch.from_pylist(list(rows), schema=pa.schema([column for column in columns if column.name in used]))


def base(name: str = "wordnet", kind: str = "wordnet", **left_out: int) -> Base:
    """A base as loaders describe it."""
    return Base(name, kind, f"source of {name}", left_out=left_out)


def sibling_files(path: Path) -> list[str]:
    """The names of the files in the folder of a store."""
    return sorted(each.name for each in path.parent.iterdir())


def words(name: str, *spellings: str) -> Iterator[Batch]:
    """Labels with their stems; a stem is the label without a final s."""
    stems = list(dict.fromkeys(word.removesuffix("s") for word in spellings))
    yield nodes("Stem", *({"id": stem} for stem in stems))
    yield nodes("Label", *({"id": f"{name}/{word}", "base": name, "name": word, "uses": len(word)} for word in spellings))
    yield edges("FORM", *((word.removesuffix("s"), f"{name}/{word}") for word in spellings))


ANIMALS = {"Label": 6, "Synset": 4, "FORM": 6, "SENSE": 4, "INFLECTION_OF": 1, "HYPERNYM": 3, "DERIVATION": 2, "SIMILAR": 1}
"""Numbers of nodes and relationships in ``animals``, which also has five stems."""


def animals(name: str = "wordnet") -> list[Batch]:
    """Three synsets in a line with their words, an irregular form, and derivations."""
    return [
        *words(name, "dog", "dogs", "canine", "animal", "geese", "goose"),
        nodes(
            "Synset",
            {
                "id": f"{name}:1-n",
                "base": name,
                "name": "dog",
                "pos": "n",
                "lemmas": ["dog", "hound"],
                "hyponyms": 0,
                "descendants": 0,
            },
            {
                "id": f"{name}:2-n",
                "base": name,
                "name": "canine",
                "pos": "n",
                "lemmas": [],
                "gloss": "a 'dog' or so",
                "hyponyms": 1,
                "descendants": 1,
            },
            {"id": f"{name}:3-n", "base": name, "name": "animal", "pos": "n", "gloss": None, "hyponyms": 2, "descendants": 2},
            {"id": f"{name}:4-a", "base": name, "name": "canine", "pos": "a"},
        ),
        edges(
            "SENSE",
            (f"{name}/dog", f"{name}:1-n", {"uses": 5, "prior": 0.625, "rank": 1, "lemma": "dog", "key": "dog%1"}),
            (f"{name}/dog", f"{name}:2-n", {"uses": 3, "prior": 0.375, "rank": 2, "lemma": "Dog"}),
            (f"{name}/canine", f"{name}:4-a", {"uses": 1, "prior": 0.5, "rank": 1, "lemma": "canine"}),
            (f"{name}/canine", f"{name}:2-n", {"uses": 1, "prior": 0.5, "rank": 1, "lemma": "canine"}),
            ends=("Label", "Synset"),
        ),
        edges("INFLECTION_OF", (f"{name}/geese", f"{name}/goose", {"pos": "n"})),
        edges(
            "HYPERNYM",
            (f"{name}:1-n", f"{name}:2-n", {"instance": False}),
            (f"{name}:2-n", f"{name}:3-n", {"instance": False}),
            (f"{name}:1-n", f"{name}:3-n", {"instance": True}),
        ),
        edges(
            "DERIVATION",
            (f"{name}:2-n", f"{name}:4-a", {"from_lemma": "canine", "to_lemma": "canine"}),
            (f"{name}:2-n", f"{name}:4-a", {"from_lemma": "canid", "to_lemma": "canine"}),
        ),
        edges("SIMILAR", (f"{name}:4-a", f"{name}:4-a")),
    ]


def wiki(name: str = "wiki") -> list[Batch]:
    """Four articles with a redirect and two categories, one of them inside itself."""
    return [
        *words(name, "dog", "hounds"),
        nodes("Article", *({"id": f"{name}:{title}", "base": name, "name": title} for title in ("Dog", "Wolf"))),
        nodes(
            "Article",
            *(
                {"id": f"{name}:{title}", "name": title, "stem": "wolf", "disambiguation": False, "gloss": "howls"}
                for title in ("Wolf (moon)", "Wolf (band)")
            ),
        ),
        nodes("Redirect", {"id": f"{name}:Hound", "base": name, "name": "Hound"}),
        nodes(
            "Category",
            {"id": f"{name}:Category:Dogs", "base": name, "name": "Dogs", "members": 1, "subcategories": 0},
            {"id": f"{name}:Category:Animals", "base": name, "name": "Animals", "members": 1, "subcategories": 2},
        ),
        edges("SENSE", (f"{name}/dog", f"{name}:Dog", {"uses": 2, "prior": 1.0, "rank": 1}), ends=("Label", "Article")),
        edges("REDIRECTS_TO", (f"{name}:Hound", f"{name}:Dog")),
        edges("IN_CATEGORY", (f"{name}:Wolf", f"{name}:Category:Animals"), (f"{name}:Wolf", f"{name}:Category:Dogs")),
        edges("CENTRAL_TO", (f"{name}:Dog", f"{name}:Category:Dogs")),
        edges(
            "SUBCATEGORY_OF",
            (f"{name}:Category:Dogs", f"{name}:Category:Animals"),
            (f"{name}:Category:Animals", f"{name}:Category:Animals"),
        ),
        edges("LINKS_TO", (f"{name}:Dog", f"{name}:Wolf", {"rank": 1, "place": 2, "anchor": "wolves"})),
        edges("LINKS_IN_PARENTHESES", (f"{name}:Dog", f"{name}:Wolf (band)", {"place": 1, "anchor": "Wolf"})),
    ]


def remove_digest(path: Path) -> None:
    """Remove the digest of a small store, as if the engine alone had written its file."""
    content = path.read_bytes()
    path.write_bytes(content[: 4096 - 36] + bytes(36) + content[4096:-4096])
