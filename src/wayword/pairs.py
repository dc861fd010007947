"""Scores a file of pairs: in this process while there are few, in one process a core when there are many.

Rows are taken in windows. The pairs of one substitute in a window are scored together, which is what makes very many pairs
fast; rows go out in the order they came in, and never more than a few windows are held.
"""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import lru_cache
from io import TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from .graph.files import FileError, replaced
from .progress import watched
from .search.errors import PhraseError
from .search.targets import to_words
from .tabulated import Row, Table, read_table, refuse, write_table
from .workers import Report, Workers, score_pairs

if TYPE_CHECKING:
    from .commands.questions import Question
    from .graph.store import Progress
    from .session import Graph

FIRST, ALONE, WINDOW = 64, 1_000, 32_768
"""Rows of the first window and of the largest; fewer than ALONE are not worth starting other processes for."""

PATIENCE = 1.0
"""Seconds after which a window that fills slowly is scored as it is."""


def score_file(
    question: Question, source: str, output: str | None, form: str | None, workers: int | None, *, quiet: bool
) -> None:
    """Score the pairs of ``source`` (``-``: stdin) and write them to ``output``, or to stdout as they come."""
    name = "stdin" if source == "-" else source
    with ExitStack() as stack:
        progress = stack.enter_context(watched(quiet=quiet))
        graph = stack.enter_context(question.open(progress))
        reading = _Reading(_opened(source, stack), progress)
        table = read_table(reading.lines(), name)
        target = stack.enter_context(replaced(Path(output))) if output else _stdout()
        text = TextIOWrapper(target, encoding="utf-8", errors="surrogatepass", newline="")
        stack.callback(text.detach)  # who opened the stream below closes it
        write = write_table(table, _form(form, output, table), text, name)
        pool = stack.enter_context(Workers(question, workers or len(os.sched_getaffinity(0))))
        windows = _windows(_checked(reading.rows(table.rows), name))
        for rows, scores in _scored(windows, graph, pool, reading.report):
            write(rows, scores)
            text.flush()


def _opened(source: str, stack: ExitStack) -> BinaryIO:
    if source == "-":
        return sys.stdin.buffer
    try:
        return stack.enter_context(os.fdopen(os.open(source, os.O_RDONLY), "rb"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"{source}: cannot be read ({reason}); name a csv, tsv or jsonl file, or - for stdin") from None


def _stdout() -> BinaryIO:
    sys.stdout.flush()
    return sys.stdout.buffer


def _form(form: str | None, output: str | None, table: Table) -> str:
    if form is not None:
        return form
    ending = Path(output).suffix.lower() if output else ""
    return {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl"}.get(ending, table.kind)


class _Reading:
    """Counts what has been read of a stream and how much of that is scored, so that somebody can be told."""

    def __init__(self, stream: BinaryIO, progress: Progress) -> None:
        self._stream, self._progress = stream, progress
        self._size = _size(stream)
        self._bytes = self._read = self._scored = 0

    def lines(self) -> Iterator[bytes]:
        """The lines of the stream."""
        for line in self._stream:
            self._bytes += len(line)
            yield line

    def rows(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows that were made of the lines."""
        for row in rows:
            self._read += 1
            yield row

    def report(self, scored: int) -> None:
        """Tell of so many more pairs that are scored."""
        self._scored += scored
        share = self._scored / max(1, self._read) * self._bytes / self._size if self._size else None
        self._progress("scoring pairs", self._scored, share)


def _size(stream: BinaryIO) -> int:
    """The size of a stream; 0 where nobody can tell."""
    try:
        return os.fstat(stream.fileno()).st_size
    except OSError:
        return 0


def _checked(rows: Iterable[Row], name: str) -> Iterator[Row]:
    """The rows, up to the first with a phrase that cannot be looked up."""
    check = lru_cache(maxsize=65_536)(to_words)
    for row in rows:
        try:
            check(row.pair[0])
            check(row.pair[1])
        except PhraseError as error:
            raise refuse(name, row.line, str(error)) from None
        yield row


def _windows(rows: Iterator[Row]) -> Iterator[list[Row]]:
    """The rows in small windows at first, so that there is something to see, and then in large ones."""
    size = FIRST
    while window := _window(rows, size):
        yield window
        size = 2 * size if 2 * size < ALONE else WINDOW


def _window(rows: Iterator[Row], size: int) -> list[Row]:
    begun, window = time.monotonic(), []
    for row in rows:
        window.append(row)
        if len(window) == size or time.monotonic() - begun > PATIENCE:
            break
    return window


def _scored(
    windows: Iterator[list[Row]], graph: Graph, pool: Workers, report: Report
) -> Iterator[tuple[list[Row], list[float]]]:
    """Each window with its scores: the small ones that come first from this process, the rest from the others."""
    large = None
    for window in windows:
        if pool.count > 1 and len(window) >= ALONE:
            large = window
            break
        yield window, score_pairs(graph, [row.pair for row in window], report)
    if large is None:
        return
    waiting: deque[list[Row]] = deque()

    def lots() -> Iterator[list[tuple[str, str]]]:
        for window in chain([large], windows):
            waiting.append(window)
            yield [row.pair for row in window]

    for scores in pool.score(lots(), report):
        yield waiting.popleft(), scores
