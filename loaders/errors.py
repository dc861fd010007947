"""What can be wrong with a file that is to be loaded; each message names the file, the line, the value and a next step."""

from __future__ import annotations

from ..core.errors import WaywordError


class SourceError(WaywordError):
    """A source cannot be loaded."""


class SourceMissing(SourceError):
    """There is nothing at this path, a file of a folder is missing, or no source could be had at all."""


class SourceInvalid(SourceError):
    """The source is readable, and is not what this loader reads."""


class SourceDamaged(SourceError):
    """The source is of the right kind, and cut off, changed or malformed somewhere."""


class SourceRefused(SourceError):
    """The source is too large, or built to do harm; it was not read to the end."""
