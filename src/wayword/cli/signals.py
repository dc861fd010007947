"""Turn signals that end the process into exceptions, so that files are closed and partial output is removed."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

CTRL_C = 128 + signal.SIGINT
"""The exit code after Ctrl-C."""

HANDLED = (signal.SIGTERM, signal.SIGHUP)

CLEANUP_SECONDS = 2.0
"""Seconds in which further signals are ignored: a closed terminal sends two, and cleaning up must not be interrupted."""


RESEND_SECONDS = 0.01
"""Seconds after which a signal whose exception was lost is sent again: once the method that lost it has ended."""


class Terminated(BaseException):
    """A signal has asked this process to end."""

    def __init__(self, number: int) -> None:
        super().__init__(f"ended by {signal.Signals(number).name}")
        self.number = number
        self.exit_code = 128 + number


@contextmanager
def exit_on_interrupt() -> Iterator[None]:
    """Let Ctrl-C end the process at once during imports, where an exception can be lost."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, _exit)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _exit(_number: int, _frame: FrameType | None) -> None:
    with suppress(OSError):  # stderr may be closed
        os.write(2, b"Error: interrupted\n")
    os._exit(CTRL_C)


def find_interruption(error: BaseException) -> BaseException | None:
    """Return the interruption that an exception has replaced: as a class is created, or while a library is imported."""
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        found = waiting.pop()
        if isinstance(found, KeyboardInterrupt | Terminated):
            return found
        if id(found) not in seen:
            seen.add(id(found))
            waiting += [each for each in (found.__cause__, found.__context__) if each is not None]
    return None


def handle_signals() -> None:
    """Raise ``Terminated`` on SIGTERM and SIGHUP, unless they are ignored, as under ``nohup``.

    An exception that a handler raises in a ``__del__`` method is lost; then the signal is sent again.
    """
    last = -CLEANUP_SECONDS
    report_unraisable = sys.unraisablehook

    def end(number: int, _frame: FrameType | None) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= CLEANUP_SECONDS:
            last = now
            raise Terminated(number)

    def send_again(lost: sys.UnraisableHookArgs) -> None:
        nonlocal last
        if not isinstance(lost.exc_value, KeyboardInterrupt | Terminated):
            report_unraisable(lost)
            return
        number = lost.exc_value.number if isinstance(lost.exc_value, Terminated) else signal.SIGINT
        seconds = RESEND_SECONDS
        while True:
            last = -CLEANUP_SECONDS
            try:
                with suppress(RuntimeError):  # the interpreter ends, and starts no threads any more
                    threading.Timer(seconds, os.kill, (os.getpid(), number)).start()
                return
            except (KeyboardInterrupt, Terminated):  # it came before this function had ended, on a busy machine
                seconds *= 2

    sys.unraisablehook = send_again
    for number in HANDLED:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)
