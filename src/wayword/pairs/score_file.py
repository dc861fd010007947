"""Scores a file of pairs: in this process while there are few, in one process a core when there are many.

The pairs of one substitute in a window of rows are scored together, which is what makes very many pairs fast; rows go out in
the order they came in, and never more than a few windows are held.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import lru_cache
from io import TextIOWrapper
from itertools import chain, count
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Any, BinaryIO

from ..core.atomic_files import FileError, atomic_write
from ..core.executors import cpu_count
from ..core.progress import Progress, no_progress
from ..search.errors import PhraseError
from ..search.scoring.aspects import split_words
from .batching import FIRST, Windows
from .columns import Wanted
from .files import KINDS, LONGEST, Row, read_table, refuse, unknown_of, write_table
from .run_record import PairRun
from .workers import Report, Scored, Workers, score_pairs

if TYPE_CHECKING:
    from ..api import Graph
    from ..evaluation.runs.ledger import Ledger
    from ..query import Query

ALONE = 1_000
"""Rows that this process scores alone, even if others are asked for."""

SURE, LONG, SHARE = 3.0, 15.0, 3.0
"""Other processes start from nothing: they pay where, after so many seconds, so many are left, and so many times as many."""

NAMED = 3
"""Unknown phrases that are named at the end."""


@dataclass(slots=True)
class Tally:
    """What became of the rows of a file: how many there were, in how many something is unknown, how many hold no pair."""

    rows: int = 0
    unknown: int = 0
    phrases: list[str] = field(default_factory=list)
    bad: int = 0
    first_bad: int = 0
    total: float = 0.0
    run: int | None = None
    digest: Any = field(default_factory=hashlib.sha256)

    def count(self, rows: Sequence[Row], scores: Sequence[float], unknown: set[str]) -> None:
        """Count these rows, too."""
        self.rows += len(rows)
        self.total += sum(scores)
        self.digest.update("".join(f"{score!r}\n" for score in scores).encode())
        for row in rows:
            if row.pair is None:
                self.bad += 1
                self.first_bad = self.first_bad or row.line
            elif found := unknown_of(row, unknown):
                self.unknown += 1
                if len(self.phrases) <= NAMED:
                    self.phrases += [phrase for phrase in found if phrase not in self.phrases]

    def to_dict(self) -> dict[str, Any]:
        """What the ledger keeps of it; ``scores`` is the same for the same scores in the same order."""
        pairs = self.rows - self.bad
        mean = self.total / pairs if pairs else None
        return {"pairs": pairs, "bad": self.bad, "unknown": self.unknown, "mean": mean, "scores": self.digest.hexdigest()}

    def notes(self, name: str) -> Iterator[str]:
        """What people should know of it, a line each."""
        if self.bad:
            what = f"{self.bad:,} of {self.rows:,} rows hold no pair of phrases and have no score"
            yield f"{name}: {what}; the first is line {self.first_bad}"
        if self.unknown:
            from ..rendering.text import clean, shorten

            named = ", ".join(f'"{shorten(clean(phrase), 40)}"' for phrase in self.phrases[:NAMED])
            more = ", ..." if len(self.phrases) > NAMED else ""
            what = f"{self.unknown:,} of {self.rows:,} pairs hold a phrase that nothing is known of ({named}{more})"
            yield f"{name}: {what}; there, 0 says nothing about meaning"


def score_file(
    question: Query,
    source: str,
    output: str | None = None,
    *,
    form: str | None = None,
    workers: int | None = None,
    wanted: Wanted | None = None,
    skip_bad: bool = False,
    progress: Progress = no_progress,
    before_rows: Callable[[], None] = lambda: None,
    ledger: Ledger | None = None,
    forgive: Callable[[str], None] | None = None,
) -> Tally:
    """Score the pairs of ``source`` (``-``: stdin) and write them to ``output``, or to stdout as they come.

    ``before_rows`` is called before rows are written, to clear a progress bar. With a ``ledger`` the scoring is recorded as a
    run; ``forgive`` receives the message if the ledger fails; without it the error is raised.
    """
    name, tally = "stdin" if source == "-" else source, Tally()
    form = form or _ending(output)
    with PairRun(ledger, forgive) as run, ExitStack() as stack:
        stream = _opened(source, stack)
        _check_other(stream, name, output)
        target = stack.enter_context(atomic_write(Path(output))) if output else _stdout()
        graph = stack.enter_context(question.open(progress))
        run.begin(question, graph, source, wanted, skip_bad=skip_bad)
        reading = _Reading(stream, name, progress)
        table = read_table(reading.lines(), name, wanted)
        text = TextIOWrapper(target, encoding="utf-8", errors="surrogatepass", newline="")
        stack.callback(text.detach)  # who opened the stream below closes it
        write = write_table(table, form or table.kind, text, name)
        pool = stack.enter_context(Workers(question, workers or cpu_count()))
        windows = Windows(reading.rows(_checked(table.rows, name, skip_bad=skip_bad)))
        for rows, scored in _scored(windows, graph, pool, reading, asked=workers is not None):
            scores = iter(scored.scores)
            before_rows()
            write(rows, [next(scores) if row.pair else None for row in rows], scored.unknown)
            text.flush()
            tally.count(rows, scored.scores, scored.unknown)
        if windows.error is not None:
            raise windows.error
        stack.close()  # what is scored is in its place before the ledger says so
        tally.run = run.finish(tally.to_dict())
    return tally


def _ending(output: str | None) -> str | None:
    """What the name of the output says of what to write to it."""
    ending = Path(output).suffix.lower() if output else ""
    if not ending:
        return None
    if ending not in KINDS:
        raise FileError(f"{output}: cannot tell what to write; end the file's name with .csv, .tsv or .jsonl, or give --format")
    return KINDS[ending]


def _check_other(stream: BinaryIO, name: str, output: str | None) -> None:
    """Refuse to write over the file that is read."""
    try:
        ours, theirs = os.fstat(stream.fileno()), Path(output).stat() if output else None
    except (OSError, ValueError):
        return
    if theirs is not None and S_ISREG(ours.st_mode) and os.path.samestat(ours, theirs):
        raise FileError(f"{output}: this is the file that the pairs are read from ({name}); name another for --output")


def _opened(source: str, stack: ExitStack) -> BinaryIO:
    if source == "-":
        if sys.stdin is None:
            raise FileError("stdin: is closed; pipe pairs into it, or name a csv, tsv or jsonl file")
        return sys.stdin.buffer
    try:
        return stack.enter_context(os.fdopen(os.open(source, os.O_RDONLY), "rb"))
    except (OSError, ValueError) as error:
        raise _unreadable(source, error) from None


def _unreadable(name: str, error: Exception) -> FileError:
    reason = getattr(error, "strerror", None) or error
    return FileError(f"{name}: cannot be read ({reason}); name a csv, tsv or jsonl file, or - for stdin")


def _stdout() -> BinaryIO:
    sys.stdout.flush()
    return sys.stdout.buffer


class _Reading:
    """Counts what has been read of a stream and how much of that is scored, so that somebody can be told."""

    def __init__(self, stream: BinaryIO, name: str, progress: Progress) -> None:
        self._stream, self._name, self._progress = stream, name, progress
        self._size = _size(stream)
        self._bytes = self._read = self.scored = 0

    def lines(self) -> Iterator[bytes]:
        """The lines of the stream, none of them longer than is good for the memory."""
        for number in count(1):
            try:
                line = self._stream.readline(LONGEST + 1)
            except OSError as error:
                raise _unreadable(self._name, error) from None
            if len(line) > LONGEST:
                raise refuse(self._name, number, f"the line is longer than {LONGEST:,} bytes; write one pair a line")
            if not line:
                return
            self._bytes += len(line)
            yield line

    def rows(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows that were made of the lines."""
        for row in rows:
            self._read += row.pair is not None
            yield row

    @property
    def share(self) -> float | None:
        """Which share of the stream is scored; None where nobody can tell."""
        return self.scored / max(1, self._read) * self._bytes / self._size if self._size else None

    def report(self, scored: int) -> None:
        """Tell of so many more pairs that are scored."""
        self.scored += scored
        self._progress("scoring pairs", self.scored, self.share)


