"""What people see while they wait: a bar with rate and remaining time on a terminal, a line every few seconds elsewhere."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

_REDRAW, _SPEAK = 0.1, 5.0
_BAR = 24


@contextmanager
def show_progress(
    *, quiet: bool, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
) -> Iterator[ProgressBar]:
    """A progress that is shown on stderr while the block runs, and gone when it ends."""
    shown = ProgressBar(stream or sys.stderr, clock, quiet=quiet)
    try:
        yield shown
    finally:
        shown.clear()


class ProgressBar:
    """A progress that people see; remembers what was shown when. Each thing that is done has a rate of its own."""

    def __init__(self, stream: TextIO, clock: Callable[[], float], *, quiet: bool) -> None:
        self.stream, self.clock, self.quiet = stream, clock, quiet
        self.terminal = stream.isatty()
        self.doing = ""
        self.begun = self.last = clock()
        self.drawn = False

    def __call__(self, doing: str, rows: int, share: float | None) -> None:
        """Show this, unless something was shown a moment ago."""
        if self.quiet:
            return
        now = self.clock()
        changed = doing != self.doing
        if changed:
            self.doing, self.begun = doing, now
        at_once = changed and self.terminal
        if not at_once and now - self.last < (_REDRAW if self.terminal else _SPEAK):
            return
        self.last = now
        line = format_status(doing, rows, share, now - self.begun)
        if self.terminal:
            self.draw(line, share)
        else:
            self.stream.write(line + "\n")
            self.stream.flush()

    def draw(self, line: str, share: float | None) -> None:
        """Put the line, with a bar where the share is known, in the place of the one before."""
        columns = shutil.get_terminal_size().columns - 1
        if share is not None and len(line) + _BAR + 2 <= columns:
            line = f"{draw_bar(share, self.stream.encoding or 'ascii')}  {line}"
        self.stream.write(f"\r\x1b[2K{line[:columns]}")
        self.stream.flush()
        self.drawn = True

    def clear(self) -> None:
        """Take the bar away, until it is drawn again."""
        if self.drawn:
            self.stream.write("\r\x1b[2K")
            self.stream.flush()
            self.drawn = False


def draw_bar(share: float, encoding: str = "utf-8") -> str:
    """A bar that is filled to this share.

    >>> draw_bar(0.25)
    '██████░░░░░░░░░░░░░░░░░░'
    """
    full, empty = ("█", "░") if encoding.lower().startswith("utf") else ("#", ".")
    filled = round(max(0.0, min(1.0, share)) * _BAR)
    return full * filled + empty * (_BAR - filled)


def format_status(doing: str, rows: int, share: float | None, seconds: float) -> str:
    """How far it is, how fast it goes, how long it will take. What is counted is rows, or what stands behind in brackets.

    >>> format_status("reading nouns", 120000, 0.5, 3.0)
    'reading nouns  50%  120,000 rows  40,000/s  3 s left'
    >>> format_status("reading a dump (MB)", 120, 0.5, 3.0)
    'reading a dump  50%  120 MB  40 MB/s  3 s left'
    """
    doing, _, unit = doing.removesuffix(")").partition(" (")
    parts = [doing]
    if share is not None:
        parts.append(f"{100 * max(0.0, min(1.0, share)):.0f}%")
    if rows:
        parts.append(f"{rows:,} {unit or 'rows'}")
    if seconds >= 0.5:
        parts += [f"{rows / seconds:,.0f}{f' {unit}' if unit else ''}/s"] if rows else []
        if share is not None and 0.01 < share < 1:
            parts.append(f"{format_duration(seconds * (1 - share) / share)} left")
    return "  ".join(parts)


def format_duration(seconds: float) -> str:
    """A time as people say it.

    >>> format_duration(3.2), format_duration(75), format_duration(7300)
    ('3 s', '1 min 15 s', '2 h 1 min')
    """
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
