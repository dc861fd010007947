"""Styles of lines. A module of its own, because a cold start needs the styles but no pictures."""

from __future__ import annotations

from typing import NamedTuple


class LineStyle(NamedTuple):
    """The style of a line; ``dashes`` are lengths on and off in pixels, so that styles also differ without colour."""

    colour: str
    width: float
    dashes: tuple[float, ...] = ()
    head: bool = True


PLAIN_LINE = LineStyle("#1a1a1a", 1.4)
FAINT_LINE = LineStyle("#767676", 1.4, (1.5, 4), head=False)
