"""Rank correlation: whether two lists of numbers order the same things alike."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, nan, sqrt


def average_ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value, that of the smallest being 1; equal values have the mean of their ranks.

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
        for index in order[start:end]:
            ranks[index] = (start + 1 + end) / 2  # the mean of the ranks start + 1 to end
        start = end
    return ranks


def spearman(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Compute Spearman's rank correlation: Pearson's correlation of the average ranks.

    Args:
        ours: Numbers.
        theirs: As many numbers, for the same things.

    Returns:
        A number from -1 to 1; NaN if one of the lists has fewer than two different values.

    Raises:
        ValueError: The lists differ in length, or contain NaN.

    >>> spearman([1, 2, 3, 4], [10, 20, 40, 30])
    0.8
    >>> spearman([1, 1, 1], [1, 2, 3])
    nan
    """
    if len(ours) != len(theirs):
        raise ValueError(f"the lists have {len(ours)} and {len(theirs)} numbers; give two lists of equal length")
    if any(value != value for value in (*ours, *theirs)):
        raise ValueError("NaN is not a number and has no rank; leave its pair out")
    mean = (len(ours) + 1) / 2
    first = [rank - mean for rank in average_ranks(ours)]
    second = [rank - mean for rank in average_ranks(theirs)]
    squared_norms = fsum(rank * rank for rank in first) * fsum(rank * rank for rank in second)
    if squared_norms == 0.0:
        return nan
    return fsum(one * other for one, other in zip(first, second, strict=True)) / sqrt(squared_norms)
