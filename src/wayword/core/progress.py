"""The callback by which long work reports its progress."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, float | None], None]
"""Called with the current activity, the number of rows done, and the share done (0 to 1, None if unknown)."""


def no_progress(activity: str, rows: int, share: float | None) -> None:
    """Ignore progress."""
