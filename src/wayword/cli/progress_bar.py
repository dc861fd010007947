"""Show progress: a bar with rate and remaining time on a terminal, a line every few seconds elsewhere."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, RLock, Thread
from typing import TextIO

_BAR_INTERVAL, _LINE_INTERVAL = 0.1, 5.0
"""Seconds between updates on a terminal and elsewhere."""

_REFRESH_INTERVAL = 1.0
"""Seconds after which the time is updated in a step that reports nothing new."""

_BAR_WIDTH = 24


_shown: list[ProgressBar] = []
"""The bars of the blocks that run."""


def hide_progress() -> None:
    """Erase the bar, if one is drawn, before something else is printed; the next update draws it again."""
    for bar in _shown:
        bar.hide()


@contextmanager
def show_progress(
    *, quiet: bool, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
) -> Iterator[ProgressBar]:
    """Show progress on stderr while the block runs; the bar is cleared at the end."""
    bar = ProgressBar(stream or sys.stderr, clock, quiet=quiet)
    stopped = Event()

    def refresh() -> None:
        while not stopped.wait(_REFRESH_INTERVAL):
            bar.refresh()

    thread = Thread(target=refresh, name="wayword-progress", daemon=True)
    if not quiet:
        thread.start()
    _shown.append(bar)
    try:
        yield bar
    finally:
        _shown.remove(bar)
        stopped.set()
        if not quiet:
            thread.join()
        bar.clear()


class ProgressBar:
    """A progress callback that draws a bar, or prints lines, with the rate of each step."""

    def __init__(self, stream: TextIO, clock: Callable[[], float], *, quiet: bool) -> None:
        self.stream, self.clock, self.quiet = stream, clock, quiet
        self.terminal = stream.isatty()
        self.step = ""
        self.rows = 0
        self.share: float | None = None
        self.start = self.last_update = clock()
        self.drawn = self.active = False
        self._lock = RLock()

    def __call__(self, step: str, rows: int, share: float | None) -> None:
        """Show the state of a step, unless the display was updated a moment ago.

        What follows "; " is a detail that may change during a step.
        """
        if not self.quiet:
            with self._lock:
                self._show(step, rows, share)

    def refresh(self) -> None:
        """Show the state of the current step again, with the time that it has taken, unless it is cleared."""
        with self._lock:
            if self.active:
                self._show(self.step, self.rows, self.share)

    def _show(self, step: str, rows: int, share: float | None) -> None:
        self.rows, self.share, self.active = rows, share, True
        now = self.clock()
        changed = step.partition("; ")[0] != self.step.partition("; ")[0]
        self.step = step
        if changed:
            self.start = now
        immediately = changed and self.terminal
        if not immediately and now - self.last_update < (_BAR_INTERVAL if self.terminal else _LINE_INTERVAL):
            return
        self.last_update = now
        line = format_status(step, rows, share, now - self.start)
        if self.terminal:
            self.draw(line, share)
        else:
            self.stream.write(line + "\n")
            self.stream.flush()

    def draw(self, line: str, share: float | None) -> None:
        """Replace the line on the terminal, with a bar if the share is known."""
        columns = shutil.get_terminal_size().columns - 1
        if share is not None and len(line) + _BAR_WIDTH + 2 <= columns:
            line = f"{draw_bar(share, self.stream.encoding or 'ascii')}  {line}"
        self.stream.write(f"\r\x1b[2K{line[:columns]}")
        self.stream.flush()
        self.drawn = True

    def clear(self) -> None:
        """Clear the bar until the next progress is reported."""
        with self._lock:
            self.active = False
            self.hide()

    def hide(self) -> None:
        """Erase the bar; it is drawn again when the time is updated."""
        with self._lock:
            if self.drawn:
                self.stream.write("\r\x1b[2K")
                self.stream.flush()
                self.drawn = False


def draw_bar(share: float, encoding: str = "utf-8") -> str:
    """Return a bar that shows a share, from 0 to 1.

    >>> draw_bar(0.25)
    '██████░░░░░░░░░░░░░░░░░░'
    """
    full, empty = ("█", "░") if encoding.lower().startswith("utf") else ("#", ".")
    filled = round(max(0.0, min(1.0, share)) * _BAR_WIDTH)
    return full * filled + empty * (_BAR_WIDTH - filled)


def format_status(step: str, rows: int, share: float | None, seconds: float) -> str:
    """Return the state, the rate and the remaining time of a step; the unit is rows unless the name ends in "(unit)".

    A step that counts nothing shows the time that it has taken.

    >>> format_status("reading nouns", 120000, 0.5, 3.0)
    'reading nouns  50%  120,000 rows  40,000/s  3 s left'
    >>> format_status("reading a dump (MB)", 120, 0.5, 3.0)
    'reading a dump  50%  120 MB  40 MB/s  3 s left'
    >>> format_status("sorting pages", 0, None, 3.0)
    'sorting pages  3 s'
    """
    name, _, unit = step.removesuffix(")").partition(" (")
    parts = [name]
    if share is not None:
        parts.append(f"{100 * max(0.0, min(1.0, share)):.0f}%")
    if rows:
        parts.append(f"{rows:,} {unit or 'rows'}")
    if seconds >= 0.5:
        parts += [f"{rows / seconds:,.0f}{f' {unit}' if unit else ''}/s"] if rows else []
        if share is not None and 0.01 < share < 1:
            parts.append(f"{format_duration(seconds * (1 - share) / share)} left")
        elif not rows and seconds >= 1:
            parts.append(format_duration(seconds))
    return "  ".join(parts)


def format_duration(seconds: float) -> str:
    """Format a duration.

    >>> format_duration(3.2), format_duration(75), format_duration(7300)
    ('3 s', '1 min 15 s', '2 h 1 min')
    """
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
