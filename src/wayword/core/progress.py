"""How far something is: what all rooms tell, and whoever watches is told."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, float | None], None]
"""Told what is being done, how many rows of it are done, and which share of the whole that is (None: nobody can tell)."""


def no_progress(doing: str, rows: int, share: float | None) -> None:
    """A progress that nobody watches."""
