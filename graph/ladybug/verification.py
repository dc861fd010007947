"""Verify the file of a store before the engine opens it, once for each state of the file.

A process verifies a file again only if it has changed. A file larger than ``ALWAYS`` is not verified either if an earlier
process has verified the same state of it, which is recorded in the user's cache directory. The state includes the time of the
last change of the inode (ctime), which every write sets and no program can choose. So only a change that the file system does
not notice, such as a fault of the disk, can stay unseen in a large file; loads and ``wayword check`` see that as well.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from pathlib import Path

from ...core.atomic_files import FileError, atomic_write
from ..errors import StoreDamaged, StoreUnreadable
from .digest import Examination, examine

ALWAYS = 1 << 27
"""Bytes up to which each process verifies a file: 134 MB take 0.05 s."""

_TICK = 50_000_000
"""Nanoseconds within which two changes may get the same ctime; a state is recorded only if it is older."""

_LEFTOVERS = (".wal", ".wal.checkpoint", ".shadow")
"""Files of a writing engine beside its database. The engine would apply them to the store, even if it only reads."""

FileState = tuple[int, int, int, int, int]
"""Device, inode, size, mtime and ctime of a file."""

_verified: dict[Path, FileState] = {}
"""The states that this process has found sound."""


def verify(path: Path, *, thorough: bool = False) -> bool:
    """Compare the file of a store with its digest, unless it is known to be sound.

    Args:
        path: The store.
        thorough: Compare it in any case.

    Returns:
        Whether the file is sound; False if it has no digest.

    Raises:
        StoreDamaged: The file has changed since it was written.
        StoreUnreadable: It cannot be read, or another program has left unfinished changes beside it.
    """
    refuse_leftovers(path)
    try:
        with path.open("rb", buffering=0) as file:
            state = _file_state(file.fileno())
            if not thorough and (_verified.get(path) == state or (state[2] > ALWAYS and _read_record(path) == state)):
                return True
            started = time.time_ns()
            found = examine(file)
    except OSError as error:
        raise StoreUnreadable(f"cannot read the store {path}: {error.strerror or error}") from error
    if found.state == "damaged":
        raise StoreDamaged(_describe(path, found))
    sound = found.state == "sound"
    if sound and started - state[4] > _TICK:
        _verified[path] = state
        if state[2] > ALWAYS:
            _write_record(path, state)
    return sound


def refuse_leftovers(path: Path) -> None:
    """Raise ``StoreUnreadable`` if a writing engine has left a file with changes beside the store."""
    for ending in _LEFTOVERS:
        other = path.with_name(path.name + ending)
        if os.path.lexists(other) and (not other.is_file() or other.stat().st_size):
            raise StoreUnreadable(
                f"{other} is left from another program that has changed the store {path}; without that file the store is as"
                " wayword has written it: move the file away"
            )


def _describe(path: Path, found: Examination) -> str:
    how = {
        "length": "its length has",
        "digest": "its digest has",
        "blocks": f"{found.changed_blocks} of its {found.blocks} blocks {'has' if found.changed_blocks == 1 else 'have'}",
    }[found.changed or "blocks"]
    return f"the store {path} is damaged ({how} changed since it was written): restore a copy, or delete it and load again"


def _file_state(descriptor: int) -> FileState:
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _record_path(path: Path) -> Path:
    from hashlib import sha256

    from platformdirs import user_cache_path

    return user_cache_path("wayword") / f"{sha256(os.fsencode(path)).hexdigest()[:16]}.verified"


def _read_record(path: Path) -> FileState | None:
    """Return the state in which an earlier process found the file sound, or None."""
    try:
        device, inode, size, changed, inode_changed = json.loads(_record_path(path).read_bytes())
    except (OSError, ValueError, TypeError):  # also a damaged record
        return None
    return device, inode, size, changed, inode_changed


def _write_record(path: Path, state: FileState) -> None:
    record = _record_path(path)
    with suppress(OSError, FileError):  # verified again by the next process
        record.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(record) as target:
            target.write(json.dumps(state).encode())
