"""Run work on a server so that a timeout or Ctrl-C can end it.

The driver blocks until the server answers, and some statements never finish. So work that may take long runs in a separate
thread, and its transaction carries a token. After a timeout, another thread has the server terminate the transactions with that
token; the caller does not wait for it, because a server that is frozen would not answer that either.
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

_TERMINATION = 5.0
"""Seconds for which the termination of work is repeated."""


class WorkTimeout(Exception):
    """The work did not finish in time and was terminated."""


def make_token() -> str:
    """Return a new, unique name for a transaction."""
    return uuid.uuid4().hex


def run_with_timeout(
    work: Callable[[threading.Event], T], seconds: float, terminate: Callable[[], None], grace: float = GRACE
) -> T:
    """Run work in another thread and return its result, or raise its exception.

    Args:
        work: Receives an event that is set once the work has been cancelled; then it must not begin anything new.
        seconds: The time limit.
        terminate: Ends the work on the server. It is called after the time limit or on Ctrl-C, repeatedly until the work
            returns or a few seconds are over, because a transaction may begin only after the first call.
        grace: Seconds after the time limit that the work gets to return once it has been terminated.

    Raises:
        WorkTimeout: The work did not finish in time.
        StoreError: No thread can be started.

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

    def terminate_until_done() -> None:
        deadline = time.monotonic() + _TERMINATION
        terminate()
        while not done.wait(0.2) and time.monotonic() < deadline:
            terminate()

    def cancel(seconds: float) -> None:
        cancelled.set()
        _start_thread(terminate_until_done)
        done.wait(seconds)

    _start_thread(run)
    try:
        in_time = done.wait(seconds)
    except KeyboardInterrupt:
        cancel(GRACE)
        raise
    if not in_time:
        cancel(grace)
        raise WorkTimeout
    if failure:
        raise failure[0]
    return result[0]


def _start_thread(work: Callable[[], None]) -> None:
    try:
        threading.Thread(target=work, name="wayword-statement", daemon=True).start()
    except RuntimeError as error:
        raise StoreError(f"cannot start a thread for a statement ({error}); raise the limit on processes or memory") from error


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
