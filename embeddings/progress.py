"""How a room that knows no graph tells how far it is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, float | None], None]
"""Told what is being done, how much of it is done, and which share that is, where it is known."""


def silent(_doing: str, _rows: int, _share: float | None) -> None:
    """Tell nobody."""
