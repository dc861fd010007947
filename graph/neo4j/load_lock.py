"""The load lock of a server: only one load at a time.

The lock is an open transaction that has written to the single ``WaywordLock`` node, so the server's write lock on that node
excludes other loads. When the process ends, even if it is killed, its connection breaks and the server rolls back the
transaction, so the lock needs no timeout and no cleanup. The statements of the load run in separate transactions that carry a
token. One of them may outlive a killed process, so a new holder waits until no statement of another load is running.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any

from ..errors import StoreBusy, StoreError
from .cancellation import WorkTimeout, make_token, run_with_timeout, terminate_transactions
from .connection import CONNECTION_TIMEOUT, Connection
from .errors import translate_errors
from .markers import LOCK

if TYPE_CHECKING:
    import neo4j

WAIT = 2.0
"""Seconds to wait for the lock; a load that has just ended needs less to release it."""

_HOLDERS = """SHOW TRANSACTIONS YIELD metaData WHERE metaData.wayword = $kind AND metaData.token <> $token
RETURN metaData.base, metaData.who"""


class HeldLock:
    """The lock while it is held. Every statement of the load runs through it."""

    def __init__(self, connection: Connection, transaction: neo4j.Transaction, base: str, token: str) -> None:
        self.connection = connection
        self._transaction = transaction
        self._metadata = {"wayword": "load", "token": token, "base": base, "who": process_name()}

    def check(self) -> None:
        """Raise if the lock was lost, as after a restart of the server."""
        from neo4j.exceptions import DriverError, Neo4jError

        try:
            self._transaction.run("RETURN 1").consume()
        except (DriverError, Neo4jError, OSError) as error:
            raise StoreError(
                f"the load lost its lock: {self.connection.address} was restarted or ended the transaction; load again"
            ) from error

    def run(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """Run one statement of the load, in one or several transactions of its own."""
        import neo4j

        self.check()
        query = neo4j.Query(statement, metadata=self._metadata, timeout=0)
        with self.connection.session("WRITE") as session:
            return [tuple(row) for row in session.run(query, dict(parameters or {})).values()]


def process_name() -> str:
    """Return the name of this process for messages."""
    return f"process {os.getpid()} on {socket.gethostname()}"


@contextmanager
def load_lock(connection: Connection, base: str) -> Iterator[HeldLock]:
    """Hold the load lock of a server; ``StoreBusy`` if another load holds it."""
    token = make_token()
    metadata = {"wayword": "lock", "token": token, "base": base, "who": process_name()}
    with connection.session("WRITE") as session:
        session.run(f"MERGE (:{LOCK} {{id: 'load'}})").consume()
    with ExitStack() as stack:
        session = stack.enter_context(connection.open_session("WRITE"))
        with translate_errors(connection.address, connection.database):
            transaction = session.begin_transaction(metadata=metadata, timeout=0)
        stack.callback(_release, transaction)

        def acquire(_: threading.Event) -> None:
            transaction.run(f"MATCH (lock:{LOCK} {{id: 'load'}}) SET lock.holder = $who", who=metadata["who"]).consume()

        try:
            with translate_errors(connection.address, connection.database):
                run_with_timeout(acquire, WAIT, lambda: terminate_transactions(connection, token))
        except WorkTimeout:
            raise _busy_error(connection, token) from None
        _await_other_statements(connection, token)
        yield HeldLock(connection, transaction, base, token)


def _release(transaction: neo4j.Transaction) -> None:
    from neo4j.exceptions import DriverError, Neo4jError

    with suppress(DriverError, Neo4jError, OSError):  # a broken connection has already released it
        transaction.rollback()


def _await_other_statements(connection: Connection, token: str) -> None:
    """Wait until the last statement of a killed load has ended on the server."""
    deadline = time.monotonic() + CONNECTION_TIMEOUT
    while holders := connection.read(_HOLDERS, {"kind": "load", "token": token}):
        if time.monotonic() > deadline:
            base, who = holders[0]
            raise StoreBusy(
                f"a statement of the load of {base} by {who} is still running on {connection.address}; try again later"
            )
        time.sleep(0.05)


def _busy_error(connection: Connection, token: str) -> StoreBusy:
    holders = connection.read(_HOLDERS, {"kind": "lock", "token": token})
    base, who = holders[0] if holders else ("a base", "another process")
    return StoreBusy(f"{who} is changing {base} in {connection.address}; wait until it has finished and try again")


def is_loading(connection: Connection) -> bool:
    """Whether a load holds the lock, as far as this user may see transactions."""
    return bool(connection.read(_HOLDERS, {"kind": "lock", "token": ""}))
