"""The order of things that were compared two at a time: the model of Bradley and Terry.

Thing i is preferred to thing j with probability s_i / (s_i + s_j), where the strengths s are those that make the comparisons
most likely. They are found by the MM algorithm of Hunter (2004), "MM algorithms for generalized Bradley-Terry models".
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from ...core.arrays import FloatArray
from .statistics import Indices

T = TypeVar("T", bound=Hashable)

PRIOR = 0.5
"""The wins and losses against an imagined thing of strength 1 that keep strengths finite where they would not be."""

TOLERANCE = 1e-9
"""The largest difference between the expected and the observed wins of a thing when the search ends."""

MAX_STEPS = 100_000


@dataclass(frozen=True, slots=True)
class Strengths(Generic[T]):
    """The strengths of things that were compared.

    - ``strengths``: the natural logarithms of the strengths, with a mean of 0 in each group, by thing
    - ``groups``: the group of each thing; things of different groups were never compared, not even through others, so that
      their strengths say nothing about each other. Group 0 is the largest
    - ``has_prior``: whether there is no maximum of the likelihood, because some things won or lost every comparison with the
      others of their group; then every thing got half a win and half a loss more, against an imagined thing
    - ``converged``: whether the search for the maximum ended
    """

    strengths: Mapping[T, float]
    groups: Mapping[T, int]
    has_prior: bool
    converged: bool


def estimate_strengths(comparisons: Iterable[tuple[T, T, float]]) -> Strengths[T]:
    """Estimate strengths from comparisons.

    Args:
        comparisons: Two things, and how far the first was preferred: 1, 0, or 0.5 for a tie, which is half a win for both.

    >>> found = estimate_strengths([("a", "b", 1), ("a", "b", 1), ("a", "b", 0)])
    >>> {thing: round(strength, 3) for thing, strength in found.strengths.items()}  # half the logarithm of 2 each
    {'a': 0.347, 'b': -0.347}
    """
    import networkx as nx

    wins: dict[tuple[T, T], float] = {}
    for first, second, preference in comparisons:
        wins[first, second] = wins.get((first, second), 0.0) + preference
        wins[second, first] = wins.get((second, first), 0.0) + 1.0 - preference
    # An arrow from each winner to each loser; all comparisons have one, as a tie is half a win.
    graph = nx.DiGraph(pair for pair, won in wins.items() if won > 0)
    groups = sorted(nx.weakly_connected_components(graph), key=len, reverse=True)
    # The likelihood has a maximum if and only if in every division of a group into two parts, some thing of each part won
    # against one of the other (Hunter's assumption 1): if the graph is strongly connected.
    has_prior = nx.number_strongly_connected_components(graph) > len(groups)

    number = {thing: index for index, thing in enumerate(graph)}
    winners, losers = (np.array([number[pair[side]] for pair in wins], dtype=np.intp) for side in (0, 1))
    logarithms, converged = _maximise(winners, losers, np.array(list(wins.values())), PRIOR if has_prior else 0.0)
    group_of = {thing: index for index, group in enumerate(groups) for thing in group}
    means = [sum(logarithms[number[thing]] for thing in group) / len(group) for group in groups]
    return Strengths(
        strengths={thing: float(logarithms[index] - means[group_of[thing]]) for thing, index in number.items()},
        groups={thing: group_of[thing] for thing in number},
        has_prior=has_prior,
        converged=converged,
    )


def _maximise(winners: Indices, losers: Indices, won: FloatArray, prior: float) -> tuple[FloatArray, bool]:
    """Return the logarithms of the strengths that maximise the likelihood, and whether the search ended."""
    size = int(winners.max()) + 1
    total = np.bincount(winners, won, size) + prior
    strengths = np.ones(size)
    for _ in range(MAX_STEPS):
        # Each comparison is there in both directions, so that every thing meets all its comparisons: the denominator of
        # Hunter's (3) is the sum of n_ij / (s_i + s_j), and n_ij the wins in both directions.
        met = won / (strengths[winners] + strengths[losers])
        denominator = np.bincount(winners, met, size) + np.bincount(losers, met, size) + 2 * prior / (strengths + 1.0)
        # At the maximum the wins that the strengths lead to expect are those that were observed.
        if np.abs(strengths * denominator - total).max() < TOLERANCE:
            return np.log(strengths), True
        strengths = total / denominator
        if not prior:
            strengths /= np.exp(np.log(strengths).mean())  # only their ratios matter
    return np.log(strengths), False
