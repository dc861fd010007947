"""Tests of differences equal published values, scipy's and exhaustive enumeration; rankings mark ties."""

from __future__ import annotations

from itertools import product
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from wayword.evaluation.agreement.significance import (
    compare_systems,
    holm,
    permutation_test_of_means,
    rank_systems,
    williams_test,
)

SCORES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=8)


@given(SCORES)
def test_few_items_are_permuted_in_every_way(rows: list[tuple[int, int]]) -> None:
    differences = [ours - theirs for ours, theirs in rows]
    sums = [abs(sum(s * d for s, d in zip(signs, differences, strict=True))) for signs in product((1, -1), repeat=len(rows))]
    expected = sum(each >= abs(sum(differences)) for each in sums) / len(sums)
    assert permutation_test_of_means([row[0] for row in rows], [row[1] for row in rows]) == expected


def test_sampled_permutations_agree_with_scipy() -> None:
    random = np.random.default_rng(2)
    ours = random.normal(size=50)
    theirs = ours + random.normal(loc=0.25, size=50)
    expected = stats.permutation_test(
        (ours, theirs),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=9999,
    ).pvalue
    assert permutation_test_of_means(list(ours), list(theirs), seed=1) == pytest.approx(expected, abs=0.015)
    assert permutation_test_of_means(list(ours), list(theirs)) == permutation_test_of_means(list(theirs), list(ours))


def test_equal_systems_do_not_differ() -> None:
    scores = list(np.linspace(0, 1, 40))
    assert permutation_test_of_means(scores, scores) == 1.0
    assert williams_test(0.5, 0.5, 1.0, 100) == 1.0


def test_items_to_which_a_figure_does_not_apply_are_left_out_of_permutations() -> None:
    assert permutation_test_of_means([1.0, nan, 1.0], [0.0, nan, 0.0]) == 0.5
    assert isnan(permutation_test_of_means([nan], [nan]))


def test_sampled_p_values_are_never_zero() -> None:
    assert permutation_test_of_means([1.0] * 60, [0.0] * 60, permutations=999) == 0.001


def test_williams_test_gives_the_published_value() -> None:
    """Steiger (1980), case A, as in the documentation of R's ``psych::r.test(103, .4, .5, .1)``: t = -0.89, p = 0.37."""
    assert williams_test(0.4, 0.5, 0.1, 103) == pytest.approx(2 * stats.t.sf(0.89, 100), abs=0.002)


def test_williams_test_rejects_a_true_null_hypothesis_in_5_of_100_samples() -> None:
    random = np.random.default_rng(3)
    rejected = 0
    for _ in range(600):
        gold = random.normal(size=60)
        ours, theirs = gold + random.normal(size=60), gold + random.normal(size=60)
        matrix = np.corrcoef([gold, ours, theirs])
        rejected += williams_test(matrix[0, 1], matrix[0, 2], matrix[1, 2], 60) < 0.05
    assert 0.03 <= rejected / 600 <= 0.075


def test_williams_test_needs_four_pairs_and_three_correlations() -> None:
    assert isnan(williams_test(0.4, 0.5, 0.1, 3))
    assert isnan(williams_test(nan, 0.5, 0.1, 30))
    assert williams_test(1.0, 0.0, 0.0, 30) < 1e-6


@given(st.lists(st.floats(0, 1), min_size=1, max_size=10))
def test_holm_corrects_upwards_and_keeps_the_order(p_values: list[float]) -> None:
    corrected = holm(p_values)
    assert all(p <= q <= 1.0 for p, q in zip(p_values, corrected, strict=True))
    assert min(corrected) == min(1.0, len(p_values) * min(p_values))
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert [corrected[index] for index in order] == sorted(corrected)


def test_holm_leaves_undefined_p_values_out() -> None:
    corrected = holm([0.02, nan, 0.01])
    assert corrected[0] == 0.02
    assert isnan(corrected[1])
    assert corrected[2] == 0.02


def test_systems_that_do_not_differ_share_a_rank() -> None:
    values = {"low": 0.2, "mid": 0.5, "top": 0.6, "none": nan}
    p_values = {frozenset(("low", "mid")): 0.2, frozenset(("mid", "top")): 0.3, frozenset(("low", "top")): 0.001}
    differences = compare_systems("sr", values, lambda one, other: p_values.get(frozenset((one, other)), nan))
    standings = [(each.system, each.rank, each.last_rank) for each in rank_systems(values, differences)]
    assert standings == [("top", 1, 2), ("mid", 1, 3), ("low", 2, 3)]
    assert differences[2].to_dict() == {
        "first": "low",
        "second": "none",
        "measure": "sr",
        "value": None,
        "p": None,
        "p_holm": None,
    }
