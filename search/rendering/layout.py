"""Turns a match into a picture: measures its texts, stands its paths one below the other, and leaves room for everything.

All widths come from ``lettering``; a picture is right if no two of its texts and boxes touch and none leaves the canvas,
which the tests check for any text.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..result import AspectMatch, Match, Step
from .diagram import MARGIN, Diagram, missing_diagram, path_diagram
from .lettering import clean, figure, width, wrap
from .shapes import Arrow, Box, Picture, Text

_TITLE, _SCORE, _HEADING, _SMALL = 19.0, 15.0, 14.0, 11.0
_LEAST, _GAP = 380.0, 30.0


@dataclass(slots=True)
class Canvas:
    """What has been placed so far; ``y`` is the lower edge of it."""

    room: float
    y: float = MARGIN
    boxes: list[Box] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)

    def write(self, text: str, size: float, *, x: float = 0.0, lines: int = 2, tone: str = "ink", bold: bool = False) -> None:
        """Put lines of text below what is there."""
        for line in wrap(text, self.room - x, size, lines, bold=bold):
            self.y += round(size * 1.4)
            self.texts.append(Text(line, MARGIN + x, self.y - size * 0.35, size, tone=tone, bold=bold))

    def write_pair(self, substitute: str, substitutee: str, size: float, score: str = "") -> None:
        """Put "substitute → substitutee" below what is there: on one line, or on two where it is long."""
        arrow, blank = width("→", size, bold=True), size * 0.5
        first, second, third = (width(text, size, bold=True) for text in (substitute, substitutee, score))
        if first + arrow + second + third + 4 * blank > self.room:
            self.write(substitute, size, bold=True)
            top = self.y
            self.write(substitutee, size, x=arrow + blank, bold=True)
            self.texts.append(Text("→", MARGIN, top + round(size * 1.4) - size * 0.35, size, tone="muted", bold=True))
            if score:
                self.write(score, size, bold=True, tone="muted")
            return
        self.y += round(size * 1.4)
        x, base = MARGIN, self.y - size * 0.35
        for text, room in ((substitute, first), ("→", arrow), (substitutee, second), (score, third)):
            tone = "ink" if text in (substitute, substitutee) else "muted"
            if text:
                self.texts.append(Text(text, x, base, size, tone=tone, bold=True))
            x += room + blank

    def place(self, diagram: Diagram) -> None:
        """Put a diagram below what is there."""
        boxes, arrows = diagram.at(MARGIN, self.y)
        self.boxes += boxes
        self.arrows += arrows
        self.y += diagram.height


def picture(match: Match) -> Picture:
    """The picture of a match: its phrases and score, each pair of aspects with its path, and how it was computed."""
    drawn = [(each, _diagrams(match, each)) for each in match.matches or (_nothing(match),)]
    canvas = Canvas(max(_LEAST, *(diagram.width for _, diagrams in drawn for diagram in diagrams)))
    canvas.write_pair(clean(match.substitute), clean(match.substitutee), _TITLE)
    canvas.y += 2
    canvas.write(_score_line(match), _SCORE)
    for each, diagrams in drawn:
        canvas.y += _GAP - 8
        if len(match.matches) > 1:
            canvas.write_pair(clean(each.substitute), clean(each.substitutee), _HEADING, figure(each.score))
            canvas.y += 10
        for position, diagram in enumerate(diagrams):
            canvas.y += _GAP if position else 0
            canvas.place(diagram)
        for note in _notes(match, each):
            canvas.y += 6
            canvas.write(note, _SMALL, tone="muted", lines=4)
    canvas.y += _GAP - 12
    canvas.write(how(match), _SMALL, tone="muted", lines=4)
    return Picture(
        width=canvas.room + 2 * MARGIN,
        height=canvas.y + MARGIN - 6,
        title=f"{clean(match.substitute)} → {clean(match.substitutee)}: {figure(match.score)}",
        description=_description(match),
        boxes=tuple(canvas.boxes),
        arrows=tuple(canvas.arrows),
        texts=tuple(canvas.texts),
    )


def how(match: Match) -> str:
    """How a match was computed, on one line."""
    bases = " + ".join(match.bases)
    depth = " · depth-limited" if match.depth_limited else ""
    derivation = f" · derivation by {match.derivation}" if match.derivation else ""
    return clean(f"{bases}{depth} · profile {match.profile} · threshold {match.threshold:g}{derivation}")


def _nothing(match: Match) -> AspectMatch:
    return AspectMatch(match.substitute, match.substitutee, 0.0)


def _diagrams(match: Match, each: AspectMatch) -> list[Diagram]:
    if each.path:
        return path_diagram(each.path)
    phrases = (each.substitute, each.substitutee)
    return [missing_diagram(phrases, [phrase in match.unknown for phrase in phrases])]


def _score_line(match: Match) -> str:
    mean = f" · harmonic mean of {len(match.matches)} pairs" if len(match.matches) > 1 else ""
    return f"score {figure(match.score)}{mean}"


def _notes(match: Match, each: AspectMatch) -> list[str]:
    unknown = [phrase for phrase in (each.substitute, each.substitutee) if phrase in match.unknown]
    if each.path:
        return ["Both phrases name this entity."] if len(each.path) == 1 else []
    if unknown:
        names = " and ".join(f"“{clean(phrase)}”" for phrase in dict.fromkeys(unknown))
        return [f"Nothing is known of {names} here, so this 0 says nothing about meaning."]
    return [f"No path keeps {match.threshold:g} or more."]


def _description(match: Match) -> str:
    sentences = [f"How well “{clean(match.substitute)}” stands in for “{clean(match.substitutee)}”: {figure(match.score)}."]
    for each in match.matches or (_nothing(match),):
        sentences += [_in_a_sentence(each.path)] if each.path else []
        sentences += _notes(match, each)
    return " ".join([*sentences, how(match) + "."])


def _in_a_sentence(path: tuple[Step, ...]) -> str:
    start, *rest = (clean(step.title) for step in path)
    steps = (f", {clean(step.kind)} (× {figure(step.factor)}) to {name}" for step, name in zip(path[1:], rest, strict=True))
    return f"From {start}" + "".join(steps) + f": {figure(path[-1].score)}."
