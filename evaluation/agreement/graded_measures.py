"""How well matchers agree with graded judgements: correlations, with unknown pairs at score 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.arrays import FloatArray
from .correlation import (
    bootstrap_correlation,
    kendall_statistic,
    pearson,
    pearson_statistic,
    spearman,
    spearman_statistic,
)
from .graded_files import JudgedPair
from .significance import Comparison, compare_by_measures, williams_test
from .statistics import RESAMPLES, Interval

TESTED = {"spearman": spearman, "pearson": pearson}
"""The correlations that Williams' test compares; it has no form for Kendall's tau."""


@dataclass(frozen=True, slots=True)
class MatcherAgreement:
    """How well a matcher agrees with graded judgements.

    - ``matcher``: its name
    - ``spearman``, ``kendall``, ``pearson``: the correlations of its scores with the judgements; NaN if all scores are equal
    - ``unknown``: the number of pairs that it does not know, which have score 0
    """

    matcher: str
    spearman: Interval
    kendall: Interval
    pearson: Interval
    unknown: int

    def to_dict(self) -> dict[str, Any]:
        """Return the fields ready for JSON."""
        correlations = {name: getattr(self, name).to_dict() for name in ("spearman", "kendall", "pearson")}
        return {"matcher": self.matcher, **correlations, "unknown": self.unknown}


@dataclass(frozen=True, slots=True)
class GradedAgreement:
    """How well matchers agree with graded judgements.

    - ``pairs``: the number of pairs
    - ``matchers``: the matchers, in the order given
    - ``comparison``: the differences between them, by Williams' test
    """

    pairs: int
    matchers: tuple[MatcherAgreement, ...]
    comparison: Comparison

    def to_dict(self) -> dict[str, Any]:
        """Return the fields ready for JSON."""
        return {"pairs": self.pairs, "matchers": [each.to_dict() for each in self.matchers], **self.comparison.to_dict()}


def evaluate_graded(
    pairs: Sequence[JudgedPair], matchers: Mapping[str, FloatArray], *, resamples: int = RESAMPLES, seed: int | None = 0
) -> GradedAgreement:
    """Measure how well matchers agree with graded judgements.

    Williams' test is exact for Pearson's correlation of normal data; applied to ranks it is an approximation.

    Args:
        pairs: The judged pairs.
        matchers: By name, the score of each pair; NaN for an unknown pair, which counts as 0.
        resamples: How many resamples of the pairs the intervals are from; 0 for none.
        seed: Seed of the random numbers.

    >>> pairs = [JudgedPair("animal", "dog", 5.9), JudgedPair("cat", "dog", 0.4), JudgedPair("pet", "dog", 4.0)]
    >>> found = evaluate_graded(pairs, {"m": np.array([0.9, 0.1, np.nan])}, resamples=0).matchers[0]
    >>> found.spearman.value, found.unknown
    (0.5, 1)
    """
    gold = np.array([pair.score for pair in pairs])
    known = {name: np.nan_to_num(scores, nan=0.0) for name, scores in matchers.items()}
    agreements = []
    for name, scores in matchers.items():
        spearman_found, kendall_found, pearson_found = (
            bootstrap_correlation(statistic, known[name], gold, resamples=resamples, seed=seed)
            for statistic in (spearman_statistic, kendall_statistic, pearson_statistic)
        )
        unknown = int(np.isnan(scores).sum())
        agreements.append(MatcherAgreement(name, spearman_found, kendall_found, pearson_found, unknown))
    figures = {measure: {each.matcher: getattr(each, measure).value for each in agreements} for measure in TESTED}

    def test(measure: str, first: str, second: str) -> float:
        between = TESTED[measure](known[first], known[second])
        return williams_test(figures[measure][first], figures[measure][second], between, len(pairs))

    return GradedAgreement(len(pairs), tuple(agreements), compare_by_measures(figures, test))
