"""Score the pairs of a file and write them in their original order; only a few batches are in memory at a time."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, NamedTuple

from ..core.atomic_files import FileError, atomic_write
from ..core.errors import hint
from ..core.progress import Progress, no_progress
from ..core.standard_output import stdout_bytes
from ..evaluation.errors import LedgerError
from ..search.errors import PhraseError
from ..search.scoring.aspects import split_words
from .batches import Batch, read_batches, score_batches
from .options import FileOptions
from .phrase_columns import UnknownPhrases
from .reader import FORMATS, Row, Table, read_table
from .run_record import make_matchers_request, make_request
from .source import Source, line_error, open_source
from .tally import Column, MatcherTally, Tally
from .writer import Writer, open_writer

if TYPE_CHECKING:
    from ..api import Graph
    from ..evaluation.runs.ledger import Ledger
    from ..evaluation.runs.recording import RunRequest
    from ..matcher_request import MatcherRequest, OpenMatchers
    from ..query import Query


def score_file(
    query: Query,
    source: str,
    output: str | None = None,
    *,
    output_format: str | None = None,
    workers: int | None = None,
    options: FileOptions | None = None,
    skip_bad: bool = False,
    progress: Progress = no_progress,
    before_rows: Callable[[], None] = lambda: None,
    on_table: Callable[[Table], None] = lambda _table: None,
    ledger: Ledger | None = None,
    on_ledger_error: Callable[[str], None] | None = None,
    matchers: MatcherRequest | None = None,
    note: Callable[[str], None] = lambda _: None,
) -> Tally:
    """Score the pairs of a file.

    Args:
        query: The graph and its options; worker processes open it too.
        source: A csv, tsv, jsonl or parquet file, which may be compressed (.gz, .zst, .bz2), or ``-`` for stdin.
        output: The file to write, which is replaced when all rows are scored; by default rows go to stdout as they are scored.
        output_format: csv, tsv, jsonl or parquet; by default that of the ending of ``output``, else that of ``source``.
        workers: Processes; by default one per processor, if the file is long.
        options: How the file is read, most of which is detected by default, and the name of the column for scores.
        skip_bad: Leave rows without a pair of phrases without a score; otherwise the first of them is an error.
        progress: Receives the current step, the number of rows done, and the share done (None: unknown).
        before_rows: Called before rows are written, to clear a progress bar.
        on_table: Receives the table, with its columns of phrases, before its first pair is scored.
        ledger: Records the scoring as a run.
        on_ledger_error: Receives the message if the ledger fails; without it the error is raised.
        matchers: Matchers, each of which adds a column of its name, in place of the score of the graph; in one process.
        note: Receives notes of the matchers, such as the size of a download.

    Raises:
        FileError: The file cannot be read, a row has no pair of phrases, it is not certain which columns have the phrases, or
            the output cannot be written.
    """
    options = options or FileOptions()
    output_format = output_format or _format_of(output)
    with ExitStack() as runs, ExitStack() as stack:
        opened = open_source(source, stack)
        name = opened.name
        _check_distinct(opened, output)
        target = stack.enter_context(atomic_write(Path(output))) if output else stdout_bytes()
        scoring = stack.enter_context(_open_scoring(query, workers, matchers, progress, note))
        options = replace(options, matcher_columns=scoring.matchers)
        tally, recording = scoring.tally, None
        if ledger is not None:
            with _catch_ledger_errors(on_ledger_error):
                recording = runs.enter_context(ledger.record(scoring.request(source, options, skip_bad=skip_bad)))
        table = read_table(opened, options, scoring.unknown)
        form, columns = output_format or table.format, options.added_columns
        _check_terminal(form, output)
        write = stack.enter_context(open_writer(table, form, target, name, columns, lists_unknown=not scoring.matchers))
        rows = _check_phrases(table.rows, name, skip_bad=skip_bad, on_pair=functools.partial(on_table, table))
        scored = stack.enter_context(closing(scoring.score(read_batches(rows, opened.share))))
        for batch in _write_scores(scored, write, tally, before_rows):
            target.flush()
            progress("scoring pairs", tally.rows, batch.share)
            if batch.error is not None:
                raise batch.error
        if tally.bad and tally.bad == tally.rows:
            raise FileError(f"{name}: none of the {tally.rows:,} rows has a pair of phrases; check the columns")
        stack.close()  # complete the output file before the run is recorded as finished
        if recording is not None:
            with _catch_ledger_errors(on_ledger_error):
                recording.finish(tally.to_dict())
            tally.run = recording.id
    return tally


def _write_scores(
    scored: Iterable[ScoredBatch], write: Writer, tally: Tally, before_rows: Callable[[], None]
) -> Iterator[Batch]:
    """Write and count batches; yield each when its rows are written."""
    for batch, columns, unknown in scored:
        scores, no_scores = zip(*columns, strict=True), [None] * len(columns)
        before_rows()
        write(batch.rows, [next(scores) if row.pair else no_scores for row in batch.rows], unknown)
        tally.add(batch.rows, columns, unknown)
        yield batch


ScoredBatch = tuple[Batch, Sequence[Column], set[str]]
"""A batch, the columns of its pairs' scores, and the unknown phrases in it."""


