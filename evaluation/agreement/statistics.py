"""Whether two lists of figures put the same things in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, nan, sqrt


def average_ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value, the smallest 1; equal values share the average of their ranks.

    >>> average_ranks([0.3, 0.1, 0.3, 0.9])
    [2.5, 1.0, 2.5, 4.0]
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for place in order[start:end]:
            ranks[place] = (start + 1 + end) / 2
        start = end
    return ranks


def spearman(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Spearman's rank correlation: Pearson's correlation of the average ranks, from -1 to 1.

    It is not defined, and the answer not a number, where one of the lists holds fewer than two different values.

    >>> spearman([1, 2, 3, 4], [10, 20, 40, 30])
    0.8
    >>> spearman([1, 1, 1], [1, 2, 3])
    nan
    """
    if len(ours) != len(theirs):
        raise ValueError(f"{len(ours)} figures cannot be compared with {len(theirs)}: give one for one")
    if any(value != value for value in (*ours, *theirs)):
        raise ValueError("a figure that is not a number has no rank: leave its pair out")
    middle = (len(ours) + 1) / 2
    first = [rank - middle for rank in average_ranks(ours)]
    second = [rank - middle for rank in average_ranks(theirs)]
    spread = fsum(rank * rank for rank in first) * fsum(rank * rank for rank in second)
    if spread == 0.0:
        return nan
    return fsum(one * other for one, other in zip(first, second, strict=True)) / sqrt(spread)
