"""A page that is filled from top to bottom with lines of text and diagrams."""

from __future__ import annotations

from dataclasses import dataclass, field

from .font_metrics import text_width, wrap_text
from .path_diagram import MARGIN, Diagram
from .shapes import Arrow, Box, Picture, Text


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
        for line in wrap_text(text, self.room - x, size, lines, bold=bold):
            self.y += round(size * 1.4)
            self.texts.append(Text(line, MARGIN + x, self.y - size * 0.35, size, tone=tone, bold=bold))

    def write_pair(self, substitute: str, substitutee: str, size: float, score: str = "") -> None:
        """Put "substitute → substitutee" below what is there: on one line, or on two where it is long."""
        arrow, blank = text_width("→", size, bold=True), size * 0.5
        first, second, third = (text_width(text, size, bold=True) for text in (substitute, substitutee, score))
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

    def add_diagram(self, diagram: Diagram) -> None:
        """Put a diagram below what is there."""
        boxes, arrows = diagram.at(MARGIN, self.y)
        self.boxes += boxes
        self.arrows += arrows
        self.y += diagram.height

    def to_picture(self, title: str, description: str) -> Picture:
        """Return everything placed so far as a picture with a margin around it."""
        return Picture(
            width=self.room + 2 * MARGIN,
            height=self.y + MARGIN - 6,
            title=title,
            description=description,
            boxes=tuple(self.boxes),
            arrows=tuple(self.arrows),
            texts=tuple(self.texts),
        )
