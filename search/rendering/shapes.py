"""What a picture is made of: texts, boxes and arrows with their coordinates, in pixels from the upper left corner.

A layout computes them once; each painter (SVG, PNG) draws the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, Self

from .lettering import width

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
        return width(self.text, self.size, bold=self.bold)

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


@dataclass(frozen=True, slots=True)
class Arrow:
    """A line from one box to another through ``points``; ``kind`` is the step it stands for, None where there is no path."""

    points: tuple[tuple[float, float], ...]
    kind: str | None
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


# Dark and light enough to be told apart in grey; each kind of step has a line style of its own besides (on, off, ... pixels).
TONES: Mapping[str, str] = {"ink": "#1a1a1a", "muted": "#5c5c5c", "paper": "#ffffff", "shade": "#e8eef5", "frame": "#3c4650"}
LINES: Mapping[str | None, tuple[str, float, tuple[float, ...]]] = {
    "specialisation": ("#0b5fa5", 2.4, ()),
    "generalisation": ("#b8460b", 2.4, (12, 3)),
    "derivation": ("#7a2a8c", 1.8, (9, 3, 2, 3)),
    "similar": ("#94690a", 1.8, (6, 4)),
    "also": ("#94690a", 1.8, (3, 3)),
    "same": ("#1a1a1a", 1.4, ()),
    "redirect": ("#1a1a1a", 1.4, (2, 3)),
    "central": ("#0b6e4f", 1.8, (14, 4)),
    "crossing": ("#a01850", 1.8, (9, 3, 2, 3, 2, 3)),
    "synonym": ("#0b5fa5", 1.6, (7, 4)),
    "mutual synonyms": ("#0b5fa5", 2.6, ()),
    "tie": ("#94690a", 0.9, (4, 3)),
    "mutual tie": ("#94690a", 1.5, ()),
    None: ("#767676", 1.4, (1.5, 4)),
}


def line_style(kind: str | None) -> tuple[str, float, tuple[float, ...]]:
    """Colour, width and dashes of the line that stands for a kind of step."""
    return LINES.get(kind, LINES["same"])
