"""Process pools for reading dumps, cleaning tweets and scoring pairs."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.resource_tracker import ensure_running

WORKER_LOST_ADVICE = (
    "most often for its memory (then use fewer workers), or because a script that starts workers says so outside of "
    "if __name__ == '__main__'"
)
"""Why a worker process ends before its time, for messages."""


def cpu_count() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def process_pool(workers: int) -> Iterator[Executor | None]:
    """Open an executor with so many processes; None for one worker, which is this process itself."""
    if workers <= 1:
        yield None
        return
    with start_processes(workers) as executor:
        yield executor


@contextmanager
def start_processes(count: int) -> Iterator[Executor]:
    """Start processes and close them at the end, at once if it is an error.

    They are spawned rather than forked, since this process may have threads. They never see signals of the terminal (Ctrl-C, or
    its end): this process does, and ends them.
    """
    context = get_context("spawn")
    end, hold = context.Pipe(duplex=False)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})  # inherited by all that is started below
    try:
        ensure_running()  # before SIGINT is blocked, which it unblocks
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        executor = ProcessPoolExecutor(count, mp_context=context, initializer=_watch, initargs=(end,))
        executor.submit(int)  # starts the processes
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    try:
        yield executor
    except BaseException:
        hold.close()  # ends the processes without waiting for their tasks
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)
        hold.close()
        end.close()


def _watch(end: Connection) -> None:
    threading.Thread(target=_exit_with_parent, args=(end,), daemon=True).start()


def _exit_with_parent(end: Connection) -> None:
    """Exit as soon as the parent process closes its side of the pipe, or is gone."""
    parent = parent_process()
    wait([end] if parent is None else [end, parent.sentinel])
    os._exit(1)
