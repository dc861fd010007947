"""Run work on a server so that a timeout or Ctrl-C can end it.

The driver blocks until the server answers, and some statements never finish. So work that may take long runs in a separate
thread, and its transaction carries a token. After a timeout, the waiting thread has the server terminate the transactions
with that token.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from ..errors import StoreError

if TYPE_CHECKING:
    from .connection import Connection

T = TypeVar("T")

GRACE = 2.0
"""Seconds that terminated work gets to return before its thread is abandoned."""


class WorkTimeout(Exception):
    """The work did not finish in time and was terminated."""


def make_token() -> str:
    """Return a new, unique name for a transaction."""
    return uuid.uuid4().hex


def run_with_timeout(work: Callable[[threading.Event], T], seconds: float, terminate: Callable[[], None]) -> T:
    """Run work in another thread and return its result, or raise its exception.

    Args:
        work: Receives an event that is set once the work has been cancelled; then it must not begin anything new.
        seconds: The time limit.
        terminate: Ends the work on the server. It is called after the time limit or on Ctrl-C, repeatedly until the work
            returns or ``GRACE`` is over, because a transaction may begin only after the first call.

    Raises:
        WorkTimeout: The work did not finish in time.

    >>> run_with_timeout(lambda cancelled: 42, 1.0, lambda: None)
    42
    """
    result: list[T] = []
    failure: list[BaseException] = []
    done, cancelled = threading.Event(), threading.Event()

    def run() -> None:
        try:
            result.append(work(cancelled))
        except BaseException as error:
            failure.append(error)
        finally:
            done.set()

    def cancel() -> None:
        cancelled.set()
        deadline = time.monotonic() + GRACE
        terminate()
        while not done.wait(0.2) and time.monotonic() < deadline:
            terminate()

    threading.Thread(target=run, name="wayword-statement", daemon=True).start()
    try:
        in_time = done.wait(seconds)
    except KeyboardInterrupt:
        cancel()
        raise
    if not in_time:
        cancel()
        raise WorkTimeout
    if failure:
        raise failure[0]
    return result[0]


def terminate_transactions(connection: Connection, token: str) -> None:
    """Have the server end the transactions that carry a token."""
    with suppress(StoreError):  # a transaction may end by itself before it is terminated
        rows = connection.read(
            "SHOW TRANSACTIONS YIELD transactionId, metaData WHERE metaData.token = $token RETURN transactionId",
            {"token": token},
        )
        if rows:
            with connection.session("WRITE") as session:
                session.run("TERMINATE TRANSACTIONS $ids", ids=[row[0] for row in rows]).consume()
