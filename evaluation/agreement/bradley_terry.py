"""The order of things that were compared two at a time: the model of Bradley and Terry.

Thing i is preferred to thing j with probability s_i / (s_i + s_j), where the strengths s are those that make the comparisons most
likely. They are found by the MM algorithm of Hunter (2004), "MM algorithms for generalized Bradley-Terry models".
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .statistics import Floats

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
    import numpy as np

    wins: dict[tuple[T, T], float] = {}
    for first, second, preference in comparisons:
        wins[first, second] = wins.get((first, second), 0.0) + preference
        wins[second, first] = wins.get((second, first), 0.0) + 1.0 - preference
    things = list(dict.fromkeys(thing for pair in wins for thing in pair))
    number = {thing: index for index, thing in enumerate(things)}
    winners = np.array([number[winner] for winner, _ in wins], dtype=np.intp)
    losers = np.array([number[loser] for _, loser in wins], dtype=np.intp)
    won = np.array(list(wins.values()))

    groups = _label_groups(winners, losers, len(things), directed=False)
    # The likelihood has a maximum if and only if in every division of a group into two parts, some thing of each part won
    # against one of the other (Hunter's assumption 1): if the graph of wins is strongly connected.
    is_win = won > 0.0
    has_prior = int(_label_groups(winners[is_win], losers[is_win], len(things), directed=True).max()) > int(groups.max())
    logarithms, converged = _maximise(winners, losers, won, len(things), PRIOR if has_prior else 0.0)
    sizes = np.bincount(groups)
    logarithms -= (np.bincount(groups, logarithms) / sizes)[groups]
    rank = np.argsort(np.argsort(-sizes, kind="stable"))
    return Strengths(
        strengths=dict(zip(things, logarithms.tolist(), strict=True)),
        groups=dict(zip(things, rank[groups].tolist(), strict=True)),
        has_prior=has_prior,
        converged=converged,
    )


def _label_groups(sources: NDArray[np.intp], targets: NDArray[np.intp], size: int, *, directed: bool) -> NDArray[np.intp]:
    """Return the number of the connected component of each node; if directed, of the strongly connected one."""
    import numpy as np
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(sources)), (sources, targets)), shape=(size, size))
    labels: NDArray[np.intp] = connected_components(graph, directed=directed, connection="strong")[1]
    return labels


def _maximise(
    winners: NDArray[np.intp], losers: NDArray[np.intp], won: Floats, size: int, prior: float
) -> tuple[Floats, bool]:
    """Return the logarithms of the strengths, and whether the search ended."""
    import numpy as np

    total = np.bincount(winners, won, size) + prior
    strengths = np.ones(size)
    for _ in range(MAX_STEPS):
        # Each comparison is in both directions, so that summing over the winners reaches every thing and all its comparisons:
        # a thing's sum of n_ij / (s_i + s_j), the denominator of Hunter's (3).
        met = won / (strengths[winners] + strengths[losers])
        denominator = np.bincount(winners, met, size) + np.bincount(losers, met, size) + 2 * prior / (strengths + 1.0)
        expected = strengths * denominator
        strengths = total / denominator
        if not prior:
            strengths /= np.exp(np.log(strengths).mean())  # only their ratios matter, and they might all shrink
        if np.abs(expected - total).max() < TOLERANCE:
            return np.log(strengths), True
    return np.log(strengths), False
