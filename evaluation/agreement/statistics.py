"""Intervals by resampling: how far a figure could be off because only these questions, pairs or documents were judged.

A resample draws as many items as there are, with replacement. It is described by the indices drawn or, for statistics that many
resamples share the work of, by how often each item was drawn; both descriptions come from the same random numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isnan, nan
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import FloatArray

Indices = npt.NDArray[np.intp]

RESAMPLES = 10_000
CONFIDENCE = 0.95

BLOCK = 1 << 15
"""How many draws are in memory together; a block of this size fits into the cache of a processor."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with its interval.

    - ``value``: the figure; NaN if it is undefined
    - ``low``, ``high``: the percentile interval at 95 %; NaN without resamples
    - ``undefined``: how many resamples had no value and were left out
    """

    value: float
    low: float = nan
    high: float = nan
    undefined: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the fields ready for JSON: None for NaN; ``undefined`` only if resamples were left out."""
        fields: dict[str, Any] = {
            name: none_if_nan(number) for name, number in (("value", self.value), ("low", self.low), ("high", self.high))
        }
        return fields | ({"undefined": self.undefined} if self.undefined else {})


def none_if_nan(value: float) -> float | None:
    """Return None for NaN, which JSON does not have."""
    return None if isnan(value) else float(value)


def bootstrap(
    statistic: Callable[[Indices], float], size: int, *, resamples: int = RESAMPLES, seed: int | None = 0
) -> Interval:
    """Compute a statistic and its percentile interval at 95 %.

    Args:
        statistic: Maps the indices of a resample of ``range(size)`` to a number, or to NaN if it is undefined there.
        size: The number of items.
        resamples: How many resamples to draw; 0 for no interval.
        seed: Seed of the random numbers; None for different ones in each call.

    Returns:
        The statistic of all items, with its interval.

    >>> heights = [150, 160, 170, 180, 190]
    >>> bootstrap(lambda indices: sum(heights[index] for index in indices) / len(indices), 5, resamples=1000)
    Interval(value=170.0, low=158.0, high=182.0, undefined=0)
    """
    value = float(statistic(np.arange(size)))
    if isnan(value):
        return Interval(nan)
    drawn = (statistic(row) for block in _draw(size, resamples, seed, BLOCK) for row in block)
    return make_interval(value, np.fromiter(drawn, dtype=float))


def bootstrap_counts(
    statistic: Callable[[FloatArray], FloatArray],
    size: int,
    *,
    resamples: int = RESAMPLES,
    seed: int | None = 0,
    block: int = BLOCK,
) -> Interval:
    """Do what ``bootstrap`` does for a statistic that takes many resamples at once.

    Args:
        statistic: Maps a matrix, with a row for each item and a column for each resample, that says how often the item is in
            the resample, to the values of the resamples.
        size: The number of items.
        resamples: How many resamples to draw; 0 for no interval.
        seed: Seed of the random numbers, which are those of ``bootstrap``.
        block: How many cells a matrix has at most.

    Returns:
        The statistic of all items, with its interval.
    """
    value = float(statistic(np.ones((size, 1)))[0])
    if isnan(value):
        return Interval(nan)
    values = [np.empty(0)]
    for indices in _draw(size, resamples, seed, block):
        columns = len(indices)
        # Cell (item, resample) of the matrix is number item * columns + resample.
        cells = indices * columns + np.arange(columns)[:, np.newaxis]
        counts = np.bincount(cells.ravel(), minlength=size * columns).reshape(size, columns)
        values.append(statistic(counts.astype(np.float64)))
    return make_interval(value, np.concatenate(values))


def bootstrap_mean(values: npt.ArrayLike, *, resamples: int = RESAMPLES, seed: int | None = 0) -> Interval:
    """Compute the mean of the values that are not NaN, and its interval.

    NaN stands for an item to which the figure does not apply: it is drawn like the others and then left out.

    >>> bootstrap_mean([1.0, 0.0, float("nan"), 1.0, 1.0], resamples=0).value
    0.75
    """
    array = np.asarray(values, dtype=float)
    return bootstrap_counts(mean_statistic(array), len(array), resamples=resamples, seed=seed)


def mean_statistic(values: FloatArray) -> Callable[[FloatArray], FloatArray]:
    """Return the statistic for ``bootstrap_counts`` that is the mean of the values that are not NaN."""
    applies = ~np.isnan(values)
    summands, weights = np.where(applies, values, 0.0), applies.astype(float)

    def mean(counts: FloatArray) -> FloatArray:
        return divide(summands @ counts, weights @ counts)

    return mean


def divide(numerators: FloatArray, denominators: FloatArray) -> FloatArray:
    """Divide, giving NaN where the denominator is not positive."""
    quotients: FloatArray = np.full(np.shape(numerators), nan)
    return np.divide(numerators, denominators, out=quotients, where=denominators > 0.0)


def _draw(size: int, resamples: int, seed: int | None, block: int) -> Iterator[Indices]:
    """Yield resamples, the indices of one in each row, in blocks of about so many indices."""
    generator = np.random.default_rng(seed)
    step = max(1, block // max(1, size))
    for start in range(0, resamples if size else 0, step):
        yield generator.integers(size, size=(min(step, resamples - start), size), dtype=np.intp)


def make_interval(value: float, resampled: FloatArray) -> Interval:
    """Return a figure with its percentile interval at 95 %, given its values in resamples; NaN where it is undefined."""
    missing = np.isnan(resampled)
    defined = resampled[~missing]
    if not defined.size:
        return Interval(value, undefined=int(missing.sum()))
    low, high = np.quantile(defined, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Interval(value, float(low), float(high), int(missing.sum()))
