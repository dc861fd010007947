"""Why a score is 0: facts of a match that are searched for only when they are asked for."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wayword
from wayword.graph.ingestion import ingest
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.loaders import open_wordnet
from wayword.search.bases.selection import ViewChoice
from wayword.search.presentation.match_text import match_text
from wayword.search.results import Match, MissingPath
from wayword.search.scoring.aspects import Aspect
from wayword.search.scoring.missing_paths import find_missing_path
from wayword.search.scoring.parameters import Parameters
from wayword.search.scoring.scorer import Scorer

from ...support import small_dumps
from ...support.examples import share_of_examples
from ...support.loaded_wikis import open_scorers, tiny_store
from ...support.mini_wordnet import MiniSynset, write_files
from ...support.small_dumps import SmallPage

ANIMALS = [
    MiniSynset("n", ["animal"]),
    MiniSynset("n", ["cat"], points=[("@", 0, 0, 0)]),
    *(MiniSynset("n", [name], points=[("@", 1, 0, 0)]) for name in ("jaguar", "lion", "tiger", "puma", "lynx")),
    MiniSynset("n", ["stone"]),
    MiniSynset("n", ["pebble"], points=[("@", 7, 0, 0)]),
    MiniSynset("n", ["rock", "boulder"], points=[("@", 7, 0, 0)]),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("animals")
    write_files(folder / "dict", ANIMALS)
    with EmbeddedStore(folder / "graph") as store:
        ingest(store, open_wordnet(folder / "dict"))
    return str(folder / "graph")


@pytest.fixture(params=["projection", "live"])
def graph(store: str, request: pytest.FixtureRequest) -> Iterator[wayword.Graph]:
    with wayword.open(store, profile="thesis", view=request.param) as opened:
        yield opened


def test_a_generalisation_that_keeps_nothing_is_named_with_the_score_of_the_other_direction(graph: wayword.Graph) -> None:
    match = graph.score("jaguar", "cat")
    (missing,) = match.missing_paths
    assert (missing.cause, missing.stop, missing.zero_breadth) == ("zero_step", 1, 5)
    assert [(step.name, step.step, step.breadth, step.factor) for step in missing.path] == [
        ("jaguar", None, None, 1.0),
        ("cat", "generalisation", 5, 0.0),
    ]
    assert missing.reverse == graph.score("cat", "jaguar").score > 0.6
    assert missing.first_step == ()
    assert [step.name for step in missing.last_step or ()] == ["animal", "cat"]
    text = match_text(match, 200)
    assert "the generalisation from jaguar to cat: its breadth is 5, and from breadth 5 upwards a generalisation keeps" in text
    assert "Best step out of jaguar: none keeps anything. Best step into cat: specialisation from animal (0.99" in text
    assert "The other way round, cat → jaguar, the score is 0.66" in text


def test_the_entity_at_which_the_best_path_falls_below_the_threshold_is_named(store: str) -> None:
    with wayword.open(store, profile="thesis", threshold=0.5) as graph:
        (missing,) = graph.score("pebble", "rock").missing_paths
        assert (missing.cause, missing.stop) == ("threshold", 1)
        assert [step.name for step in missing.path] == ["pebble", "stone", "rock"]
        text = str(graph.score("pebble", "rock")).replace("\n  ", " ")
    with wayword.open(store, profile="thesis") as graph:
        assert missing.path[-1].score == pytest.approx(graph.score("pebble", "rock").score, abs=1e-15)
    assert "The best path falls below the threshold of 0.5 at stone (0.29), where the search stops" in text
    assert "the score is 0 too" in text


def test_phrases_without_any_path_are_called_unconnected(graph: wayword.Graph) -> None:
    match = graph.score("jaguar", "rock")
    (missing,) = match.missing_paths
    assert (missing.cause, missing.path, missing.stop, missing.reverse) == ("unconnected", (), None, 0.0)
    assert "No path leads from jaguar to rock." in str(match)


def test_no_reason_is_searched_for_before_it_is_asked_for(graph: wayword.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []

    def find(scorer: Scorer[Any], ours: Aspect[Any], theirs: Aspect[Any]) -> MissingPath:
        searched.append(ours.text)
        return find_missing_path(scorer, ours, theirs)

    monkeypatch.setattr("wayword.search.scoring.scorer.find_missing_path", find)
    assert list(graph.scores([("jaguar", "cat"), ("jaguar", "rock")])) == [0.0, 0.0]
    match = graph.score("jaguar", "cat")
    assert not searched
    assert match.to_dict()["missing_paths"][0]["reverse"] == match.missing_paths[0].reverse
    assert str(match)
    assert searched == ["jaguar"]
    assert graph.score("cat", "jaguar").to_dict()["missing_paths"] == []
    assert graph.score("cat", "unicorn").missing_paths == ()


def test_a_match_can_be_copied_and_sent_to_another_process(graph: wayword.Graph) -> None:
    match = graph.score("jaguar", "cat")
    for each in (pickle.loads(pickle.dumps(match)), copy.deepcopy(match), replace(match)):
        assert each == match
        assert str(each).startswith("jaguar → cat  0.00")


def test_a_match_of_a_closed_graph_still_prints(store: str) -> None:
    views: tuple[ViewChoice, ...] = ("live", "projection")
    for view in views:
        with wayword.open(store, profile="thesis", view=view) as graph:
            match = graph.score("jaguar", "cat")
        assert str(match).startswith("jaguar → cat  0.00")
        assert view == "live" or "Every path has a step" in str(match)


def test_the_formulas_and_all_parameters_are_explained(graph: wayword.Graph) -> None:
    text = match_text(graph.score("animal", "jaguar"), 200, explain=True)
    assert "  specialisation: sp_min + (sp_max - sp_min) / breadth ^ sp_power" in text
    assert "  specialisation to jaguar: 0.2 + (0.99 - 0.2) / 5 ^ 0.333333 = 0.66" in text
    assert "  score: 0.99 × 0.66 = 0.66" in text
    match = graph.score("jaguar", "cat")
    text = match_text(match, 200, explain=True)
    assert "  generalisation: max(0, gn_max * (gn_scale / breadth ^ gn_power - gn_shift))" in text
    assert "  generalisation to cat: max(0, 0.99 * (1.1 / 5 ^ 1.5 - 0.1)) = max(0, -0.00) = 0" in text
    assert "\n  score: 0.00\n" in text
    assert all(len(line) <= 80 for line in match_text(match, 80, explain=True).split("\n"))
    for name in (*match.parameters, "threshold", "derivation"):
        assert f"\n  {name} " in text
    text = match_text(graph.score("jaguar stone", "cat rock"), 200, explain=True)
    assert "harmonic mean: 0, because one of the scores is 0" in text


@share_of_examples(0.3)
@given(
    small_dumps.wikis(),
    st.lists(st.tuples(small_dumps.phrases(), small_dumps.phrases()), min_size=1, max_size=4),
    st.sampled_from([0.08, 0.3, 0.6]),
)
def test_reasons_agree_with_scores_under_other_parameters(
    pages: list[SmallPage], pairs: list[tuple[str, str]], threshold: float
) -> None:
    with tiny_store(pages) as store:
        scorers = open_scorers(store, ["tinywiki"], {"the"}, Parameters(threshold=threshold))
        boundless = open_scorers(store, ["tinywiki"], {"the"}, Parameters(threshold=0.0))[0]
        generous = open_scorers(store, ["tinywiki"], {"the"}, Parameters(threshold=0.0, gn_shift=0.0, gn_scale=1.0))[0]
        for pair in pairs:
            match, *others = (scorer.match(*pair) for scorer in scorers)
            assert all(other.missing_paths == match.missing_paths for other in others)
            assert len(match.missing_paths) == sum(not each.path for each in match.matches)
            for missing in match.missing_paths:
                check_reason(missing, threshold)
                phrases = missing.substitute, missing.substitutee
                assert (missing.cause == "threshold") == (boundless.score(*phrases) > 0.0)
                assert (missing.cause == "unconnected") == (generous.score(*phrases) == 0.0)
                assert missing.reverse == scorers[0].score(*reversed(phrases))


def check_reason(missing: MissingPath, threshold: float) -> None:
    """The path stops where the reason says."""
    if missing.stop is None:
        assert missing.path == ()
        return
    before, stop = missing.path[: missing.stop], missing.path[missing.stop]
    if missing.cause == "threshold":
        assert stop.score < threshold <= min(step.score for step in before)
        assert missing.path[-1].score > 0.0
    else:
        assert stop.factor == 0.0 < min(step.factor for step in before)


def test_every_reason_has_its_words() -> None:
    missing = MissingPath("a", "b", "unconnected", (), None, None, (), None, 0.25)
    match = Match("a", "b", 0.0, ("x", "y"), "thesis", 0.08, None, find_missing_paths=lambda: (missing,))
    text = match_text(match, 100)
    assert "No path leads from a to b." in text
    assert "Best step out of a: none keeps anything." in text
    assert "into" not in text
    assert "b → a, the score is 0.25" in text