class _Scoring(NamedTuple):
    """How pairs are scored.

    - ``unknown``: returns the phrases that are unknown, by which columns may be recognised
    - ``request``: describes the run
    - ``score``: yields each batch with the columns of its scores and the unknown phrases
    - ``tally``: the counts of its pairs
    - ``matchers``: the names of the matchers, none for the score of the graph
    """

    unknown: UnknownPhrases
    request: Callable[..., RunRequest]
    score: Callable[[Iterator[Batch]], Generator[ScoredBatch, None, None]]
    tally: Tally
    matchers: tuple[str, ...] = ()


@contextmanager
def _open_scoring(
    query: Query, workers: int | None, matchers: MatcherRequest | None, progress: Progress, note: Callable[[str], None]
) -> Iterator[_Scoring]:
    """Open the matchers, or without them the graph."""
    if matchers is None:
        with query.open(progress) as graph:
            yield _score_by_graph(graph, query, workers)
    else:
        with matchers.open(progress, note) as opened:
            yield _score_by_matchers(opened)


def _score_by_graph(graph: Graph, query: Query, workers: int | None) -> _Scoring:
    def score(batches: Iterator[Batch]) -> Generator[ScoredBatch, None, None]:
        with closing(score_batches(batches, graph, query, workers)) as scored_batches:
            for batch, scored in scored_batches:
                yield batch, [scored.scores], scored.unknown

    return _Scoring(graph.unknown, functools.partial(make_request, query, graph), score, Tally())


def _score_by_matchers(matchers: OpenMatchers) -> _Scoring:
    def score(batches: Iterator[Batch]) -> Generator[ScoredBatch, None, None]:
        for batch in batches:
            yield batch, [list(matcher.score_many(batch.pairs)) for matcher in matchers.by_name.values()], set()

    names = tuple(matchers.by_name)
    return _Scoring(lambda _: set(), functools.partial(make_matchers_request, matchers), score, MatcherTally(names), names)


@contextmanager
def _catch_ledger_errors(on_ledger_error: Callable[[str], None] | None) -> Iterator[None]:
    try:
        yield
    except LedgerError as error:
        if on_ledger_error is None:
            raise
        on_ledger_error(f"this run is not recorded: {error}")


def _format_of(output: str | None) -> str | None:
    ending = Path(output).suffix.lower() if output else ""
    if ending and ending not in FORMATS:
        choice = hint("choose", option="format", choices=["csv", "tsv", "jsonl", "parquet"])
        raise FileError(f"{output}: {ending} is not a format of pairs", choice)
    return FORMATS.get(ending)


def _check_distinct(source: Source, output: str | None) -> None:
    """Raise if the output is the file that is read."""
    try:
        read, written = os.fstat(source.raw.fileno()), Path(output).stat() if output else None
    except (OSError, ValueError):
        return
    if written is not None and S_ISREG(read.st_mode) and os.path.samestat(read, written):
        raise FileError(f"{output}: this is the file that the pairs are read from ({source.name}); write to another file")


def _check_terminal(output_format: str, output: str | None) -> None:
    """Raise if the rows, which are bytes and not text, would go to a terminal."""
    if output_format == "parquet" and output is None and sys.stdout.isatty():
        choice = hint("choose", option="format", choices=["csv", "tsv", "jsonl"])
        raise FileError("a terminal cannot show parquet", hint("set", option="output", what="a file"), choice)


def _check_phrases(rows: Iterable[Row], name: str, *, skip_bad: bool, on_pair: Callable[[], None]) -> Iterator[Row]:
    """Yield rows, and call ``on_pair`` before the first one with a valid pair of phrases.

    A row without one raises an error, or with ``skip_bad`` is yielded without a pair.
    """
    check, has_pair = lru_cache(maxsize=65_536)(split_words), False
    for row in rows:
        if row.pair is not None:
            try:
                check(row.pair[0])
                check(row.pair[1])
            except PhraseError as error:
                row = row._replace(pair=None, problem=str(error))
        if row.pair is None and not skip_bad:
            advice = hint("enable", option="skip_bad", effect="leaves such rows without a score")
            raise line_error(name, row.line, row.problem, advice)
        if row.pair is not None and not has_pair:
            on_pair()
            has_pair = True
        yield row
