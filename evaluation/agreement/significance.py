"""Tests of differences between systems that judged the same items, and the ranking that they allow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations
from math import isnan, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...core.arrays import FloatArray
from .statistics import BLOCK, RESAMPLES, none_if_nan

SIGNIFICANCE = 0.05

TOLERANCE = 1e-12
"""Differences that are equal up to rounding count as equal, so that they count as at least as extreme."""


def permutation_test(
    difference: Callable[[FloatArray], FloatArray], size: int, *, permutations: int = RESAMPLES, seed: int | None = 0
) -> float:
    """Compute the two-sided p-value of the difference between two systems by a paired permutation test.

    If the systems are equally good, exchanging their results for any item changes nothing but chance.

    Args:
        difference: Maps a matrix, with a row for each item, a column for each permutation, and 1 where the results of the two
            systems for the item are exchanged, else 0, to the differences between the systems.
        size: The number of items.
        permutations: How many permutations to draw. If there are no more than these, all are tried and p is exact.
        seed: Seed of the random numbers; None for different ones in each call.

    Returns:
        The share of permutations with a difference at least as large as that found, itself included; NaN if no difference was
        found because a result is undefined.
    """
    found = abs(float(difference(np.zeros((size, 1)))[0]))
    if isnan(found):
        return nan
    is_exact = 2**size <= permutations
    total = 2**size if is_exact else permutations
    generator = np.random.default_rng(seed)
    extreme = 0
    step = max(1, BLOCK // max(1, size))
    for start in range(0, total, step):
        numbers = np.arange(start, min(start + step, total))
        if is_exact:  # permutation number n exchanges the items whose bits are set in n
            swaps = (numbers >> np.arange(size)[:, np.newaxis]) & 1
        else:
            swaps = generator.integers(2, size=(size, len(numbers)), dtype=np.int8)
        extreme += int(np.count_nonzero(np.abs(difference(swaps.astype(float))) >= found - TOLERANCE))
    # The observed difference is itself one of the permutations; if they are drawn, it is added, or p could be 0.
    return extreme / total if is_exact else (extreme + 1) / (total + 1)


def permutation_test_of_means(
    ours: ArrayLike, theirs: ArrayLike, *, permutations: int = RESAMPLES, seed: int | None = 0
) -> float:
    """Compute the two-sided p-value of the difference between two means over the same items.

    Items to which the figure does not apply have NaN in both lists and are left out.

    >>> permutation_test_of_means([1.0, 1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0, 0.0])
    0.0625
    """
    differences = np.asarray(ours, dtype=float) - np.asarray(theirs, dtype=float)
    differences = differences[~np.isnan(differences)]
    if not differences.size:
        return nan

    def difference(swaps: FloatArray) -> FloatArray:
        mean: FloatArray = (differences @ (1.0 - 2.0 * swaps)) / len(differences)
        return mean

    return permutation_test(difference, len(differences), permutations=permutations, seed=seed)


def williams_test(ours: float, theirs: float, between: float, size: int) -> float:
    """Compute the two-sided p-value of the difference between two correlations with the same gold standard.

    The correlations are dependent, because both systems scored the same pairs. This is the test of Williams (1959), in the form
    that Steiger (1980) recommends.

    Args:
        ours: The correlation of the first system with the gold standard.
        theirs: That of the second system.
        between: The correlation of the two systems.
        size: The number of pairs.

    Returns:
        The p-value of Student's t with ``size - 3`` degrees of freedom; NaN if a correlation is undefined or there are fewer
        than four pairs.

    >>> round(williams_test(0.4, 0.5, 0.1, 103), 3)
    0.375
    """
    if size < 4 or isnan(ours + theirs + between):
        return nan
    if abs(ours - theirs) <= TOLERANCE:
        return 1.0
    from scipy.special import stdtr

    # The determinant of the matrix of the three correlations; it can be below 0 only by rounding.
    determinant = max(0.0, 1.0 - ours**2 - theirs**2 - between**2 + 2.0 * ours * theirs * between)
    mean = (ours + theirs) / 2.0
    spread = 2.0 * determinant * (size - 1) / (size - 3) + mean**2 * (1.0 - between) ** 3
    if spread <= 0.0:
        return 0.0
    t = abs(ours - theirs) * sqrt((size - 1) * (1.0 + between) / spread)
    return float(2.0 * stdtr(size - 3, -t))


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values of several tests by Holm's step-down method; NaN stays NaN and does not count as a test.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = list(p_values)
    order = sorted((index for index, p in enumerate(p_values) if not isnan(p)), key=p_values.__getitem__)
    largest = 0.0
    for step, index in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - step) * p_values[index]))
        corrected[index] = largest
    return corrected


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure of one system minus that of another.

    - ``first``, ``second``: the names of the systems
    - ``measure``: the figure
    - ``value``: the difference; NaN if one of the figures is undefined
    - ``p``: the two-sided p-value
    - ``p_holm``: the same, corrected for the number of pairs of systems compared
    """

    first: str
    second: str
    measure: str
    value: float
    p: float
    p_holm: float

    @property
    def is_significant(self) -> bool:
        """Whether the difference is significant after correction."""
        return self.p_holm < SIGNIFICANCE

    def to_dict(self) -> dict[str, Any]:
        """Return the fields ready for JSON, with None for NaN."""
        return {name: none_if_nan(value) if isinstance(value, float) else value for name, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class Standing:
    """The place of a system among others.

    - ``system``: its name
    - ``value``: its figure
    - ``rank``: 1 + the number of systems that are significantly better; systems between which no test decides share it
    - ``last_rank``: the rank it would have if all systems that are not significantly worse were better
    """

    system: str
    value: float
    rank: int
    last_rank: int

    def to_dict(self) -> dict[str, Any]:
        """Return the fields ready for JSON, with None for NaN."""
        return asdict(self) | {"value": none_if_nan(self.value)}


def compare_systems(measure: str, values: Mapping[str, float], test: Callable[[str, str], float]) -> list[Difference]:
    """Test the differences between all pairs of systems, with Holm's correction.

    Args:
        measure: The name of the figure.
        values: The figure of each system.
        test: Maps the names of two systems to a p-value.

    Returns:
        The differences, each of a system and a later one, in the order of ``values``.

    >>> compare_systems("sr", {"A": 0.75, "B": 0.5}, lambda first, second: 0.01)
    [Difference(first='A', second='B', measure='sr', value=0.25, p=0.01, p_holm=0.01)]
    """
    pairs = list(combinations(values, 2))
    p_values = [test(first, second) for first, second in pairs]
    return [
        Difference(first, second, measure, values[first] - values[second], p, corrected)
        for (first, second), p, corrected in zip(pairs, p_values, holm(p_values), strict=True)
    ]


def rank_systems(values: Mapping[str, float], differences: Sequence[Difference]) -> list[Standing]:
    """Rank systems, giving the same rank to those that do not differ significantly.

    Args:
        values: The figure of each system; a system without one (NaN) is left out.
        differences: The differences between all pairs of them.

    Returns:
        The systems from best to worst; equal ones in the order of ``values``.

    >>> values = {"A": 0.5, "B": 0.75, "C": 0.25}
    >>> tests = {("A", "B"): 0.4, ("A", "C"): 0.01, ("B", "C"): 0.001}
    >>> for each in rank_systems(values, compare_systems("sr", values, lambda *pair: tests[pair])):
    ...     print(each.rank, each.last_rank, each.system)
    1 2 B
    1 2 A
    3 3 C
    """
    better = dict.fromkeys(values, 0)
    worse = dict.fromkeys(values, 0)
    for each in differences:
        if each.is_significant and each.value != 0.0:
            winner, loser = (each.first, each.second) if each.value > 0.0 else (each.second, each.first)
            better[loser] += 1
            worse[winner] += 1
    ranked = sorted((name for name in values if not isnan(values[name])), key=lambda name: -values[name])
    return [Standing(name, values[name], better[name] + 1, len(ranked) - worse[name]) for name in ranked]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How several systems compare: the differences between all pairs of them, and the rankings that these allow.

    - ``differences``: for each measure in turn, the differences between all pairs
    - ``rankings``: the systems from best to worst, by measure
    """

    differences: tuple[Difference, ...]
    rankings: Mapping[str, tuple[Standing, ...]]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields ready for JSON."""
        return {
            "differences": [each.to_dict() for each in self.differences],
            "rankings": {name: [each.to_dict() for each in ranking] for name, ranking in self.rankings.items()},
        }


def compare_by_measures(values: Mapping[str, Mapping[str, float]], test: Callable[[str, str, str], float]) -> Comparison:
    """Compare systems by several measures; Holm's correction is for the pairs of systems under one measure.

    Args:
        values: By measure, the figure of each system.
        test: Maps a measure and the names of two systems to a p-value.
    """
    differences: list[Difference] = []
    rankings = {}
    for measure, figures in values.items():
        found = compare_systems(measure, figures, partial(test, measure))
        differences += found
        rankings[measure] = tuple(rank_systems(figures, found))
    return Comparison(tuple(differences), rankings)
