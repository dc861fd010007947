"""Correlations equal their definitions and scipy's, and resampling many at once equals resampling one by one."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from wayword.evaluation.agreement.correlation import (
    bootstrap_correlation,
    kendall,
    kendall_statistic,
    pearson,
    pearson_statistic,
    spearman,
    spearman_statistic,
)
from wayword.evaluation.agreement.statistics import bootstrap

CORRELATIONS = [
    pytest.param(spearman, spearman_statistic, stats.spearmanr, id="spearman"),
    pytest.param(kendall, kendall_statistic, stats.kendalltau, id="kendall"),
    pytest.param(pearson, pearson_statistic, stats.pearsonr, id="pearson"),
]
NUMBERS = st.one_of(st.integers(0, 4).map(float), st.floats(-1e6, 1e6).map(lambda value: round(value, 3)))
ROWS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=40)


def literal_ranks(values: list[float]) -> list[float]:
    """The rank of a value is the mean position of all values equal to it in sorted order."""
    return [
        sum(position for position, other in enumerate(sorted(values), start=1) if other == value) / values.count(value)
        for value in values
    ]


def literal_pearson(first: list[float], second: list[float]) -> float:
    """Covariance over the product of the standard deviations."""
    n = len(first)
    means = sum(first) / n, sum(second) / n
    covariance = sum((x - means[0]) * (y - means[1]) for x, y in zip(first, second, strict=True)) / n
    deviations = [sqrt(sum((x - mean) ** 2 for x in values) / n) for values, mean in zip((first, second), means, strict=True)]
    return covariance / (deviations[0] * deviations[1])


@given(ROWS)
def test_spearman_equals_its_definition(rows: list[tuple[float, float]]) -> None:
    ours, theirs = [row[0] for row in rows], [row[1] for row in rows]
    found = spearman(ours, theirs)
    if len(set(ours)) == 1 or len(set(theirs)) == 1:
        assert isnan(found)
    else:
        assert found == pytest.approx(literal_pearson(literal_ranks(ours), literal_ranks(theirs)), abs=1e-9)


@pytest.mark.parametrize(("correlate", "statistic", "oracle"), CORRELATIONS)
@pytest.mark.filterwarnings("ignore")  # scipy warns of constant lists, which have no correlation
@given(rows=ROWS)
def test_correlations_are_symmetric_and_equal_those_of_scipy(
    correlate: Callable[..., float], statistic: Any, oracle: Any, rows: list[tuple[float, float]]
) -> None:
    ours, theirs = [row[0] for row in rows], [row[1] for row in rows]
    found = correlate(ours, theirs)
    if len(set(ours)) == 1 or len(set(theirs)) == 1:
        assert isnan(found)
        return
    assert found == pytest.approx(oracle(ours, theirs).statistic, abs=1e-6 if correlate is pearson else 1e-12)
    assert correlate(theirs, ours) == pytest.approx(found, abs=1e-12)
    assert correlate([-value for value in ours], theirs) == pytest.approx(-found, abs=1e-9)
    assert correlate(ours, ours) == pytest.approx(1.0, abs=1e-12)
    assert -1.0 <= found <= 1.0


@pytest.mark.parametrize("correlate", [spearman, kendall, pearson])
def test_lists_of_different_length_and_nan_are_errors(correlate: Callable[..., float]) -> None:
    with pytest.raises(ValueError, match="2 and 1 numbers"):
        correlate([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="not a number"):
        correlate([1.0, float("nan")], [1.0, 2.0])
    assert isnan(correlate([], []))


@pytest.mark.parametrize(("correlate", "statistic", "oracle"), CORRELATIONS)
@pytest.mark.parametrize("decimals", [1, 9], ids=["with ties", "without ties"])
def test_resampling_many_at_once_equals_resampling_one_by_one(
    correlate: Any, statistic: Any, oracle: Any, decimals: int
) -> None:
    random = np.random.default_rng(5)
    ours = random.normal(size=60)
    theirs = np.round(ours + random.normal(size=60), decimals)
    ours = np.round(ours, decimals)
    together = bootstrap_correlation(statistic, ours, theirs, resamples=300, seed=3)
    singly = bootstrap(lambda rows: float(oracle(ours[rows], theirs[rows]).statistic), 60, resamples=300, seed=3)
    assert (together.value, together.low, together.high) == pytest.approx((singly.value, singly.low, singly.high), abs=1e-12)


@pytest.mark.parametrize(("correlate", "statistic", "oracle"), CORRELATIONS)
def test_resamples_of_equal_numbers_are_left_out_and_counted(correlate: Any, statistic: Any, oracle: Any) -> None:
    found = bootstrap_correlation(statistic, [0.1, 0.1, 0.7], [1.0, 2.0, 3.0], resamples=2700, seed=0)
    # A resample of three has equal numbers if it lacks the last pair, or consists of it: (8 + 1) of 27.
    assert found.undefined == pytest.approx(900, abs=80)
    assert not isnan(found.low)


def test_kendall_compares_every_pair_in_lists_longer_than_one_step() -> None:
    random = np.random.default_rng(1)
    ours = random.integers(0, 50, size=1300)
    theirs = ours + random.integers(0, 40, size=1300)
    assert kendall(ours, theirs) == pytest.approx(stats.kendalltau(ours, theirs).statistic, abs=1e-12)
