"""Evaluate populations of parameters: their figures on training and on held-out items."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass
from math import fsum, isnan, nan
from typing import NamedTuple, Protocol, Self

import numpy as np

from ...core.arrays import FloatArray
from ...core.executors import WORKER_LOST_ADVICE, cpu_count, start_processes
from ...search.scoring.parameters import Parameters
from ...search.scoring.scorer import Scorer
from ..agreement.statistics import Indices
from ..errors import TuningError
from .folds import make_splits
from .objectives import Measure, Objective, compute_figure
from .pair_searches import PairSearches

SERIAL_SECONDS = 3.0
"""How long this process evaluates alone before it starts others, each of which has to open the graph."""


class Candidate(NamedTuple):
    """Parameters to evaluate on a split, by its number."""

    split: int
    parameters: Parameters


class Outcome(NamedTuple):
    """The mixed figures of a candidate on the training items and on the held-out items; NaN without items."""

    training: float
    held_out: float


class Part:
    """The figure of one objective on some of its items.

    Args:
        objective: The objective of these items.
        places: The positions of its pairs in a row of scores.
    """

    def __init__(self, objective: Objective, places: Indices) -> None:
        self.kind, self.weight, self._size, self._places = objective.kind, objective.weight, len(objective.items), places
        self._measure: Measure | None = self.kind.measure(objective.items) if self._size else None

    def score(self, scores: FloatArray) -> float:
        """Return the figure for a row of the scores of all pairs."""
        return nan if self._measure is None else compute_figure(self._measure(scores[self._places]), self._size)


def mix(parts: Sequence[tuple[float, float]]) -> float:
    """Return the mean of figures, given with their weights.

    >>> mix([(1.0, 0.25), (3.0, 0.75)])
    0.625
    """
    return fsum(weight * figure for weight, figure in parts) / fsum(weight for weight, _ in parts)


class Evaluator:
    """Scores candidates on the splits of objectives, in this process.

    Args:
        scorer: A scorer over a projection, with the profile around which parameters are tuned.
        objectives: The objectives.
        folds: The number of folds.
        seed: The seed of their division.

    Attributes:
        splits: The training and the held-out items of each fold; in the last split all items are for training.
        left_out: For each objective the number of items that are not used for training, because a phrase is unknown.
    """

    def __init__(self, scorer: Scorer[int], objectives: Sequence[Objective], folds: int, seed: int) -> None:
        self.objectives = tuple(objectives)
        self.searches = PairSearches(scorer, (pair for each in objectives for pair in each.pairs))
        self.places = [self.searches.find(each.pairs) for each in objectives]
        known = [self._find_known(number) for number in range(len(objectives))]
        self.left_out = [len(each.items) - len(items) for each, items in zip(objectives, known, strict=True)]
        self.splits = make_splits(objectives, known, folds, seed)
        self._training = [self._make_parts(split.training) for split in self.splits]
        self._held_out = [self._make_parts(split.held_out) for split in self.splits]

    def _find_known(self, number: int) -> Indices:
        """Return the items of an objective that may be used for training."""
        objective, items = self.objectives[number], np.arange(len(self.objectives[number].items))
        if not objective.kind.needs_known:
            return items
        unknown = self.searches.unknown[self.places[number]]
        return items[[not unknown[objective.select_pairs(items[item : item + 1])].any() for item in items]]

    def _make_parts(self, items: Sequence[Indices]) -> list[Part]:
        return [
            Part(objective.select(chosen), self.places[number][objective.select_pairs(chosen)])
            for number, (objective, chosen) in enumerate(zip(self.objectives, items, strict=True))
        ]

    def evaluate(self, candidates: Sequence[Candidate]) -> list[Outcome]:
        """Return the outcomes of candidates, all scored together."""
        rows = self.searches.scores([each.parameters for each in candidates])
        return [self._judge(each.split, row) for each, row in zip(candidates, rows, strict=True)]

    def _judge(self, split: int, scores: FloatArray) -> Outcome:
        # Scores that are all equal have no rank correlation, and count as the worst figure there is.
        training = [(each, each.score(scores)) for each in self._training[split]]
        held_out = [(each.weight, each.score(scores)) for each in self._held_out[split]]
        return Outcome(
            mix([(each.weight, each.kind.low if isnan(figure) else figure) for each, figure in training]), mix(held_out)
        )


class EvaluatorOpener(Protocol):
    """Opens an evaluator in another process. It is sent with every task, so it should be small; equal ones open equal ones."""

    def open_evaluator(self) -> Evaluator:
        """Open the evaluator."""


@dataclass
class Timing:
    """The time that evaluations took.

    - ``evaluations``: how many there were
    - ``seconds``: the time of all processes together
    - ``search_seconds``: the part of it in searches
    - ``elapsed``: the time on the clock
    """

    evaluations: int = 0
    seconds: float = 0.0
    search_seconds: float = 0.0
    elapsed: float = 0.0


class Population:
    """Evaluates populations in this process, and in several once that pays.

    Args:
        evaluator: The evaluator of this process.
        opener: Opens an equal one in another process; None to evaluate in this one only.
        workers: The number of processes; None for one per processor, started after ``SERIAL_SECONDS``.
    """

    def __init__(self, evaluator: Evaluator, opener: EvaluatorOpener | None = None, workers: int | None = None) -> None:
        self._evaluator, self._opener, self._asked = evaluator, opener, workers
        self._workers = 1 if opener is None else workers or cpu_count()
        self._stack = ExitStack()
        self._pool: Executor | None = None
        self.timing = Timing()

    def __enter__(self) -> Self:
        self._stack.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.__exit__(*error)  # type: ignore[arg-type]

    def evaluate(self, candidates: Sequence[Candidate]) -> list[Outcome]:
        """Return the outcomes of candidates.

        Raises:
            TuningError: Another process ended unexpectedly.
        """
        begun = time.perf_counter()
        if self._pool is None and self._workers > 1 and (self._asked or self.timing.elapsed > SERIAL_SECONDS):
            self._pool = self._stack.enter_context(start_processes(self._workers))
        if self._pool is None or len(candidates) < 2:
            found, search_seconds, seconds = _evaluate_timed(self._evaluator, candidates)
        else:
            found, search_seconds, seconds = self._share(self._pool, candidates)
        self.timing.evaluations += len(candidates)
        self.timing.seconds += seconds
        self.timing.search_seconds += search_seconds
        self.timing.elapsed += time.perf_counter() - begun
        return found

    def _share(self, pool: Executor, candidates: Sequence[Candidate]) -> tuple[list[Outcome], float, float]:
        size = -(-len(candidates) // self._workers)
        shares = [candidates[start : start + size] for start in range(0, len(candidates), size)]
        begun = time.perf_counter()
        try:
            done = list(pool.map(_evaluate_elsewhere, [self._opener] * len(shares), shares))
        except BrokenProcessPool as error:
            raise TuningError(f"a process that evaluated parameters ended unexpectedly, {WORKER_LOST_ADVICE}") from error
        waited = self._workers * (time.perf_counter() - begun)
        return [outcome for found, *_ in done for outcome in found], fsum(each[1] for each in done), waited


def _evaluate_timed(evaluator: Evaluator, candidates: Sequence[Candidate]) -> tuple[list[Outcome], float, float]:
    """Return outcomes with the seconds in searches and all seconds."""
    begun, before = time.perf_counter(), evaluator.searches.seconds
    found = evaluator.evaluate(candidates)
    return found, evaluator.searches.seconds - before, time.perf_counter() - begun


_opened: list[tuple[EvaluatorOpener, Evaluator]] = []
"""The evaluator of this worker process, and what opened it."""


def _evaluate_elsewhere(opener: EvaluatorOpener, candidates: Sequence[Candidate]) -> tuple[list[Outcome], float, float]:
    """Evaluate in a worker process, which opens its evaluator once."""
    if not _opened or _opened[0][0] != opener:
        _opened[:] = [(opener, opener.open_evaluator())]
    return _evaluate_timed(_opened[0][1], candidates)
