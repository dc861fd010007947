"""The random strategy exactly: a Markov chain over the articles, in which each of the first links is as likely as any other.

``reached[h]`` is the probability that a traversal comes to the target with its hop number h, averaged over the starters. It is
found backwards: the probability to be at the target after h more hops is, for each article, the mean of what it is for the
articles that its links lead to after h - 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .link_graph import LinkGraph
    from .strategies import Real, Whole
    from .walk import WalkRules

AT_ONCE = 65_536


@dataclass(frozen=True, slots=True)
class ExactDistribution:
    """What random traversals come to on average: shares of the starters, and the mean hops of those that reach the target."""

    reached: float
    dead_end: float
    limit: float
    hop_value: float | None
    std: float | None


def exact_distribution(world: LinkGraph, starters: Whole, target: int, rules: WalkRules) -> ExactDistribution:
    """The distribution of the endings of random traversals from these starters, each as likely as any other."""
    offsets, following = _links(world, rules)
    counts = np.diff(offsets)
    stuck = (counts == 0) & (np.arange(world.size) != target)
    at_target, at_end = np.zeros(world.size), stuck.astype(float)
    at_target[target] = 1.0
    reached, ended = [float(at_target[starters].mean())], [float(at_end[starters].mean())]
    for _ in range(rules.limit):
        at_target, at_end = (_mean(values, offsets, following, counts, target) for values in (at_target, at_end))
        reached.append(float(at_target[starters].mean()))
        ended.append(float(at_end[starters].mean()))
    return _exact(np.array(reached), float(sum(ended)))


def _exact(reached: Real, ended: float) -> ExactDistribution:
    share = float(reached.sum())
    if not share:
        return ExactDistribution(0.0, ended, 1.0 - ended, None, None)
    hops = np.arange(len(reached))
    mean = float((hops * reached).sum() / share)
    spread = float(np.sqrt(((hops - mean) ** 2 * reached).sum() / share))
    return ExactDistribution(share, ended, max(0.0, 1.0 - share - ended), mean, spread)


def _links(world: LinkGraph, rules: WalkRules) -> tuple[Whole, Whole]:
    """Where the first links of each article begin, and where they lead."""
    counts, leads = [np.zeros(1, np.int64)], [np.zeros(0, np.int64)]
    for start in range(0, world.size, AT_ONCE):
        some = np.arange(start, min(start + AT_ONCE, world.size))
        links = world.first_links(some, rules.first_links, keep_parentheses=rules.keep_parentheses)
        counts.append((links >= 0).sum(axis=1))
        leads.append(world.follow(links[links >= 0]))
    return np.cumsum(np.concatenate(counts)), np.concatenate(leads)


def _mean(values: Real, offsets: Whole, following: Whole, counts: Whole, target: int) -> Real:
    """The mean of the values that the links of each article lead to; 0 where there are none, and at the target."""
    sums = np.concatenate([np.zeros(1), np.cumsum(values[following])])
    found: Real = (sums[offsets[1:]] - sums[offsets[:-1]]) / np.maximum(counts, 1)
    found[target] = 0.0
    return found
