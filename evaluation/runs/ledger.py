"""Opens a ledger, and reads and writes its runs. To be imported where one is wanted: SQLAlchemy comes with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeGuard

from sqlalchemy import select
from sqlalchemy.orm import Session

from ..errors import LedgerMissing, RunUnknown
from .database import connect, read_only, translate_errors
from .location import default_ledger, display_url, to_url
from .migrate import is_current, upgrade
from .models import RunRow
from .recording import Recording, read_traversals
from .records import read_run

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from .recording import RunRequest
    from .records import RecordedTraversal, Run


def _is_path(database: str | None) -> TypeGuard[str]:
    """Whether what SQLite is told is a path, and nothing in memory and no file: address with options of its own."""
    return bool(database) and database != ":memory:" and not str(database).startswith("file:")


class Ledger:
    """The runs at an address: a path, or an address of SQLAlchemy's; made where there is nothing yet.

    >>> with Ledger.open("runs.sqlite") as ledger:
    ...     list(ledger.runs())
    []
    """

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine, self.name = engine, name

    @classmethod
    def open(cls, address: str | None = None, *, make: bool = True) -> Self:
        """The ledger at this address, by default in the user's data directory, with its tables made or brought up to date.

        Without ``make`` it has to be there already.
        """
        url = to_url(default_ledger() if address is None else address)
        name = display_url(url)
        with translate_errors(name):
            if url.get_backend_name() == "sqlite" and _is_path(url.database):
                if not make and not Path(url.database).exists():
                    raise LedgerMissing(
                        f"there is no ledger at {name}; hop run, hashtags experiment and score --pairs write one"
                    )
                Path(url.database).absolute().parent.mkdir(parents=True, exist_ok=True)
            engine = connect(url, name)
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
        """Let go of all connections."""
        self._engine.dispose()

    @contextmanager
    def record(self, asked: RunRequest) -> Iterator[Recording]:
        """Begin a run, or go on with one that was cut off and must come to the same."""
        with Recording(self._engine, self.name, asked) as recording:
            yield recording

    def runs(self, kind: str | None = None, limit: int | None = None) -> list[Run]:
        """The runs, the newest first."""
        wanted = select(RunRow).order_by(RunRow.id.desc()).limit(limit)
        with self._reading() as session:
            return [read_run(row) for row in session.scalars(wanted if kind is None else wanted.where(RunRow.kind == kind))]

    def run(self, number: int) -> Run:
        """The run of this number."""
        with self._reading() as session:
            row = session.get(RunRow, number) if abs(number) < 1 << 31 else None
            if row is None:
                raise RunUnknown(f"there is no run {number} in {self.name}; `wayword runs` lists them")
            return read_run(row)

    @contextmanager
    def _reading(self) -> Iterator[Session]:
        with translate_errors(self.name), read_only(self._engine) as connection, Session(connection) as session:
            yield session

    def walked(self, number: int) -> Iterator[RecordedTraversal]:
        """The traversals of a run, in the order of its starters."""
        with translate_errors(self.name):
            yield from read_traversals(self._engine, number)
