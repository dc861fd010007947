"""Simulated annealing as the thesis prints it (section 5.3.5), and particle swarm optimisation (section 6.2)."""

from __future__ import annotations

from math import exp
from typing import Protocol

import numpy as np

from .space import Point, Space

TEMPERATURE, COOLING = 2.0, 0.995
"""The first temperature, and the factor after each step: 0.001 after 1,500 steps."""

DEVIATION = 0.5
"""The standard deviation of a move, as a share of the range of the parameter: the variance in (5.1) is 0.25."""

PARTICLES = 20
INERTIA, ATTRACTION = 0.7298, 1.49618
"""The coefficients of Clerc and Kennedy (2002), under which a swarm converges."""


class Walk(Protocol):
    """Proposes points of a space, and learns from their scores in the order of the proposals."""

    def propose(self) -> Point:
        """Return the next point."""

    def receive(self, score: float) -> None:
        """Take the score of the oldest point that has none yet."""


def draw_point(space: Space, random: np.random.Generator) -> dict[str, float]:
    """Draw a point uniformly; a minimum that is above its maximum is exchanged with it."""
    return space.order({each.name: float(random.uniform(each.low, each.high)) for each in space.dimensions})


class Annealing:
    """One pass of simulated annealing: a Markov chain that accepts worse points the more rarely the cooler it is.

    >>> from wayword.evaluation.tuning.space import parse_dimensions
    >>> from wayword.search.scoring.parameters import Parameters
    >>> chain = Annealing(Space(Parameters(), parse_dimensions(["sim"])), np.random.default_rng(0))
    >>> chain.propose()
    {'sim': 0.6369616873214543}
    """

    def __init__(
        self, space: Space, random: np.random.Generator, temperature: float = TEMPERATURE, cooling: float = COOLING
    ) -> None:
        self._space, self._random = space, random
        self.temperature, self._cooling = temperature, cooling
        self.current: Point = {}
        self._score = 0.0
        self._proposed: Point = {}

    def propose(self) -> Point:
        """Return a random point at first, then the current one with one parameter moved (5.1)."""
        if not self.current:
            self._proposed = draw_point(self._space, self._random)
            return self._proposed
        moved = self._space.dimensions[int(self._random.integers(len(self._space.dimensions)))]
        step = float(self._random.normal(0.0, DEVIATION)) * (moved.high - moved.low)
        low, high = self._space.limits(moved, self.current)
        self._proposed = {**self.current, moved.name: max(low, min(high, self.current[moved.name] + step))}
        return self._proposed

    def receive(self, score: float) -> None:
        """Move to the proposed point with the probability of (5.2), 1 for a better one, and cool down."""
        gain = score - self._score
        if not self.current or gain >= 0.0 or self._random.random() < exp(gain / self.temperature):
            self.current, self._score = self._proposed, score
        self.temperature *= self._cooling


class Swarm:
    """A particle swarm: each particle is drawn to the best point it has seen, and to the best that any has seen.

    All particles move before any of them learns what the others have found.
    """

    def __init__(self, space: Space, random: np.random.Generator, start: Point | None = None, size: int = PARTICLES) -> None:
        self._space, self._random = space, random
        self._low, self._high = (np.array([getattr(each, side) for each in space.dimensions]) for side in ("low", "high"))
        width = self._high - self._low
        self._positions = random.uniform(self._low, self._high, (size, len(width)))
        if start is not None:
            self._positions[0] = [start[each.name] for each in space.dimensions]
        self._speeds = random.uniform(-width, width, (size, len(width))) / 2
        self._bests, self._scores = self._positions.copy(), np.full(size, -np.inf)
        self._proposed = self._received = 0

    def propose(self) -> Point:
        """Return the position of the next particle."""
        number = self._proposed % len(self._positions)
        if self._proposed >= len(self._positions):
            self._move(number)
        self._proposed += 1
        return {each.name: float(value) for each, value in zip(self._space.dimensions, self._positions[number], strict=True)}

    def _move(self, number: int) -> None:
        position, best = self._positions[number], self._bests[int(self._scores.argmax())]
        own, common = self._random.random((2, len(position)))
        speed = INERTIA * self._speeds[number] + ATTRACTION * (
            own * (self._bests[number] - position) + common * (best - position)
        )
        moved = np.clip(position + speed, self._low, self._high)
        self._speeds[number] = np.where(moved == position + speed, speed, 0.0)  # a particle stops at a bound
        self._positions[number] = moved

    def receive(self, score: float) -> None:
        """Remember the position of the particle if it is the best it has seen."""
        number = self._received % len(self._positions)
        if score > self._scores[number]:
            self._scores[number], self._bests[number] = score, self._positions[number]
        self._received += 1
