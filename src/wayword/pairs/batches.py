"""Score rows in batches that take about a second: first in this process, then in several if that is faster."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from ..core.errors import WaywordError, hint
from ..core.executors import cpu_count, start_processes
from .reader import Row

if TYPE_CHECKING:
    from ..api import Graph
    from ..query import Query

Pair = tuple[str, str]

FIRST, LARGEST = 64, 32_768
"""Rows of the first and of the largest batch; no full batch is smaller than the first."""

TARGET_SECONDS, READ_SECONDS = 0.8, 1.0
"""The time that a batch should take, and the time after which the rows of a slow stream are scored without waiting for more."""

SERIAL_ROWS = 1_000
"""Rows that this process scores before it starts others, even with an explicit number of workers."""

MIN_SPENT, MIN_REMAINING, MIN_RATIO = 3.0, 15.0, 3.0
"""Other processes are started after ``MIN_SPENT`` seconds if the remaining time exceeds ``MIN_REMAINING`` seconds plus
``MIN_RATIO`` times the time spent, because each of them has to open the graph."""


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
    return BatchScores(
        scores, graph.unknown({phrase for pair, score in zip(pairs, scores, strict=True) if not score for phrase in pair})
    )


def score_batches(
    batches: Iterator[Batch], graph: Graph, query: Query, workers: int | None
) -> Generator[tuple[Batch, BatchScores], None, None]:
    """Score batches in order, in ``workers`` processes, or by default in one per processor once that is faster."""
    count, spent, processes = 0, 0.0, workers or cpu_count()
    for batch in batches:
        use_pool = processes > 1 and (workers is not None or is_pool_faster(spent, batch.share))
        if use_pool and count >= SERIAL_ROWS and len(batch.rows) >= FIRST:
            yield from _score_in_processes(chain([batch], batches), query, processes)
            return
        start = time.monotonic()
        scored = score_pairs(graph, batch.pairs)
        spent += time.monotonic() - start if count else 0.0  # the first batch waits for the graph to be opened
        count += len(batch.rows)
        yield batch, scored


def is_pool_faster(spent: float, share: float | None) -> bool:
    """Estimate whether starting other processes saves time, given the seconds spent and the share of the work done.

    >>> is_pool_faster(1.0, 0.01), is_pool_faster(3.0, 0.01), is_pool_faster(3.0, 0.2)
    (False, True, False)
    >>> is_pool_faster(14.0, None), is_pool_faster(16.0, None)
    (False, True)
    """
    if not share:
        return spent > MIN_REMAINING
    return spent >= MIN_SPENT and spent * (1 - share) / share > MIN_REMAINING + MIN_RATIO * spent


def _score_in_processes(batches: Iterator[Batch], query: Query, count: int) -> Iterator[tuple[Batch, BatchScores]]:
    """Score batches, two in flight at a time; a substitute always goes to the same process, which caches its searches."""
    pending: deque[tuple[Batch, list[list[int]], list[Future[BatchScores]]]] = deque()
    with ExitStack() as stack:
        executors = [stack.enter_context(start_processes(1)) for _ in range(count)]
        for batch in chain(batches, [None, None]):
            if batch is not None:
                pairs, parts = batch.pairs, [list[int]() for _ in executors]
                for index, (substitute, _) in enumerate(pairs):
                    parts[crc32(substitute.encode()) % count].append(index)
                futures = [
                    executor.submit(_score_in_worker, query, [pairs[index] for index in part])
                    for executor, part in zip(executors, parts, strict=True)
                ]
                pending.append((batch, parts, futures))
            if pending and (batch is None or len(pending) > 1):
                yield _merge(*pending.popleft())


def _merge(batch: Batch, parts: list[list[int]], futures: list[Future[BatchScores]]) -> tuple[Batch, BatchScores]:
    scores, unknown = [0.0] * sum(map(len, parts)), set[str]()
    try:
        for part, future in zip(parts, futures, strict=True):
            scored = future.result()
            unknown |= scored.unknown
            for index, score in zip(part, scored.scores, strict=True):
                scores[index] = score
    except BrokenProcessPool as error:
        message = "the system ended a process that scored pairs, usually for lack of memory"
        raise WorkerLost(message, hint("lower", option="workers")) from error
    return batch, BatchScores(scores, unknown)


_graph: Graph | None = None
"""The graph of a worker process, opened for its first batch, because an executor hides the errors of an initializer."""


def _score_in_worker(query: Query, pairs: list[Pair]) -> BatchScores:
    global _graph
    _graph = _graph or query.open()
    return score_pairs(_graph, pairs)
