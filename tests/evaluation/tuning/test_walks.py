"""Simulated annealing as printed, and the swarm."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.evaluation.tuning.space import Space, parse_dimensions
from wayword.evaluation.tuning.walks import DEVIATION, Annealing, Swarm
from wayword.search.scoring.parameters import Parameters

THESIS = ("sim", "der", "sp_min", "sp_max", "gn_max")


def make_space(*names: str) -> Space:
    return Space(Parameters(), parse_dimensions(names or THESIS))


class FixedRandom(np.random.Generator):
    """Random numbers whose draws for acceptance are given."""

    def __init__(self, draws: list[float]) -> None:
        super().__init__(np.random.PCG64(0))
        self.draws = draws

    def random(self, *arguments: object, **keywords: object) -> float:  # type: ignore[override]
        return self.draws.pop(0)


def test_the_temperature_falls_from_2_to_0_001_in_1500_steps() -> None:
    chain = Annealing(make_space(), np.random.default_rng(0))
    assert chain.temperature == 2.0
    for _ in range(1500):
        chain.propose()
        chain.receive(0.5)
    assert round(chain.temperature, 3) == 0.001


@pytest.mark.parametrize(("draw", "accepted"), [(exp(-0.5 / 1.99) - 1e-9, True), (exp(-0.5 / 1.99) + 1e-9, False)])
def test_a_worse_point_is_accepted_with_the_probability_of_equation_5_2(draw: float, accepted: bool) -> None:
    chain = Annealing(make_space(), FixedRandom([draw]))
    first = chain.propose()
    chain.receive(0.75)
    second = chain.propose()
    chain.receive(0.25)  # at temperature 2.0 * 0.995
    assert chain.current == (second if accepted else first)


def test_a_better_or_equal_point_is_always_accepted() -> None:
    chain = Annealing(make_space(), FixedRandom([]))  # nothing is drawn
    for score in (0.25, 0.25, 0.5):
        point = chain.propose()
        chain.receive(score)
        assert chain.current == point


def test_acceptance_follows_its_law() -> None:
    accepted = 0
    for seed in range(2000):
        chain = Annealing(make_space("sim"), np.random.default_rng(seed), temperature=1.0, cooling=1.0)
        chain.propose()
        chain.receive(1.0)
        moved = chain.propose()
        chain.receive(0.0)
        accepted += chain.current == moved
    assert accepted / 2000 == pytest.approx(exp(-1), abs=4 * np.sqrt(exp(-1) * (1 - exp(-1)) / 2000))


@given(st.integers(0, 1000))
def test_one_parameter_moves_at_a_time_within_the_bounds_of_equation_5_1(seed: int) -> None:
    chain = Annealing(make_space(), np.random.default_rng(seed))
    before = chain.propose()
    assert before["sp_min"] <= before["sp_max"]
    chain.receive(0.0)
    for _ in range(20):
        after = chain.propose()
        assert sum(before[name] != after[name] for name in THESIS) <= 1
        assert all(0.0 <= value <= 1.0 for value in after.values())
        assert after["sp_min"] <= after["sp_max"]
        chain.receive(0.0)
        before = after


def test_moves_have_variance_a_quarter_of_the_squared_range() -> None:
    moves = []
    for seed in range(3000):
        chain = Annealing(Space(Parameters(), parse_dimensions(["sp_power=0..1000"])), np.random.default_rng(seed))
        chain.propose()
        chain.receive(0.0)
        chain.current = {"sp_power": 500.0}
        moves.append(chain.propose()["sp_power"])
    inside = [move for move in moves if 0.0 < move < 1000.0]
    # Moves beyond one standard deviation are clamped: about 16 % on each side.
    assert DEVIATION**2 == 0.25
    assert len(inside) / 3000 == pytest.approx(0.6827, abs=0.04)


def test_a_swarm_stays_in_its_bounds_and_gathers_at_the_best_point() -> None:
    space = make_space("sim", "gn_max")
    swarm = Swarm(space, np.random.default_rng(0), size=10)
    for _ in range(60):
        points = [swarm.propose() for _ in range(10)]
        for point in points:
            assert all(0.0 <= value <= 1.0 for value in point.values())
            swarm.receive(-((point["sim"] - 0.3) ** 2) - (point["gn_max"] - 1.0) ** 2)
    assert all(point["sim"] == pytest.approx(0.3, abs=0.05) for point in points)
    assert all(point["gn_max"] == pytest.approx(1.0, abs=0.05) for point in points)
