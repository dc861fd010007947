"""Process pools for reading dumps, cleaning tweets and scoring pairs."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext
from multiprocessing.queues import SimpleQueue
from multiprocessing.resource_tracker import ensure_running
from typing import Any

from .deferred_signals import defer_signals

WORKER_LOST_ADVICE = (
    "usually for lack of memory (then use fewer workers), or because a script starts workers outside of "
    "if __name__ == '__main__'"
)
"""The usual reasons why a worker process dies, for messages."""


def cpu_count() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def process_pool(workers: int) -> Iterator[Executor | None]:
    """Open a process pool; with one worker yield None, and the caller does the work itself."""
    if workers <= 1:
        yield None
        return
    with start_processes(workers) as executor:
        yield executor


@contextmanager
def start_processes(count: int) -> Iterator[Executor]:
    """Open a process pool, and close it at the end of the block; after an error, without waiting for its tasks.

    Processes are spawned rather than forked, because this process may have threads. They ignore the signals of the terminal
    (SIGINT, SIGHUP), which this process handles by ending the pool.
    """
    context = _Context()
    stop_receiver, stop_sender = context.Pipe(duplex=False)
    executor: ProcessPoolExecutor | None = None
    try:
        with defer_signals():  # a pool that is interrupted while it starts waits for ever for its first tasks
            executor = _start_pool(context, count, stop_receiver)
        yield executor
    except BaseException:
        stop_sender.close()  # ends the processes without waiting for their tasks
        raise
    finally:
        if executor is not None:
            executor.shutdown(wait=True, cancel_futures=True)
        stop_sender.close()
        stop_receiver.close()


def _start_pool(context: SpawnContext, count: int, stop_receiver: Connection) -> ProcessPoolExecutor:
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})  # inherited by the processes started below
    try:
        ensure_running()  # must come before SIGINT is blocked, because it unblocks SIGINT
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        executor = ProcessPoolExecutor(count, mp_context=context, initializer=_initialise, initargs=(stop_receiver,))
        for _ in range(count):  # a process is started for each task while none is idle
            executor.submit(int)
        return executor
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


_sending = threading.Lock()
"""Held by a worker process while it sends a result."""


class _ResultQueue(SimpleQueue[Any]):
    """The queue of a pool's results. A process that exits halfway through one would make the pool wait for the rest of it."""

    def put(self, result: object) -> None:
        with _sending:
            super().put(result)


class _Context(SpawnContext):
    """What a pool of processes is made of."""

    def SimpleQueue(self) -> _ResultQueue:  # noqa: N802 - the name that the pool looks up
        return _ResultQueue(ctx=self.get_context())


def _initialise(stop_receiver: Connection) -> None:
    # The inherited mask protects a process while it starts; this also covers one that the pool starts later.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, args=(stop_receiver,), daemon=True).start()


def _exit_with_parent(stop_receiver: Connection) -> None:
    """Exit as soon as the parent process dies, or closes its end of the pipe and has read what is being sent."""
    parent = parent_process()
    wait([stop_receiver] if parent is None else [stop_receiver, parent.sentinel])
    while (parent is None or parent.is_alive()) and not _sending.acquire(timeout=0.1):
        pass
    os._exit(1)
