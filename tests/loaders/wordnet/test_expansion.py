"""A lexicon without relations gets those of another WordNet, by the ids of the interlingual index."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any

import pytest

import wayword
from wayword.graph.memory import MemoryStore
from wayword.graph.store import Store
from wayword.loaders import SourceInvalid
from wayword.loading import load_wordnet
from wayword.search.bases.selection import ViewChoice, open_view
from wayword.search.errors import BaseUnknown
from wayword.search.paths.weighted import WeightedView
from wayword.search.scoring.parameters import Parameters
from wayword.search.scoring.scorer import Scorer

from ...support.mini_wordnet import MiniSynset, write_files
from ...support.stores import STORES
from .test_lmf import document, entry, lexicon, synset, write_lmf


def up(target: str, type: str = "hypernym") -> str:
    return f'<SynsetRelation relType="{type}" target="{target}"/>'


ENGLISH = lexicon(
    entry("e1", "animal", "en-animal")
    + entry("e2", "canine", "en-canine")
    + entry("e3", "dog", "en-dog")
    + entry("e4", "poodle", "en-poodle")
    + entry("e5", "big", "en-big", pos="a").replace(
        "/></Lex", '><SenseRelation relType="derivation" target="e6-1"/></Sense></Lex'
    )
    + entry("e6", "size", "en-size")
    + entry("e7", "large", "en-large", pos="a")
    + entry("e8", "lonely", "en-lonely")
    + synset("en-animal", ili="i1")
    + synset("en-canine", content=up("en-animal"), ili="i2", lexfile="noun.animal")
    + synset("en-dog", content=up("en-canine"), ili="i3")
    + synset("en-fox", content=up("en-canine") + up("en-dog", "co_role"), ili="i9")
    + synset("en-poodle", content=up("en-dog"), ili="i4")
    + synset("en-toy", content=up("en-poodle"))
    + synset("en-big", "a", up("en-large", "similar"), ili="i5")
    + synset("en-size", ili="i6")
    + synset("en-large", "s", ili="i7")
    + synset("en-lonely", ili="i8")
)
DANISH = lexicon(
    entry("d1", "dyr", "da-1")
    + entry("d2", "hund", "da-2")
    + entry("d3", "vovse", "da-3")
    + entry("d4", "puddel", "da-4")
    + entry("d5", "stor", "da-5", pos="a")
    + entry("d6", "størrelse", "da-6")
    + entry("d7", "vældig", "da-7", pos="a")
    + synset("da-1", ili="i1")
    + synset("da-2", ili="i3")
    + synset("da-3", ili="i3")
    + synset("da-4", content=up("da-2"), ili="i4")
    + synset("da-5", "a", ili="i5")
    + synset("da-6", ili="i6")
    + synset("da-7", "a", ili="i7"),
    "da",
).replace('language="en"', 'language="da"')


@pytest.fixture
def english(tmp_path: Path) -> Path:
    return write_lmf(tmp_path, document(ENGLISH), "en.xml")


@pytest.fixture
def danish(tmp_path: Path) -> Path:
    return write_lmf(tmp_path, document(DANISH), "da.xml")


@pytest.fixture(
    params=["memory", "embedded", pytest.param("neo4j", marks=(pytest.mark.server, pytest.mark.xdist_group("neo4j")))]
)
def store(request: pytest.FixtureRequest, tmp_path: Path, english: Path, danish: Path) -> Iterator[Store]:
    with STORES[request.param](tmp_path) as opened:
        load_wordnet(english, store=opened, name="en")
        load_wordnet(danish, store=opened, name="da", expand="en")
        yield opened


def edges(store: Store, type: str) -> list[tuple[str, str]]:
    rows = [row for batch in store.stream_edges(type, "da") for row in batch.to_pylist()]
    return sorted((row["from"].partition(":")[2], row["to"].partition(":")[2]) for row in rows)


def nodes(store: Store) -> dict[str, dict[str, Any]]:
    return {row["id"].partition(":")[2]: row for batch in store.stream_nodes("Synset", "da") for row in batch.to_pylist()}


def test_relations_hold_between_all_synsets_of_the_same_concepts(store: Store) -> None:
    """Between them are inferred synsets, named and explained as in the other WordNet, but without words."""
    assert edges(store, "HYPERNYM") == [
        ("2", "ili:i2"),
        ("3", "ili:i2"),
        ("4", "2"),
        ("4", "3"),
        ("ili:i2", "1"),
        ("ili:i9", "ili:i2"),
    ]
    assert edges(store, "SIMILAR") == [("5", "7")]
    assert edges(store, "RELATED") == [("ili:i9", "2"), ("ili:i9", "3")]
    assert edges(store, "DERIVATION") == []
    found = nodes(store)
    assert sorted(found) == ["1", "2", "3", "4", "5", "6", "7", "ili:i2", "ili:i9"]
    inferred = found["ili:i2"]
    assert (inferred["name"], inferred["lemmas"], inferred["pos"]) == ("canine", [], "n")
    assert (inferred["ili"], inferred["lexfile"], inferred["hyponyms"]) == ("i2", "noun.animal", 3)
    (base,) = (each for each in store.bases() if each.id == "da")
    assert (base.options, base.language) == ({"expand": "en"}, "da")


@pytest.mark.parametrize("choice", ["live", "projection"])
def test_paths_lead_through_inferred_synsets(store: Store, choice: ViewChoice) -> None:
    view: Any = open_view(store, "da", choice)
    match = Scorer(WeightedView(view, Parameters()), "thesis").match("puddel", "dyr")
    assert [step.name for step in match.path] == ["puddel", "hund", "canine", "dyr"]
    assert [step.breadth for step in match.path] == [None, 1, 3, 1]
    assert match.score == pytest.approx(prod(step.factor for step in match.path))


def test_own_relations_and_inverses_are_not_stored_twice(tmp_path: Path, english: Path) -> None:
    with MemoryStore() as store:
        load_wordnet(english, store=store, name="en")
        plain = load_wordnet(english, store=store, name="again")
        result = load_wordnet(english, store=store, name="da", expand="en")
        assert dict(result.relationships) == dict(plain.relationships)
        assert dict(result.nodes) == dict(plain.nodes)
        assert result.left_out == plain.left_out


def test_keys_of_inferred_synsets_never_clash_with_those_of_the_lexicon(tmp_path: Path, english: Path) -> None:
    text = document(DANISH.replace('"da-6"', '"ili:i2"'))
    with MemoryStore() as store:
        load_wordnet(english, store=store, name="en")
        load_wordnet(write_lmf(tmp_path, text), store=store, name="da", expand="en")
        assert {"ili:i2", "ili::i2"} < nodes(store).keys()


def test_base_without_ids_of_the_index_or_in_common_with_the_lexicon_is_rejected(tmp_path: Path, danish: Path) -> None:
    write_files(tmp_path / "dict", [MiniSynset("n", ["dog"])])
    other = write_lmf(tmp_path, document(lexicon(synset("x", ili="i404"))), "other.xml")
    with MemoryStore() as store:
        load_wordnet(tmp_path / "dict", store=store, name="pwn")
        load_wordnet(other, store=store, name="other")
        with pytest.raises(SourceInvalid, match="the base 'pwn' has no ILIs"):
            load_wordnet(danish, store=store, name="da", expand="pwn")
        with pytest.raises(SourceInvalid, match="no synset of the lexicon has an ILI of the base 'other'"):
            load_wordnet(danish, store=store, name="da", expand="other")
        with pytest.raises(BaseUnknown):
            load_wordnet(danish, store=store, name="da", expand="missing")
        with pytest.raises(SourceInvalid, match=r"the base 'other' cannot be expanded by itself.*name another base"):
            load_wordnet(danish, store=store, name="other", expand="other")
        assert [each.id for each in store.bases()] == ["other", "pwn"]


def test_inferred_synsets_have_no_plain_names(tmp_path: Path, english: Path) -> None:
    """An inferred synset has no words of the lexicon's language, so no other base is entered by its name."""
    lexicon_of_homographs = document(
        lexicon(entry("h1", "canine", "da-canine") + synset("da-canine", ili="i77"), "hom").replace(
            'language="en"', 'language="da"'
        )
    )
    path = tmp_path / "graph"
    load_wordnet(english, store=path, name="en")
    load_wordnet(write_lmf(tmp_path, document(DANISH)), store=path, name="da", expand="en")
    load_wordnet(write_lmf(tmp_path, lexicon_of_homographs), store=path, name="hom")
    for view in ("live", "projection"):
        with wayword.open(path, base=["da", "hom"], view=view) as both:
            assert both.score("hund", "canine").score == 0
