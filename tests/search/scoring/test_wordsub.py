"""WordSub on the real WordNet: published scores, an independent implementation, NLTK, and the oracle."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import wayword
from wayword import Graph
from wayword.core.errors import WaywordError
from wayword.core.normalisation import normalise
from wayword.graph.ingestion import ingest
from wayword.graph.memory import MemoryStore
from wayword.graph.store import Store
from wayword.loaders import open_wordnet
from wayword.search.bases.array_file import Arrays, write_arrays
from wayword.search.bases.projection import Projection
from wayword.search.bases.projector import project
from wayword.search.bases.selection import ViewChoice, open_projection
from wayword.search.bases.view import View
from wayword.search.bases.wordnet.live import LiveWordNet
from wayword.search.bases.wordnet.morphology import find_base_forms
from wayword.search.bases.wordnet.projection import WordNetProjection
from wayword.search.errors import BaseUnknown, ParameterError, PhraseError
from wayword.search.paths.best_first import best_first
from wayword.search.paths.bidirectional import search_both_ends
from wayword.search.paths.weighted import WeightedView
from wayword.search.scoring.parameters import DerivationReading, Parameters
from wayword.search.scoring.scorer import Scorer

from ...oracles import algorithms
from ...support.examples import EVERY
from ...support.nltk_wordnet import nltk_reader, unpack_wordnet
from ...support.searches import ArraySearches
from ...support.wordsub_answers import compare_answers

pytestmark = pytest.mark.xdist_group("wordsub")  # one worker opens WordNet and its projection

PUBLISHED = [
    ("enclose", "birdcage", 0.27),
    ("toilet", "public toilet", 0.70),
    ("room", "public toilet", 0.27),
    ("powder room", "public toilet", 0.11),
    ("bedroom", "public toilet", 0.00),
    ("admire", "appreciation", 0.70),
]


@pytest.fixture(scope="module")
def graph(wordnet31: Path) -> Iterator[Graph]:
    with wayword.open(wordnet31, profile="thesis") as opened:
        yield opened


@pytest.mark.parametrize(("substitute", "substitutee", "score"), PUBLISHED)
def test_published_scores_are_reproduced(graph: Graph, substitute: str, substitutee: str, score: float) -> None:
    assert round(graph.score(substitute, substitutee).score, 2) == score


def test_the_published_path_from_enclose_to_birdcage_is_found(graph: Graph) -> None:
    path = graph.score("enclose", "birdcage").path
    assert [step.name for step in path] == ["enclose", "enclosure", "cage", "birdcage"]
    assert [step.step for step in path] == [None, "derivation", "specialisation", "specialisation"]
    assert [round(step.factor, 2) for step in path] == [1.0, 0.70, 0.51, 0.75]


@pytest.mark.parametrize("derivation", ["word", "synset"])
def test_scores_equal_those_of_an_independent_implementation(data: Path, wordnet31: Path, derivation: str) -> None:
    with wayword.open(wordnet31, profile="thesis", derivation=derivation) as graph:
        for row, found in compare_answers(data, graph):
            assert found.score == pytest.approx(float(row[derivation]), abs=0.001), (row, found)


@pytest.mark.slow
@pytest.mark.parametrize("derivation", ["word", "synset"])
def test_a_live_view_finds_the_same_paths(data: Path, wordnet31: Path, derivation: str) -> None:
    with (
        wayword.open(wordnet31, profile="thesis", derivation=derivation, view="live") as live,
        wayword.open(wordnet31, profile="thesis", derivation=derivation) as mapped,
    ):
        expected = [match for _, match in compare_answers(data, mapped, EVERY)]
        assert [match for _, match in compare_answers(data, live, EVERY)] == expected


@pytest.fixture(scope="module")
def in_memory(data: Path) -> MemoryStore:
    store = MemoryStore()
    ingest(store, open_wordnet(data / "wordnet" / "wordnet31_nltk_dict.tar.gz"))
    return store


@pytest.mark.slow
@pytest.mark.parametrize("derivation", ["word", "synset"])
@pytest.mark.parametrize("open_view", [LiveWordNet, lambda store, base: build_projection(store, base)])
def test_a_store_in_memory_finds_the_same_paths(
    data: Path,
    wordnet31: Path,
    in_memory: MemoryStore,
    derivation: DerivationReading,
    open_view: Callable[[Store, str], View[Any]],
) -> None:
    scorer: Scorer[Any] = Scorer(WeightedView(open_view(in_memory, "wordnet"), Parameters(derivation=derivation)))
    with wayword.open(wordnet31, profile="thesis", derivation=derivation) as mapped:
        for row, match in compare_answers(data, mapped, EVERY):
            assert scorer.match(row["substitute"], row["substitutee"]) == match


def build_projection(store: Store, base: str) -> Projection:
    """Return the projection of a base, written to memory."""
    content = BytesIO()
    write_arrays(content, *project(store, base))
    return open_projection(Arrays(content.getbuffer()))


@pytest.mark.slow
@pytest.mark.parametrize("derivation", ["word", "synset"])
def test_all_searches_agree_on_real_synsets(wordnet31: Path, derivation: str) -> None:
    generator = random.Random(1)
    with wayword.open(wordnet31, profile="thesis", derivation=derivation) as graph:
        scorer = graph._scorer()
        view = scorer.view
        projection = view.view
        assert isinstance(projection, Projection)
        number = projection.arrays.about["nodes"]
        searches = ArraySearches(projection, graph.parameters)
        size = 500 if derivation == "synset" else 50
        for _ in range(size):
            sources = sorted(generator.sample(range(number), generator.randint(1, 4)))
            target_sets = [sorted(generator.sample(range(number), generator.randint(1, 5))) for _ in range(3)]
            near = list(view.transitions(sources[0], "out"))
            if near:
                target_sets.append([generator.choice(near)[1]])
            plain = best_first(view, sources, target_sets)
            assert [search_both_ends(view, sources, targets) for targets in target_sets] == plain
            searches.check(sources, target_sets, plain)


@pytest.mark.slow
def test_a_batch_scores_like_single_pairs(data: Path, graph: Graph) -> None:
    with (data / "wordnet" / "wordsub-checks.csv").open(encoding="utf-8") as file:
        words = sorted({row["substitute"] for row in csv.DictReader(file)})[:40]
    phrases = [*words[:30], "smelly birdcage", "of the xyzzy", "acts of god"]
    pairs = [(one, other) for one in phrases for other in phrases]
    assert list(graph.scores(pairs)) == [graph.score(*pair).score for pair in pairs]


def test_scores_are_lazy_and_in_order(graph: Graph) -> None:
    def endless() -> Iterator[tuple[str, str]]:
        while True:
            yield "toilet", "public toilet"
            yield "bedroom", "public toilet"

    found = graph.scores(endless())
    assert [round(next(found), 2) for _ in range(5)] == [0.70, 0.0, 0.70, 0.0, 0.70]


@pytest.mark.parametrize(
    ("phrase", "aspects"),
    [
        ("acts of god", ["acts of god"]),
        ("geese", ["geese"]),
        ("Café", ["café"]),
        ("vice-president of the jury", ["vice president", "jury"]),
        ("machine-gunner birdcage-maker", ["machine gunner", "birdcage", "maker"]),
        ("PUBLIC  TOILET", ["public toilet"]),
        ("public_toilet", ["public toilet"]),
        ("smelly public toilets", ["smelly", "public toilets"]),
        ("the birdcage", ["birdcage"]),
    ],
)
def test_phrases_are_split_into_the_expected_aspects(graph: Graph, phrase: str, aspects: list[str]) -> None:
    assert [aspect.text for aspect in graph.senses(phrase).aspects] == aspects


@pytest.mark.parametrize("phrase", ["of the", "xyzzy", "🦜", "مرحبا", "שלום עולם"])
def test_an_unknown_phrase_is_reported_but_an_unrelated_one_is_not(graph: Graph, phrase: str) -> None:
    found = graph.score(phrase, "dog")
    assert (found.score, found.unknown, found.path) == (0.0, (phrase,), ())
    assert graph.senses(phrase).unknown
    unrelated = graph.score("bedroom", "public toilet")
    assert (unrelated.score, unrelated.unknown) == (0.0, ())


@pytest.mark.parametrize("phrase", ["", "  ", "_", "x" * 300, "a\0b", "\ud800", "\u200b"])
def test_an_invalid_phrase_is_rejected(graph: Graph, phrase: str) -> None:
    for ask in (
        lambda: graph.score(phrase, "dog"),
        lambda: list(graph.scores([("dog", phrase)])),
        lambda: graph.senses(phrase),
    ):
        with pytest.raises(PhraseError) as caught:
            ask()
        assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_target_sets_equal_the_synsets_of_nltk(data: Path, graph: Graph, tmp_path: Path) -> None:
    """Lemmas, their plurals, past tenses and comparatives, and words that only look like inflected forms."""
    view = graph._scorer().view.view
    assert isinstance(view, WordNetProjection)
    names = ["possess", "assess", "governess", "glasses", "men", "geese", "lives", "bases", "s", "es", "ss", "xyzzy"]
    with nltk_reader(unpack_wordnet(data, tmp_path)) as reader:
        lemmas = sorted(reader.all_lemma_names())
        chosen = random.Random(2).sample(lemmas, 2000 // EVERY)
        for name in [*names, *(lemma + ending for lemma in chosen for ending in ("", "s", "es", "ed", "ing", "er", "est"))]:
            theirs = {f"wordnet:{synset.offset():08d}-{synset.pos().replace('s', 'a')}" for synset in reader.synsets(name)}
            ours = find_base_forms(view, normalise(name))
            nodes = [node for entry, pos in ours for node, of in entry.senses if of == pos]
            assert {entity.id for entity in view.entities(nodes)} == theirs, name


def test_ties_are_broken_alike_in_every_view(wordnet31: Path) -> None:
    answers = []
    views: list[ViewChoice] = ["projection", "live", "projection"]
    for view in views:
        with wayword.open(wordnet31, profile="thesis", view=view) as graph:
            answers.append([graph.score(one, other).to_dict() for one, other, _ in PUBLISHED])
    assert answers[0] == answers[1] == answers[2]


def test_invalid_parameters_and_bases_are_rejected(wordnet31: Path, tmp_path: Path) -> None:
    for wrong in ({"sim": 2.0}, {"nonsense": 1.0}, {"profile": "no such"}, {"derivation": "letter"}, {"sp_min": 0.999}):
        with pytest.raises(ParameterError):
            wayword.open(wordnet31, **wrong)
    (tmp_path / "mine.toml").write_text("sim = 0.25\nthreshold = 0.2\n", encoding="utf-8")
    with wayword.open(wordnet31, profile=str(tmp_path / "mine.toml"), der=0.6) as graph:
        assert (graph.parameters.sim, graph.parameters.threshold, graph.parameters.der) == (0.25, 0.2, 0.6)
        assert graph.score("enclose", "birdcage").parameters["der"] == 0.6
    with wayword.open(wordnet31, base="wikinet") as graph, pytest.raises(BaseUnknown, match="wordnet"):
        graph.score("dog", "cat")
    with pytest.raises(WaywordError, match=r"wayword\.load_wordnet\(\)"):
        wayword.open(tmp_path / "nothing")


def test_the_tuned_profile_changes_scores_and_is_recorded(wordnet31: Path) -> None:
    with wayword.open(wordnet31, profile="tuned") as graph:
        found = graph.score("toilet", "public toilet")
    assert found.profile == "tuned"
    assert found.score == pytest.approx(0.675 + (0.930 - 0.675) / found.path[1].breadth ** (1 / 3))  # type: ignore[operator]


def test_the_transcription_agrees_on_real_words(graph: Graph) -> None:
    scorer = graph._scorer()
    weight, view = scorer.view.parameters.weight, scorer.view.view
    for one, other, _ in PUBLISHED[1:5]:
        ours, theirs = (set(scorer.aspects(phrase)[0].targets) for phrase in (one, other))
        expected = algorithms.search(
            ours,
            theirs,
            lambda node: [(to, weight(transition)) for to, transition in view.transitions(node, "out")],
            0.25,
        )
        with wayword.open(graph.store.address, profile="thesis", threshold=0.25) as strict:
            assert strict.score(one, other).score == expected
