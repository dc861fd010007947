"""A trail as a picture: its articles one after the other, and at each arrow the link that was followed."""

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

_TITLE, _HEADING, _SMALL, _GAP, _LEAST = 19.0, 14.0, 11.0, 30.0, 380.0
_LABEL_COLUMNS = 28


def draw_trail(trail: Trail, file: str | os.PathLike[str]) -> None:
    """Draw a trail to a file that ends in .svg or .png; a file that is there is replaced once the new one is whole."""
    save_picture(file, lambda: trail_picture(trail))


def trail_picture(trail: Trail) -> Picture:
    """The picture of a trail."""
    boxes = [(title, "" if number else "starter") for number, title in enumerate(trail.trail)]
    if trail.ending == "cycle":
        boxes[-1] = boxes[-1][0], "here before"
    elif trail.ending == "reached":
        boxes[-1] = boxes[-1][0], "target"
    diagrams = _diagrams(boxes, trail.steps)
    canvas = Canvas(max(_LEAST, *(diagram.width for diagram in diagrams)))
    canvas.write_pair(clean(trail.trail[0]), clean(trail.target), _TITLE)
    canvas.y += 2
    way, _, end = trail_heading(trail).partition(": ")
    canvas.write(end, _HEADING)
    canvas.y += _GAP - 8
    for number, diagram in enumerate(diagrams):
        canvas.y += _GAP if number else 0
        canvas.add_diagram(diagram)
    canvas.y += _GAP - 12
    canvas.write(f"{clean(trail.base)} · {_how(trail)}", _SMALL, tone="muted", lines=4)
    return canvas.to_picture(
        f"{clean(trail.trail[0])} → {clean(trail.target)}",
        f"{way}: {end}. {' → '.join(map(clean, trail.trail))}.",
    )


def _diagrams(boxes: Sequence[tuple[str, str]], steps: Sequence[Hop]) -> list[Diagram]:
    last = len(boxes) - 1
    frames = [
        Frame.from_text(name, below, "end" if index in (0, last) else "entity") for index, (name, below) in enumerate(boxes)
    ]
    return path_diagrams(frames, [_link(step) for step in steps])


def _link(step: Hop) -> PathLink:
    link = step.links[step.chosen - 1]
    place = f"link {step.chosen} of {len(step.links)}"
    anchor = shorten(clean(link.anchor or link.title), _LABEL_COLUMNS)
    return PathLink(anchor, (place,) if link.score is None else (place, format_score(link.score)))


def _how(trail: Trail) -> str:
    said = [f"strategy {trail.strategy}", f"the first {trail.parameters.get('first_links', 20)} links"]
    said += ["links in parentheses too"] if trail.parameters.get("keep_parentheses") else []
    said += ["no article twice"] if trail.parameters.get("no_revisit") else []
    return " · ".join(said)
