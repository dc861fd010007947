"""Signals that arrive while a library initialises itself."""

from __future__ import annotations

import signal
import threading

import pytest

from wayword.core.deferred_signals import defer_signals


def test_ctrl_c_is_raised_after_the_block_and_the_handler_is_the_old_one() -> None:
    done = []

    def initialise() -> None:
        with defer_signals():
            signal.raise_signal(signal.SIGINT)
            done.append("initialised")

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        initialise()
    assert done == ["initialised"]
    assert signal.getsignal(signal.SIGINT) is before


def test_other_threads_defer_nothing() -> None:
    failures: list[Exception] = []

    def initialise() -> None:
        try:
            with defer_signals():
                pass
        except ValueError as error:
            failures.append(error)

    thread = threading.Thread(target=initialise)
    thread.start()
    thread.join()
    assert failures == []
