"""GAP, precision and recall of rankings of substitutes.

A matcher scores every substitute of a target without its context, and the substitutes are ranked by score. A weight is the
share of people who accepted a substitute; a substitute is *right* if anyone accepted it. Measures are means over targets.
Substitutes of equal score are in no order: a measure is its expected value over all orders of them, so that no matcher gains or
loses by the order of the file.

SWORDS itself differs in these points: labels UNSURE are dropped, targets and substitutes are lemmatised and then merged, ties
stay as the system returned them, and precision and recall are computed from sums over all targets: P@k over the number of
substitutes returned, R@k over the number of right substitutes but no more than k a target (``rs@k``, its strict variant, over
all of them, as here).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import fsum
from typing import Any

import numpy as np

from ...core.arrays import FloatArray
from .significance import Comparison, compare_by_measures, permutation_test_of_means
from .statistics import RESAMPLES, Interval, bootstrap_mean
from .substitute_files import Target, Targets

MEASURES = ("gap", "p_at_1", "p_at_3", "r_at_10")

Ranking = Sequence[Sequence[float]]
"""The weights of ranked substitutes: groups of equal score, from the highest score to the lowest."""


def rank_weights(weights: Sequence[float], scores: Sequence[float]) -> list[list[float]]:
    """Group weights by score, from the highest score to the lowest.

    >>> rank_weights([0.0, 0.5, 0.25], [0.2, 0.9, 0.2])
    [[0.5], [0.0, 0.25]]
    """
    ranked = sorted(zip(scores, weights, strict=True), key=lambda each: -each[0])
    return [[weight for _, weight in group] for _, group in groupby(ranked, key=lambda each: each[0])]


def generalised_average_precision(ranking: Ranking) -> float:
    """Compute GAP (Kishida, 2005), which rewards heavy substitutes at the top.

    For weights w_1, ..., w_n in the order of the ranking, and g_1 >= ... >= g_n in the best order,

        GAP = sum over i with w_i > 0 of mean(w_1, ..., w_i)  /  sum over i with g_i > 0 of mean(g_1, ..., g_i).

    >>> generalised_average_precision([[3.0], [1.0]]), generalised_average_precision([[1.0], [3.0]])
    (1.0, 0.6)
    >>> generalised_average_precision([[1.0, 3.0]])  # the mean of both orders
    0.8
    """
    best = rank_weights(*(2 * [[weight for group in ranking for weight in group]]))
    return _cumulate(ranking) / _cumulate([[weight] for group in best for weight in group])


def _cumulate(ranking: Ranking) -> float:
    """Return the expected sum over positions with a weight above 0 of the mean of the weights up to there."""
    return fsum(_expected_means(ranking))


def _expected_means(ranking: Ranking) -> Iterator[float]:
    before, position = 0.0, 0
    for group in ranking:
        size, total = len(group), fsum(group)
        positive = [weight for weight in group if weight > 0.0]
        for place in range(size):  # the position in the group that a weight has with probability 1 / size
            # The other members of the group are before it with probability place / (size - 1) each.
            share = place / (size - 1) if size > 1 else 0.0
            for weight in positive:
                yield (before + weight + share * (total - weight)) / ((position + place + 1) * size)
        before, position = before + total, position + size


def right_in_top(ranking: Ranking, k: int) -> float:
    """Compute the expected number of right substitutes among the first k.

    >>> right_in_top([[0.5], [0.0, 0.25]], 2)
    1.5
    """
    found, left = 0.0, k
    for group in ranking:
        taken = min(left, len(group))
        found += taken * sum(weight > 0.0 for weight in group) / len(group)
        left -= taken
    return found


def precision_at(ranking: Ranking, k: int) -> float:
    """Compute P@k: the share of right substitutes among the first k, or among all if there are fewer."""
    return right_in_top(ranking, k) / min(k, sum(map(len, ranking)))


def recall_at(ranking: Ranking, k: int) -> float:
    """Compute R@k: the share of the right substitutes that is among the first k. With more than k of them it is below 1."""
    return right_in_top(ranking, k) / sum(weight > 0.0 for group in ranking for weight in group)


@dataclass(frozen=True, slots=True)
class RankingAgreement:
    """How well the rankings of a matcher agree with people.

    - ``matcher``: its name
    - ``measures``: GAP, P@1, P@3 and R@10 by the names of ``MEASURES``
    - ``unknown``: the number of substitutes that it does not know, or of which it does not know the target; their score is 0
    """

    matcher: str
    measures: Mapping[str, Interval]
    unknown: int

    def to_dict(self) -> dict[str, Any]:
        """Return the fields ready for JSON."""
        measures = {name: each.to_dict() for name, each in self.measures.items()}
        return {"matcher": self.matcher, **measures, "unknown": self.unknown}


@dataclass(frozen=True, slots=True)
class SubstituteAgreement:
    """How well matchers agree with people about substitutes.

    - ``targets``, ``substitutes``: the numbers of targets, and of their substitutes
    - ``left_out``: what was left out of the file, counted by reason
    - ``matchers``: the matchers, in the order given
    - ``comparison``: the differences between them, by permutation tests
    """

    targets: int
    substitutes: int
    left_out: Mapping[str, int]
    matchers: tuple[RankingAgreement, ...]
    comparison: Comparison

    def to_dict(self) -> dict[str, Any]:
        """Return the fields ready for JSON."""
        return {
            "targets": self.targets,
            "substitutes": self.substitutes,
            "left_out": dict(self.left_out),
            "matchers": [each.to_dict() for each in self.matchers],
            **self.comparison.to_dict(),
        }


def list_pairs(targets: Sequence[Target]) -> list[tuple[str, str]]:
    """Return each substitute with its target, in order."""
    return [(substitute, target.word) for target in targets for substitute in target.substitutes]


def evaluate_substitutes(
    gold: Targets, matchers: Mapping[str, FloatArray], *, resamples: int = RESAMPLES, seed: int | None = 0
) -> SubstituteAgreement:
    """Measure how well matchers rank the substitutes of targets.

    Args:
        gold: The targets, as ``read_swords`` returns them.
        matchers: By name, the scores of the pairs that ``list_pairs`` returns; NaN for an unknown pair, which counts as 0.
        resamples: How many resamples of the targets the intervals are from, and how many permutations the tests; 0 for none.
        seed: Seed of the random numbers.

    >>> gold = Targets((Target("fast", ("quick", "slow", "firm"), (1.0, 0.0, 0.5)),), {})
    >>> found = evaluate_substitutes(gold, {"m": np.array([0.9, 0.8, 0.1])}, resamples=0).matchers[0]
    >>> {name: round(each.value, 2) for name, each in found.measures.items()}
    {'gap': 0.86, 'p_at_1': 1.0, 'p_at_3': 0.67, 'r_at_10': 1.0}
    """
    measured = {name: _measure(gold.targets, np.nan_to_num(scores, nan=0.0)) for name, scores in matchers.items()}
    agreements = []
    for name, scores in matchers.items():
        intervals = {
            measure: bootstrap_mean(values, resamples=resamples, seed=seed) for measure, values in measured[name].items()
        }
        agreements.append(RankingAgreement(name, intervals, int(np.isnan(scores).sum())))
    figures = {measure: {each.matcher: each.measures[measure].value for each in agreements} for measure in MEASURES}

    def test(measure: str, first: str, second: str) -> float:
        if not resamples:
            return float("nan")
        ours, theirs = measured[first][measure], measured[second][measure]
        return permutation_test_of_means(ours, theirs, permutations=resamples, seed=seed)

    substitutes = sum(len(target.substitutes) for target in gold.targets)
    comparison = compare_by_measures(figures, test)
    return SubstituteAgreement(len(gold.targets), substitutes, gold.left_out, tuple(agreements), comparison)


def _measure(targets: Sequence[Target], scores: FloatArray) -> dict[str, FloatArray]:
    """Return each measure of each target."""
    rows, start = [], 0
    for target in targets:
        end = start + len(target.substitutes)
        ranking = rank_weights(target.weights, scores[start:end].tolist())
        gap = generalised_average_precision(ranking)
        rows.append((gap, precision_at(ranking, 1), precision_at(ranking, 3), recall_at(ranking, 10)))
        start = end
    return dict(zip(MEASURES, np.array(rows).T, strict=True))
