"""Waits for a server in a way that a clock or Ctrl-C can end.

The driver does not come back before the server answers, and some statements never answer. So a statement that may take long
runs in a thread of its own, its transaction carries a token, and whoever waits can have the server end what carries it.
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
"""Seconds that an ended statement gets to say so before it is left behind."""


class LateError(Exception):
    """The work was not done in time; it has been ended."""


def make_token() -> str:
    """A name for one transaction that nothing else has."""
    return uuid.uuid4().hex


def run_with_timeout(work: Callable[[threading.Event], T], seconds: float, end: Callable[[], None]) -> T:
    """What ``work`` returns or raises; ``LateError`` after some seconds.

    Late or interrupted, ``end`` is called until the work is over or left behind. The event that ``work`` gets is set by
    then: it should not begin anything new.

    >>> run_with_timeout(lambda ended: 42, 1.0, lambda: None)
    42
    """
    result: list[T] = []
    failure: list[BaseException] = []
    done, ended = threading.Event(), threading.Event()

    def run() -> None:
        try:
            result.append(work(ended))
        except BaseException as error:
            failure.append(error)
        finally:
            done.set()

    def give_up() -> None:
        ended.set()
        until = time.monotonic() + GRACE
        end()
        while not done.wait(0.2) and time.monotonic() < until:
            end()

    threading.Thread(target=run, name="wayword-statement", daemon=True).start()
    try:
        in_time = done.wait(seconds)
    except KeyboardInterrupt:
        give_up()
        raise
    if not in_time:
        give_up()
        raise LateError
    if failure:
        raise failure[0]
    return result[0]


def terminate(connection: Connection, mark: str) -> None:
    """Have the server end the transactions that carry this token, those that are still there."""
    with suppress(StoreError):  # one that has just ended by itself is what we want
        found = connection.read(
            "SHOW TRANSACTIONS YIELD transactionId, metaData WHERE metaData.token = $token RETURN transactionId",
            {"token": mark},
        )
        if found:
            with connection.session("WRITE") as session:
                session.run("TERMINATE TRANSACTIONS $ids", ids=[row[0] for row in found]).consume()
