"""Deliver signals only after work that would lose them."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

ENDING = ("SIGINT", "SIGTERM", "SIGHUP")
"""The signals that end a process; not every system has all of them."""


@contextmanager
def defer_signals() -> Iterator[None]:
    """Call the handlers of Ctrl-C and of signals that end the process after the block.

    An exception that a handler raises while a library initialises itself may be lost, or leave the library half-initialised.
    """
    if threading.current_thread() is not threading.main_thread():  # handlers run in the main thread only
        yield
        return
    received: list[int] = []
    handlers = {number: signal.getsignal(number) for name in ENDING if (number := getattr(signal, name, None)) is not None}
    deferred = [number for number, handler in handlers.items() if callable(handler)]
    for number in deferred:
        signal.signal(number, lambda number, _: received.append(number))
    try:
        yield
    finally:
        for number in deferred:
            signal.signal(number, handlers[number])
        for number in received:
            signal.raise_signal(number)
