"""CW, GS, BS, Combo and SR: how well systems agree with volunteers on questions, by equations (4.1) to (4.27) of the thesis."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import nan
from typing import Any

import numpy as np

from ...core.arrays import FloatArray
from .questions import SUBSTITUTES, Question
from .significance import Comparison, compare_by_measures, permutation_test, permutation_test_of_means
from .statistics import RESAMPLES, Interval, bootstrap_counts, bootstrap_mean, mean_statistic

MEASURES = ("cw", "gs", "bs", "combo", "sr")
"""The measures in the order of chapter 4."""

PAIRS = tuple(combinations(range(SUBSTITUTES), 2))
"""The positions of the two substitutes of each of the six pairs of (4.26)."""

SAME = 0.1
"""The largest difference between scores of a system that are as good as equal (4.25)."""

ROUNDING = 1e-9
"""A difference of exactly 0.1 in decimals, such as 0.8 - 0.7, can be a little more in binary floating point."""


class Volunteers:
    """The side of the volunteers in the equations; all borders are compared in whole numbers.

    >>> from wayword.evaluation.agreement.questions import read_printed_questions
    >>> bright = Volunteers(read_printed_questions()[1:2])
    >>> {name: values.tolist() for name, values in bright.judge(np.array([[0.0, 0.4, 0.0, 0.7]])).items()}  # table 4.6
    {'cw': [nan], 'gs': [0.5], 'bs': [1.0], 'sr': [0.8333333333333334]}
    """

    def __init__(self, questions: Sequence[Question]) -> None:
        rows = [[(score, each.coverage) for score in each.scores] for each in questions]
        self.top = np.array([[3 * score > 2 * cover for score, cover in row] for row in rows])  # (4.2)
        self.good = np.array([[2 * score >= cover for score, cover in row] for row in rows])  # (4.8)
        self.bad = np.array([[5 * score < -cover for score, cover in row] for row in rows])  # (4.14)
        self.order = np.array([[_compare(row[i], row[j]) for i, j in PAIRS] for row in rows])  # (4.24)
        self.has_clear_winner = self.top.sum(axis=1) == 1  # (4.3)

    def judge(self, scores: FloatArray) -> dict[str, FloatArray]:
        """Return CW (4.5), GS (4.11), BS (4.17) and SR (4.26) of each question; NaN where a measure does not apply.

        Args:
            scores: A row for each question with the scores of its substitutes, from 0 to 1.
        """
        agrees = np.all((scores > 2 / 3) == self.top, axis=1)  # (4.4)
        first, second = (scores[:, list(positions)] for positions in zip(*PAIRS, strict=True))
        order = np.sign(first - second) * (np.abs(first - second) > SAME + ROUNDING)  # (4.25)
        return {
            "cw": np.where(self.has_clear_winner, agrees.astype(float), nan),
            "gs": _share(scores >= 0.5, self.good),  # (4.10)
            "bs": _share(scores < 0.1, self.bad),  # (4.16)
            "sr": np.mean(order == self.order, axis=1),
        }


def _compare(ours: tuple[int, int], theirs: tuple[int, int]) -> int:
    """Return 1 if the first substitute is better, -1 if it is worse, and 0 within a fifth of the coverage."""
    difference = 5 * (ours[0] - theirs[0])
    return (difference > ours[1]) - (-difference > ours[1])


def _share(found: Any, wanted: Any) -> FloatArray:
    """Return for each question the share of the wanted substitutes that are found; NaN if none is wanted."""
    count = wanted.sum(axis=1)
    share: FloatArray = np.where(count > 0, (found & wanted).sum(axis=1) / np.maximum(count, 1), nan)
    return share


def combine(good: FloatArray, bad: FloatArray) -> FloatArray:
    """Return Combo (4.20), the harmonic mean of GS and BS; 0 if both are 0, NaN if one is."""
    total = good + bad
    combo: FloatArray = 2 * good * bad / np.where(total == 0.0, 1.0, total)
    return combo


@dataclass(frozen=True, slots=True)
class Measured:
    """A measure over the questions it applies to.

    - ``interval``: the figure, with its interval
    - ``questions``: the number of questions
    """

    interval: Interval
    questions: int

    def to_dict(self) -> dict[str, Any]:
        """Return the fields ready for JSON."""
        return self.interval.to_dict() | {"questions": self.questions}


@dataclass(frozen=True, slots=True)
class SystemAgreement:
    """How well a system agrees with the volunteers.

    - ``system``: its name
    - ``measures``: CW (4.7), GS (4.13), BS (4.19), Combo (4.20) and SR (4.27) by name, over all questions; missing scores are 0
    - ``missing_scores``: the number of missing scores
    - ``known``: the same over the questions of which no score is missing; None if none is missing at all
    """

    system: str
    measures: Mapping[str, Measured]
    missing_scores: int
    known: Mapping[str, Measured] | None

    def to_dict(self) -> dict[str, Any]:
        """Return the fields ready for JSON."""
        known = None if self.known is None else {name: each.to_dict() for name, each in self.known.items()}
        measures = {name: each.to_dict() for name, each in self.measures.items()}
        return {"system": self.system, **measures, "missing_scores": self.missing_scores, "known": known}


@dataclass(frozen=True, slots=True)
class QuestionAgreement:
    """How well systems agree with volunteers.

    - ``questions``: the number of questions
    - ``subsets``: how many of them CW, GS and BS apply to
    - ``systems``: the systems, in the order given
    - ``comparison``: the differences between them, by permutation tests
    """

    questions: int
    subsets: Mapping[str, int]
    systems: tuple[SystemAgreement, ...]
    comparison: Comparison

    def to_dict(self) -> dict[str, Any]:
        """Return the fields ready for JSON."""
        return {
            "questions": self.questions,
            "subsets": dict(self.subsets),
            "systems": [each.to_dict() for each in self.systems],
            **self.comparison.to_dict(),
        }


def evaluate_questions(
    questions: Sequence[Question], systems: Mapping[str, FloatArray], *, resamples: int = RESAMPLES, seed: int | None = 0
) -> QuestionAgreement:
    """Measure how well systems agree with the volunteers who answered questions.

    Args:
        questions: The questions.
        systems: By name, a row for each question with the scores of its substitutes, from 0 to 1. NaN is a missing score, which
            counts as 0.
        resamples: How many resamples of the questions the intervals are from, and how many permutations the tests; 0 for none.
        seed: Seed of the random numbers.

    >>> from wayword.evaluation.agreement.questions import read_printed_questions
    >>> fast = read_printed_questions()[2:3]
    >>> found = evaluate_questions(fast, {"table 4.8": np.array([[0.85, 0.0, 0.15, 0.03]])}, resamples=0)
    >>> {name: round(each.interval.value, 2) for name, each in found.systems[0].measures.items()}
    {'cw': 1.0, 'gs': 1.0, 'bs': 0.67, 'combo': 0.8, 'sr': 0.67}
    """
    volunteers = Volunteers(questions)
    judged = {name: volunteers.judge(np.nan_to_num(scores, nan=0.0)) for name, scores in systems.items()}
    agreements = []
    for name, scores in systems.items():
        missing = np.isnan(scores)
        complete = ~missing.any(axis=1)
        known = None
        if missing.any():
            known = average_measures({each: values[complete] for each, values in judged[name].items()}, resamples, seed)
        agreements.append(SystemAgreement(name, average_measures(judged[name], resamples, seed), int(missing.sum()), known))
    applies = {"cw": volunteers.has_clear_winner, "gs": volunteers.good.any(axis=1), "bs": volunteers.bad.any(axis=1)}
    figures = {measure: {each.system: each.measures[measure].interval.value for each in agreements} for measure in MEASURES}

    def test(measure: str, first: str, second: str) -> float:
        return _test(measure, judged[first], judged[second], resamples, seed)

    subsets = {name: int(each.sum()) for name, each in applies.items()}
    return QuestionAgreement(len(questions), subsets, tuple(agreements), compare_by_measures(figures, test))


def average_measures(judged: Mapping[str, FloatArray], resamples: int, seed: int | None) -> dict[str, Measured]:
    """Average each measure over the questions it applies to: (4.7), (4.13), (4.19), (4.20) and (4.27)."""
    good, bad = (mean_statistic(judged[name]) for name in ("gs", "bs"))

    def combo(counts: FloatArray) -> FloatArray:
        return combine(good(counts), bad(counts))

    measured = {}
    for name in MEASURES:
        if name == "combo":
            interval = bootstrap_counts(combo, len(judged["sr"]), resamples=resamples, seed=seed)
            applies = ~np.isnan(judged["gs"]) | ~np.isnan(judged["bs"])
        else:
            interval = bootstrap_mean(judged[name], resamples=resamples, seed=seed)
            applies = ~np.isnan(judged[name])
        measured[name] = Measured(interval, int(applies.sum()))
    return measured


def _test(
    measure: str, ours: Mapping[str, FloatArray], theirs: Mapping[str, FloatArray], permutations: int, seed: int | None
) -> float:
    """Return the p-value of the difference between two systems by a permutation test; NaN without permutations."""
    if not permutations:
        return nan
    if measure != "combo":
        return permutation_test_of_means(ours[measure], theirs[measure], permutations=permutations, seed=seed)
    our_means, their_means = _exchange(ours, theirs), _exchange(theirs, ours)

    def difference(swaps: FloatArray) -> FloatArray:
        return combine(*(mean(swaps) for mean in our_means)) - combine(*(mean(swaps) for mean in their_means))

    return permutation_test(difference, len(ours["sr"]), permutations=permutations, seed=seed)


def _exchange(ours: Mapping[str, FloatArray], theirs: Mapping[str, FloatArray]) -> list[Callable[[FloatArray], FloatArray]]:
    """Return functions from exchanges to the means of GS and of BS after them."""

    def mean_after(name: str) -> Callable[[FloatArray], FloatArray]:
        applies = ~np.isnan(ours[name])
        mean = ours[name][applies].mean() if applies.any() else nan
        steps = np.where(applies, np.nan_to_num(theirs[name]) - np.nan_to_num(ours[name]), 0.0) / max(1, applies.sum())
        return lambda swaps: mean + steps @ swaps

    return [mean_after("gs"), mean_after("bs")]
