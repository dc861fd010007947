"""HOP experiments: how starters are chosen, how results are summarised, and that every traversal is recorded."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wayword
from wayword.evaluation.errors import RatingsInvalid, RunUnknown
from wayword.evaluation.hop.comparison import Comparison, compare_runs, read_experiment, rerun_with_shared_vocabulary
from wayword.evaluation.hop.concreteness import Ratings
from wayword.evaluation.hop.experiment import Experiment, run_experiment
from wayword.evaluation.hop.results import Summary, summarise
from wayword.evaluation.hop.starters import BINS, balanced_sample, read_titles, shuffle_articles
from wayword.evaluation.runs.ledger import Ledger
from wayword.graph.memory import MemoryStore
from wayword.search.errors import ArticleUnknown, StartersInvalid, TraversalError
from wayword.search.traversal.link_graph import open_link_graph
from wayword.search.traversal.strategies import NearestLink, NthLink, SharedVocabulary
from wayword.search.traversal.strategy_options import StrategyOptions
from wayword.search.traversal.trails import make_trail
from wayword.search.traversal.walk import Traversal, WalkRules, walk

from ...support.link_graphs import FunctionSimilarity, make_link_graph
from ...support.loaded_wikis import load
from ...support.small_dumps import SmallPage, write_dump
from ...support.small_wiki import make_store

pytestmark = pytest.mark.slow  # loads or runs whole commands: too much for the inner loop


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_store(tmp_path_factory.mktemp("hop"))


@pytest.fixture
def ledger(tmp_path: Path) -> str:
    return str(tmp_path / "runs.sqlite")


@pytest.fixture
def graph(store: str) -> Iterator[wayword.Graph]:
    with wayword.open(store, base="testwiki") as opened:
        yield opened


def test_an_experiment_over_all_articles_has_their_functional_graph(graph: wayword.Graph, ledger: str) -> None:
    found = graph.hop(strategy="first", target="Animal", ledger=ledger)
    # Dog and Cat reach it through Mammal, Pet through Dog; Loner has no links.
    assert (found.starters, found.reached, found.cycle, found.dead_end, found.limit) == (5, 4, 0, 1, 0)
    assert (found.hop_value, found.min, found.max) == (2.0, 1, 3)
    assert found.std == pytest.approx(np.std([2, 1, 3, 2], ddof=1))
    assert found.whole == {"to_target": 4, "depth": 3, "levels": [1, 1, 2, 1], "cycles": 0, "drained": 0, "largest": []}
    with Ledger.open(ledger) as opened:
        rows = {each.starter: (each.ending, each.hops, each.last) for each in opened.traversals(found.run or 0)}
        assert rows == {
            "Cat": ("reached", 2, "Animal"),
            "Dog": ("reached", 2, "Animal"),
            "Loner": ("dead-end", 0, "Loner"),
            "Mammal": ("reached", 1, "Animal"),
            "Pet": ("reached", 3, "Animal"),
        }
        assert opened.run(found.run or 0).result == found.to_dict()


def test_without_a_traversal_that_reaches_the_target_there_is_no_hop_value(graph: wayword.Graph, ledger: str) -> None:
    found = graph.hop(strategy="first", target="Loner", ledger=ledger, keep_parentheses=True)
    assert (found.reached, found.dead_end) == (0, 5)
    found = graph.hop(strategy="second", target="Loner", ledger=ledger)
    assert found.hop_value is None
    assert str(found).startswith("0 of 5 traversals of testwiki by the second link reached Loner (0.0 %)\n")


@pytest.mark.parametrize(
    "options",
    [
        {"strategy": "first"},
        {"strategy": "second"},
        {"strategy": "random", "seed": 5},
        {"strategy": "wordnet"},
        {"strategy": "vectors", "vectors": "v.npy"},
        {"strategy": "first", "no_revisit": True},
        {"strategy": "random", "no_revisit": True, "limit": 3},
    ],
)
def test_every_recorded_traversal_equals_its_trail(
    graph: wayword.Graph, store: str, ledger: str, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    monkeypatch.chdir(Path(store).parent)
    found = graph.hop(target="Animal", ledger=ledger, **options)
    with Ledger.open(ledger) as opened:
        for row in opened.traversals(found.run or 0):
            trail = graph.trail(row.starter, target="Animal", **options)
            assert (row.ending, row.hops, row.cycle) == (trail.ending, trail.hops, trail.cycle)
    assert found.starters == found.reached + found.cycle + found.dead_end + found.limit == 5
    assert (found.exact is not None) == (options["strategy"] == "random" and not options.get("no_revisit"))


def test_a_list_of_starters_is_resolved_and_the_rest_counted(graph: wayword.Graph, store: str, ledger: str) -> None:
    titles = read_titles(str(Path(store).with_name("titles.txt")))
    found = graph.hop(target="Animal", starters=titles, ledger=ledger)
    assert (found.starters, found.parameters["count"]) == (2, 6)
    assert found.left_out == {
        "duplicate_starter": 1,
        "starter_is_target": 1,
        "unknown_starter": 2,  # one is a disambiguation page
    }
    with pytest.raises(StartersInvalid, match=r"other than the target \('Unicorn' is unknown\)"):
        graph.hop(target="Animal", starters=["Unicorn"], ledger=ledger)
    with pytest.raises(ArticleUnknown, match="Unicorn"):
        graph.hop(target="Unicorn", ledger=ledger)
    with Ledger.open(ledger) as opened:
        assert len(opened.runs()) == 1


def test_titles_are_read_from_tables_and_lines(tmp_path: Path) -> None:
    file = tmp_path / "s.csv"
    file.write_text("article_name,article_url\n\nDog,x\n\nThe, cat,y\n")
    assert read_titles(str(file)) == ("Dog", "The")
    file.write_text("a,b\nDog,x\n")
    with pytest.raises(StartersInvalid, match="has no column title"):
        read_titles(str(file))
    for content, message in ((b"", "holds no titles"), (b"\xff\xfe", "it is not UTF-8")):
        file.with_suffix(".txt").write_bytes(content)
        with pytest.raises(StartersInvalid, match=message):
            read_titles(str(file.with_suffix(".txt")))
    with pytest.raises(StartersInvalid, match=r"nowhere\.txt: cannot be read"):
        read_titles(str(tmp_path / "nowhere.txt"))


def test_a_sample_depends_on_its_seed_only(graph: wayword.Graph, ledger: str) -> None:
    samples: dict[int, set[str]] = {}
    with Ledger.open(ledger) as opened:
        for seed in (1, 1, 2, 3, 4):
            found = graph.hop(target="Animal", sample=2, seed=seed, ledger=ledger)
            titles = {each.starter for each in opened.traversals(found.run or 0)}
            assert len(titles) == 2
            assert samples.setdefault(seed, titles) == titles
    assert len({frozenset(each) for each in samples.values()}) > 1
    with pytest.raises(StartersInvalid, match="testwiki has 5 articles to begin at, not 6"):
        graph.hop(target="Animal", sample=6, ledger=ledger)
    with pytest.raises(StartersInvalid, match="choose one of sample and balanced"):
        graph.hop(target="Animal", sample=1, balanced=1, ledger=ledger)


def test_a_larger_sample_contains_the_smaller_one() -> None:
    link_graph = make_link_graph([[0]] * 50)
    order = shuffle_articles(link_graph, np.arange(50), 3).tolist()
    assert sorted(order) == list(range(50))
    assert order != sorted(order)
    assert (
        order
        == shuffle_articles(link_graph, np.arange(50), 3).tolist()
        != shuffle_articles(link_graph, np.arange(50), 4).tolist()
    )
    fewer = shuffle_articles(link_graph, np.arange(0, 50, 2), 3).tolist()
    assert [each for each in order if each % 2 == 0] == fewer


def test_balanced_starters_are_rated_by_their_openings(graph: wayword.Graph, store: str, ledger: str) -> None:
    ratings = str(Path(store).with_name("ratings.txt"))
    found = graph.hop(target="Animal", balanced=3, ratings=ratings, ledger=ledger)
    assert found.left_out == {"unrated_article": 1}  # it has no words
    with Ledger.open(ledger) as opened:
        rated = {each.starter: each.concreteness for each in opened.traversals(found.run or 0)}
    known = Ratings.read(ratings)
    assert rated == {title: pytest.approx(known.mean(text)) for title, text in OPENINGS.items() if title in rated}
    assert len(rated) == 3
    with pytest.raises(StartersInvalid, match="only 4 of 5 articles have a rated word, not 5"):
        graph.hop(target="Animal", balanced=5, ratings=ratings, ledger=ledger)
    with pytest.raises(StartersInvalid, match="name a file of them as ratings="):
        graph.hop(target="Animal", balanced=2, ledger=ledger)


OPENINGS = {
    "Dog": "The dog is a tame (cat) mammal and a pet.",
    "Mammal": "A mammal is an beast like the dog.",
    "Pet": "A pet is a dog, or else it is a cat.",
    "Cat": "A cat is a mammal of its own.",
}


@given(st.lists(st.floats(1, 5, allow_nan=False), min_size=1, max_size=200), st.data())
def test_a_balanced_sample_draws_equally_from_each_bin(values: list[float], data: st.DataObject) -> None:
    count = data.draw(st.integers(1, len(values)))
    sample = balanced_sample(np.array(values), count).tolist()
    assert len(set(sample)) == count
    low, high = min(values), max(values)
    bins = [min(int((value - low) / ((high - low) or 1.0) * BINS), BINS - 1) for value in values]
    available = {each: bins.count(each) for each in set(bins)}
    drawn = {each: sum(bins[index] == each for index in sample) for each in available}
    most = max(drawn.values())
    assert all(drawn[each] >= most - 1 or drawn[each] == available[each] for each in available)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("Word\tConc.M\n", "holds no ratings"),
        ("Word\tConc.M\ndog\tbig\n", "line 2: 'dog,big' is not a word with a rating"),
        ("Word\tConc.M\ndog\tnan\n", "line 2"),
        ("Word\tConc.M\ndog\n", "line 2"),
    ],
)
def test_a_file_without_ratings_is_an_error(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "ratings.txt"
    file.write_text(content)
    with pytest.raises(RatingsInvalid, match=message):
        Ratings.read(file)
    with pytest.raises(RatingsInvalid, match="cannot be read"):
        Ratings.read(tmp_path / "none.txt")


SCRIPT = """
import os, signal, sys
import wayword
from wayword.evaluation.hop import experiment
from wayword.evaluation.runs.recording import Recording

