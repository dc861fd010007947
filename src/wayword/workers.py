"""Processes that score pairs, each with the graph open.

They never hear of Ctrl-C: the parent does, and ends them.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from types import TracebackType
from typing import TYPE_CHECKING, Self
from zlib import crc32

from .graph.errors import WaywordError

if TYPE_CHECKING:
    from .commands.questions import Question
    from .session import Graph

Pair = tuple[str, str]
Report = Callable[[int], None]
"""Told of every so many pairs that have been scored."""

_EACH = 256


class WorkerLost(WaywordError):
    """A process that scored pairs has ended before its time."""

    exit_code = 1


def score_pairs(graph: Graph, pairs: Sequence[Pair], report: Report) -> list[float]:
    """The scores of these pairs, in their order; those of one substitute are scored together."""
    order = sorted(range(len(pairs)), key=lambda place: pairs[place][0])
    scores = [0.0] * len(pairs)
    for number, (place, score) in enumerate(zip(order, graph.scores(pairs[place] for place in order), strict=True), start=1):
        scores[place] = score
        if number % _EACH == 0:
            report(_EACH)
    report(len(pairs) % _EACH)
    return scores


class Pending:
    """Pairs that have been given to the processes: which of them each part holds."""

    def __init__(self, size: int, parts: Sequence[tuple[Sequence[int], Future[list[float]]]]) -> None:
        self.size, self.parts = size, parts

    def collect(self, report: Report) -> list[float]:
        """Wait for the scores; in the order of the pairs."""
        scores = [0.0] * self.size
        for places, future in self.parts:
            for place, score in zip(places, future.result(), strict=True):
                scores[place] = score
            report(len(places))
        return scores


class Workers:
    """So many processes, which are started when they are first asked; a context manager.

    Each is a pool of its own, so that a substitute always comes to the process that knows it already.
    """

    def __init__(self, question: Question, count: int) -> None:
        self._question, self.count = question, count
        self._pools: list[ProcessPoolExecutor] = []

    @property
    def started(self) -> bool:
        """Whether there are processes already."""
        return bool(self._pools)

    def submit(self, pairs: Sequence[Pair]) -> Pending:
        """Give pairs to the processes, by their substitute."""
        if not self._pools:
            context = get_context("spawn")
            self._pools = [ProcessPoolExecutor(1, context, _start, (self._question,)) for _ in range(self.count)]
        places: list[list[int]] = [[] for _ in self._pools]
        for place, (substitute, _) in enumerate(pairs):
            places[crc32(substitute.encode()) % len(places)].append(place)
        with _uninterrupted():
            parts = [
                (part, pool.submit(_work, [pairs[place] for place in part]))
                for part, pool in zip(places, self._pools, strict=True)
                if part
            ]
        return Pending(len(pairs), parts)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        for pool in self._pools:
            pool.shutdown(wait=error is None, cancel_futures=True)
        if error is None:
            return
        for child in active_children() if self._pools else ():
            child.terminate()
        if isinstance(error, BrokenProcessPool):
            raise WorkerLost("a process that scored pairs was ended by the system; try again with fewer --workers") from None


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back; processes that are started meanwhile do so for ever."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_graphs: list[Graph] = []
"""The graph that a worker process has opened."""


def _start(question: Question) -> None:
    _graphs.append(question.open())


def _work(pairs: list[Pair]) -> list[float]:
    return score_pairs(_graphs[0], pairs, lambda _: None)
