"""Calibration: what people say, on average, of pairs with about the same score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ...core.arrays import FloatArray
from .graded_files import JudgedPair
from .statistics import RESAMPLES, Interval, bootstrap_mean

EDGES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""The upper bounds of the bins. Score 0, where no path was found, has a bin of its own, and so has score 1."""


@dataclass(frozen=True, slots=True)
class Bin:
    """The pairs whose scores are in a range.

    - ``low``, ``high``: the range: above ``low``, up to ``high``; both are equal if only one score is meant
    - ``pairs``: how many there are
    - ``judgement``: the mean judgement of them, on the scale of the file
    """

    low: float
    high: float
    pairs: int
    judgement: Interval

    def to_dict(self) -> dict[str, Any]:
        """Return the fields ready for JSON."""
        return {"low": self.low, "high": self.high, "pairs": self.pairs, "judgement": self.judgement.to_dict()}


def calibrate(
    pairs: Sequence[JudgedPair], matchers: Mapping[str, FloatArray], *, resamples: int = RESAMPLES, seed: int | None = 0
) -> dict[str, list[Bin]]:
    """Return the bins of each matcher.

    Args:
        pairs: The judged pairs.
        matchers: By name, the score of each pair from 0 to 1; NaN for an unknown pair, which counts as 0. A matcher with scores
            out of this range is left out.
        resamples: How many resamples the intervals are from; 0 for none.
        seed: Seed of the random numbers.

    >>> pairs = [JudgedPair("animal", "dog", 6.0), JudgedPair("cat", "dog", 1.0), JudgedPair("rock", "dog", 0.0)]
    >>> bins = calibrate(pairs, {"m": np.array([0.95, 0.15, 0.12])}, resamples=0)["m"]
    >>> [(each.low, each.high, each.pairs, each.judgement.value) for each in bins]
    [(0.1, 0.2, 2, 0.5), (0.9, 1.0, 1, 6.0)]
    """
    gold = np.array([pair.score for pair in pairs])
    found = {}
    for name, scores in matchers.items():
        known = np.nan_to_num(scores, nan=0.0)
        if known.min(initial=0.0) >= 0.0 and known.max(initial=0.0) <= 1.0:
            found[name] = _divide(known, gold, resamples, seed)
    return found


def _divide(scores: FloatArray, gold: FloatArray, resamples: int, seed: int | None) -> list[Bin]:
    ranges = [(0.0, 0.0), *pairwise(EDGES), (1.0, 1.0)]
    numbers = np.searchsorted(EDGES, scores, side="left") + (scores == 1.0)
    judged = [gold[numbers == number] for number in range(len(ranges))]
    return [
        Bin(low, high, len(inside), bootstrap_mean(inside, resamples=resamples, seed=seed))
        for (low, high), inside in zip(ranges, judged, strict=True)
        if len(inside)
    ]
