"""One run while it is written: it is there from its beginning, and what it has finished is kept if it is cut off.

Who works on a run leaves a mark. A run whose mark is of a process that is gone was cut off, and the next run that must come to
the same goes on with it, unless it has ended.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from threading import Event, Thread
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import Update, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from ... import __version__
from ...core.errors import WaywordError
from ...graph.errors import StoreError
from ..errors import LedgerError
from .database import read_only, translate_errors
from .liveness import BEAT, is_alive, make_mark, remove_mark
from .models import RunRow, TraversalRow
from .records import RecordedTraversal

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

    from ...graph.records import Base

AT_ONCE = 10_000
"""Rows that are read or written together."""

PACKAGES = ("numpy", "ladybug", "neo4j", "nltk", "torch", "transformers")


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What a run is asked to do. ``determines`` is all that its result depends on, in words and numbers."""

    kind: str
    parameters: dict[str, Any]
    store: str
    bases: list[dict[str, Any]]
    seed: int | None = None
    determines: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The same for runs that must come to the same."""
        said = [self.kind, self.parameters, self.bases, self.seed, self.determines, __version__]
        return hashlib.sha256(json.dumps(said, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def describe_bases(bases: Iterable[Base]) -> list[dict[str, Any]]:
    """What a row says of the bases that a run was of."""
    return [{"id": each.id, "kind": each.kind, "source": each.source, "revision": each.revision} for each in bases]


class Recording:
    """A run of the ledger that is being written; a context manager, at whose end the run is done, failed or cut off.

    While it is open it is heard of every so often, so that nobody takes it for one that was cut off.
    """

    def __init__(self, engine: Engine, name: str, asked: RunRequest) -> None:
        self._engine, self._name, self._mark = engine, name, make_mark()
        self._done = False
        self._over = Event()
        with translate_errors(name):
            resumed = self._taken_up(asked.key)
            self.id = self._begun(asked) if resumed is None else resumed
        self.resumed = resumed is not None

    def __enter__(self) -> Self:
        self._heart = Thread(target=self._keep_beating, daemon=True)
        self._heart.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self._over.set()
        self._heart.join()
        remove_mark(self._mark)
        if self._done:
            return
        # What the asker has to mend would fail again; all else was cut off, and can go on.
        mend = isinstance(error, WaywordError) and not isinstance(error, LedgerError | StoreError)
        failed = {"state": "failed", "ended": datetime.now(UTC)} if mend else {}
        with suppress(SQLAlchemyError), self._engine.begin() as connection:
            connection.execute(self._ours().values(process=None, **failed))

    def _keep_beating(self) -> None:
        while not self._over.wait(BEAT):
            with suppress(SQLAlchemyError), self._engine.begin() as connection:
                connection.execute(self._ours().values(beat=datetime.now(UTC)))

    def _ours(self) -> Update:
        """An update of the row, as long as nobody else has taken the run over."""
        return update(RunRow).where(RunRow.id == self.id, RunRow.process == self._mark)

    def _write(self, connection: Connection, **values: Any) -> None:
        if not connection.execute(self._ours().values(**values)).rowcount:
            raise LedgerError(
                f"run {self.id} of {self._name} was taken over by another process; see wayword runs show {self.id}"
            )

    def _begun(self, asked: RunRequest) -> int:
        now = datetime.now(UTC)
        row = {
            "kind": asked.kind,
            "key": asked.key,
            "state": "running",
            "begun": now,
            "seed": asked.seed,
            "store": asked.store,
            "bases": asked.bases,
            "parameters": asked.parameters,
            "versions": versions(),
            "process": self._mark,
            "beat": now,
        }
        with translate_errors(self._name), self._engine.begin() as connection:
            made = connection.execute(insert(RunRow).values(row)).inserted_primary_key
        assert made is not None  # noqa: S101 - one row has one
        return int(made[0])

    def _taken_up(self, key: str) -> int | None:
        """The run of this key that was cut off, which is ours from now on; None where there is none."""
        with translate_errors(self._name), self._engine.begin() as connection:
            cut_off = select(RunRow.id, RunRow.process, RunRow.beat).where(RunRow.key == key, RunRow.state == "running")
            for number, process, beat in connection.execute(cut_off.order_by(RunRow.id.desc())).all():
                if is_alive(process, beat):
                    continue
                same = RunRow.process.is_(None) if process is None else RunRow.process == process
                taken = update(RunRow).where(RunRow.id == number, same).values(process=self._mark, beat=datetime.now(UTC))
                if connection.execute(taken).rowcount:
                    return int(number)
        return None

    def walked(self) -> Iterator[RecordedTraversal]:
        """The traversals that are there already, by their places."""
        with translate_errors(self._name):
            yield from read_traversals(self._engine, self.id)

    def add(self, traversals: Sequence[RecordedTraversal]) -> None:
        """Write these traversals; they are there from now on, whatever happens."""
        with translate_errors(self._name), self._engine.begin() as connection:
            self._write(connection, beat=datetime.now(UTC))
            _insert(connection, self.id, traversals)

    def finish(self, result: dict[str, Any]) -> None:
        """Write what came of the run."""
        done = {"state": "done", "ended": datetime.now(UTC), "result": result, "process": None, "versions": versions()}
        with translate_errors(self._name), self._engine.begin() as connection:
            self._write(connection, **done)
        self._done = True


def _insert(connection: Connection, run: int, traversals: Sequence[RecordedTraversal]) -> None:
    """Insert rows, by the driver itself where it takes them as they are, which is five times as fast."""
    statement = insert(TraversalRow)
    compiled = statement.compile(dialect=connection.dialect, column_keys=["run", *RecordedTraversal._fields])
    for start in range(0, len(traversals), AT_ONCE):
        some = traversals[start : start + AT_ONCE]
        if compiled.positional and list(compiled.positiontup or ()) == ["run", *RecordedTraversal._fields]:
            connection.exec_driver_sql(compiled.string, [(run, *each) for each in some])
        else:
            connection.execute(statement, [{"run": run, **each._asdict()} for each in some])


_COLUMNS = [getattr(TraversalRow, name) for name in RecordedTraversal._fields]


def read_traversals(engine: Engine, run: int) -> Iterator[RecordedTraversal]:
    """The traversals of a run by their places, some at a time, so that nobody who writes has to wait for us."""
    last = -1
    while True:
        page = select(*_COLUMNS).where(TraversalRow.run == run, TraversalRow.place > last)
        with read_only(engine) as connection:
            rows = connection.execute(page.order_by(TraversalRow.place).limit(AT_ONCE)).all()
        yield from map(RecordedTraversal._make, rows)
        if len(rows) < AT_ONCE:
            return
        last = rows[-1].place


def versions() -> dict[str, str]:
    """The versions of the programs that a result may depend on, of those that are there."""
    found = {"python": platform.python_version(), "wayword": __version__}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
