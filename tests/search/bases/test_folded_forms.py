"""Accents distinguish phrases; the folded form is looked up only if a base has nothing for the written form."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import wayword
from wayword.core.normalisation import fold
from wayword.core.thesaurus import normalise_hashtag
from wayword.graph.ingestion import ingest
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.graph.memory import MemoryStore
from wayword.graph.store import Store
from wayword.loaders import open_wordnet
from wayword.search.bases.selection import ViewChoice, open_view
from wayword.search.bases.view import View
from wayword.search.scoring.aspects import split_words
from wayword.search.scoring.parameters import Parameters
from wayword.search.scoring.stop_words import read_stop_words

from ...support.examples import share_of_examples
from ...support.loaded_wikis import copy_base, load, open_scorers, tiny_store
from ...support.mini_wordnet import MiniSynset, write_files
from ...support.small_dumps import SmallPage, write_dump
from ...support.stores import STORES

WORDS = [
    MiniSynset("n", ["entity"]),
    MiniSynset("n", ["café", "coffeehouse"], points=[("@", 0, 0, 0)]),
    MiniSynset("n", ["résumé"], points=[("@", 0, 0, 0)]),
    MiniSynset("v", ["resume"]),
    MiniSynset("n", ["naïf"], points=[("@", 0, 0, 0)]),
    MiniSynset("n", ["café_au_lait"], points=[("@", 0, 0, 0)]),
]
WIKI = [
    SmallPage("Café", "A place."),
    SmallPage("Résumé", "A summary."),
    SmallPage("Resume", "To go on."),
    SmallPage("Pâté (food)", "A paste."),
    SmallPage("バス", "A vehicle."),
    SmallPage("ข่าว", "News."),
    SmallPage("ขาว", "White."),
    SmallPage("Höna", "A hen."),
    SmallPage("Hona", "A female."),
    SmallPage("Má", "A cheek."),
    SmallPage("Mạ", "A seedling."),
    SmallPage("שָׁלוֹם", "Peace."),
    SmallPage("كتَب", "He wrote."),
    SmallPage("كتُب", "Books."),
]
VIEWS: list[ViewChoice] = ["live", "projection"]


EVERY_STORE = [
    pytest.param(name, marks=[pytest.mark.server, pytest.mark.xdist_group("neo4j"), pytest.mark.slow])
    if name == "neo4j"
    else name
    for name in STORES
]


@pytest.fixture(scope="module", params=EVERY_STORE)
def bases(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store of each kind with a small WordNet and a small wiki."""
    folder = tmp_path_factory.mktemp("folded")
    write_files(folder / "dict", WORDS)
    with STORES[request.param](folder) as store:
        ingest(store, open_wordnet(folder / "dict"))
        load(store, write_dump(folder / "tiny.xml", WIKI))
        yield store


def match_names(
    store: Store, base: str, phrase: str, choice: ViewChoice, parameters: Parameters | None = None, *, key: str = "name"
) -> dict[str, str]:
    """Return the names (or ids) of the target set of a phrase, each with the label that leads to it."""
    view: View[Any] = open_view(store, base, choice)
    targets = view.targets(split_words(phrase), parameters or Parameters())
    return {getattr(view.entities([node])[0], key): label.text for node, label in targets.items()}


@pytest.mark.parametrize("choice", VIEWS)
@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("café", {"café": "café"}),
        ("cafe", {"café": "café"}),
        ("cafes", {"café": "café"}),
        ("cafés", {"café": "café"}),
        ("càfe", {"café": "café"}),
        ("resume", {"resume": "resume"}),
        ("résumé", {"résumé": "résumé"}),
        ("résume", {"résumé": "résumé", "resume": "resume"}),
        ("naif", {"naïf": "naïf"}),
        ("cafes au lait", {"café au lait": "café au lait"}),
        ("\u0301", {}),
    ],
)
def test_a_word_is_matched_by_its_folded_form_only_if_its_written_form_matches_nothing(
    bases: Store, choice: ViewChoice, phrase: str, expected: dict[str, str]
) -> None:
    assert match_names(bases, "wordnet", phrase, choice) == expected


@pytest.mark.parametrize("choice", VIEWS)
@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("cafe", {"Café": "café"}),
        ("cafés", {"Café": "café"}),
        ("resume", {"Resume": "resume"}),
        ("résumé", {"Résumé": "résumé"}),
        ("résume", {"Resume": "resume", "Résumé": "résumé"}),
        ("ハス", {"バス": "バス"}),
        ("ข่าว", {"ข่าว": "ข่าว"}),
        ("ขาว", {"ขาว": "ขาว"}),
        ("ข้าว", {"ข่าว": "ข่าว", "ขาว": "ขาว"}),
        ("HÖNA", {"Höna": "höna"}),
        ("hona", {"Hona": "hona"}),
        ("ma\u0301", {"Má": "má"}),
        ("mạ", {"Mạ": "mạ"}),
        ("ma", {"Má": "má", "Mạ": "mạ"}),
        ("שלום", {"שָׁלוֹם": "שָׁלוֹם"}),
        ("كتَب", {"كتَب": "كتَب"}),
        ("كتب", {"كتَب": "كتَب", "كتُب": "كتُب"}),
        ("pâté", {"Pâté (food)": "pâté"}),
        ("pate", {"Pâté (food)": "pâté"}),
    ],
)
def test_a_label_is_matched_by_its_folded_form_only_if_its_written_form_matches_nothing(
    bases: Store, choice: ViewChoice, phrase: str, expected: dict[str, str]
) -> None:
    assert match_names(bases, "tinywiki", phrase, choice, Parameters(bracketed=True)) == expected


