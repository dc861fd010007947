"""Experiments: where traversals begin, what comes of them, and that the ledger has them all, come what may."""

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
from wayword.evaluation.hop.presentation.plots import draw_hops, draw_trail_scores
from wayword.evaluation.hop.results import Summary, summarise
from wayword.evaluation.hop.starters import BINS, balanced_sample, read_titles, shuffle_articles
from wayword.evaluation.runs.ledger import Ledger
from wayword.graph.memory import MemoryStore
from wayword.search.errors import ArticleUnknown, StartersInvalid, TraversalError
from wayword.search.traversal.link_graph import open_link_graph
from wayword.search.traversal.results import Considered, Hop, Trail
from wayword.search.traversal.strategies import NthLink, SharedVocabulary
from wayword.search.traversal.strategy_options import StrategyOptions
from wayword.search.traversal.trails import make_trail
from wayword.search.traversal.walk import Traversal, WalkRules, walk

from ...support.link_graphs import Told, scored_by, world
from ...support.loaded_wikis import load
from ...support.small_dumps import SmallPage, write_dump
from ...support.small_wiki import make_store


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


def test_all_articles(graph: wayword.Graph, ledger: str) -> None:
    found = graph.hop(strategy="first", target="Animal", ledger=ledger)
    # Dog and Cat reach it by Mammal, Pet by Dog; of Loner nothing leads on.
    assert (found.starters, found.reached, found.cycle, found.dead_end, found.limit) == (5, 4, 0, 1, 0)
    assert (found.hop_value, found.min, found.max) == (2.0, 1, 3)
    assert found.std == pytest.approx(np.std([2, 1, 3, 2], ddof=1))
    assert found.whole == {"to_target": 4, "depth": 3, "levels": [1, 1, 2, 1], "cycles": 0, "drained": 0, "largest": []}
    with Ledger.open(ledger) as book:
        rows = {each.starter: (each.ending, each.hops, each.last) for each in book.walked(found.run or 0)}
        assert rows == {
            "Cat": ("reached", 2, "Animal"),
            "Dog": ("reached", 2, "Animal"),
            "Loner": ("dead-end", 0, "Loner"),
            "Mammal": ("reached", 1, "Animal"),
            "Pet": ("reached", 3, "Animal"),
        }
        assert book.run(found.run or 0).result == found.to_dict()


def test_cycles_and_what_drains_into_them(graph: wayword.Graph, ledger: str) -> None:
    found = graph.hop(strategy="first", target="Loner", ledger=ledger, keep_parentheses=True)
    assert (found.reached, found.dead_end) == (0, 5)
    found = graph.hop(strategy="second", target="Loner", ledger=ledger)
    assert found.hop_value is None
    assert str(found).startswith("0 of 5 traversals of testwiki by the second link reached Loner (0.0 %)\n")


