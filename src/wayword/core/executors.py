"""Processes that read a dump or clean tweets side by side, where the caller brings no executor of his own."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait

WORKER_LOST_ADVICE = (
    "most often for its memory (then use fewer workers), or because a script that starts workers says so outside of "
    "if __name__ == '__main__'"
)
"""Why a worker process ends before its time, for messages."""


def cpu_count() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def process_pool(workers: int) -> Iterator[Executor | None]:
    """An executor with so many processes; None for one worker, which is this process itself.

    They are started anew and not copied, since this process may have threads. Ctrl-C is for this process alone to hear.
    """
    if workers <= 1:
        yield None
        return
    context = get_context("spawn")
    told, teller = context.Pipe(duplex=False)
    executor = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(told,))
    try:
        yield executor
    except BaseException:
        teller.close()  # what is half done is done for nobody
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)
        teller.close()
        told.close()


def _begin(told: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_when_told, args=(told,), daemon=True).start()


def _end_when_told(told: Connection) -> None:
    """End this process at once when the one that started it says so, or has died, which nobody else would tell it."""
    parent = parent_process()
    wait([told] if parent is None else [told, parent.sentinel])
    os._exit(1)
