"""Errors of drawing and rendering."""

from __future__ import annotations

from ..core.errors import WaywordError


class RenderError(WaywordError):
    """Something cannot be drawn in this format, or to this file."""
