"""Signals that end the process, heard as exceptions, so that whatever is open is closed and half a file is taken away."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

CTRL_C = 128 + signal.SIGINT
"""The exit code after Ctrl-C."""

HEARD = (signal.SIGTERM, signal.SIGHUP)

TIDYING = 2.0
"""Seconds in which a second such signal is not heard: a closed terminal says so twice, and tidying up is not to be ended."""


class Terminated(BaseException):
    """Another process, or the system, has asked this one to end."""

    def __init__(self, number: int) -> None:
        super().__init__(f"ended by {signal.Signals(number).name}")
        self.exit_code = 128 + number


@contextmanager
def exit_on_interrupt() -> Iterator[None]:
    """While nothing is done yet Ctrl-C ends the process at once: an exception in the middle of an import can be lost."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _leave(_number: int, _frame: FrameType | None) -> None:
    with suppress(OSError):  # stderr may be closed
        os.write(2, b"Error: interrupted\n")
    os._exit(CTRL_C)


def handle_signals() -> None:
    """From now on hear what asks the process to end; ``nohup`` and its like have their way."""
    last = -TIDYING

    def end(number: int, _frame: FrameType | None) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= TIDYING:
            last = now
            raise Terminated(number)

    for number in HEARD:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)
