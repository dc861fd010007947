"""The load lock of an embedded store: only one load at a time may prepare the next file.

It is a ``filelock`` on ``<store>.wayword-lock``; ``<store>.lock`` could belong to another program, as ``poetry.lock`` does. The
operating system releases it when the process ends, even if it is killed. Readers never take it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.deferred_signals import defer_signals
from ..errors import StoreBusy, StoreFull

if TYPE_CHECKING:
    from filelock import BaseFileLock

WAIT = 1.0
"""Seconds to wait for the lock: a check before a load holds it for a moment."""


def lock_path(store: Path) -> Path:
    """Return the path of a store's lock file."""
    return store.with_name(f"{store.name}.wayword-lock")


@contextmanager
def load_lock(store: Path) -> Iterator[None]:
    """Hold the load lock of a store; ``StoreBusy`` if another load holds it."""
    from filelock import FileLock

    path = lock_path(store)
    lock = FileLock(path, on_acquired=_write_process_id)
    try:
        _acquire(lock, path, store)
        yield
    finally:
        if lock.is_locked:
            path.unlink(missing_ok=True)  # before the release: filelock rejects a lock on a deleted file, so no load slips in
            lock.release()


def _acquire(lock: BaseFileLock, path: Path, store: Path) -> None:
    from filelock import Timeout

    try:
        with defer_signals():  # else its file could be left behind, created but not yet known here to be ours
            _wait_for(lock, path)
    except Timeout as error:
        raise StoreBusy(f"{_holder(path)} is changing {store}; wait until it has finished and try again") from error
    except OSError as error:
        raise StoreFull(f"cannot write {path}: {error.strerror or error}; choose a store in a writable folder") from error


def _wait_for(lock: BaseFileLock, path: Path) -> None:
    from filelock import Timeout

    try:
        lock.acquire(timeout=WAIT)
    except Timeout:
        if not path.exists():  # filelock also waits where a folder takes no files; this raises its error
            path.touch()
        raise


def _write_process_id(descriptor: int) -> None:
    os.ftruncate(descriptor, 0)
    os.write(descriptor, f"{os.getpid()}\n".encode())


def _holder(path: Path) -> str:
    """Name the process that holds a lock; its id is in the lock file."""
    try:
        number = path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        number = ""
    return f"process {number}" if number else "another process"
