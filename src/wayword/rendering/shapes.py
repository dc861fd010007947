"""The elements of a picture: texts, boxes and arrows, with coordinates in pixels from the upper left corner.

A layout computes them once, so that a picture looks the same as SVG and as PNG.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, Self

from .font_metrics import text_width
from .line_styles import LineStyle

Anchor = Literal["start", "middle", "end"]
Look = Literal["entity", "end", "group", "repeated", "phrase"]

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
    """One line of text; ``y`` is its baseline, ``width`` the measured width that it is fitted into."""

    text: str
    x: float
    y: float
    size: float
    anchor: Anchor = "start"
    tone: str = "ink"
    bold: bool = False

    @property
    def width(self) -> float:
        """The measured width."""
        return text_width(self.text, self.size, bold=self.bold)

    @property
    def area(self) -> Area:
        """The rectangle around the text."""
        left = self.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor] * self.width
        return Area(left, self.y - ASCENT * self.size, left + self.width, self.y + DESCENT * self.size)

    def shift(self, x: float, y: float) -> Self:
        """Return the text moved by these distances."""
        return replace(self, x=self.x + x, y=self.y + y)


@dataclass(frozen=True, slots=True)
class Box:
    """A box with lines of text in it; ``tooltip`` is the full text."""

    area: Area
    look: Look
    texts: tuple[Text, ...]
    tooltip: str


@dataclass(frozen=True, slots=True)
class Arrow:
    """A line from one box to another through ``points``."""

    points: tuple[tuple[float, float], ...]
    style: LineStyle
    texts: tuple[Text, ...]
    tooltip: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture; ``title`` and ``description`` describe it in words."""

    width: float
    height: float
    title: str
    description: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    texts: tuple[Text, ...]

    def all_texts(self) -> Iterator[Text]:
        """Yield every text, including those of boxes and arrows."""
        yield from self.texts
        for box in self.boxes:
            yield from box.texts
        for arrow in self.arrows:
            yield from arrow.texts


TONES: Mapping[str, str] = {"ink": "#1a1a1a", "muted": "#5c5c5c", "paper": "#ffffff", "shade": "#e8eef5", "frame": "#3c4650"}
"""Colours by purpose; they differ enough in brightness to be distinguished without colour."""
