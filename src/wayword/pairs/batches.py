"""Score rows in batches that take about a second: first in this process, then in several."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from ..core.errors import WaywordError, hint
from ..core.executors import cpu_count, start_processes
from .reader import Pair, Row

if TYPE_CHECKING:
    from ..api import Graph
    from ..query import Query

FIRST, LARGEST = 64, 32_768
"""Rows of the first and of the largest batch; no full batch is smaller than the first."""

TARGET_SECONDS, READ_SECONDS = 0.8, 1.0
"""The time that a batch should take, and the time after which the rows of a slow stream are scored without waiting for more."""

SERIAL_ROWS, SERIAL_SECONDS = 1_000, 2.0
"""What this process scores before it starts others, each of which has to open the graph: always so many rows, and by default
so many seconds."""


class WorkerLost(WaywordError):
    """A process that scored pairs ended unexpectedly."""

    exit_code = 1


class Batch(NamedTuple):
    """Rows to score together, the share of the input read so far (None: unknown), and the error in the row after them."""

    rows: list[Row]
    share: float | None
    error: WaywordError | None

    @property
    def pairs(self) -> list[Pair]:
        """The pairs of the rows, without rows that have none."""
        return [row.pair for row in self.rows if row.pair is not None]


class BatchScores(NamedTuple):
    """The scores of pairs, and the unknown phrases in them."""

    scores: list[float]
    unknown: set[str]


def read_batches(rows: Iterator[Row], share: Callable[[], float | None]) -> Iterator[Batch]:
    """Yield rows in batches whose size adapts to the time between them."""
    size = FIRST
    while True:
        start, batch, problem = time.monotonic(), list[Row](), None
        try:
            for row in islice(rows, size):
                batch.append(row)
                if time.monotonic() - start > READ_SECONDS:
                    break
        except WaywordError as error:
            problem = error
        if batch or problem:
            yield Batch(batch, share(), problem)
        if problem or not batch:
            return
        fitting = int(len(batch) * TARGET_SECONDS / max(time.monotonic() - start, 1e-6))
        size = min(max(fitting, size // 2, FIRST), 2 * size, LARGEST)


def score_pairs(graph: Graph, pairs: Sequence[Pair]) -> BatchScores:
    """Score pairs grouped by substitute, which is faster; the scores are in the order of the pairs."""
    order = sorted(range(len(pairs)), key=lambda index: pairs[index][0])
    scores = [0.0] * len(pairs)
    for index, score in zip(order, graph.scores(pairs[index] for index in order), strict=True):
        scores[index] = score
    # An unknown phrase scores 0 with every other.
    suspects = {phrase for pair, score in zip(pairs, scores, strict=True) if not score for phrase in pair}
    return BatchScores(scores, graph.unknown(suspects))


def score_batches(
    batches: Iterator[Batch], graph: Graph, query: Query, workers: int | None
) -> Generator[tuple[Batch, BatchScores], None, None]:
    """Score batches in order, in ``workers`` processes, or by default in one per processor if the file is long."""
    rows, seconds, processes = 0, 0.0, workers or cpu_count()
    for batch in batches:
        if processes > 1 and rows >= SERIAL_ROWS and (workers or seconds > SERIAL_SECONDS):
            yield from _score_in_processes(chain([batch], batches), query, processes)
            return
        start = time.monotonic()
        scored = score_pairs(graph, batch.pairs)
        seconds += time.monotonic() - start if rows else 0.0  # the first batch waits for the graph to be opened
        rows += len(batch.rows)
        yield batch, scored


def _score_in_processes(batches: Iterator[Batch], query: Query, count: int) -> Iterator[tuple[Batch, BatchScores]]:
    """Score batches in other processes; one more than there are processes is in memory, so that none has to wait."""
    pending: deque[tuple[Batch, Future[BatchScores]]] = deque()
    try:
        with start_processes(count) as executor:
            for batch in chain(batches, [None] * count):
                if batch is not None:
                    pending.append((batch, executor.submit(_score_in_worker, query, batch.pairs)))
                if pending and (batch is None or len(pending) > count):
                    scored, future = pending.popleft()
                    yield scored, future.result()
    except BrokenProcessPool as error:
        message = "the system ended a process that scored pairs, usually for lack of memory"
        raise WorkerLost(message, hint("lower", option="workers")) from error


_graph: Graph | None = None
"""The graph of a worker process, opened for its first batch, because an executor hides the errors of an initializer."""


def _score_in_worker(query: Query, pairs: list[Pair]) -> BatchScores:
    global _graph
    _graph = _graph or query.open()
    return score_pairs(_graph, pairs)
