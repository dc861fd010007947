"""The random strategy computed exactly: a Markov chain in which each of an article's first links is equally likely.

The paper samples random traversals (tables 1 and 2, row "Random"); here the distribution of their endings is exact. The
probability of being at the target after h more hops satisfies the backward recurrence

    p_0(target) = 1;  p_h(target) = 0 for h > 0;  p_h(article) = mean of p_(h-1) over the articles that its first links lead to

since a traversal ends at the target. The same recurrence, begun at the dead ends, gives the probability of ending in one. The
rest has hit the limit: the random strategy ignores cycles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ...core.arrays import FloatArray, IntArray
    from .link_graph import LinkGraph
    from .walk import WalkRules

CHUNK = 65_536
"""Articles whose links are read together."""


@dataclass(frozen=True, slots=True)
class ExactDistribution:
    """The expected endings of random traversals.

    - ``reached``, ``dead_end``, ``limit``: the probability of each ending, averaged over the starters
    - ``hop_value``, ``std``: mean and standard deviation of the hops, given that the target is reached; None if it never is
    """

    reached: float
    dead_end: float
    limit: float
    hop_value: float | None
    std: float | None


def exact_distribution(graph: LinkGraph, starters: IntArray, target: int, rules: WalkRules) -> ExactDistribution:
    """Compute the distribution of the endings of random traversals from equally likely starters."""
    offsets, destinations = _first_links(graph, rules)
    counts = np.diff(offsets)
    dead_ends = (counts == 0) & (np.arange(graph.size) != target)
    at_target, at_dead_end = np.zeros(graph.size), dead_ends.astype(float)
    at_target[target] = 1.0
    # reached[h]: the probability that a traversal reaches the target with hop h, averaged over the starters
    reached, dead_ended = [float(at_target[starters].mean())], [float(at_dead_end[starters].mean())]
    for _ in range(rules.limit):
        at_target = _step_back(at_target, offsets, destinations, counts, target)
        at_dead_end = _step_back(at_dead_end, offsets, destinations, counts, target)
        reached.append(float(at_target[starters].mean()))
        dead_ended.append(float(at_dead_end[starters].mean()))
    return _summarise(np.array(reached), float(sum(dead_ended)))


def _summarise(reached: FloatArray, dead_end: float) -> ExactDistribution:
    share = float(reached.sum())
    if not share:
        return ExactDistribution(0.0, dead_end, 1.0 - dead_end, None, None)
    hops = np.arange(len(reached))
    mean = float((hops * reached).sum() / share)
    deviation = float(np.sqrt(((hops - mean) ** 2 * reached).sum() / share))
    return ExactDistribution(share, dead_end, max(0.0, 1.0 - share - dead_end), mean, deviation)


def _first_links(graph: LinkGraph, rules: WalkRules) -> tuple[IntArray, IntArray]:
    """Return the first links of all articles as compressed sparse rows: offsets, and the articles that they lead to."""
    counts, destinations = [np.zeros(1, np.int64)], [np.zeros(0, np.int64)]
    for start in range(0, graph.size, CHUNK):
        articles = np.arange(start, min(start + CHUNK, graph.size))
        links = graph.first_links(articles, rules.first_links, keep_parentheses=rules.keep_parentheses)
        counts.append((links >= 0).sum(axis=1))
        destinations.append(graph.follow(links[links >= 0]))
    return np.cumsum(np.concatenate(counts)), np.concatenate(destinations)


def _step_back(values: FloatArray, offsets: IntArray, destinations: IntArray, counts: IntArray, target: int) -> FloatArray:
    """Average the values over each article's links: one step of the recurrence; 0 at dead ends and at the target."""
    sums = np.concatenate([np.zeros(1), np.cumsum(values[destinations])])
    found: FloatArray = (sums[offsets[1:]] - sums[offsets[:-1]]) / np.maximum(counts, 1)
    found[target] = 0.0
    return found