def test_two_labels_with_one_folded_form_are_not_confused() -> None:
    with tiny_store([*WIKI, SmallPage("ハス", "A flower.")]) as store:
        assert match_names(store, "tinywiki", "ハス", "live") == {"ハス": "ハス"}
        assert match_names(store, "tinywiki", "バス", "projection") == {"バス": "バス"}


FORMS = ["bóo", "boó", "boo", "bóó", "バス", "ハス", "パス", "ข่าว", "ขาว", "שָׁלוֹם", "שלום"]
"""Words that no suffix rule changes, many with one folded form."""


@share_of_examples(0.3)
@given(
    st.lists(st.lists(st.sampled_from(FORMS), min_size=1, max_size=3, unique=True), min_size=1, max_size=5),
    st.lists(st.sampled_from(FORMS), min_size=1, max_size=4),
)
@example([["bóo"], ["bóó"]], ["boó"])
def test_words_with_one_folded_form_are_found_in_one_order_in_every_view(synsets: list[list[str]], phrases: list[str]) -> None:
    with TemporaryDirectory() as folder, MemoryStore() as store:
        write_files(Path(folder) / "dict", [MiniSynset("n", words) for words in synsets])
        ingest(store, open_wordnet(Path(folder) / "dict"))
        for phrase in phrases:
            found = [list(match_names(store, "wordnet", phrase, choice, key="id").items()) for choice in VIEWS]
            assert found[0] == found[1]
            written = {word for words in synsets for word in words if word == phrase}
            labels = written or {word for words in synsets for word in words if fold(word) == fold(phrase)}
            assert len(found[0]) == sum(not labels.isdisjoint(words) for words in synsets)
            assert {label for _, label in found[0]} <= labels


def test_hyphens_become_spaces_only_if_the_phrase_matches_nothing(tmp_path: Path) -> None:
    words = [
        MiniSynset("n", ["machine"]),
        MiniSynset("n", ["learning"]),
        MiniSynset("n", ["well-being"]),
        MiniSynset("n", ["being"]),
        MiniSynset("n", ["well"]),
    ]
    write_files(tmp_path / "dict", words)
    with EmbeddedStore(tmp_path / "graph") as store:
        ingest(store, open_wordnet(tmp_path / "dict"))
    with wayword.open(tmp_path / "graph") as graph:
        assert [aspect.text for aspect in graph.senses("machine-learning").aspects] == ["machine", "learning"]
        assert [aspect.text for aspect in graph.senses("well-being").aspects] == ["well-being"]
        assert graph.unknown(["machine-unlearning", "-machine"]) == {"machine-unlearning", "-machine"}


def test_hyphens_stay_if_any_of_several_bases_has_the_phrase() -> None:
    words = [SmallPage("Machine"), SmallPage("Learning")]
    with tiny_store(words) as store, tiny_store([SmallPage("Machine-learning")], site="another") as other:
        copy_base(other, store)
        expected = {
            ("tinywiki",): ["machine", "learning"],
            ("another",): ["machine-learning"],
            ("tinywiki", "another"): ["machine-learning"],
            ("another", "tinywiki"): ["machine-learning"],
        }
        for bases, aspects in expected.items():
            for scorer in open_scorers(store, bases, ()):
                assert [aspect.text for aspect in scorer.aspects("machine-learning")] == aspects
                assert scorer.aspects("machine-unheard") == ()


def test_hashtags_that_differ_in_a_mark_stay_apart_however_the_mark_is_encoded() -> None:
    assert normalise_hashtag("#Caf\u00e9") == normalise_hashtag("cafe\u0301") != normalise_hashtag("#cafe")
    assert len({normalise_hashtag(tag) for tag in ("#バス", "#ハス", "#ข่าว", "#ขาว", "#Má", "#Mạ", "#שָׁלוֹם", "#שלום")}) == 8


def test_stop_words_that_differ_in_a_mark_stay_apart(tmp_path: Path) -> None:
    (tmp_path / "stop.txt").write_text("f\u00e5r\nハス\n", encoding="utf-8")
    stop_words = read_stop_words(tmp_path / "stop.txt")
    assert "får" in stop_words
    assert stop_words.isdisjoint({"far", "バス"})
    with tiny_store([SmallPage("Far"), SmallPage("Bus")]) as store:
        for scorer in open_scorers(store, ["tinywiki"], stop_words):
            assert [aspect.text for aspect in scorer.aspects("far bus")] == ["far", "bus"]
            assert [aspect.text for aspect in scorer.aspects("får bus")] == ["bus"]
