"""Pairs are divided by their scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.evaluation.agreement.calibration import EDGES, calibrate
from wayword.evaluation.agreement.graded_files import JudgedPair

SCORES = st.floats(0, 1) | st.sampled_from(EDGES)


@given(st.lists(st.tuples(SCORES, st.floats(0, 6)), min_size=1, max_size=60))
def test_every_pair_is_in_the_bin_of_its_score(judged: list[tuple[float, float]]) -> None:
    pairs = [JudgedPair("a", "b", judgement) for _, judgement in judged]
    bins = calibrate(pairs, {"m": np.array([score for score, _ in judged])}, resamples=0)["m"]
    assert sum(each.pairs for each in bins) == len(pairs)
    for each in bins:
        inside = [
            judgement
            for score, judgement in judged
            if (score == each.low if each.low == each.high else each.low < score <= each.high and score < 1)
        ]
        assert len(inside) == each.pairs
        assert each.judgement.value == pytest.approx(sum(inside) / len(inside))


def test_unknown_pairs_score_0_and_a_matcher_that_passes_1_is_left_out() -> None:
    pairs = [JudgedPair("a", "b", 3.0), JudgedPair("c", "d", 5.0)]
    found = calibrate(pairs, {"one": np.array([np.nan, 0.5]), "two": np.array([0.5, 1.5])}, resamples=0)
    assert list(found) == ["one"]
    assert (found["one"][0].high, found["one"][0].judgement.value) == (0.0, 3.0)
