"""Correlations of two lists of numbers for the same things, with intervals.

Each correlation is a statistic of how often each pair of numbers counts (see ``statistics.bootstrap_counts``). Ranks, ties and
signs of differences are found once for the whole list; a resample then needs no sorting, only sums. The correlation itself is
that of a list in which each pair counts once. All sums of ranks and signs are sums of whole numbers and exact.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ...core.arrays import FloatArray
from .statistics import BLOCK, RESAMPLES, Interval, bootstrap_counts, divide

CountStatistic = Callable[[FloatArray], FloatArray]

ROWS = 512
"""How many items Kendall's tau compares with all others at a time."""


def spearman(ours: ArrayLike, theirs: ArrayLike) -> float:
    """Compute Spearman's rank correlation: Pearson's correlation of the ranks, equal numbers having the mean of their ranks.

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
    return _correlate(spearman_statistic, ours, theirs)


def kendall(ours: ArrayLike, theirs: ArrayLike) -> float:
    """Compute Kendall's tau-b, which corrects for ties; see ``spearman`` for arguments, result and errors.

    >>> kendall([1, 2, 3, 4, 5], [1, 2, 3, 5, 4])
    0.8
    """
    return _correlate(kendall_statistic, ours, theirs)


def pearson(ours: ArrayLike, theirs: ArrayLike) -> float:
    """Compute Pearson's correlation; see ``spearman`` for arguments, result and errors.

    >>> pearson([1, 2, 3, 4], [2, 4, 6, 8])
    1.0
    """
    return _correlate(pearson_statistic, ours, theirs)


def bootstrap_correlation(
    statistic: Callable[[FloatArray, FloatArray], CountStatistic],
    ours: ArrayLike,
    theirs: ArrayLike,
    *,
    resamples: int = RESAMPLES,
    seed: int | None = 0,
) -> Interval:
    """Compute a correlation and its interval, resampling pairs of numbers.

    Args:
        statistic: ``spearman_statistic``, ``kendall_statistic`` or ``pearson_statistic``.
        ours: Numbers.
        theirs: As many numbers, for the same things.
        resamples: How many resamples to draw; 0 for no interval.
        seed: Seed of the random numbers.

    Raises:
        ValueError: The lists differ in length, or contain NaN.

    >>> bootstrap_correlation(spearman_statistic, range(9), [0, 1, 2, 4, 3, 5, 6, 8, 7], resamples=0).value
    0.9666666666666667
    """
    first, second = _check(ours, theirs)
    size = len(first)
    # Kendall's tau multiplies large matrices, which pays only with many resamples at a time.
    block = max(BLOCK, 1024 * size) if statistic is kendall_statistic else BLOCK
    return bootstrap_counts(statistic(first, second), size, resamples=resamples, seed=seed, block=block)


def _correlate(statistic: Callable[[FloatArray, FloatArray], CountStatistic], ours: ArrayLike, theirs: ArrayLike) -> float:
    first, second = _check(ours, theirs)
    return float(statistic(first, second)(np.ones((len(first), 1)))[0])


def _check(ours: ArrayLike, theirs: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return both lists as arrays; raise if they differ in length or contain NaN."""
    first, second = np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float)
    if len(first) != len(second):
        raise ValueError(f"the lists have {len(first)} and {len(second)} numbers; give two lists of equal length")
    if np.isnan(first).any() or np.isnan(second).any():
        raise ValueError("NaN is not a number and has no rank; leave its pair out")
    return first, second


class Ties:
    """The groups of equal numbers in a list, in increasing order."""

    def __init__(self, numbers: FloatArray) -> None:
        self.order = np.argsort(numbers, kind="stable")
        ordered = numbers[self.order]
        is_first = np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)]
        self.starts = np.flatnonzero(is_first)
        self.group_of = np.empty(len(ordered), dtype=np.intp)
        self.group_of[self.order] = np.cumsum(is_first) - 1

    def count(self, counts: FloatArray) -> FloatArray:
        """Return the size of each group in each resample."""
        ordered = counts[self.order]
        return ordered if len(self.starts) == len(ordered) else np.add.reduceat(ordered, self.starts, axis=0)


