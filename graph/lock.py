"""The lock of a load: one load at a time may prepare the next file of an embedded store.

It is a record lock on ``<store>.lock``, which the system lets go of when the process ends however it ends. Readers never ask
for it.
"""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import StoreBusy, StoreFull

_held: set[str] = set()
_guard = threading.Lock()


def lock_path(store: Path) -> Path:
    """Where the lock of a store lies."""
    return store.with_name(f"{store.name}.lock")


@contextmanager
def load_lock(store: Path) -> Iterator[None]:
    """Hold the load lock of a store; ``StoreBusy`` if another load does."""
    path = lock_path(store)
    name = str(path.resolve())
    with _guard:  # record locks do not keep two threads of one process apart
        if name in _held:
            raise _busy(store, os.getpid())
        _held.add(name)
    try:
        descriptor = _acquire(store, path)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
            os.close(descriptor)
    finally:
        with _guard:
            _held.discard(name)


def _acquire(store: Path, path: Path) -> int:
    while True:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise StoreFull(f"cannot write {path}: {error.strerror}; choose a store in a folder that you may write") from error
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(descriptor, 20).decode("ascii", "replace").strip()
            os.close(descriptor)
            raise _busy(store, holder) from error
        if _same(descriptor, path):
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"{os.getpid()}\n".encode())
            return descriptor
        os.close(descriptor)  # its last holder took the file away while we were waiting in line


def _same(descriptor: int, path: Path) -> bool:
    try:
        there = path.stat()
    except FileNotFoundError:
        return False
    return os.path.samestat(os.fstat(descriptor), there)


def _busy(store: Path, holder: object) -> StoreBusy:
    who = f"process {holder}" if holder else "another process"
    return StoreBusy(f"{who} is loading into {store}; wait until it has ended and load again")
