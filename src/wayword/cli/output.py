"""How commands speak: answers to stdout, all else to stderr."""

from __future__ import annotations

import codecs
import json
import math
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from .settings import Settings


def reject_empty(_ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Refuse an empty name of a file or folder, which is most often a variable that is not set."""
    if value == "":
        raise click.BadParameter("the name is empty; give one.", param=parameter)
    return value


def reject_nan(_ctx: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """Refuse what is no number, and so is in every range."""
    if value is not None and math.isnan(value):
        raise click.BadParameter("nan is no number; give one.", param=parameter)
    return value


def reject_blank(_ctx: click.Context, parameter: click.Parameter, value: str) -> str:
    """Refuse a phrase or title without a letter before anything is opened for it."""
    if not value.strip():
        raise click.BadParameter("it is empty; give a word or a phrase.", param=parameter)
    return value


def print_text(text: str) -> None:
    """An answer, as text."""
    click.echo(text)


def print_json(value: Any) -> None:
    """An answer, as one JSON document: on several lines for a person, on one for a program."""
    click.echo(json.dumps(value, ensure_ascii=not _speaks_unicode(), indent=2 if sys.stdout.isatty() else None))


def _speaks_unicode() -> bool:
    return codecs.lookup(sys.stdout.encoding or "ascii").name == "utf-8"


def print_note(settings: Settings, text: str) -> None:
    """Something worth knowing that is no answer."""
    if not settings.quiet:
        click.echo(text, err=True)


def terminal_width() -> int | None:
    """The width of the terminal that reads the answer; None where none does."""
    import shutil

    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