experiment.BATCH, experiment.WRITE_INTERVAL = 1, -1.0
add, times = Recording.add, []

def add_and_count(self, rows):
    add(self, rows)
    times.append(1)
    if len(times) == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)

Recording.add = add_and_count
with wayword.open(sys.argv[1], base="testwiki") as graph:
    graph.hop(strategy="random", target="Animal", ledger=sys.argv[2], limit=3)
"""


@pytest.mark.slow
def test_a_killed_experiment_is_resumed(graph: wayword.Graph, store: str, ledger: str) -> None:
    killed = subprocess.run([sys.executable, "-c", SCRIPT, store, ledger, "2"], check=False, env=os.environ)
    assert killed.returncode == -signal.SIGKILL
    with Ledger.open(ledger) as opened:
        assert len(list(opened.traversals(1))) == 2
        found = graph.hop(strategy="random", target="Animal", ledger=ledger, limit=3)
        assert found.run == 1
        again = graph.hop(strategy="random", target="Animal", ledger=ledger, limit=3)
        assert again.run == 2
        assert list(opened.traversals(1)) == list(opened.traversals(2))
    assert {**found.to_dict(), "run": 2} == again.to_dict()


@pytest.mark.parametrize(
    "options",
    [
        {"strategy": "second"},
        {"strategy": "random", "seed": 9, "sample": 3},
        {"strategy": "vectors", "vectors": "v.npy", "starters": ["Pet", "Cat"]},
        {"strategy": "wordnet", "balanced": 2, "ratings": "ratings.txt", "first_links": 2},
    ],
)
def test_a_run_can_be_repeated_from_its_row(
    graph: wayword.Graph, store: str, ledger: str, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    monkeypatch.chdir(Path(store).parent)
    found = graph.hop(target="Animal", ledger=ledger, **options)
    with Ledger.open(ledger) as opened:
        again = run_experiment(
            graph.store, open_link_graph(graph.store, ["testwiki"]), read_experiment(opened, found.run or 0), opened
        )
        assert list(opened.traversals(again.run or 0)) == list(opened.traversals(found.run or 0))
    assert {**again.to_dict(), "run": found.run} == found.to_dict()


def test_published_traversals_reproduce_the_published_tables(data: Path) -> None:
    """Tables 1 and 2 of the paper, from the file of results that its author published."""
    strategies = {
        "RANDOM": "random", "EMBEDDING_BERT": "contextual", "NTH_LINK(1)": "first",
        "NTH_LINK(2)": "second", "WORDNET": "wordnet", "EMBEDDING_WORD2VEC": "vectors",
    }  # fmt: skip
    hops: dict[str, list[int]] = {}
    with (data / "hop" / "hop_stats_final.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["selection_strat"]:
                hops.setdefault(strategies[row["selection_strat"]], []).append(int(row["hops_to_phil"]))
    starters = 1_177
    summaries = []
    for strategy, each in hops.items():
        traversals = [Traversal(0, "reached", count, 1) for count in each]
        traversals += [Traversal(0, "cycle", 2, 0, 2)] * (starters - len(each))
        summaries.append(summarise(traversals, strategy=strategy, target="Philosophy", base="enwiki"))
    found = Comparison(tuple(summaries))
    assert [(each.strategy, each.reached, round(100 * each.share, 2)) for each in found.by_reached] == [
        ("random", 3, 0.25), ("contextual", 93, 7.90), ("first", 295, 25.06),
        ("second", 563, 47.83), ("wordnet", 589, 50.04), ("vectors", 611, 51.91),
    ]  # fmt: skip
    assert [(each.strategy, f"{each.hop_value:.2f}", f"{each.std:.2f}", each.min, each.max) for each in found.by_hops] == [
        ("vectors", "7.27", "2.68", 1, 19), ("wordnet", "7.91", "2.96", 1, 17), ("contextual", "9.12", "5.15", 2, 30),
        ("first", "20.23", "7.48", 1, 54), ("second", "28.39", "12.49", 4, 51), ("random", "100.00", "0.00", 100, 100),
    ]  # fmt: skip


def summary(**fields: Any) -> Summary:
    traversals = [Traversal(1, "reached", 2, 0), Traversal(2, "cycle", 3, 2, 2)]
    return summarise(traversals, **{"strategy": "first", "target": "A_b & c%", "base": "w", "run": 1, **fields})


def test_a_comparison_is_shown_as_text_csv_and_latex() -> None:
    found = Comparison((summary(), summary(strategy="second", run=2)))
    assert found.format().splitlines()[:5] == [
        "Traversals that reached A_b & c%",
        "",
        "Selection  Run  Reached  Reached (%)  Cycle  Dead end  Limit  Starters",
        "1st link     1        1  50.00            1         0      0         2",
        "2nd link     2        1  50.00            1         0      0         2",
    ]
    assert found.format("csv").splitlines()[-3:] == [
        "Selection,Run,HOP-value,Std,Count,Min,Max", "1st link,1,2.0,,1,2,2", "2nd link,2,2.0,,1,2,2",
    ]  # fmt: skip
    latex = found.format("latex")
    assert r"\caption{Traversals that reached A\_b \& c\%}" in latex
    assert r"1st link & 1 & 2.00 & -- & 1 & 2 & 2 \\" in latex
    assert latex.count(r"\begin{table}") == latex.count(r"\end{table}") == 2


def test_differences_between_compared_runs_are_noted() -> None:
    other = summary(target="Dog", parameters={"limit": 5}, run=2)
    found = Comparison((summary(parameters={"limit": 100}), other))
    assert found.differences == {"target": ["A_b & c%", "Dog"], "parameters.limit": [100, 5]}
    assert "The runs differ in target: A_b & c%, Dog." in str(found)
    exact = summary(exact={"reached": 0.25, "hop_value": 7.0, "std": 1.0, "dead_end": 0.0, "limit": 0.75}, strategy="random")
    assert "exactly: 25.00 % of random traversals" in str(Comparison((exact,)))


def test_with_a_shared_vocabulary_only_known_links_are_followed() -> None:
    link_graph = make_link_graph([[], [2, 3, 0], [], []])
    similarity = FunctionSimilarity(lambda links: np.zeros(len(links)), lambda links: link_graph.destinations[links] != 2)
    vocabulary = NearestLink("known", similarity)
    found, _ = walk(link_graph, SharedVocabulary(NthLink("first", 0), [vocabulary]), 1, 0, WalkRules())
    assert found == Traversal(1, "dead-end", 1, 3)
    assert walk(link_graph, NthLink("first", 0), 1, 0, WalkRules())[0] == Traversal(1, "dead-end", 1, 2)


def test_runs_are_repeated_with_the_shared_vocabulary(
    graph: wayword.Graph, store: str, ledger: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(store).parent)
    strategies: list[dict[str, Any]] = [
        {"strategy": "first"},
        {"strategy": "wordnet"},
        {"strategy": "vectors", "vectors": "v.npy"},
    ]
    numbers = [graph.hop(target="Animal", ledger=ledger, **each).run or 0 for each in strategies]
    with Ledger.open(ledger) as opened:
        found = rerun_with_shared_vocabulary(graph.store, open_link_graph(graph.store, ["testwiki"]), opened, numbers)
        assert [each.run for each in found.summaries] == [4, 5, 6]
        # "Dog" is not a noun of that WordNet and "cat" has no vector, so no link of Pet is known to both.
        rows = {each.starter: each.ending for each in opened.traversals(4)}
        assert rows == {"Cat": "reached", "Dog": "reached", "Loner": "dead-end", "Mammal": "reached", "Pet": "dead-end"}
        assert found.summaries[0].parameters["vocabularies"] == [
            {"strategy": "wordnet", "lexicon": "wordnet", "words": "title", "first_sense": False},
            {"strategy": "vectors", "vectors": str(Path(store).with_name("v.npy")), "words": "title", "per_word": False},
        ]
        assert read_experiment(opened, 4).vocabularies == (
            StrategyOptions("wordnet"),
            StrategyOptions("vectors", vectors=str(Path(store).with_name("v.npy"))),
        )
        with pytest.raises(RunUnknown, match="no run 99"):
            compare_runs(opened, [1, 99])


def test_different_rules_and_starters_of_runs_are_listed(graph: wayword.Graph, ledger: str) -> None:
    options: list[dict[str, Any]] = [
        {"sample": 2, "seed": 5},
        {"sample": 2, "seed": 6},
        {"sample": 2, "keep_parentheses": True},
    ]
    numbers = [graph.hop(target="Animal", ledger=ledger, **each).run or 0 for each in options]
    with Ledger.open(ledger) as opened:
        assert compare_runs(opened, numbers).differences == {
            "parameters.drawn_by": [5, 6, 0],
            "parameters.keep_parentheses": [False, False, True],
        }
        other = graph.hop(target="Mammal", ledger=ledger).run or 0
        with pytest.raises(RunUnknown, match="more than one target"):
            rerun_with_shared_vocabulary(graph.store, open_link_graph(graph.store, ["testwiki"]), opened, [*numbers, other])


def test_a_wiki_with_only_the_target_has_no_starters(tmp_path: Path, ledger: str) -> None:
    with MemoryStore() as store:
        load(store, write_dump(tmp_path / "one.xml", [SmallPage("Fruit", "Nothing else.")], site="one"))
        link_graph = open_link_graph(store, ["one"])
        with Ledger.open(ledger) as opened:
            for strategy in ("random", "first"):
                found = run_experiment(store, link_graph, Experiment(StrategyOptions(strategy), WalkRules(), "Fruit"), opened)
                assert (found.starters, found.hop_value, found.exact) == (0, None, None)


@pytest.mark.parametrize(
    "options",
    [{"first_links": 0}, {"limit": -1}, {"limit": 10**9}, {"seed": 2**70}, {"words": "anchors"}, {"starters": "Apple"}],
)
def test_invalid_arguments_are_errors_in_python(graph: wayword.Graph, ledger: str, options: dict[str, Any]) -> None:
    with pytest.raises(TraversalError):
        graph.hop(target="Animal", ledger=ledger, **options)


def test_the_trails_of_a_run_equal_its_recorded_traversals(
    graph: wayword.Graph, store: str, ledger: str, tmp_path: Path
) -> None:
    vectors = str(Path(store).with_name("v.npy"))
    first = graph.hop(strategy="wordnet", target="Animal", ledger=ledger).run or 0
    second = graph.hop(strategy="vectors", vectors=vectors, target="Animal", ledger=ledger).run or 0
    with Ledger.open(ledger) as opened:
        link_graph = open_link_graph(graph.store, ["testwiki"])
        shared = rerun_with_shared_vocabulary(graph.store, link_graph, opened, [first, second]).summaries[0]
        experiment = read_experiment(opened, shared.run or 0)
        for row in opened.traversals(shared.run or 0):
            trail = make_trail(
                graph.store, link_graph, experiment.options, row.starter, "Animal", experiment.rules, experiment.vocabularies
            )
            assert (trail.ending, trail.hops) == (row.ending, row.hops)
