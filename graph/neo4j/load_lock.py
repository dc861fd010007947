"""The lock of a load on a server: one load at a time, whoever dies lets go.

It is a transaction that has written to the one ``WaywordLock`` node and stays open as long as the load takes. When the
process ends, however it ends, its connection breaks and the server rolls the transaction back; nothing has to be timed out
or cleaned up. Every statement of a load carries a token, so a new holder can wait until a dead one's last statement is over.
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
from .cancellation import LateError, make_token, run_with_timeout, terminate
from .connection import PATIENCE, Connection, translate_errors
from .markers import LOCK

if TYPE_CHECKING:
    import neo4j

WAIT = 2.0
"""Seconds to wait for the lock: the longest that a load which has just ended needs to let go."""

_HOLDERS = """SHOW TRANSACTIONS YIELD metaData WHERE metaData.wayword = $kind AND metaData.token <> $token
RETURN metaData.base, metaData.who"""


class HeldLock:
    """The lock while it is held; every statement of the load goes through it."""

    def __init__(self, connection: Connection, transaction: neo4j.Transaction, base: str, mark: str) -> None:
        self.connection = connection
        self._transaction = transaction
        self._metadata = {"wayword": "load", "token": mark, "base": base, "who": whoami()}

    def check(self) -> None:
        """Make sure that the lock is still ours: the server may have been restarted meanwhile."""
        from neo4j.exceptions import DriverError, Neo4jError

        try:
            self._transaction.run("RETURN 1").consume()
        except (DriverError, Neo4jError, OSError) as error:
            raise StoreError(
                f"the load lost its lock on {self.connection.address}: the server was restarted or ended it; load again"
            ) from error

    def run(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """Carry out one statement of the load, in a transaction (or several) of its own."""
        import neo4j

        self.check()
        query = neo4j.Query(statement, metadata=self._metadata, timeout=0)
        with self.connection.session("WRITE") as session:
            return [tuple(row) for row in session.run(query, dict(parameters or {})).values()]


def whoami() -> str:
    """The name of this process, as a message about the lock names it."""
    return f"process {os.getpid()} on {socket.gethostname()}"


@contextmanager
def load_lock(connection: Connection, base: str) -> Iterator[HeldLock]:
    """Hold the lock of a server's loads; ``StoreBusy`` if another load does."""
    mark = make_token()
    metadata = {"wayword": "lock", "token": mark, "base": base, "who": whoami()}
    with connection.session("WRITE") as session:
        session.run(f"MERGE (:{LOCK} {{id: 'load'}})").consume()
    with ExitStack() as stack:
        session = stack.enter_context(connection.driver.session(database=connection.database))
        with translate_errors(connection.address, connection.database):
            transaction = session.begin_transaction(metadata=metadata, timeout=0)
        stack.callback(_let_go, transaction)

        def take(_: threading.Event) -> None:
            transaction.run(f"MATCH (lock:{LOCK} {{id: 'load'}}) SET lock.holder = $who", who=metadata["who"]).consume()

        try:
            with translate_errors(connection.address, connection.database):
                run_with_timeout(take, WAIT, lambda: terminate(connection, mark))
        except LateError:
            raise _busy(connection, mark) from None
        _outlive(connection, mark)
        yield HeldLock(connection, transaction, base, mark)


def _let_go(transaction: neo4j.Transaction) -> None:
    from neo4j.exceptions import DriverError, Neo4jError

    with suppress(DriverError, Neo4jError, OSError):  # a connection that broke has let go already
        transaction.rollback()


def _outlive(connection: Connection, mark: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while holders := connection.read(_HOLDERS, {"kind": "load", "token": mark}):
        if time.monotonic() > deadline:
            base, who = holders[0]
            raise StoreBusy(f"a statement of a load of {base} by {who} still runs on {connection.address}; load again later")
        time.sleep(0.05)


def _busy(connection: Connection, mark: str) -> StoreBusy:
    holders = connection.read(_HOLDERS, {"kind": "lock", "token": mark})
    base, who = holders[0] if holders else ("a base", "another process")
    return StoreBusy(f"{who} is loading {base} into {connection.address}; wait until it has ended and load again")


def is_loading(connection: Connection) -> bool:
    """Whether a load holds the lock now, as far as this user may see."""
    return bool(connection.read(_HOLDERS, {"kind": "lock", "token": ""}))
