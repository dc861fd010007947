"""Whether somebody still works on a run: a mark names the process that does, and a beat tells when it last wrote."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime, timedelta
from secrets import token_hex

SILENT = timedelta(minutes=10)
"""How long nothing may be heard of a run on another machine until it counts as cut off."""


def mark() -> str:
    """A mark for a run of this process."""
    return f"{platform.node()}:{os.getpid()}:{token_hex(8)}"


def is_alive(mark: str | None, beat: datetime | None) -> bool:
    """Whether somebody works on a run with this mark, as far as can be told."""
    if mark is None:
        return False
    host, _, rest = mark.partition(":")
    if host != platform.node():
        return beat is not None and datetime.now(UTC) - beat < SILENT
    try:
        os.kill(int(rest.partition(":")[0]), 0)
    except (ProcessLookupError, ValueError):
        return False
    except PermissionError:
        return True
    return True
