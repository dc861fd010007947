"""Opens a ledger, and reads and writes its runs. It imports SQLAlchemy, so import it only where a ledger is needed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import get_ident
from types import TracebackType
from typing import TYPE_CHECKING, Self

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from ...core.atomic_files import SQLITE_SIGNATURE
from ...core.errors import hint
from ..errors import LedgerMissing, RunUnknown
from .database import damage_error, make_engine, not_a_ledger, read_only, translate_damage, translate_errors
from .location import default_ledger, display_url, sqlite_path, to_url
from .migrate import is_current, is_ledger, upgrade
from .models import RunRow, TraversalRow, TrialRow
from .recording import Recording, read_traversals, read_trials
from .records import read_run

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from .recording import RunRequest
    from .records import RecordedTraversal, RecordedTrial, Run

MAX_NUMBER = (1 << 31) - 1
"""The greatest number of a run that the database can hold."""


class Ledger:
    """The runs in one database. Use it as a context manager, or close it.

    >>> with Ledger.open("runs.sqlite") as ledger:
    ...     list(ledger.runs())
    []
    """

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine, self.name = engine, name

    @classmethod
    def open(cls, address: str | None = None, *, create: bool = True) -> Self:
        """Open a ledger, and bring its tables up to date. A file that wayword did not write is left alone.

        Args:
            address: A path or a SQLAlchemy URL; by default ``WAYWORD_LEDGER``, else a file in the user's data directory.
            create: Create a ledger that does not exist: the file with its folders, or the tables in a database server.

        Raises:
            LedgerMissing: There is no ledger, and ``create`` is false.
            LedgerError: The database cannot be opened or is damaged, the file is not a ledger, or a newer wayword wrote it.
        """
        url = to_url(default_ledger() if address is None else address)
        name = display_url(url)
        path = sqlite_path(url)
        with translate_errors(name), ExitStack() as stack:
            if path is not None:
                _prepare_file(path, name, create=create)
            engine = make_engine(url, name)
            stack.callback(engine.dispose)
            with translate_damage(name), read_only(engine) as connection:
                exists, current = is_ledger(connection), is_current(connection)
            if not exists and path is not None:
                raise not_a_ledger(name)
            if not exists and not create:
                raise _missing(name)
            if not current:
                with engine.begin() as connection:
                    upgrade(connection, name)
            stack.pop_all()
        return cls(engine, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    @contextmanager
    def record(self, request: RunRequest) -> Iterator[Recording]:
        """Record a run, or resume an interrupted one with the same request.

        >>> from wayword.evaluation.runs import RunRequest
        >>> with Ledger.open("runs.sqlite") as ledger:
        ...     with ledger.record(RunRequest("hop", {"strategy": "first"}, "graph", [])) as recording:
        ...         recording.finish({"hop_value": 2.0})
        ...     ledger.runs()[0].state
        'done'
        """
        with Recording(self._engine, self.name, request) as recording:
            yield recording

    def delete(self, *numbers: int) -> None:
        """Delete runs with their rows: all of them, or none if that fails.

        Raises:
            RunUnknown: There is no run with one of these numbers, or it is still being recorded.
        """
        with translate_errors(self.name), self._engine.begin() as connection, Session(connection) as session:
            for number in numbers:
                with translate_damage(self.name):
                    run = self._find(session, number)
                if run.state == "running":
                    raise RunUnknown(f"run {number} of {self.name} is still being recorded; wait until it has ended")
            for number in numbers:
                for table in (TraversalRow, TrialRow):
                    connection.execute(delete(table).where(table.run == number))
                connection.execute(delete(RunRow).where(RunRow.id == number))

    def check(self) -> None:
        """Read everything.

        Raises:
            LedgerDamaged: Something cannot be read, or the database finds that its file is inconsistent.
        """
        with translate_errors(self.name), read_only(self._engine) as connection:
            if self._engine.dialect.name == "sqlite":
                for (line,) in connection.exec_driver_sql("PRAGMA integrity_check(1)"):
                    if line != "ok":
                        raise damage_error(self.name, line)
            with translate_damage(self.name):
                for table in (TraversalRow, TrialRow):
                    for _ in connection.execution_options(yield_per=10_000).execute(select(table)):
                        pass
        self.runs()

    def runs(self, kind: str | None = None, limit: int | None = None) -> list[Run]:
        """Return the runs, the newest first.

        Args:
            kind: Only runs of this kind: ``hop``, ``pairs``, ``reval``, ``evaluation`` or ``tuning``.
            limit: The greatest number of runs.
        """
        query = select(RunRow).order_by(RunRow.id.desc()).limit(limit)
        with self._read() as session:
            return [read_run(row) for row in session.scalars(query if kind is None else query.where(RunRow.kind == kind))]

    def run(self, number: int) -> Run:
        """Return one run.

        Raises:
            RunUnknown: There is no run with this number.
        """
        with self._read() as session:
            return self._find(session, number)

    def _find(self, session: Session, number: int) -> Run:
        row = session.get(RunRow, number) if abs(number) <= MAX_NUMBER else None
        if row is None:
            raise RunUnknown(f"there is no run {number} in {self.name}", hint("list_runs"))
        return read_run(row)

    @contextmanager
    def _read(self) -> Iterator[Session]:
        with (
            translate_errors(self.name),
            translate_damage(self.name),
            read_only(self._engine) as connection,
            Session(connection) as session,
        ):
            yield session

    def traversals(self, number: int) -> Iterator[RecordedTraversal]:
        """Yield the traversals of a HOP run, in the order of its starters."""
        with translate_errors(self.name), translate_damage(self.name):
            yield from read_traversals(self._engine, number)

    def trials(self, number: int) -> Iterator[RecordedTrial]:
        """Yield the trials of a tuning, in the order in which they were proposed."""
        with translate_errors(self.name), translate_damage(self.name):
            yield from read_trials(self._engine, number)


def _missing(name: str) -> LedgerMissing:
    return LedgerMissing(f"there is no ledger at {name}; HOP runs, hashtag experiments and scored pair files create one")


def _prepare_file(path: Path, name: str, *, create: bool) -> None:
    """Refuse a file that is not an SQLite file, as SQLite would make one of an empty file; create a missing one if wanted."""
    if path.exists():
        if not path.is_file():  # opening a pipe would wait for its other end
            raise not_a_ledger(name)
        with path.open("rb") as file:
            if file.read(len(SQLITE_SIGNATURE)) != SQLITE_SIGNATURE:
                raise not_a_ledger(name)
    elif create:
        goal = path.resolve()  # the goal of a link that leads nowhere yet
        goal.parent.mkdir(parents=True, exist_ok=True)
        _create_file(goal, name)
    else:
        raise _missing(name)


def _create_file(path: Path, name: str) -> None:
    """Create a ledger beside its path and link it to there when it is complete, so that no process sees half of it."""
    partial = path.with_name(f".{path.name[:40]}.{os.getpid()}-{get_ident()}.partial")
    try:
        engine = make_engine(to_url(str(partial)), name)
        with engine.begin() as connection:
            upgrade(connection, name)
        engine.dispose()
        _link(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def _link(partial: Path, path: Path) -> None:
    """Put a file at a path unless there is one; a rename could replace the ledger of a faster process."""
    try:
        os.link(partial, path)
    except OSError:  # another process was faster, or the file system has no links
        if not path.exists():
            partial.rename(path)
