"""Bootstrap intervals: repeatable, within bounds, and as wide as they claim."""

from __future__ import annotations

from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.evaluation.agreement.statistics import Interval, bootstrap, bootstrap_mean

VALUES = st.lists(st.floats(-100, 100), min_size=1, max_size=30)


@given(VALUES, st.integers(0, 2**32))
def test_intervals_of_means_lie_within_the_data(values: list[float], seed: int) -> None:
    found = bootstrap_mean(values, resamples=50, seed=seed)
    assert found.value == pytest.approx(np.mean(values), abs=1e-9)
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9
    assert found == bootstrap_mean(values, resamples=50, seed=seed)


@given(VALUES)
def test_means_of_counts_equal_means_of_indices(values: list[float]) -> None:
    array = np.array(values)
    singly = bootstrap(lambda indices: float(array[indices].mean()), len(values), resamples=40, seed=1)
    together = bootstrap_mean(values, resamples=40, seed=1)
    assert (together.value, together.low, together.high) == pytest.approx((singly.value, singly.low, singly.high), abs=1e-9)


def test_resamples_do_not_depend_on_the_size_of_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    values = list(np.random.default_rng(0).normal(size=37))
    expected = bootstrap_mean(values, resamples=101, seed=4)
    monkeypatch.setattr("wayword.evaluation.agreement.statistics.BLOCK", 111)
    found = bootstrap(lambda indices: float(np.mean([values[index] for index in indices])), 37, resamples=101, seed=4)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_intervals_cover_the_truth_in_95_of_100_samples() -> None:
    random = np.random.default_rng(11)
    trials, covered = 600, 0
    for trial in range(trials):
        found = bootstrap_mean(list(random.normal(loc=2.0, size=80)), resamples=500, seed=trial)
        covered += found.low <= 2.0 <= found.high
    assert 0.92 <= covered / trials <= 0.97


def test_undefined_resamples_are_left_out_and_counted() -> None:
    found = bootstrap_mean([1.0, nan], resamples=4000, seed=0)
    assert (found.value, found.low, found.high) == (1.0, 1.0, 1.0)
    assert found.undefined == pytest.approx(1000, abs=100)  # one of four resamples of two has the value that is NaN twice
    assert found.to_dict() == {"value": 1.0, "low": 1.0, "high": 1.0, "undefined": found.undefined}


def test_figures_without_value_have_no_interval() -> None:
    assert bootstrap_mean([], resamples=10).to_dict() == {"value": None, "low": None, "high": None}
    assert isnan(bootstrap_mean([nan, nan], resamples=10).low)


def test_no_resamples_give_no_interval() -> None:
    assert bootstrap_mean([1.0, 2.0], resamples=0).to_dict() == {"value": 1.5, "low": None, "high": None}
    assert isnan(Interval(1.5).low)
