"""Processes that score pairs, each with the graph open.

Each has a pipe of its own and holds one lot of pairs at a time, so no two ends ever wait for each other. It says when it is
ready; until then the parent has time for other things. They never hear of Ctrl-C or of a
terminal that is closed: the parent does, and ends them.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import wait
from multiprocessing.resource_tracker import ensure_running
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self
from zlib import crc32

from ..core.errors import WaywordError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

    from ..api import Graph
    from ..query import Query

Pair = tuple[str, str]
Report = Callable[[int], None]
"""Told of every so many pairs that have been scored."""

_EACH = 256


class WorkerLost(WaywordError):
    """A process that scored pairs has ended before its time."""

    exit_code = 1


class Scored(NamedTuple):
    """The scores of pairs, and which of their phrases nothing is known of."""

    scores: list[float]
    unknown: set[str]


def score_pairs(graph: Graph, pairs: Sequence[Pair], report: Report) -> Scored:
    """The scores of these pairs, in their order; those of one substitute are scored together."""
    order = sorted(range(len(pairs)), key=lambda place: pairs[place][0])
    scores = [0.0] * len(pairs)
    for number, (place, score) in enumerate(zip(order, graph.scores(pairs[place] for place in order), strict=True), start=1):
        scores[place] = score
        if number % _EACH == 0:
            report(_EACH)
    report(len(pairs) % _EACH)
    # A phrase that nothing is known of scores 0 with every other.
    doubtful = {phrase for pair, score in zip(pairs, scores, strict=True) if not score for phrase in pair}
    return Scored(scores, graph.unknown(doubtful))


class Workers:
    """So many processes, which are started when they are first wanted; a context manager."""

    def __init__(self, question: Query, count: int) -> None:
        self._question, self.count = question, count
        self._processes: list[SpawnProcess] = []
        self._pipes: list[Connection] = []
        self._unready: list[Connection] = []

    def ready(self, *, patient: bool = False) -> bool:
        """Whether all processes have a graph to ask; they are started if need be, and waited for by the ``patient``."""
        self._start()
        while self._unready and (arrived := wait(self._unready, None if patient else 0)):
            for pipe in arrived:
                self._receive(pipe)  # type: ignore[arg-type]
                self._unready.remove(pipe)  # type: ignore[arg-type]
        return not self._unready

    def score(self, lots: Iterator[Sequence[Pair]], report: Report) -> Iterator[Scored]:
        """The scores of each lot of pairs; the next is taken, and worked at, before they are given out.

        A substitute always comes to the same process, which knows it already.
        """
        waiting: list[list[int]] | None = None
        for lot in lots:
            self.ready(patient=True)
            parts = self._parted(lot)
            scored = self._exchange(waiting, [[lot[place] for place in part] for part in parts], report)
            if waiting is not None:
                yield scored
            waiting = parts
        if waiting is not None:
            yield self._exchange(waiting, [], report)

    def _parted(self, lot: Sequence[Pair]) -> list[list[int]]:
        parts: list[list[int]] = [[] for _ in self._pipes]
        for place, (substitute, _) in enumerate(lot):
            parts[crc32(substitute.encode()) % len(parts)].append(place)
        return parts

    def _exchange(self, waiting: list[list[int]] | None, following: list[list[Pair]], report: Report) -> Scored:
        """Take the scores that are waited for (None: nothing is), and hand out what follows: first to who is first done."""
        scores, unknown = [0.0] * sum(map(len, waiting or ())), set[str]()
        numbers = {pipe: number for number, pipe in enumerate(self._pipes)}
        open_ = list(self._pipes)
        while open_:
            for pipe in open_ if waiting is None else wait(open_):
                number = numbers[pipe]  # type: ignore[index]
                if waiting is not None:
                    found = self._receive(self._pipes[number])
                    for place, score in zip(waiting[number], found.scores, strict=True):
                        scores[place] = score
                    unknown |= found.unknown
                    report(len(found.scores))
                if following:
                    self._send(self._pipes[number], following[number])
                open_ = [each for each in open_ if each is not pipe]
        return Scored(scores, unknown)

    def _receive(self, pipe: Connection) -> Scored:
        try:
            found = pipe.recv()
        except (EOFError, OSError):
            raise _lost() from None
        if isinstance(found, Exception):
            raise found
        scored: Scored = found
        return scored

    def _send(self, pipe: Connection, pairs: list[Pair]) -> None:
        try:
            pipe.send(pairs)
        except OSError:
            raise _lost() from None

    def _start(self) -> None:
        context = get_context("spawn")
        ensure_running()  # its start would let Ctrl-C through again
        while len(self._processes) < self.count:
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(self._question, theirs), daemon=True)
            with _uninterrupted():
                process.start()
                self._processes.append(process)
                self._pipes.append(ours)
                self._unready.append(ours)
            theirs.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C and the end of the terminal back; processes that are started meanwhile do so for ever."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _lost() -> WorkerLost:
    return WorkerLost("a process that scored pairs was ended by the system; try again with fewer --workers")


def _serve(question: Query, pipe: Connection) -> None:
    """Say when the graph can be asked, and then score what comes through the pipe until it is closed."""
    try:
        with question.open() as graph:
            pipe.send(score_pairs(graph, [], lambda _: None))
            while True:
                pairs = pipe.recv()
                pipe.send(score_pairs(graph, pairs, lambda _: None))
    except (EOFError, ConnectionError):
        return
    except Exception as error:
        with suppress(ConnectionError):  # nobody is left to be told
            pipe.send(error)
