"""Opens a ledger, and reads and writes its runs. It imports SQLAlchemy, so import it only where a ledger is needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeGuard

from sqlalchemy import select
from sqlalchemy.orm import Session

from ...core.errors import hint
from ..errors import LedgerMissing, RunUnknown
from .database import make_engine, read_only, translate_errors
from .location import default_ledger, display_url, to_url
from .migrate import is_current, upgrade
from .models import RunRow
from .recording import Recording, read_traversals
from .records import read_run

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from .recording import RunRequest
    from .records import RecordedTraversal, Run

MAX_NUMBER = (1 << 31) - 1
"""The greatest number of a run that the database can hold."""


def _is_path(database: str | None) -> TypeGuard[str]:
    """Return whether the database of an SQLite URL is a path, not in memory and not a ``file:`` URI with options."""
    return bool(database) and database != ":memory:" and not str(database).startswith("file:")


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
        """Open a ledger, and create its tables or bring them up to date.

        Args:
            address: A path or a SQLAlchemy URL; by default ``WAYWORD_LEDGER``, else a file in the user's data directory.
            create: Create a file that does not exist, with its folders.

        Raises:
            LedgerMissing: The file does not exist, and ``create`` is false.
            LedgerError: The database cannot be opened, belongs to another program, or was written by a newer wayword.
        """
        url = to_url(default_ledger() if address is None else address)
        name = display_url(url)
        with translate_errors(name):
            if url.get_backend_name() == "sqlite" and _is_path(url.database):
                if not create and not Path(url.database).exists():
                    raise LedgerMissing(
                        f"there is no ledger at {name}; HOP runs, hashtag experiments and scored pair files create one"
                    )
                Path(url.database).absolute().parent.mkdir(parents=True, exist_ok=True)
            engine = make_engine(url, name)
            with ExitStack() as stack:
                stack.callback(engine.dispose)
                with read_only(engine) as connection:
                    current = is_current(connection)
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

    def runs(self, kind: str | None = None, limit: int | None = None) -> list[Run]:
        """Return the runs, the newest first.

        Args:
            kind: Only runs of this kind: ``hop``, ``pairs`` or ``reval``.
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
            row = session.get(RunRow, number) if abs(number) <= MAX_NUMBER else None
            if row is None:
                raise RunUnknown(f"there is no run {number} in {self.name}", hint("list_runs"))
            return read_run(row)

    @contextmanager
    def _read(self) -> Iterator[Session]:
        with translate_errors(self.name), read_only(self._engine) as connection, Session(connection) as session:
            yield session

    def traversals(self, number: int) -> Iterator[RecordedTraversal]:
        """Yield the traversals of a HOP run, in the order of its starters."""
        with translate_errors(self.name):
            yield from read_traversals(self._engine, number)
