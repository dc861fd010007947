"""Tells whether the process that records a run is still alive.

A run that is being recorded has an owner: the host, the process id, the time at which that process started (which
distinguishes it from a later process with the same id), and a token. The owner writes a heartbeat into its run. On the same
machine the process is looked up; from another machine a run is alive while its heartbeat is recent.
"""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex

HEARTBEAT_INTERVAL = 30.0
"""Seconds between two heartbeats of a run."""

HEARTBEAT_TIMEOUT = timedelta(minutes=10)
"""The age of a heartbeat after which a run on another machine counts as interrupted."""

_ACTIVE_OWNERS: set[str] = set()
"""The owners of the runs that this process is recording."""


def create_owner() -> str:
    """Create an owner for a run of this process."""
    owner = f"{platform.node()}:{os.getpid()}:{_process_start_time(os.getpid())}:{token_hex(8)}"
    _ACTIVE_OWNERS.add(owner)
    return owner


def release_owner(owner: str) -> None:
    """Release an owner: its run is not being recorded any more."""
    _ACTIVE_OWNERS.discard(owner)


def is_alive(owner: str | None, heartbeat: datetime | None) -> bool:
    """Return whether the owner of a run is still recording it, as far as can be known."""
    if owner is None:
        return False
    host, _, rest = owner.partition(":")
    pid, _, rest = rest.partition(":")
    if host != platform.node():
        return heartbeat is not None and datetime.now(UTC) - heartbeat < HEARTBEAT_TIMEOUT
    if pid == str(os.getpid()):
        return owner in _ACTIVE_OWNERS
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, ValueError, OverflowError):
        return False
    except PermissionError:  # it exists, and belongs to another user
        return True
    return rest.partition(":")[0] == _process_start_time(int(pid))


def _process_start_time(pid: int) -> str:
    """Return the start time of a process in clock ticks since boot; empty if the system has no /proc."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""
