"""Errors of drawing and rendering."""

from __future__ import annotations

from ..core.errors import WaywordError


class RenderError(WaywordError):
    """A picture cannot be drawn in this format, or not to this file."""
