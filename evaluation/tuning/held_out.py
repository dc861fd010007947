"""Intervals of figures on held-out items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray
from ..agreement.correlation import CountStatistic
from ..agreement.statistics import BLOCK, Interval, make_interval


@dataclass(frozen=True, slots=True)
class Stratum:
    """Items that are resampled among themselves.

    - ``before``, ``after``: the figures of the profile and of the tuned parameters, as statistics of counts of the items
    - ``size``: the number of items
    - ``weight``: the weight of these figures in the mean
    """

    before: CountStatistic
    after: CountStatistic
    size: int
    weight: float


def bootstrap_strata(strata: Sequence[Stratum], *, resamples: int, seed: int) -> tuple[Interval, Interval, Interval]:
    """Compute the weighted means of figures before and after a tuning, and their difference, each with its interval at 95 %.

    Each stratum is resampled by itself, and both figures from the same resamples, so the interval of the difference is that of
    paired data. Resamples in which a figure is undefined are left out.

    Args:
        strata: The items, by fold and objective.
        resamples: How many resamples to draw; 0 for no intervals.
        seed: The seed of the random numbers.
    """
    generator = np.random.default_rng(seed)
    weights = np.array([each.weight for each in strata])
    weights = weights / weights.sum()
    value, resampled = np.zeros((2, 1)), np.zeros((2, resamples))
    for stratum, weight in zip(strata, weights, strict=True):
        value += weight * _figures(stratum, np.ones((stratum.size, 1)))
        step = max(1, BLOCK // stratum.size)
        for start in range(0, resamples, step):
            count = min(step, resamples - start)
            drawn = generator.multinomial(stratum.size, np.full(stratum.size, 1 / stratum.size), size=count)
            resampled[:, start : start + count] += weight * _figures(stratum, drawn.T.astype(np.float64))
    before, after = value[:, 0].tolist()
    return (
        make_interval(before, resampled[0]),
        make_interval(after, resampled[1]),
        make_interval(after - before, resampled[1] - resampled[0]),
    )


def _figures(stratum: Stratum, counts: FloatArray) -> FloatArray:
    return np.array([stratum.before(counts), stratum.after(counts)])
