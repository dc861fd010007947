"""Shows a match: in words, as a picture, as a graph, as a Cypher statement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...rendering.errors import RenderError

if TYPE_CHECKING:
    from os import PathLike

    from ..results import Match


def draw(match: Match, file: str | PathLike[str]) -> None:
    """Draw a match to a file; its ending says how. A file that is there is replaced once the new one is whole."""
    from ...rendering.files import save_picture
    from .match_graph import to_dot, to_graphml
    from .match_picture import match_picture

    save_picture(file, lambda: match_picture(match), {".dot": lambda: to_dot(match), ".graphml": lambda: to_graphml(match)})


__all__ = ["RenderError", "draw"]
