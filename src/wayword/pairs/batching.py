"""Rows in windows, each scored and written before the next: large enough to be fast, small enough to be seen to come.

A few rows come first, so that there is something to see; then as many as take a little less than a second.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from ..core.errors import WaywordError
from .files import Row

FIRST, LARGEST = 64, 32_768
"""Rows of the first window and of the largest."""

PACE = 0.8
"""Seconds that a window should take."""

PATIENCE = 1.0
"""Seconds after which a window that fills slowly is scored as it is."""


class Windows:
    """An iterator of windows. What goes wrong with a row ends it and waits in ``error``, so that the rows before come first."""

    def __init__(self, rows: Iterator[Row], clock: Callable[[], float] = time.monotonic) -> None:
        self._rows, self._clock = rows, clock
        self.size = FIRST
        self.error: WaywordError | None = None

    def __iter__(self) -> Iterator[list[Row]]:
        while self.error is None and (window := self._next()):
            yield window

    def _next(self) -> list[Row]:
        begun, window = self._clock(), []
        try:
            for row in islice(self._rows, self.size):
                window.append(row)
                if self._clock() - begun > PATIENCE:
                    break
        except WaywordError as error:
            self.error = error
        return window

    def took(self, window: Sequence[Row], seconds: float) -> None:
        """Make the next windows as large as this one should have been."""
        right = int(len(window) * PACE / max(seconds, 1e-6))
        self.size = min(max(right, len(window) // 2, FIRST), max(self.size, 2 * len(window)), LARGEST)
