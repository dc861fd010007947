"""Records the trials of a tuning in the ledger, in batches: a transaction takes far longer than a trial."""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Self

from ..runs.records import RecordedTrial

if TYPE_CHECKING:
    from types import TracebackType

    from ..runs.recording import Recording
    from .evaluator import Candidate, Outcome
    from .space import Space

BATCH_SECONDS = 10.0
"""How often trials are written."""


class TrialRecorder:
    """Records trials, as a context manager. Those that a resumed run has already recorded are left out.

    Args:
        recording: The run.
        space: The parameters that vary.
        folds: The number of folds; candidates of the split after them are tuned on all items.
    """

    def __init__(self, recording: Recording, space: Space, folds: int) -> None:
        self._recording, self._space, self._folds = recording, space, folds
        self._recorded, self._position = recording.count_trials(), 0
        self._waiting: list[RecordedTrial] = []
        self._written = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self._write()

    def __call__(self, candidates: Sequence[Candidate], outcomes: Sequence[Outcome]) -> None:
        """Record the outcomes of candidates."""
        for candidate, outcome in zip(candidates, outcomes, strict=True):
            if self._position >= self._recorded:
                fold = candidate.split + 1 if candidate.split < self._folds else None
                held_out = None if isnan(outcome.held_out) else outcome.held_out
                point = self._space.point(candidate.parameters)
                self._waiting.append(RecordedTrial(self._position, fold, outcome.training, held_out, point))
            self._position += 1
        if time.monotonic() - self._written > BATCH_SECONDS:
            self._write()

    def _write(self) -> None:
        if self._waiting:
            self._recording.add_trials(self._waiting)
        self._waiting, self._written = [], time.monotonic()
