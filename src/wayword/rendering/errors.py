"""What can go wrong when a match is shown."""

from __future__ import annotations

from ..core.errors import WaywordError


class RenderError(WaywordError):
    """A match cannot be shown in this way, or not in this file."""
