"""Draw a match as a picture: its phrases and score, and its paths one below the other.

All widths come from ``font_metrics``. No two texts or boxes touch, and none is outside the canvas: tests check that for
arbitrary text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...graph.schema import base_of
from ...rendering.canvas import Canvas
from ...rendering.path_diagram import Diagram, Frame, PathLink, missing_path_diagram, path_diagrams
from ...rendering.shapes import Look, Picture
from ...rendering.svg import to_svg_document
from ...rendering.text import clean, format_score
from .end_factors import ANTONYMS, RARE_SENSE, antonyms_text, score_line
from .step_styles import line_style, rows_down

if TYPE_CHECKING:
    from ..results import AspectMatch, Match, Step

_TITLE, _SCORE, _HEADING, _SMALL = 19.0, 15.0, 14.0, 11.5
_MIN_WIDTH, _GAP = 380.0, 30.0


def match_picture(match: Match) -> Picture:
    """Return the picture of a match: its phrases and score, each pair of aspects with its path, and the settings."""
    pairs = [(each, _diagrams(match, each)) for each in match.aspect_matches]
    canvas = Canvas(max(_MIN_WIDTH, *(diagram.width for _, diagrams in pairs for diagram in diagrams)))
    canvas.write_pair(clean(match.substitute), clean(match.substitutee), _TITLE)
    canvas.y += 2
    canvas.write(_score_line(match), _SCORE)
    for each, diagrams in pairs:
        canvas.y += _GAP - 8
        if len(match.matches) > 1:
            canvas.write_pair(clean(each.substitute), clean(each.substitutee), _HEADING, format_score(each.score))
            canvas.y += 10
        for position, diagram in enumerate(diagrams):
            canvas.y += _GAP if position else 0
            canvas.add_diagram(diagram)
        for note in _notes(match, each):
            canvas.y += 6
            canvas.write(note, _SMALL, tone="muted", lines=4)
    canvas.y += _GAP - 12
    canvas.write(_settings(match), _SMALL, tone="muted", lines=4)
    return canvas.to_picture(
        f"{clean(match.substitute)} → {clean(match.substitutee)}: {format_score(match.score)}",
        _description(match),
    )


def _settings(match: Match) -> str:
    """Return the settings of a match on one line."""
    bases = " + ".join(match.bases)
    depth = " · depth-limited" if match.depth_limited else ""
    derivation = f" · derivation by {match.derivation}" if match.derivation else ""
    return clean(f"{bases}{depth} · profile {match.profile} · threshold {match.threshold:g}{derivation}")


def _diagrams(match: Match, each: AspectMatch) -> list[Diagram]:
    if not each.path:
        ends = [
            Frame.from_text(end, "unknown" if end in match.unknown else "", "phrase")
            for end in (each.substitute, each.substitutee)
        ]
        return [missing_path_diagram(*ends)]
    frames = [_frame(each, index, several_bases=len(match.bases) > 1) for index in range(len(each.path))]
    return path_diagrams(frames, [_link(step) for step in each.path[1:]])


def _frame(each: AspectMatch, index: int, *, several_bases: bool) -> Frame:
    step = each.path[index]
    score = score_line(each, index) if index == 0 else f"= {score_line(each, index)}"
    about = " · ".join(clean(part) for part in (step.title, step.gloss, step.id) if part)
    source = f"in {base_of(step.id)}" if several_bases else ""
    return Frame.from_text(step.title, score, _look(each.path, index), about, gloss=step.gloss or "", source=source)


def _look(path: Sequence[Step], index: int) -> Look:
    if index in (0, len(path) - 1):
        return "end"
    return "group" if path[index].is_group else "entity"


def _link(step: Step) -> PathLink:
    breadth = () if step.breadth is None else (f"breadth {step.breadth}",)
    return PathLink(clean(step.step_text), (f"× {format_score(step.factor)}", *breadth), line_style(step), rows_down(step))


def _score_line(match: Match) -> str:
    mean = f" · harmonic mean of {len(match.matches)} pairs" if len(match.matches) > 1 else ""
    return f"score {format_score(match.score)}{mean}"


def _notes(match: Match, each: AspectMatch) -> list[str]:
    unknown = [phrase for phrase in (each.substitute, each.substitutee) if phrase in match.unknown]
    if each.path:
        return ["Both phrases name this entity."] if len(each.path) == 1 else []
    if unknown:
        names = [f"“{clean(phrase)}”" for phrase in dict.fromkeys(unknown)]
        verb = "are" if len(names) > 1 else "is"
        bases = clean(" or ".join(match.bases))
        return [f"{' and '.join(names)} {verb} not in {bases}: 0 here means unknown, not unrelated."]
    return [f"No path found (threshold {match.threshold:g})."]


def _description(match: Match) -> str:
    sentences = [
        f"How well “{clean(match.substitute)}” stands in for “{clean(match.substitutee)}”: {format_score(match.score)}."
    ]
    for each in match.aspect_matches:
        sentences += [_path_sentence(each)] if each.path else []
        sentences += _notes(match, each)
    return " ".join([*sentences, _settings(match) + "."])


def _path_sentence(each: AspectMatch) -> str:
    start, *rest = (clean(step.title) for step in each.path)
    steps = (
        f", {clean(step.step_text)} (× {format_score(step.factor)}) to {name}"
        for step, name in zip(each.path[1:], rest, strict=True)
    )
    first, last = (_rare_sense(weight) for weight in (each.substitute_weight, each.substitutee_weight))
    opposed = "" if each.antonym == 1.0 else f", {ANTONYMS} {antonyms_text(each)} (× {format_score(each.antonym)})"
    return f"From {start}{first}" + "".join(steps) + f"{last}{opposed}: {format_score(each.score)}."


def _rare_sense(weight: float) -> str:
    return "" if weight == 1.0 else f", a {RARE_SENSE} (× {format_score(weight)})"


def to_svg(match: Match, *, style: str = "") -> str:
    """Return the picture of a match as an SVG document.

    Args:
        match: The match.
        style: CSS for an HTML page that embeds the document; not every program that opens SVG files supports it.

    >>> from wayword.search.results import Match
    >>> to_svg(Match("a", "b", 0.0, ("wordnet",), "thesis", 0.08, "word"))[:4]
    '<svg'
    """
    return to_svg_document(match_picture(match), style=style)
