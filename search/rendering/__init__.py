"""Shows a match: in words, as a picture, as a graph, as a Cypher statement."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .errors import RenderError

if TYPE_CHECKING:
    from os import PathLike

    from ..result import Match

ENDINGS = (".svg", ".png", ".dot", ".graphml")


def draw(match: Match, file: str | PathLike[str]) -> None:
    """Draw a match to a file; its ending says how. A file that is there is replaced once the new one is whole."""
    path = Path(file)
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise RenderError(f"{path}: cannot tell what to draw; end the file's name with {', '.join(ENDINGS)}")
    from ...graph.files import replaced

    with replaced(path) as target:
        if ending == ".png":
            from .layout import picture
            from .png import write_png

            write_png(picture(match), target)
        else:
            target.write(_text(match, ending).encode())


def _text(match: Match, ending: str) -> str:
    if ending == ".svg":
        from .svg import to_svg

        return to_svg(match)
    from .graphs import to_dot, to_graphml

    return to_dot(match) if ending == ".dot" else to_graphml(match)


__all__ = ["ENDINGS", "RenderError", "draw"]
