"""Show a match as text, as a picture, as a graph and as a Cypher statement, and senses as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...rendering.errors import RenderError

if TYPE_CHECKING:
    from os import PathLike

    from ..results import Match


def draw(match: Match, file: str | PathLike[str]) -> None:
    """Draw a match to a file in the format of its suffix. An existing file is replaced once the new one is complete."""
    from ...rendering.files import save_picture
    from .match_graph import to_dot, to_graphml
    from .match_picture import match_picture

    save_picture(file, lambda: match_picture(match), {".dot": lambda: to_dot(match), ".graphml": lambda: to_graphml(match)})


__all__ = ["RenderError", "draw"]