def spearman_statistic(ours: FloatArray, theirs: FloatArray) -> CountStatistic:
    """Return Spearman's rank correlation as a statistic of counts."""
    ties = Ties(ours), Ties(theirs)

    def correlate(counts: FloatArray) -> FloatArray:
        drawn = counts.sum(axis=0)
        ranks, variances = [], []
        for tied in ties:
            groups = tied.count(counts)
            variances.append(drawn**3 - np.einsum("gk,gk,gk->k", groups, groups, groups))
            # A group of g numbers, the last of which has position c, has mean rank c - (g - 1) / 2. The mean of all ranks is
            # (n + 1) / 2, so twice the difference from it is 2c - g - n, a whole number.
            doubled = np.cumsum(groups, axis=0)
            doubled *= 2
            doubled -= groups
            doubled -= drawn
            ranks.append(doubled[tied.group_of])
        covariance = np.einsum("ik,ik,ik->k", counts, *ranks)
        # The squares of the doubled ranks sum to (n^3 - sum of g^3) / 3.
        return divide(3.0 * covariance, np.sqrt(variances[0] * variances[1]))

    return correlate


def kendall_statistic(ours: FloatArray, theirs: FloatArray) -> CountStatistic:
    """Return Kendall's tau-b as a statistic of counts."""
    ties = Ties(ours), Ties(theirs)

    def correlate(counts: FloatArray) -> FloatArray:
        columns = counts.astype(np.float32)  # sums of counts and signs stay far below 2^24, up to which it is exact
        concordance = np.zeros(counts.shape[1])
        for start in range(0, len(counts), ROWS):
            rows = slice(start, start + ROWS)
            signs = np.sign(ours[rows, np.newaxis] - ours[start:]) * np.sign(theirs[rows, np.newaxis] - theirs[start:])
            # Pairs within these rows occur twice in the product, pairs with a later row once.
            signs[:, ROWS:] *= 2.0
            concordance += np.einsum("ik,ik->k", counts[rows], signs.astype(np.float32) @ columns[start:], dtype=np.float64)
        drawn = counts.sum(axis=0)
        pairs = drawn * (drawn - 1)
        untied = []
        for tied in ties:
            groups = tied.count(counts)
            untied.append(pairs - np.einsum("gk,gk->k", groups, groups - 1))
        return divide(concordance, np.sqrt(untied[0] * untied[1]))

    return correlate


def pearson_statistic(ours: FloatArray, theirs: FloatArray) -> CountStatistic:
    """Return Pearson's correlation as a statistic of counts."""
    # Numbers near 0 keep their digits when squares of means are subtracted.
    first, second = (_standardise(numbers) for numbers in (ours, theirs))
    powers = np.stack([first, second, first * first, second * second, first * second])

    def correlate(counts: FloatArray) -> FloatArray:
        drawn = counts.sum(axis=0)
        x, y, xx, yy, xy = powers @ counts / np.maximum(drawn, 1.0)
        spread = np.maximum(xx - x * x, 0.0), np.maximum(yy - y * y, 0.0)
        found = divide(xy - x * y, np.sqrt(spread[0] * spread[1]))
        # In a resample of equal numbers the difference of the squares is rounding error.
        negligible = (spread[0] <= 1e-14) | (spread[1] <= 1e-14)
        return np.clip(np.where(negligible, np.nan, found), -1.0, 1.0)

    return correlate


def _standardise(numbers: FloatArray) -> FloatArray:
    """Subtract the mean and divide by the standard deviation, which changes no correlation."""
    if not len(numbers) or numbers.min() == numbers.max():
        return numbers * 0.0
    centred = numbers - numbers.mean()
    centred /= np.abs(centred).max()  # before the squares, which could underflow
    standardised: FloatArray = centred / centred.std()
    return standardised
