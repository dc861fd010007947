"""Traversals: how they end, and that the fast ways of walking all articles are the plain way."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.search.errors import LinksMissing
from wayword.search.traversal.functional_graph import count_levels, find_basins, find_destinations, next_articles, reachable
from wayword.search.traversal.link_graph import LinkGraph
from wayword.search.traversal.markov_chain import exact_distribution
from wayword.search.traversal.strategies import NearestLink, NthLink, RandomLink, Strategy
from wayword.search.traversal.walk import Traversal, WalkRules, walk

from ...support.link_graphs import scored_by, walked_together, world, worlds

TARGET = 0


def scored(made: LinkGraph) -> NearestLink:
    """A strategy that goes by how near numbers are, with many equals."""
    return scored_by("scored", lambda links: -(np.abs(made.next[links] - TARGET) // 2).astype(float))


STRATEGIES: dict[str, Callable[[LinkGraph], Strategy]] = {
    "first": lambda _: NthLink("first", 0),
    "second": lambda _: NthLink("second", 1),
    "scored": scored,
    "random": lambda made: RandomLink(made, seed=3),
}
FIXED = [name for name in STRATEGIES if name != "random"]


@pytest.mark.parametrize(
    ("links", "starter", "rules", "wanted"),
    [
        ([[], [0]], 1, WalkRules(), Traversal(1, "reached", 1, 0)),
        ([[1], [2], [1]], 1, WalkRules(), Traversal(1, "cycle", 2, 1, 2)),
        ([[1], [2], [3], [2]], 1, WalkRules(), Traversal(1, "cycle", 3, 2, 2)),
        ([[], [2], []], 1, WalkRules(), Traversal(1, "dead-end", 1, 2)),
        ([[], []], 1, WalkRules(), Traversal(1, "dead-end", 0, 1)),
        ([[], [2], [3], [0]], 1, WalkRules(limit=3), Traversal(1, "reached", 3, 0)),
        ([[], [2], [3], [0]], 1, WalkRules(limit=2), Traversal(1, "limit", 2, -1)),
        ([[], [2], [3], []], 1, WalkRules(limit=2), Traversal(1, "dead-end", 2, 3)),
        ([[], [2], [1]], 1, WalkRules(limit=2), Traversal(1, "cycle", 2, 1, 2)),
        ([[], [2], [1, 0]], 1, WalkRules(no_revisit=True), Traversal(1, "reached", 2, 0)),
        ([[], [2], [1]], 1, WalkRules(no_revisit=True), Traversal(1, "dead-end", 1, 2)),
        ([[], [2, 2, 0], []], 1, WalkRules(first_links=2), Traversal(1, "dead-end", 1, 2)),
    ],
)
def test_endings(links: list[list[int]], starter: int, rules: WalkRules, wanted: Traversal) -> None:
    made = world(links)
    assert walk(made, NthLink("first", 0), starter, TARGET, rules)[0] == wanted
    assert walked_together(made, NthLink("first", 0), np.array([starter]), TARGET, rules) == [wanted]


def test_an_article_with_one_link_is_a_dead_end_for_the_second() -> None:
    made = world([[], [0], [1, 0]])
    assert [walk(made, NthLink("second", 1), each, TARGET, WalkRules())[0].ending for each in (1, 2)] == ["dead-end", "reached"]


def test_of_equals_the_earliest_wins() -> None:
    made = world([[], [2, 3, 4], [], [], []])
    equal = scored_by("equal", lambda links: np.where(made.next[links] == 2, 0.1 + 0.2, 0.3))
    assert next_articles(made, equal, np.array([1]), WalkRules()).tolist() == [2]
    better = scored_by("better", lambda links: np.where(made.next[links] == 4, 0.3 + 1e-9, 0.3))
    assert next_articles(made, better, np.array([1]), WalkRules()).tolist() == [4]


def test_links_in_parentheses_take_no_place_unless_they_are_kept() -> None:
    made = world([[], [2, 3, 0], [], []], aside=[[], [1, 0, 0], [], []])
    first = np.array([1])
    assert made.next[made.first_links(first, 2, keep_parentheses=False)].tolist() == [[3, 0]]
    assert made.next[made.first_links(first, 2, keep_parentheses=True)].tolist() == [[2, 3]]


def test_more_links_than_are_stored_are_refused() -> None:
    with pytest.raises(LinksMissing, match=r"holds the first 20 links .* --first-links 21"):
        world([[], [0]], stored=20).first_links(np.array([1]), 21, keep_parentheses=False)


@given(worlds(), st.sampled_from(FIXED), st.integers(0, 8), st.integers(1, 5))
def test_all_articles_at_once_are_each_article_walked(made: LinkGraph, name: str, limit: int, first: int) -> None:
    strategy, rules = STRATEGIES[name](made), WalkRules(first_links=first, limit=limit)
    starters = np.arange(1, made.size)
    following = reachable(made, strategy, starters, TARGET, rules)
    found = find_destinations(following, TARGET)
    walked = [walk(made, strategy, each, TARGET, rules)[0] for each in starters.tolist()]
    assert [found.traversal(each, limit) for each in starters.tolist()] == walked


@given(worlds(), st.sampled_from(list(STRATEGIES)), st.booleans(), st.integers(0, 8))
def test_walking_side_by_side_is_walking_alone(made: LinkGraph, name: str, no_revisit: bool, limit: int) -> None:
    strategy, rules = STRATEGIES[name](made), WalkRules(limit=limit, no_revisit=no_revisit)
    starters = np.arange(1, made.size)
    walked = [walk(made, strategy, each, TARGET, rules)[0] for each in starters.tolist()]
    assert walked_together(made, strategy, starters, TARGET, rules) == walked


@given(worlds(), st.sampled_from(list(STRATEGIES)))
def test_without_revisits_every_traversal_ends_and_comes_nowhere_twice(made: LinkGraph, name: str) -> None:
    strategy, rules = STRATEGIES[name](made), WalkRules(limit=made.size + 1, no_revisit=True)
    for starter in range(1, made.size):
        ended, followed = walk(made, strategy, starter, TARGET, rules)
        way = [starter, *made.next[followed].tolist()]
        assert ended.ending in ("reached", "dead-end")
        assert len(set(way)) == len(way)


@given(worlds(), st.sampled_from(FIXED))
def test_what_drains_where_adds_up(made: LinkGraph, name: str) -> None:
    strategy = STRATEGIES[name](made)
    following = next_articles(made, strategy, np.arange(made.size), WalkRules())
    found = find_destinations(following, TARGET)
    tree, cycles = count_levels(found), find_basins(found, following)
    stuck = [each for each in range(made.size) if found.cycle[each] == -2]
    assert tree.total() + sum(each.drained for each in cycles) + len(stuck) == made.size
    assert tree[0] == 1
    for basin in cycles:
        assert [int(following[each]) for each in basin.articles] == [*basin.articles[1:], basin.articles[0]]
        assert basin.drained >= len(basin.articles) >= 2
    assert [each.drained for each in cycles] == sorted((each.drained for each in cycles), reverse=True)


def ways(made: LinkGraph, article: int, left: int, first: int) -> dict[str, float]:
    """The probabilities of the endings of random traversals from an article, by following every way there is."""
    if article == TARGET:
        return {"reached": 1.0}
    links = made.next[made.offsets[article] : made.offsets[article + 1]][:first].tolist()
    if not links:
        return {"dead-end": 1.0}
    if not left:
        return {"limit": 1.0}
    found: dict[str, float] = {}
    for other in links:
        for ending, chance in ways(made, other, left - 1, first).items():
            found[ending] = found.get(ending, 0.0) + chance / len(links)
    return found


@given(worlds(6), st.integers(0, 5), st.integers(1, 3))
def test_random_is_exactly_what_all_ways_come_to(made: LinkGraph, limit: int, first: int) -> None:
    starters = np.arange(1, made.size)
    found = exact_distribution(made, starters, TARGET, WalkRules(first_links=first, limit=limit))
    each = [ways(made, starter, limit, first) for starter in starters.tolist()]
    mean = {ending: float(np.mean([one.get(ending, 0.0) for one in each])) for ending in ("reached", "dead-end", "limit")}
    assert (found.reached, found.dead_end, found.limit) == pytest.approx((mean["reached"], mean["dead-end"], mean["limit"]))


def test_random_comes_near_to_what_it_is_exactly_and_repeats_itself() -> None:
    chance = np.random.default_rng(5)
    made = world([[int(each) for each in chance.integers(0, 60, 6) if each != article] for article in range(60)])
    starters, rules = np.tile(np.arange(1, 60), 1), WalkRules(limit=30)
    found = exact_distribution(made, starters, TARGET, rules)
    shares = []
    for seed in range(60):
        ended = walked_together(made, RandomLink(made, seed), starters, TARGET, rules)
        shares.append(np.mean([each.ending == "reached" for each in ended]))
        again = [walk(made, RandomLink(made, seed), each, TARGET, rules)[0] for each in starters[:5].tolist()]
        assert again == ended[:5]
    assert np.mean(shares) == pytest.approx(found.reached, abs=0.03)