def _size(stream: BinaryIO) -> int:
    """The size of a stream; 0 where nobody can tell."""
    try:
        return os.fstat(stream.fileno()).st_size
    except OSError:
        return 0


def _checked(rows: Iterable[Row], name: str, *, skip_bad: bool) -> Iterator[Row]:
    """The rows, up to the first with a phrase that cannot be looked up, unless such rows go without a score."""
    check = lru_cache(maxsize=65_536)(split_words)
    for row in rows:
        if row.pair is not None:
            try:
                check(row.pair[0])
                check(row.pair[1])
            except PhraseError as error:
                row = row.without_pair(str(error))
        if row.pair is None and not skip_bad:
            raise refuse(name, row.line, f"{row.problem}; or give --skip-bad, which leaves such rows without a score")
        yield row


def _scored(
    windows: Windows, graph: Graph, pool: Workers, reading: _Reading, *, asked: bool
) -> Iterator[tuple[list[Row], Scored]]:
    """Each window with its scores: from this process, and from the others where they are asked for, or pay."""
    rest, spent = iter(windows), 0.0
    for window in rest:
        full = len(window) == windows.size
        if full and pool.count > 1 and reading.scored >= ALONE:
            wanted = asked or pays(spent, reading.share)
            if wanted and pool.ready(patient=asked):
                yield from _scored_by(pool, chain([window], rest), windows, reading.report)
                return
        begun = time.monotonic()
        scored = score_pairs(graph, _pairs(window), reading.report)
        seconds = time.monotonic() - begun
        if reading.scored > FIRST:  # the first window waits for the graph to be opened
            spent += seconds
            if full:
                windows.took(window, seconds)
        yield window, scored


def pays(spent: float, share: float | None) -> bool:
    """Whether other processes are worth their start after so many seconds, with this share of the work done.

    >>> pays(1.0, 0.01), pays(3.0, 0.01), pays(3.0, 0.2), pays(14.0, None), pays(16.0, None)
    (False, True, False, False, True)
    """
    if not share:
        return spent > LONG
    return spent >= SURE and spent * (1 - share) / share > LONG + SHARE * spent


def _scored_by(
    pool: Workers, rest: Iterator[list[Row]], windows: Windows, report: Report
) -> Iterator[tuple[list[Row], Scored]]:
    waiting: deque[list[Row]] = deque()

    def lots() -> Iterator[list[tuple[str, str]]]:
        for window in rest:
            waiting.append(window)
            yield _pairs(window)

    begun = time.monotonic()
    for scored in pool.score(lots(), report):
        window = waiting.popleft()
        windows.took(window, time.monotonic() - begun)
        begun = time.monotonic()
        yield window, scored


def _pairs(window: list[Row]) -> list[tuple[str, str]]:
    return [row.pair for row in window if row.pair is not None]
