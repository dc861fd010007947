"""What can be wrong with a file that is to be loaded; each message names the file, the line, the value and a next step."""

from __future__ import annotations

from ..graph.errors import WaywordError

SHOWN = 60
"""How many characters of a value a message shows."""


class SourceError(WaywordError):
    """A source cannot be loaded."""


class SourceMissing(SourceError):
    """There is nothing at this path, a file of a folder is missing, or no source could be had at all."""


class SourceUnfit(SourceError):
    """The source is readable, and is not what this loader reads."""


class SourceDamaged(SourceError):
    """The source is of the right kind, and cut off, changed or malformed somewhere."""


class SourceRefused(SourceError):
    """The source is too large, or built to do harm; it was not read to the end."""


def show(value: object) -> str:
    """A value as a message shows it: quoted, on one line, not too long.

    >>> show("dog"), show("d" * 100)[-7:]
    ("'dog'", "ddd...'")
    """
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}...{text[-1]}"
