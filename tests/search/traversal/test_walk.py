"""Traversals: how they end, and that the fast ways of walking all articles agree with walking each alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.search.errors import LinksMissing
from wayword.search.traversal.functional_graph import (
    LEADS_TO_DEAD_END,
    build_functional_graph,
    choose_successors,
    count_levels,
    find_basins,
    find_successors,
)
from wayword.search.traversal.link_graph import LinkGraph
from wayword.search.traversal.markov_chain import exact_distribution
from wayword.search.traversal.strategies import NearestLink, NthLink, RandomLink, Strategy
from wayword.search.traversal.walk import Traversal, WalkRules, walk

from ...support.link_graphs import link_graphs, make_link_graph, nearest_by, walk_all

TARGET = 0


def nearest_number(graph: LinkGraph) -> NearestLink:
    """A strategy that picks the article whose number is nearest to the target's, with many ties."""
    return nearest_by("nearest", lambda links: -(np.abs(graph.destinations[links] - TARGET) // 2).astype(float))


STRATEGIES: dict[str, Callable[[LinkGraph], Strategy]] = {
    "first": lambda _: NthLink("first", 0),
    "second": lambda _: NthLink("second", 1),
    "nearest": nearest_number,
    "random": lambda graph: RandomLink(graph, seed=3),
}
DETERMINISTIC = [name for name in STRATEGIES if name != "random"]


@pytest.mark.parametrize(
    ("links", "rules", "expected"),
    [
        pytest.param([[], [0]], WalkRules(), Traversal(1, "reached", 1, 0), id="reached"),
        pytest.param([[1], [2], [1]], WalkRules(), Traversal(1, "cycle", 2, 1, 2), id="cycle from the starter"),
        pytest.param([[1], [2], [3], [2]], WalkRules(), Traversal(1, "cycle", 3, 2, 2), id="path into a cycle"),
        pytest.param([[], [2], []], WalkRules(), Traversal(1, "dead-end", 1, 2), id="dead end"),
        pytest.param([[], []], WalkRules(), Traversal(1, "dead-end", 0, 1), id="starter without links"),
        pytest.param([[], [2], [3], [0]], WalkRules(limit=3), Traversal(1, "reached", 3, 0), id="reached with the last hop"),
        pytest.param([[], [2], [3], [0]], WalkRules(limit=2), Traversal(1, "limit", 2, -1), id="limit"),
        pytest.param([[], [2], [3], []], WalkRules(limit=2), Traversal(1, "dead-end", 2, 3), id="dead end at the limit"),
        pytest.param([[], [2], [1]], WalkRules(limit=2), Traversal(1, "cycle", 2, 1, 2), id="cycle at the limit"),
        pytest.param([[], [2], [1, 0]], WalkRules(no_revisit=True), Traversal(1, "reached", 2, 0), id="no revisit"),
        pytest.param([[], [2], [1]], WalkRules(no_revisit=True), Traversal(1, "dead-end", 1, 2), id="all links visited"),
        pytest.param([[], [2, 2, 0], []], WalkRules(first_links=2), Traversal(1, "dead-end", 1, 2), id="first links only"),
    ],
)
def test_every_ending_of_a_traversal_is_recognised(links: list[list[int]], rules: WalkRules, expected: Traversal) -> None:
    graph = make_link_graph(links)
    assert walk(graph, NthLink("first", 0), 1, TARGET, rules)[0] == expected
    assert walk_all(graph, NthLink("first", 0), np.array([1]), TARGET, rules) == [expected]


def test_article_with_one_link_is_a_dead_end_for_the_second_link() -> None:
    graph = make_link_graph([[], [0], [1, 0]])
    endings = [walk(graph, NthLink("second", 1), each, TARGET, WalkRules())[0].ending for each in (1, 2)]
    assert endings == ["dead-end", "reached"]


def test_ties_go_to_the_first_link() -> None:
    graph = make_link_graph([[], [2, 3, 4], [], [], []])
    almost_equal = nearest_by("equal", lambda links: np.where(graph.destinations[links] == 2, 0.1 + 0.2, 0.3))
    assert choose_successors(graph, almost_equal, np.array([1]), WalkRules()).tolist() == [2]
    better = nearest_by("better", lambda links: np.where(graph.destinations[links] == 4, 0.3 + 1e-9, 0.3))
    assert choose_successors(graph, better, np.array([1]), WalkRules()).tolist() == [4]


def test_links_in_parentheses_are_ignored_by_default() -> None:
    graph = make_link_graph([[], [2, 3, 0], [], []], in_parentheses=[[], [1, 0, 0], [], []])
    article = np.array([1])
    assert graph.destinations[graph.first_links(article, 2, keep_parentheses=False)].tolist() == [[3, 0]]
    assert graph.destinations[graph.first_links(article, 2, keep_parentheses=True)].tolist() == [[2, 3]]


def test_more_first_links_than_are_stored_are_an_error() -> None:
    with pytest.raises(LinksMissing, match=r"holds the first 20 links of each article, not 21; .*first_links=21"):
        make_link_graph([[], [0]], stored_links=20).first_links(np.array([1]), 21, keep_parentheses=False)


@given(link_graphs(), st.sampled_from(DETERMINISTIC), st.integers(0, 8), st.integers(1, 5))
def test_functional_graph_gives_the_traversal_of_each_article(graph: LinkGraph, name: str, limit: int, first: int) -> None:
    strategy, rules = STRATEGIES[name](graph), WalkRules(first_links=first, limit=limit)
    starters = np.arange(1, graph.size)
    functional = build_functional_graph(find_successors(graph, strategy, starters, TARGET, rules), TARGET)
    walked = [walk(graph, strategy, each, TARGET, rules)[0] for each in starters.tolist()]
    assert list(functional.traversals(starters, limit)) == walked


@given(link_graphs(), st.sampled_from(list(STRATEGIES)), st.booleans(), st.integers(0, 8))
def test_traversals_walked_together_equal_those_walked_alone(graph: LinkGraph, name: str, no_revisit: bool, limit: int) -> None:
    strategy, rules = STRATEGIES[name](graph), WalkRules(limit=limit, no_revisit=no_revisit)
    starters = np.arange(1, graph.size)
    walked = [walk(graph, strategy, each, TARGET, rules)[0] for each in starters.tolist()]
    assert walk_all(graph, strategy, starters, TARGET, rules) == walked


@given(link_graphs(), st.sampled_from(list(STRATEGIES)))
def test_traversal_without_revisits_visits_each_article_once(graph: LinkGraph, name: str) -> None:
    strategy, rules = STRATEGIES[name](graph), WalkRules(limit=graph.size + 1, no_revisit=True)
    for starter in range(1, graph.size):
        ended, followed = walk(graph, strategy, starter, TARGET, rules)
        path = [starter, *graph.destinations[followed].tolist()]
        assert ended.ending in ("reached", "dead-end")
        assert len(set(path)) == len(path)


@given(link_graphs(), st.sampled_from(DETERMINISTIC))
def test_every_article_is_in_the_tree_of_the_target_a_basin_or_a_dead_end(graph: LinkGraph, name: str) -> None:
    successors = choose_successors(graph, STRATEGIES[name](graph), np.arange(graph.size), WalkRules())
    functional = build_functional_graph(successors, TARGET)
    levels, basins = count_levels(functional), find_basins(functional)
    stuck = np.count_nonzero(functional.cycle == LEADS_TO_DEAD_END)
    assert levels.total() + sum(each.drained for each in basins) + stuck == graph.size
    assert levels[0] == 1
    for basin in basins:
        assert [int(successors[each]) for each in basin.articles] == [*basin.articles[1:], basin.articles[0]]
        assert basin.drained >= len(basin.articles) >= 2
    assert [each.drained for each in basins] == sorted((each.drained for each in basins), reverse=True)


def enumerate_endings(graph: LinkGraph, article: int, hops_left: int, first: int) -> dict[str, float]:
    """The probabilities of the endings of random traversals from an article, by following all of them."""
    if article == TARGET:
        return {"reached": 1.0}
    links = graph.destinations[graph.offsets[article] : graph.offsets[article + 1]][:first].tolist()
    if not links:
        return {"dead-end": 1.0}
    if not hops_left:
        return {"limit": 1.0}
    endings: dict[str, float] = {}
    for other in links:
        for ending, probability in enumerate_endings(graph, other, hops_left - 1, first).items():
            endings[ending] = endings.get(ending, 0.0) + probability / len(links)
    return endings


@given(link_graphs(6), st.integers(0, 5), st.integers(1, 3))
def test_markov_chain_equals_the_enumeration_of_all_random_traversals(graph: LinkGraph, limit: int, first: int) -> None:
    starters = np.arange(1, graph.size)
    found = exact_distribution(graph, starters, TARGET, WalkRules(first_links=first, limit=limit))
    each = [enumerate_endings(graph, starter, limit, first) for starter in starters.tolist()]
    mean = {ending: float(np.mean([one.get(ending, 0.0) for one in each])) for ending in ("reached", "dead-end", "limit")}
    assert (found.reached, found.dead_end, found.limit) == pytest.approx((mean["reached"], mean["dead-end"], mean["limit"]))


def test_random_traversals_repeat_with_their_seed_and_average_to_the_markov_chain() -> None:
    random = np.random.default_rng(5)
    graph = make_link_graph([[int(each) for each in random.integers(0, 60, 6) if each != article] for article in range(60)])
    starters, rules = np.arange(1, 60), WalkRules(limit=30)
    found = exact_distribution(graph, starters, TARGET, rules)
    shares = []
    for seed in range(60):
        ended = walk_all(graph, RandomLink(graph, seed), starters, TARGET, rules)
        shares.append(np.mean([each.ending == "reached" for each in ended]))
        again = [walk(graph, RandomLink(graph, seed), each, TARGET, rules)[0] for each in starters[:5].tolist()]
        assert again == ended[:5]
    assert np.mean(shares) == pytest.approx(found.reached, abs=0.03)
