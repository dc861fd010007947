"""Strengths maximise the likelihood, recover invented ones, and stay finite where the likelihood has no maximum."""

from __future__ import annotations

from itertools import combinations
from math import exp, log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.evaluation.agreement.bradley_terry import estimate_strengths

PREFERENCES = st.sampled_from([0.0, 0.5, 1.0])
THINGS = st.sampled_from("abcde")
COMPARISONS = st.lists(st.tuples(THINGS, THINGS, PREFERENCES).filter(lambda each: each[0] != each[1]), min_size=1, max_size=20)


def likelihood(comparisons: list[tuple[str, str, float]], strengths: dict[str, float]) -> float:
    """The logarithm of the likelihood by the definition of the model."""
    total = 0.0
    for first, second, preference in comparisons:
        chance = 1 / (1 + exp(strengths[second] - strengths[first]))
        total += preference * log(chance) + (1 - preference) * log(1 - chance)
    return total


@given(st.permutations("abcdef"), st.floats(0.3, 1.0))
def test_the_order_of_invented_strengths_is_recovered(order: list[str], step: float) -> None:
    """Every thing is compared with every other as often as the model expects."""
    strengths = {thing: step * place for place, thing in enumerate(order)}
    comparisons = []
    for first, second in combinations("abcdef", 2):
        chance = 1 / (1 + exp(strengths[second] - strengths[first]))
        comparisons += [(first, second, chance)] * 5
    found = estimate_strengths(comparisons)
    assert sorted(found.strengths, key=found.strengths.__getitem__) == order
    mean = sum(strengths.values()) / 6
    assert found.strengths == pytest.approx({thing: value - mean for thing, value in strengths.items()}, abs=1e-5)
    assert found.converged
    assert not found.has_prior


def test_drawn_comparisons_recover_the_order_too() -> None:
    random, strengths = Random(7), dict(zip("abcde", [2.0, 1.0, 0.0, -1.0, -2.0], strict=True))
    comparisons = [
        (first, second, float(random.random() < 1 / (1 + exp(strengths[second] - strengths[first]))))
        for first, second in combinations("abcde", 2)
        for _ in range(300)
    ]
    found = estimate_strengths(comparisons)
    assert found.strengths == pytest.approx(strengths, abs=0.3)


@given(COMPARISONS, st.randoms(use_true_random=False))
def test_no_other_strengths_are_more_likely(comparisons: list[tuple[str, str, float]], random: Random) -> None:
    found = estimate_strengths(comparisons)
    assert found.converged
    if not found.has_prior:
        best = likelihood(comparisons, dict(found.strengths))
        for _ in range(5):
            moved = {thing: strength + random.uniform(-0.5, 0.5) for thing, strength in found.strengths.items()}
            assert likelihood(comparisons, moved) <= best + 1e-9


@given(COMPARISONS)
def test_the_order_of_comparisons_and_of_their_sides_changes_nothing(comparisons: list[tuple[str, str, float]]) -> None:
    found = estimate_strengths(comparisons)
    turned = estimate_strengths([(second, first, 1 - preference) for first, second, preference in reversed(comparisons)])
    assert turned.strengths == pytest.approx(found.strengths, abs=1e-6)
    assert turned.has_prior == found.has_prior


def test_who_always_wins_gets_a_finite_strength_and_it_is_said() -> None:
    found = estimate_strengths([("a", "b", 1), ("b", "c", 1)])
    assert found.has_prior
    assert found.converged
    assert found.strengths["a"] > found.strengths["b"] > found.strengths["c"]


def test_things_that_were_never_compared_are_in_different_groups() -> None:
    found = estimate_strengths([("a", "b", 0.5), ("x", "y", 1), ("x", "y", 0), ("y", "z", 0.5)])
    assert found.groups == {"x": 0, "y": 0, "z": 0, "a": 1, "b": 1}
    assert not found.has_prior
    assert found.strengths == pytest.approx(dict.fromkeys("abxyz", 0.0), abs=1e-6)


def test_a_long_chain_of_comparisons_converges() -> None:
    chain = [(number, number + 1, 0.75) for number in range(60)]
    found = estimate_strengths(chain)
    assert found.converged
    steps = [found.strengths[number] - found.strengths[number + 1] for number in range(60)]
    assert steps == pytest.approx([log(3)] * 60, abs=1e-4)