@pytest.mark.parametrize(
    "choice",
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
def test_every_traversal_is_the_one_that_is_walked_alone(
    graph: wayword.Graph, store: str, ledger: str, monkeypatch: pytest.MonkeyPatch, choice: dict[str, Any]
) -> None:
    monkeypatch.chdir(Path(store).parent)
    found = graph.hop(target="Animal", ledger=ledger, **choice)
    with Ledger.open(ledger) as book:
        for row in book.walked(found.run or 0):
            trail = graph.trail(row.starter, target="Animal", **choice)
            assert (row.ending, row.hops, row.cycle) == (trail.ending, trail.hops, trail.cycle)
    assert found.starters == found.reached + found.cycle + found.dead_end + found.limit == 5
    assert (found.exact is not None) == (choice["strategy"] == "random" and not choice.get("no_revisit"))


def test_starters_of_a_list(graph: wayword.Graph, store: str, ledger: str) -> None:
    titles = read_titles(str(Path(store).with_name("titles.txt")))
    found = graph.hop(target="Animal", starters=titles, ledger=ledger)
    assert (found.starters, found.parameters["count"]) == (2, 6)
    assert found.left_out == {
        "starters that were there before": 1,
        "starters that are the target": 1,
        "starters that are not in the wiki": 2,  # one is a page that only tells names apart
    }
    with pytest.raises(StartersInvalid, match=r"other than the target \('Unicorn' is not there\)"):
        graph.hop(target="Animal", starters=["Unicorn"], ledger=ledger)
    with pytest.raises(ArticleUnknown, match="Unicorn"):
        graph.hop(target="Unicorn", ledger=ledger)
    with Ledger.open(ledger) as book:
        assert len(book.runs()) == 1


def test_a_list_may_be_a_table(tmp_path: Path) -> None:
    file = tmp_path / "s.csv"
    file.write_text("article_name,article_url\n\nDog,x\n\nThe, cat,y\n")
    assert read_titles(str(file)) == ("Dog", "The")
    file.write_text("a,b\nDog,x\n")
    with pytest.raises(StartersInvalid, match="has no column called title"):
        read_titles(str(file))
    for content, said in ((b"", "holds no titles"), (b"\xff\xfe", "not in UTF-8")):
        file.with_suffix(".txt").write_bytes(content)
        with pytest.raises(StartersInvalid, match=said):
            read_titles(str(file.with_suffix(".txt")))
    with pytest.raises(StartersInvalid, match=r"nowhere\.txt: cannot be read"):
        read_titles(str(tmp_path / "nowhere.txt"))


def test_a_sample_is_drawn_by_its_seed(graph: wayword.Graph, ledger: str) -> None:
    drawn_: dict[int, set[str]] = {}
    with Ledger.open(ledger) as book:
        for seed in (1, 1, 2, 3, 4):
            found = graph.hop(target="Animal", sample=2, seed=seed, ledger=ledger)
            titles = {each.starter for each in book.walked(found.run or 0)}
            assert len(titles) == 2
            assert drawn_.setdefault(seed, titles) == titles
    assert len({frozenset(each) for each in drawn_.values()}) > 1
    with pytest.raises(StartersInvalid, match="6 starters are asked for, and testwiki has 5 articles"):
        graph.hop(target="Animal", sample=6, ledger=ledger)
    with pytest.raises(StartersInvalid, match="choose one of sample and balanced"):
        graph.hop(target="Animal", sample=1, balanced=1, ledger=ledger)


def test_a_larger_sample_holds_the_smaller_one() -> None:
    made = world([[0]] * 50)
    order = shuffle_articles(made, np.arange(50), 3).tolist()
    assert sorted(order) == list(range(50))
    assert order != sorted(order)
    assert order == shuffle_articles(made, np.arange(50), 3).tolist() != shuffle_articles(made, np.arange(50), 4).tolist()
    fewer = shuffle_articles(made, np.arange(0, 50, 2), 3).tolist()
    assert [each for each in order if each % 2 == 0] == fewer


def test_balanced_starters(graph: wayword.Graph, store: str, ledger: str) -> None:
    ratings = str(Path(store).with_name("ratings.txt"))
    found = graph.hop(target="Animal", balanced=3, ratings=ratings, ledger=ledger)
    assert found.left_out == {"articles without a rated word": 1}  # the one without any word
    with Ledger.open(ledger) as book:
        rated = {each.starter: each.concreteness for each in book.walked(found.run or 0)}
    known = Ratings.read(ratings)
    assert rated == {title: pytest.approx(known.mean(text)) for title, text in OPENINGS.items() if title in rated}
    assert len(rated) == 3
    with pytest.raises(StartersInvalid, match="5 starters are asked for, and of 4 articles the concreteness is known"):
        graph.hop(target="Animal", balanced=5, ratings=ratings, ledger=ledger)
    with pytest.raises(StartersInvalid, match="--ratings"):
        graph.hop(target="Animal", balanced=2, ledger=ledger)


OPENINGS = {
    "Dog": "The dog is a tame (cat) mammal and a pet.",
    "Mammal": "A mammal is an beast like the dog.",
    "Pet": "A pet is a dog, or else it is a cat.",
    "Cat": "A cat is a mammal of its own.",
}


@given(st.lists(st.floats(1, 5, allow_nan=False), min_size=1, max_size=200), st.data())
def test_each_part_of_the_range_gives_as_many_as_it_can(values: list[float], data: st.DataObject) -> None:
    count = data.draw(st.integers(1, len(values)))
    taken = balanced_sample(np.array(values), count).tolist()
    assert len(set(taken)) == count
    low, high = min(values), max(values)
    part = [min(int((value - low) / ((high - low) or 1.0) * BINS), BINS - 1) for value in values]
    have = {each: part.count(each) for each in set(part)}
    gave = {each: sum(part[place] == each for place in taken) for each in have}
    most = max(gave.values())
    assert all(gave[each] >= most - 1 or gave[each] == have[each] for each in have)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("Word\tConc.M\n", "holds no ratings"),
        ("Word\tConc.M\ndog\tbig\n", "line 2: 'dog,big' is no word with a rating"),
        ("Word\tConc.M\ndog\tnan\n", "line 2"),
        ("Word\tConc.M\ndog\n", "line 2"),
    ],
)
def test_ratings_that_are_none(tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "ratings.txt"
    file.write_text(content)
    with pytest.raises(RatingsInvalid, match=said):
        Ratings.read(file)
    with pytest.raises(RatingsInvalid, match="cannot be read"):
        Ratings.read(tmp_path / "none.txt")


SCRIPT = """
import os, signal, sys
import wayword
from wayword.evaluation.hop import experiment
from wayword.evaluation.runs.recording import Recording

experiment.AT_ONCE, experiment.EVERY = 1, -1.0
add, times = Recording.add, []

def counted(self, rows):
    add(self, rows)
    times.append(1)
    if len(times) == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)

Recording.add = counted
with wayword.open(sys.argv[1], base="testwiki") as graph:
    graph.hop(strategy="random", target="Animal", ledger=sys.argv[2], limit=3)
"""


@pytest.mark.slow
def test_an_experiment_that_is_killed_goes_on_where_it_was(graph: wayword.Graph, store: str, ledger: str) -> None:
    killed = subprocess.run([sys.executable, "-c", SCRIPT, store, ledger, "2"], check=False, env=os.environ)
    assert killed.returncode == -signal.SIGKILL
    with Ledger.open(ledger) as book:
        assert len(list(book.walked(1))) == 2
        found = graph.hop(strategy="random", target="Animal", ledger=ledger, limit=3)
        assert found.run == 1
        again = graph.hop(strategy="random", target="Animal", ledger=ledger, limit=3)
        assert again.run == 2
        assert list(book.walked(1)) == list(book.walked(2))
    assert {**found.to_dict(), "run": 2} == again.to_dict()


@pytest.mark.parametrize(
    "asked",
    [
        {"strategy": "second"},
        {"strategy": "random", "seed": 9, "sample": 3},
        {"strategy": "vectors", "vectors": "v.npy", "starters": ["Pet", "Cat"]},
        {"strategy": "wordnet", "balanced": 2, "ratings": "ratings.txt", "first_links": 2},
    ],
)
def test_a_run_can_be_repeated_from_its_row(
    graph: wayword.Graph, store: str, ledger: str, monkeypatch: pytest.MonkeyPatch, asked: dict[str, Any]
) -> None:
    monkeypatch.chdir(Path(store).parent)
    found = graph.hop(target="Animal", ledger=ledger, **asked)
    with Ledger.open(ledger) as book:
        again = run_experiment(
            graph.store, open_link_graph(graph.store, ["testwiki"]), read_experiment(book, found.run or 0), book
        )
        assert list(book.walked(again.run or 0)) == list(book.walked(found.run or 0))
    assert {**again.to_dict(), "run": found.run} == found.to_dict()


def test_the_authors_own_traversals_give_their_tables(data: Path) -> None:
    """Tables 1 and 2 of the paper, from the file of results that its author published."""
    called = {
        "RANDOM": "random", "EMBEDDING_BERT": "contextual", "NTH_LINK(1)": "first",
        "NTH_LINK(2)": "second", "WORDNET": "wordnet", "EMBEDDING_WORD2VEC": "vectors",
    }  # fmt: skip
    hops: dict[str, list[int]] = {}
    with (data / "hop" / "hop_stats_final.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["selection_strat"]:
                hops.setdefault(called[row["selection_strat"]], []).append(int(row["hops_to_phil"]))
    starters = 1_177
    summaries = []
    for strategy, each in hops.items():
        walked = [Traversal(0, "reached", many, 1) for many in each]
        walked += [Traversal(0, "cycle", 2, 0, 2)] * (starters - len(each))
        summaries.append(summarise(walked, strategy=strategy, target="Philosophy", base="enwiki"))
    found = Comparison(tuple(summaries))
    assert [(each.strategy, each.reached, round(100 * each.share, 2)) for each in found.by_reached] == [
        ("random", 3, 0.25), ("contextual", 93, 7.90), ("first", 295, 25.06),
        ("second", 563, 47.83), ("wordnet", 589, 50.04), ("vectors", 611, 51.91),
    ]  # fmt: skip
    assert [(each.strategy, f"{each.hop_value:.2f}", f"{each.std:.2f}", each.min, each.max) for each in found.by_hops] == [
        ("vectors", "7.27", "2.68", 1, 19), ("wordnet", "7.91", "2.96", 1, 17), ("contextual", "9.12", "5.15", 2, 30),
        ("first", "20.23", "7.48", 1, 54), ("second", "28.39", "12.49", 4, 51), ("random", "100.00", "0.00", 100, 100),
    ]  # fmt: skip


def summary(**said: Any) -> Summary:
    walked = [Traversal(1, "reached", 2, 0), Traversal(2, "cycle", 3, 2, 2)]
    return summarise(walked, **{"strategy": "first", "target": "A_b & c%", "base": "w", "run": 1, **said})


def test_tables_in_three_forms() -> None:
    found = Comparison((summary(), summary(strategy="second", run=2)))
    assert found.shown().splitlines()[:5] == [
        "Traversals that reached A_b & c%",
        "",
        "Selection  Run  Reached  Reached (%)  Cycle  Dead end  Limit  Starters",
        "1st link     1        1  50.00            1         0      0         2",
        "2nd link     2        1  50.00            1         0      0         2",
    ]
    assert found.shown("csv").splitlines()[-3:] == [
        "Selection,Run,HOP-value,Std,Count,Min,Max", "1st link,1,2.0,,1,2,2", "2nd link,2,2.0,,1,2,2",
    ]  # fmt: skip
    latex = found.shown("latex")
    assert r"\caption{Traversals that reached A\_b \& c\%}" in latex
    assert r"1st link & 1 & 2.00 & -- & 1 & 2 & 2 \\" in latex
    assert latex.count(r"\begin{table}") == latex.count(r"\end{table}") == 2


def test_runs_that_should_not_be_compared_are_told_apart() -> None:
    other = summary(target="Dog", parameters={"limit": 5}, run=2)
    found = Comparison((summary(parameters={"limit": 100}), other))
    assert found.differences == {"target": ["A_b & c%", "Dog"], "parameters.limit": [100, 5]}
    assert "The runs differ in target: A_b & c%, Dog." in str(found)
    exact = summary(exact={"reached": 0.25, "hop_value": 7.0, "std": 1.0, "dead_end": 0.0, "limit": 0.75}, strategy="random")
    assert "exactly: 25.00 % of random traversals" in str(Comparison((exact,)))


def test_within_a_vocabulary_only_known_links_are_followed() -> None:
    made = world([[], [2, 3, 0], [], []])
    half = scored_by("half", lambda links: np.zeros(len(links)))
    known = Told(lambda links: np.zeros(len(links)), lambda links: made.next[links] != 2)
    half._asking = known
    found, _ = walk(made, SharedVocabulary(NthLink("first", 0), [half]), 1, 0, WalkRules())
    assert found == Traversal(1, "dead-end", 1, 3)
    assert walk(made, NthLink("first", 0), 1, 0, WalkRules())[0] == Traversal(1, "dead-end", 1, 2)


def test_runs_on_the_shared_vocabulary(graph: wayword.Graph, store: str, ledger: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(store).parent)
    asked: list[dict[str, Any]] = [{"strategy": "first"}, {"strategy": "wordnet"}, {"strategy": "vectors", "vectors": "v.npy"}]
    numbers = [graph.hop(target="Animal", ledger=ledger, **choice).run or 0 for choice in asked]
    with Ledger.open(ledger) as book:
        found = rerun_with_shared_vocabulary(graph.store, open_link_graph(graph.store, ["testwiki"]), book, numbers)
        assert [each.run for each in found.summaries] == [4, 5, 6]
        # "Dog" is no noun of that WordNet and "cat" has no vector: so of a pet nothing leads on, and of the rest no way to it.
        rows = {each.starter: each.ending for each in book.walked(4)}
        assert rows == {"Cat": "reached", "Dog": "reached", "Loner": "dead-end", "Mammal": "reached", "Pet": "dead-end"}
        assert found.summaries[0].parameters["vocabularies"] == [
            {"strategy": "wordnet", "lexicon": "wordnet", "words": "title", "first_sense": False},
            {"strategy": "vectors", "vectors": str(Path(store).with_name("v.npy")), "words": "title", "per_word": False},
        ]
        assert read_experiment(book, 4).vocabularies == (
            StrategyOptions("wordnet"),
            StrategyOptions("vectors", vectors=str(Path(store).with_name("v.npy"))),
        )
        with pytest.raises(RunUnknown, match="no run 99"):
            compare_runs(book, [1, 99])


def test_runs_with_other_rules_or_starters_are_told_apart(graph: wayword.Graph, ledger: str) -> None:
    asked: list[dict[str, Any]] = [{"sample": 2, "seed": 5}, {"sample": 2, "seed": 6}, {"sample": 2, "keep_parentheses": True}]
    numbers = [graph.hop(target="Animal", ledger=ledger, **each).run or 0 for each in asked]
    with Ledger.open(ledger) as book:
        assert compare_runs(book, numbers).differences == {
            "parameters.drawn_by": [5, 6, 0],
            "parameters.keep_parentheses": [False, False, True],
        }
        other = graph.hop(target="Mammal", ledger=ledger).run or 0
        with pytest.raises(RunUnknown, match="more than one target"):
            rerun_with_shared_vocabulary(graph.store, open_link_graph(graph.store, ["testwiki"]), book, [*numbers, other])


def test_a_wiki_of_the_target_alone(tmp_path: Path, ledger: str) -> None:
    with MemoryStore() as store:
        load(store, write_dump(tmp_path / "one.xml", [SmallPage("Fruit", "Nothing else.")], site="one"))
        made = open_link_graph(store, ["one"])
        with Ledger.open(ledger) as book:
            for strategy in ("random", "first"):
                found = run_experiment(store, made, Experiment(StrategyOptions(strategy), WalkRules(), "Fruit"), book)
                assert (found.starters, found.hop_value, found.exact) == (0, None, None)


@pytest.mark.parametrize(
    "asked",
    [{"first_links": 0}, {"limit": -1}, {"limit": 10**9}, {"seed": 2**70}, {"words": "anchors"}, {"starters": "Apple"}],
)
def test_what_cannot_be_asked_from_python(graph: wayword.Graph, ledger: str, asked: dict[str, Any]) -> None:
    with pytest.raises(TraversalError):
        graph.hop(target="Animal", ledger=ledger, **asked)


def test_a_figure_shows_the_trail_of_its_run(graph: wayword.Graph, store: str, ledger: str, tmp_path: Path) -> None:
    vectors = str(Path(store).with_name("v.npy"))
    first = graph.hop(strategy="wordnet", target="Animal", ledger=ledger).run or 0
    second = graph.hop(strategy="vectors", vectors=vectors, target="Animal", ledger=ledger).run or 0
    with Ledger.open(ledger) as book:
        made = open_link_graph(graph.store, ["testwiki"])
        shared = rerun_with_shared_vocabulary(graph.store, made, book, [first, second]).summaries[0]
        asked = read_experiment(book, shared.run or 0)
        for row in book.walked(shared.run or 0):
            trail = make_trail(graph.store, made, asked.choice, row.starter, "Animal", asked.rules, asked.vocabularies)
            assert (trail.ending, trail.hops) == (row.ending, row.hops)


def test_words_that_look_like_formulas_are_drawn_as_they_are(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    links = (Considered("Price $a_$ b", "x", 0.5), Considered(r"$\foo$", "y", 0.1))
    trail = Trail("wordnet", "$x_$", "w", "reached", 1, ("$a$", "$x_$"), steps=(Hop("$a$", 1, links),))
    draw_trail_scores(trail, tmp_path / "trail.svg")
    draw_hops([("$s_$", [1, 2, 3])], "$x_$", tmp_path / "hops.svg")
    assert (tmp_path / "trail.svg").stat().st_size > 1_000
