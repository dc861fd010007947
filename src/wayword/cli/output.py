"""Print answers to stdout and notes to stderr, and reject empty or invalid option values."""

from __future__ import annotations

import codecs
import math
import os
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ..search.results import Match
    from .settings import Settings


def reject_empty(_ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Reject an empty file or folder name, which usually comes from an unset variable."""
    if value == "":
        raise click.BadParameter("the name is empty; give one.", param=parameter)
    return value


def reject_nan(_ctx: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """Reject NaN, which click accepts for every range."""
    if value is not None and math.isnan(value):
        raise click.BadParameter("nan is not a number; give one.", param=parameter)
    return value


def reject_blank(_ctx: click.Context, parameter: click.Parameter, value: str) -> str:
    """Reject a blank phrase or title before anything is opened."""
    if not value.strip():
        raise click.BadParameter("it is empty; give a word or a phrase.", param=parameter)
    return value


def print_text(text: str, *, nl: bool = True) -> None:
    """Print an answer as text, exactly to files and pipes, with control characters escaped to a terminal."""
    from ..core.standard_output import escape_controls

    click.echo(escape_controls(text) if sys.stdout.isatty() else text, nl=nl)


def print_match(match: Match, *, explain: bool = False) -> None:
    """Print a match as text, in colours on a terminal unless NO_COLOR is set."""
    from ..rendering.paint import paint_ansi, paint_plain
    from ..search.presentation.match_text import match_text

    has_colours = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    # Its names are cleaned one by one, so that only the codes of colours reach the terminal.
    click.echo(match_text(match, explain=explain, paint=paint_ansi if has_colours else paint_plain))


def print_json(value: Any) -> None:
    """Print an answer as one JSON document, indented on a terminal."""
    from ..core.standard_output import format_json

    click.echo(format_json(value, ascii=not _writes_unicode(), indent=2 if sys.stdout.isatty() else None))


def _writes_unicode() -> bool:
    return codecs.lookup(sys.stdout.encoding or "ascii").name == "utf-8"


def print_note(settings: Settings, text: str) -> None:
    """Print a note to stderr, except in quiet mode."""
    from .progress_bar import hide_progress

    if not settings.quiet:
        hide_progress()
        click.echo(text, err=True)


def format_count(number: int, noun: str) -> str:
    """Return a number with a noun, in the plural unless it is 1.

    >>> format_count(1, "tweet"), format_count(1200, "tweet")
    ('1 tweet', '1,200 tweets')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def terminal_width() -> int | None:
    """Return the width of the terminal that stdout writes to; None if it is not a terminal."""
    import shutil

    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
