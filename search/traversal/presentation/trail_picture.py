"""A trail as a picture: its articles in order, with the followed link at each arrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....rendering.canvas import Canvas
from ....rendering.files import save_picture
from ....rendering.path_diagram import Diagram, Frame, PathLink, path_diagrams
from ....rendering.shapes import Picture
from ....rendering.text import clean, format_score, shorten
from .trail_text import trail_heading

if TYPE_CHECKING:
    import os

    from ..results import Hop, Trail

_TITLE_SIZE, _HEADING_SIZE, _SMALL_SIZE, _GAP, _MIN_WIDTH = 19.0, 14.0, 11.5, 30.0, 380.0
_ANCHOR_COLUMNS = 28


def draw_trail(trail: Trail, file: str | os.PathLike[str]) -> None:
    """Draw a trail to a file in the format of its suffix: .svg, .png or .pdf."""
    save_picture(file, lambda: trail_picture(trail))


def trail_picture(trail: Trail) -> Picture:
    """Lay out the picture of a trail."""
    boxes = [(title, "" if number else "starter") for number, title in enumerate(trail.trail)]
    if trail.ending == "cycle":
        boxes[-1] = boxes[-1][0], "visited before"
    elif trail.ending == "reached":
        boxes[-1] = boxes[-1][0], "target"
    diagrams = _diagrams(boxes, trail.steps)
    canvas = Canvas(max(_MIN_WIDTH, *(diagram.width for diagram in diagrams)))
    canvas.write_pair(clean(trail.trail[0]), clean(trail.target), _TITLE_SIZE)
    canvas.y += 2
    route, _, ending = trail_heading(trail).partition(": ")
    canvas.write(ending, _HEADING_SIZE)
    canvas.y += _GAP - 8
    for number, diagram in enumerate(diagrams):
        canvas.y += _GAP if number else 0
        canvas.add_diagram(diagram)
    canvas.y += _GAP - 12
    canvas.write(f"{clean(trail.base)} · {_settings(trail)}", _SMALL_SIZE, tone="muted", lines=4)
    return canvas.to_picture(
        f"{clean(trail.trail[0])} → {clean(trail.target)}",
        f"{route}: {ending}. {' → '.join(map(clean, trail.trail))}.",
    )


def _diagrams(boxes: Sequence[tuple[str, str]], steps: Sequence[Hop]) -> list[Diagram]:
    last = len(boxes) - 1
    frames = [
        Frame.from_text(name, below, "end" if index in (0, last) else "entity") for index, (name, below) in enumerate(boxes)
    ]
    return path_diagrams(frames, [_link(step) for step in steps])


def _link(step: Hop) -> PathLink:
    link = step.links[step.chosen - 1]
    rank = f"link {step.chosen} of {len(step.links)}"
    anchor = shorten(clean(link.anchor or link.title), _ANCHOR_COLUMNS)
    return PathLink(anchor, (rank,) if link.score is None else (rank, format_score(link.score)))


def _settings(trail: Trail) -> str:
    settings = [f"strategy {trail.strategy}", f"the first {trail.parameters.get('first_links', 20)} links"]
    settings += ["links in parentheses too"] if trail.parameters.get("keep_parentheses") else []
    settings += ["no article twice"] if trail.parameters.get("no_revisit") else []
    return " · ".join(settings)
