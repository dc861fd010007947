"""What a picture is made of: texts, boxes and arrows with their coordinates, in pixels from the upper left corner.

A layout computes them once; each painter (SVG, PNG) draws the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, Self

from .font_metrics import text_width

Anchor = Literal["start", "middle", "end"]
Look = Literal["entity", "end", "group", "again", "phrase"]

ASCENT, DESCENT = 0.93, 0.24


@dataclass(frozen=True, slots=True)
class Area:
    """An upright rectangle."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; ``y`` is its base line, ``room`` the width that no painter may exceed."""

    text: str
    x: float
    y: float
    size: float
    anchor: Anchor = "start"
    tone: str = "ink"
    bold: bool = False

    @property
    def room(self) -> float:
        """The width it is given."""
        return text_width(self.text, self.size, bold=self.bold)

    @property
    def area(self) -> Area:
        """The rectangle it stays in."""
        left = self.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor] * self.room
        return Area(left, self.y - ASCENT * self.size, left + self.room, self.y + DESCENT * self.size)

    def moved(self, x: float, y: float) -> Self:
        """The same text elsewhere."""
        return replace(self, x=self.x + x, y=self.y + y)


@dataclass(frozen=True, slots=True)
class Box:
    """A frame with lines of text in it; ``about`` is the full text behind what is shown."""

    area: Area
    look: Look
    texts: tuple[Text, ...]
    about: str


class LineStyle(NamedTuple):
    """How a line looks: dashes are lengths on and off in pixels, so that styles differ in grey too."""

    colour: str
    width: float
    dashes: tuple[float, ...] = ()
    head: bool = True


PLAIN_LINE = LineStyle("#1a1a1a", 1.4)
FAINT_LINE = LineStyle("#767676", 1.4, (1.5, 4), head=False)


@dataclass(frozen=True, slots=True)
class Arrow:
    """A line from one box to another through ``points``."""

    points: tuple[tuple[float, float], ...]
    style: LineStyle
    texts: tuple[Text, ...]
    about: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A whole picture; ``title`` and ``description`` say in words what it shows."""

    width: float
    height: float
    title: str
    description: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    texts: tuple[Text, ...]

    def all_texts(self) -> Iterator[Text]:
        """Every text in it, wherever it belongs."""
        yield from self.texts
        for box in self.boxes:
            yield from box.texts
        for arrow in self.arrows:
            yield from arrow.texts


TONES: Mapping[str, str] = {"ink": "#1a1a1a", "muted": "#5c5c5c", "paper": "#ffffff", "shade": "#e8eef5", "frame": "#3c4650"}
"""Colours by what they are for; dark and light enough to be told apart in grey."""
