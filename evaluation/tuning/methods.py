"""The methods of optimisation, through the ask and tell of optuna.

Studies are in memory: in SQLite each trial takes 109 ms, more than most evaluations. ``pip install 'wayword[tune]'`` installs
optuna and cmaes, which are imported only here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
import optuna
from cmaes import CMA
from optuna.distributions import BaseDistribution, FloatDistribution
from optuna.samplers import BaseSampler, NSGAIISampler, RandomSampler, TPESampler
from optuna.study import Study
from optuna.trial import FrozenTrial, Trial, TrialState

from .space import Point, Space
from .walks import PARTICLES, Annealing, Swarm, Walk, draw_point

Method = Literal["annealing", "swarm", "genetic", "cmaes", "tpe", "random"]
METHODS: tuple[Method, ...] = get_args(Method)

POPULATION = {"swarm": PARTICLES, "genetic": 20, "cmaes": 16}
"""How many points a method proposes before it learns from any of them; the others propose one."""


SIGMA = 0.2
"""The first standard deviation of CMA-ES, as a share of the range of a parameter."""

NEAR = 0.05
"""The same where an earlier tuning is continued, whose parameters are good already."""

MARGIN = 0.1
"""How far inside its bounds a parameter begins, as a share of its range: around a bound half of the points lie outside."""


class Evolution:
    """CMA-ES from a given start, near it if it is tuned; optuna's own always begins in the middle of the space."""

    def __init__(self, space: Space, seed: int, start: Point, *, is_tuned: bool) -> None:
        self._dimensions = space.dimensions
        shares = [(start[each.name] - each.low) / (each.high - each.low) for each in space.dimensions]
        mean = np.array(shares) if is_tuned else np.clip(shares, MARGIN, 1.0 - MARGIN)
        bounds = np.array([[0.0, 1.0]] * len(mean))
        self._cma = CMA(
            mean=mean, sigma=NEAR if is_tuned else SIGMA, bounds=bounds, seed=seed, population_size=POPULATION["cmaes"]
        )
        self._waiting: list[np.ndarray] = []
        self._scored: list[tuple[np.ndarray, float]] = []

    def propose(self) -> Point:
        """Return the next member of the generation."""
        self._waiting.append(self._cma.ask())
        shares = zip(self._dimensions, self._waiting[-1].tolist(), strict=True)
        return {each.name: min(each.high, each.low + share * (each.high - each.low)) for each, share in shares}

    def receive(self, score: float) -> None:
        """Take the score of a member; the last one of a generation makes the next."""
        self._scored.append((self._waiting.pop(0), -score))
        if len(self._scored) == self._cma.population_size:
            self._cma.tell(self._scored)
            self._scored = []


class WalkSampler(BaseSampler):
    """Offers a walk of our own to optuna."""

    def __init__(self, walk: Walk, distributions: dict[str, BaseDistribution]) -> None:
        self._walk, self._distributions = walk, distributions

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:  # noqa: ARG002
        """Return the whole space: a walk proposes all parameters together."""
        return self._distributions

    def sample_relative(
        self,
        study: Study,  # noqa: ARG002
        trial: FrozenTrial,  # noqa: ARG002
        search_space: dict[str, BaseDistribution],  # noqa: ARG002
    ) -> dict[str, Any]:
        """Return the next point."""
        return dict(self._walk.propose())

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        """Raise: ``sample_relative`` returns every parameter."""
        raise NotImplementedError

    def after_trial(
        self,
        study: Study,  # noqa: ARG002
        trial: FrozenTrial,  # noqa: ARG002
        state: TrialState,  # noqa: ARG002
        values: Sequence[float] | None,
    ) -> None:
        """Tell the walk the score of the point."""
        if values is not None:
            self._walk.receive(values[0])


class Optimiser:
    """Proposes points of a space by one method, and learns from their scores.

    Args:
        method: The method.
        space: The space.
        seed: The seed of its random numbers.
        start: The point at which a method that can choose its start begins; None for a random one. Annealing always begins at a
            random one, as printed.
        steps: How many points are proposed.
        is_tuned: Whether the start is good already, so that better points are near it.
    """

    def __init__(
        self, method: Method, space: Space, seed: int, start: Point | None, steps: int, *, is_tuned: bool = False
    ) -> None:
        self._distributions: dict[str, BaseDistribution] = {
            each.name: FloatDistribution(each.low, each.high) for each in space.dimensions
        }
        sampler = make_sampler(method, space, seed, start, self._distributions, is_tuned=is_tuned)
        verbosity = optuna.logging.get_verbosity()
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self._study = optuna.create_study(direction="maximize", sampler=sampler)
        optuna.logging.set_verbosity(verbosity)
        if start is not None and method in ("genetic", "tpe", "random"):
            self._study.enqueue_trial(dict(start))
        self._left = steps
        self._size = POPULATION.get(method, 1)
        self._asked: list[Trial] = []

    def ask(self) -> list[Mapping[str, float]]:
        """Return the points to score next, none at the end."""
        count = min(self._size, self._left)
        self._asked = [self._study.ask(self._distributions) for _ in range(count)]
        self._left -= count
        return [trial.params for trial in self._asked]

    def tell(self, scores: Sequence[float]) -> None:
        """Learn from the scores of the points that were asked last, in their order."""
        for trial, score in zip(self._asked, scores, strict=True):
            self._study.tell(trial, score)


def make_sampler(
    method: Method,
    space: Space,
    seed: int,
    start: Point | None,
    distributions: dict[str, BaseDistribution],
    *,
    is_tuned: bool,
) -> BaseSampler:
    """Return the sampler of a method."""
    match method:
        case "annealing":
            return WalkSampler(Annealing(space, np.random.default_rng(seed)), distributions)
        case "swarm":
            return WalkSampler(Swarm(space, np.random.default_rng(seed), start), distributions)
        case "genetic":
            return NSGAIISampler(population_size=POPULATION[method], seed=seed)
        case "cmaes":
            first = start or draw_point(space, np.random.default_rng(seed))
            return WalkSampler(Evolution(space, seed, first, is_tuned=is_tuned), distributions)
        case "tpe":
            return TPESampler(seed=seed)
        case "random":
            return RandomSampler(seed=seed)
