"""All traversals of a strategy at once: a function leads from article to article, and its graph is trees that hang on cycles.

One pass over the articles finds where each drains to; nothing is walked twice. What ends the traversal of an article follows
from that: the hops to the target, the hops to a dead end, or the hops to a cycle and once round it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .walk import NOWHERE, Traversal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .link_graph import LinkGraph
    from .strategies import Strategy, Whole
    from .walk import WalkRules

AT_ONCE = 65_536
"""Articles whose links are chosen in one go."""

UNKNOWN = -2
"""In place of the next article: not asked for."""


def next_articles(world: LinkGraph, strategy: Strategy, articles: Whole, rules: WalkRules) -> Whole:
    """For each of these articles the one that the strategy goes on to, ``NOWHERE`` for a dead end."""
    found = np.empty(len(articles), np.int64)
    for start in range(0, len(articles), AT_ONCE):
        some = articles[start : start + AT_ONCE]
        links = world.first_links(some, rules.first_links, keep_parentheses=rules.keep_parentheses)
        column = strategy.pick(links, links >= 0, some, 0)
        chosen = np.where(column >= 0, links[np.arange(len(some)), column], -1)
        found[start : start + AT_ONCE] = world.follow(chosen)
    return found


def reachable(world: LinkGraph, strategy: Strategy, starters: Whole, target: int, rules: WalkRules) -> Whole:
    """The next article of all that traversals from these starters can come to; ``UNKNOWN`` of all others."""
    following = np.full(world.size, UNKNOWN, np.int64)
    fringe, hops = np.unique(starters), 0
    while len(fringe) and hops <= rules.limit:
        following[fringe] = next_articles(world, strategy, fringe, rules)
        ahead = np.unique(following[fringe])
        fringe = ahead[(ahead >= 0) & (ahead != target) & (following[ahead] == UNKNOWN)]
        hops += 1
    return following


@dataclass(frozen=True, slots=True)
class Destinations:
    """Where every article drains to.

    ``hops`` is how far it is to the target, to a dead end, or to the first article of a cycle; ``end`` is that article;
    ``cycle`` is the number of its cycle, or one of the two that are none.
    """

    target: int
    hops: Whole
    end: Whole
    cycle: Whole
    lengths: list[int]

    def traversal(self, article: int, limit: int) -> Traversal:
        """How the traversal of an article ends."""
        hops, end, number = int(self.hops[article]), int(self.end[article]), int(self.cycle[article])
        length = self.lengths[number] if number >= 0 else None
        whole = hops + (length or 0)
        if whole > limit:
            return Traversal(article, "limit", limit, NOWHERE)
        if number == TO_TARGET:
            return Traversal(article, "reached", whole, end)
        return Traversal(article, "dead-end" if length is None else "cycle", whole, end, length)


TO_TARGET, TO_NOTHING = -1, -2


def find_destinations(following: Whole, target: int) -> Destinations:
    """Where each article of a function drains to, in one pass; the target is the end of every way that leads there."""
    ways: list[int] = following.tolist()
    size = len(ways)
    hops, end, cycle, lengths = [-1] * size, [0] * size, [TO_NOTHING] * size, list[int]()
    hops[target], end[target], cycle[target] = 0, target, TO_TARGET
    for starter in range(size):
        if hops[starter] >= 0 or ways[starter] == UNKNOWN:
            continue
        way, article = list[int](), starter
        while article >= 0 and hops[article] == -1:
            hops[article] = -2 - len(way)  # on the way, and where
            way.append(article)
            article = ways[article]
        if article < 0:
            article = way.pop()
            hops[article], end[article] = 0, article
        elif hops[article] < -1:
            begin = -2 - hops[article]
            for each in way[begin:]:
                hops[each], end[each], cycle[each] = 0, each, len(lengths)
            lengths.append(len(way) - begin)
            del way[begin:]
        far, last, number = hops[article], end[article], cycle[article]
        for each in reversed(way):
            far += 1
            hops[each], end[each], cycle[each] = far, last, number
    return Destinations(target, np.array(hops), np.array(end), np.array(cycle), lengths)


def find_endings(found: Destinations, starters: Whole, limit: int) -> Iterator[Traversal]:
    """How the traversal of each starter ends."""
    for starter in starters.tolist():
        yield found.traversal(starter, limit)


@dataclass(frozen=True, slots=True)
class Basin:
    """A cycle, its articles in the order in which they are walked, and how many articles drain into it, those included."""

    articles: tuple[int, ...]
    drained: int
    depth: int


def find_basins(found: Destinations, following: Whole) -> list[Basin]:
    """The cycles, those that most articles drain into first."""
    known = found.cycle >= 0
    drained = np.bincount(found.cycle[known], minlength=len(found.lengths))
    depths = np.zeros(len(found.lengths), np.int64)
    np.maximum.at(depths, found.cycle[known], found.hops[known])
    on_cycle = np.flatnonzero(known & (found.hops == 0))
    first: dict[int, int] = {}
    for article in on_cycle.tolist():
        first.setdefault(int(found.cycle[article]), article)
    made = []
    for number, length in enumerate(found.lengths):
        around = [first[number]]
        for _ in range(length - 1):
            around.append(int(following[around[-1]]))
        made.append(Basin(tuple(around), int(drained[number]), int(depths[number])))
    return sorted(made, key=lambda basin: (-basin.drained, basin.articles))


def count_levels(found: Destinations) -> Counter[int]:
    """How many articles are so many hops from the target: the in-tree of the target, level by level."""
    return Counter(found.hops[found.cycle == TO_TARGET].tolist())
