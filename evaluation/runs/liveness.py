"""Whether somebody still works on a run: a mark names the process that does, and a beat tells when it was last heard of."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex

BEAT = 30.0
"""Seconds between two beats of a run."""

SILENT = timedelta(minutes=10)
"""How long nothing may be heard of a run on another machine until it counts as cut off."""

_OURS: set[str] = set()
"""The marks of the runs that this process works on."""


def make_mark() -> str:
    """A mark for a run of this process."""
    made = f"{platform.node()}:{os.getpid()}:{_begun(os.getpid())}:{token_hex(8)}"
    _OURS.add(made)
    return made


def remove_mark(made: str) -> None:
    """Work on the run with this mark is over."""
    _OURS.discard(made)


def is_alive(made: str | None, beat: datetime | None) -> bool:
    """Whether somebody works on a run with this mark, as far as can be told."""
    if made is None:
        return False
    host, _, rest = made.partition(":")
    pid, _, rest = rest.partition(":")
    if host != platform.node():
        return beat is not None and datetime.now(UTC) - beat < SILENT
    if pid == str(os.getpid()):
        return made in _OURS
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, ValueError, OverflowError):
        return False
    except PermissionError:
        return True
    return rest.partition(":")[0] == _begun(int(pid))


def _begun(pid: int) -> str:
    """When a process began, which tells it from a later one with its number; empty where the system does not say."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""
