"""All traversals of a deterministic strategy at once.

A deterministic strategy is a function from article to next article. The graph of such a function consists of cycles, trees that
drain into them, and trees that drain into dead ends; the target is made one more root, because a traversal ends there. So one
pass over the articles finds the root of each and its distance, and no article is walked twice. From these follows how every
traversal ends: with the hops to the target, to a dead end, or to a cycle and once around it. (The paper walks from each of its
starters separately, section 4.)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .walk import NO_ARTICLE, Traversal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...core.arrays import IntArray
    from .link_graph import LinkGraph
    from .strategies import Strategy
    from .walk import WalkRules

CHUNK = 65_536
"""Articles whose links are chosen together."""

NOT_VISITED = -2
"""The successor of an article that no traversal reaches."""

LEADS_TO_TARGET, LEADS_TO_DEAD_END = -1, -2
"""Values in place of the number of a cycle."""


def choose_successors(graph: LinkGraph, strategy: Strategy, articles: IntArray, rules: WalkRules) -> IntArray:
    """Return for each article the next one by this strategy, ``NO_ARTICLE`` for a dead end."""
    successors = np.empty(len(articles), np.int64)
    for start in range(0, len(articles), CHUNK):
        chunk = articles[start : start + CHUNK]
        links = graph.first_links(chunk, rules.first_links, keep_parentheses=rules.keep_parentheses)
        column = strategy.pick(links, links >= 0, chunk, 0)
        chosen = np.where(column >= 0, links[np.arange(len(chunk)), column], -1)
        successors[start : start + CHUNK] = graph.follow(chosen)
    return successors


def find_successors(graph: LinkGraph, strategy: Strategy, starters: IntArray, target: int, rules: WalkRules) -> IntArray:
    """Find the successors of all articles that traversals from these starters reach within the limit.

    Returns:
        For each article of the wiki the next one, ``NO_ARTICLE`` for a dead end, ``NOT_VISITED`` if no traversal gets there.
    """
    successors = np.full(graph.size, NOT_VISITED, np.int64)
    frontier, hops = np.unique(starters), 0
    while len(frontier) and hops <= rules.limit:
        successors[frontier] = choose_successors(graph, strategy, frontier, rules)
        reached = np.unique(successors[frontier])
        frontier = reached[(reached >= 0) & (reached != target) & (successors[reached] == NOT_VISITED)]
        hops += 1
    return successors


@dataclass(frozen=True, slots=True)
class FunctionalGraph:
    """Where every article leads.

    - ``target``, ``successors``: the function, and the article at which traversals end
    - ``hops``: the distance of each article to its root: the target, a dead end, or the first article on a cycle
    - ``root``: that article
    - ``cycle``: the number of the cycle, ``LEADS_TO_TARGET`` or ``LEADS_TO_DEAD_END``
    - ``cycle_lengths``: the articles on each cycle
    """

    target: int
    successors: IntArray
    hops: IntArray
    root: IntArray
    cycle: IntArray
    cycle_lengths: list[int]

    def traversal(self, article: int, limit: int) -> Traversal:
        """Return how the traversal from an article ends."""
        distance, root, cycle = int(self.hops[article]), int(self.root[article]), int(self.cycle[article])
        length = self.cycle_lengths[cycle] if cycle >= 0 else None
        hops = distance + (length or 0)  # a cycle is noticed when its first article is seen again
        if hops > limit:
            return Traversal(article, "limit", limit, NO_ARTICLE)
        if cycle == LEADS_TO_TARGET:
            return Traversal(article, "reached", hops, root)
        return Traversal(article, "dead-end" if length is None else "cycle", hops, root, length)

    def traversals(self, starters: IntArray, limit: int) -> Iterator[Traversal]:
        """Yield how the traversal from each starter ends."""
        for starter in starters.tolist():
            yield self.traversal(starter, limit)


def build_functional_graph(successors: IntArray, target: int) -> FunctionalGraph:
    """Find the root and the distance of every article in one pass.

    Each article gets its answer once, so the time is linear. From an article without an answer the path is followed until it
    meets an article that has one, a dead end, or itself; then the articles of the path are answered backwards. While an article
    is on the path, its ``hops`` hold its position there as ``-2 - position``; -1 means that it has no answer yet.
    """
    following: list[int] = successors.tolist()  # lists are faster than arrays to read one by one
    size = len(following)
    hops, root, cycle, cycle_lengths = [-1] * size, [0] * size, [LEADS_TO_DEAD_END] * size, list[int]()
    hops[target], root[target], cycle[target] = 0, target, LEADS_TO_TARGET
    for starter in range(size):
        if hops[starter] >= 0 or following[starter] == NOT_VISITED:
            continue
        path, article = list[int](), starter
        while article >= 0 and hops[article] == -1:
            hops[article] = -2 - len(path)
            path.append(article)
            article = following[article]
        if article < 0:  # the last article of the path is a dead end, or beyond the limit, which its distance exceeds anyway
            article = path.pop()
            hops[article], root[article] = 0, article
        elif hops[article] < -1:  # the path has met itself: from there on it is a new cycle
            first = -2 - hops[article]
            for each in path[first:]:
                hops[each], root[each], cycle[each] = 0, each, len(cycle_lengths)
            cycle_lengths.append(len(path) - first)
            del path[first:]
        distance, its_root, its_cycle = hops[article], root[article], cycle[article]
        for each in reversed(path):
            distance += 1
            hops[each], root[each], cycle[each] = distance, its_root, its_cycle
    return FunctionalGraph(target, successors, np.array(hops), np.array(root), np.array(cycle), cycle_lengths)


@dataclass(frozen=True, slots=True)
class Basin:
    """A cycle and what drains into it.

    - ``articles``: the cycle, in the order in which it is walked
    - ``drained``: the number of articles that lead into it, with its own
    - ``depth``: the greatest distance of one of them
    """

    articles: tuple[int, ...]
    drained: int
    depth: int


def find_basins(functional: FunctionalGraph) -> list[Basin]:
    """Return the cycles, those with the largest basins first."""
    cycle, lengths = functional.cycle, functional.cycle_lengths
    drains = cycle >= 0
    drained = np.bincount(cycle[drains], minlength=len(lengths))
    depths = np.zeros(len(lengths), np.int64)
    np.maximum.at(depths, cycle[drains], functional.hops[drains])
    first: dict[int, int] = {}
    for article in np.flatnonzero(drains & (functional.hops == 0)).tolist():
        first.setdefault(int(cycle[article]), article)
    basins = []
    for number, length in enumerate(lengths):
        articles = [first[number]]
        for _ in range(length - 1):
            articles.append(int(functional.successors[articles[-1]]))
        basins.append(Basin(tuple(articles), int(drained[number]), int(depths[number])))
    return sorted(basins, key=lambda basin: (-basin.drained, basin.articles))


def count_levels(functional: FunctionalGraph) -> Counter[int]:
    """Count the articles by their distance to the target: the levels of the tree that leads to it."""
    return Counter(functional.hops[functional.cycle == LEADS_TO_TARGET].tolist())
