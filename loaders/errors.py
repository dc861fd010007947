"""Errors of sources that cannot be loaded; each message names the file, the line, the value and the fix."""

from __future__ import annotations

from ..core.errors import WaywordError


class SourceError(WaywordError):
    """A source cannot be loaded."""


class SourceMissing(SourceError):
    """There is nothing at this path, a file of a folder is missing, or no source was found."""


class SourceInvalid(SourceError):
    """The source is readable, but not in a format that this loader reads."""


class SourceDamaged(SourceError):
    """The source has the right format, but is truncated, modified or malformed."""


class SourceRefused(SourceError):
    """The source is too large or looks like an attack, so reading was stopped."""
