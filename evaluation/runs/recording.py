"""Writes one run into the ledger while it runs.

The row of a run exists from its start, and traversals and trials are committed as they end, so an interrupted run loses nothing
that was finished. The process that records a run is its owner (``liveness``). A running run whose owner is dead was
interrupted; the next run with the same request claims it and resumes it. Updates are conditional on the owner, so a process
that has lost its run to another one notices when it writes next.
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

from sqlalchemy import Update, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from ... import __version__
from ...core.errors import WaywordError, hint
from ...graph.errors import StoreError
from ..errors import LedgerError
from .database import read_only, translate_damage, translate_errors, wait_longer
from .liveness import HEARTBEAT_INTERVAL, create_owner, is_alive, release_owner
from .models import RunRow, TraversalRow, TrialRow
from .records import RecordedTraversal, RecordedTrial

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

    from ...graph.records import Base

CHUNK = 10_000
"""Rows that are read or written together."""

PACKAGES = ("numpy", "scipy", "ladybug", "neo4j", "nltk", "torch", "transformers")
"""The packages whose versions a run records."""


@dataclass(frozen=True, slots=True)
class RunRequest:
    """The request for a run.

    - ``kind``: ``hop``, ``pairs``, ``reval``, ``evaluation`` or ``tuning``
    - ``parameters``, ``seed``: its parameters, ready for JSON
    - ``store``, ``bases``: the address of its store, and the bases that it reads (see ``describe_bases``)
    - ``inputs``: everything else that its result depends on, such as the content of files
    """

    kind: str
    parameters: dict[str, Any]
    store: str
    bases: list[dict[str, Any]]
    seed: int | None = None
    inputs: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """A digest that is equal for requests with the same result."""
        values = [self.kind, self.parameters, self.bases, self.seed, self.inputs, __version__]
        return hashlib.sha256(json.dumps(values, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def describe_bases(bases: Iterable[Base]) -> list[dict[str, Any]]:
    """Serialise the bases that a run reads."""
    return [{"id": each.id, "kind": each.kind, "source": each.source, "revision": each.revision} for each in bases]


class Recording:
    """A run that is being recorded; a context manager.

    On exit without ``finish`` the run has failed if the error is the user's to fix; otherwise it was interrupted and can be
    resumed. A thread writes heartbeats meanwhile.
    """

    def __init__(self, engine: Engine, name: str, request: RunRequest) -> None:
        self._engine, self._name, self._owner = engine, name, create_owner()
        self._patient = wait_longer(engine)
        self._finished = False
        self._stopped = Event()
        with translate_errors(name), translate_damage(name):
            interrupted = self._claim_interrupted(request.key)
            self.id = self._insert_run(request) if interrupted is None else interrupted
        self.is_resumed = interrupted is not None

    def __enter__(self) -> Self:
        self._heartbeat_thread = Thread(target=self._send_heartbeats, daemon=True)
        self._heartbeat_thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self._stopped.set()
        self._heartbeat_thread.join()
        release_owner(self._owner)
        if self._finished:
            return
        # An error that the user has to fix would occur again; after any other the run can be resumed.
        failed = isinstance(error, WaywordError) and not isinstance(error, LedgerError | StoreError)
        values = {"state": "failed", "ended": datetime.now(UTC)} if failed else {}
        with suppress(SQLAlchemyError), self._engine.begin() as connection:
            connection.execute(self._update_if_owner().values(owner=None, **values))

    def _send_heartbeats(self) -> None:
        while not self._stopped.wait(HEARTBEAT_INTERVAL):
            with suppress(SQLAlchemyError), self._engine.begin() as connection:
                connection.execute(self._update_if_owner().values(heartbeat=datetime.now(UTC)))

    def _update_if_owner(self) -> Update:
        """Return an update that changes the row only while this process owns the run."""
        return update(RunRow).where(RunRow.id == self.id, RunRow.owner == self._owner)

    def _update(self, connection: Connection, **values: Any) -> None:
        if not connection.execute(self._update_if_owner().values(**values)).rowcount:
            raise LedgerError(f"another process has claimed run {self.id} of {self._name}", hint("show_run", run=self.id))

    def _insert_run(self, request: RunRequest) -> int:
        now = datetime.now(UTC)
        row = {
            "kind": request.kind,
            "key": request.key,
            "state": "running",
            "begun": now,
            "seed": request.seed,
            "store": request.store,
            "bases": request.bases,
            "parameters": request.parameters,
            "versions": read_versions(),
            "owner": self._owner,
            "heartbeat": now,
        }
        with translate_errors(self._name), self._engine.begin() as connection:
            primary_key = connection.execute(insert(RunRow).values(row)).inserted_primary_key
        assert primary_key is not None  # noqa: S101 - an inserted row has one
        return int(primary_key[0])

    def _claim_interrupted(self, key: str) -> int | None:
        """Become the owner of the newest interrupted run with this key; return its number, or None."""
        with translate_errors(self._name), self._engine.begin() as connection:
            running = select(RunRow.id, RunRow.owner, RunRow.heartbeat).where(RunRow.key == key, RunRow.state == "running")
            for number, owner, heartbeat in connection.execute(running.order_by(RunRow.id.desc())).all():
                if is_alive(owner, heartbeat):
                    continue
                # Only if its owner is still the dead one: of several processes one succeeds.
                unchanged = RunRow.owner.is_(None) if owner is None else RunRow.owner == owner
                claim = update(RunRow).where(RunRow.id == number, unchanged)
                if connection.execute(claim.values(owner=self._owner, heartbeat=datetime.now(UTC))).rowcount:
                    return int(number)
        return None

    def traversals(self) -> Iterator[RecordedTraversal]:
        """Yield the traversals that are recorded already, by position."""
        with translate_errors(self._name), translate_damage(self._name):
            yield from read_traversals(self._engine, self.id)

    def add(self, traversals: Sequence[RecordedTraversal]) -> None:
        """Commit traversals."""
        with translate_errors(self._name), self._patient.begin() as connection:
            self._update(connection, heartbeat=datetime.now(UTC))
            _insert_traversals(connection, self.id, traversals)

    def count_trials(self) -> int:
        """Return how many trials are recorded already."""
        with translate_errors(self._name), translate_damage(self._name), read_only(self._engine) as connection:
            return connection.execute(select(func.count()).where(TrialRow.run == self.id)).scalar_one()

    def add_trials(self, trials: Sequence[RecordedTrial]) -> None:
        """Commit trials."""
        with translate_errors(self._name), self._patient.begin() as connection:
            self._update(connection, heartbeat=datetime.now(UTC))
            connection.execute(insert(TrialRow), [{"run": self.id, **each._asdict()} for each in trials])

    def finish(self, result: dict[str, Any]) -> None:
        """Commit the result of the run, ready for JSON; the run is done."""
        values = {"state": "done", "ended": datetime.now(UTC), "result": result, "owner": None, "versions": read_versions()}
        with translate_errors(self._name), self._patient.begin() as connection:
            self._update(connection, **values)
        self._finished = True


def _insert_traversals(connection: Connection, run: int, traversals: Sequence[RecordedTraversal]) -> None:
    """Insert rows; through the driver itself if it takes positional parameters, which is five times as fast."""
    columns = ["run", *RecordedTraversal._fields]
    statement = insert(TraversalRow)
    compiled = statement.compile(dialect=connection.dialect, column_keys=columns)
    for start in range(0, len(traversals), CHUNK):
        chunk = traversals[start : start + CHUNK]
        if compiled.positional and list(compiled.positiontup or ()) == columns:
            connection.exec_driver_sql(compiled.string, [(run, *each) for each in chunk])
        else:
            connection.execute(statement, [{"run": run, **each._asdict()} for each in chunk])


def read_traversals(engine: Engine, run: int) -> Iterator[RecordedTraversal]:
    """Yield the traversals of a run by position."""
    yield from map(RecordedTraversal._make, _read_rows(engine, TraversalRow, RecordedTraversal._fields, run))


def read_trials(engine: Engine, run: int) -> Iterator[RecordedTrial]:
    """Yield the trials of a tuning by position."""
    yield from map(RecordedTrial._make, _read_rows(engine, TrialRow, RecordedTrial._fields, run))


def _read_rows(engine: Engine, table: type[TraversalRow | TrialRow], names: Sequence[str], run: int) -> Iterator[Any]:
    """Yield the rows of a run by position, a page per transaction, so that a slow reader blocks no writer."""
    last = -1
    columns = [getattr(table, name) for name in names]
    while True:
        page = select(*columns).where(table.run == run, table.position > last)
        with read_only(engine) as connection:
            rows = connection.execute(page.order_by(table.position).limit(CHUNK)).all()
        yield from rows
        if len(rows) < CHUNK:
            return
        last = rows[-1].position


def read_versions() -> dict[str, str]:
    """Return the versions of the installed programs that a result may depend on."""
    found = {"python": platform.python_version(), "wayword": __version__}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
