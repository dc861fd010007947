"""A page that is filled with text and diagrams from top to bottom."""

from __future__ import annotations

from dataclasses import dataclass, field

from .font_metrics import text_width, wrap_text
from .path_diagram import MARGIN, Diagram
from .shapes import Arrow, Box, Picture, Text


@dataclass(slots=True)
class Canvas:
    """The content written so far to a page of a given width; ``y`` is its lower edge."""

    width: float
    y: float = MARGIN
    boxes: list[Box] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)

    def write(self, text: str, size: float, *, x: float = 0.0, lines: int = 2, tone: str = "ink", bold: bool = False) -> None:
        """Append lines of text; a longer text is cut off after ``lines``."""
        for line in wrap_text(text, self.width - x, size, lines, bold=bold):
            self.y += round(size * 1.4)
            self.texts.append(Text(line, MARGIN + x, self.y - size * 0.35, size, tone=tone, bold=bold))

    def write_pair(self, substitute: str, substitutee: str, size: float, score: str = "") -> None:
        """Append "substitute → substitutee", on two lines if it is too long for one."""
        arrow, gap = text_width("→", size, bold=True), size * 0.5
        first, second, third = (text_width(text, size, bold=True) for text in (substitute, substitutee, score))
        if first + arrow + second + third + 4 * gap > self.width:
            self.write(substitute, size, bold=True)
            top = self.y
            self.write(substitutee, size, x=arrow + gap, bold=True)
            self.texts.append(Text("→", MARGIN, top + round(size * 1.4) - size * 0.35, size, tone="muted", bold=True))
            if score:
                self.write(score, size, bold=True, tone="muted")
            return
        self.y += round(size * 1.4)
        x, baseline = MARGIN, self.y - size * 0.35
        for text, width in ((substitute, first), ("→", arrow), (substitutee, second), (score, third)):
            tone = "ink" if text in (substitute, substitutee) else "muted"
            if text:
                self.texts.append(Text(text, x, baseline, size, tone=tone, bold=True))
            x += width + gap

    def add_diagram(self, diagram: Diagram) -> None:
        """Append a diagram."""
        boxes, arrows = diagram.place_at(MARGIN, self.y)
        self.boxes += boxes
        self.arrows += arrows
        self.y += diagram.height

    def to_picture(self, title: str, description: str) -> Picture:
        """Return the page as a picture, with a margin around its content."""
        return Picture(
            width=self.width + 2 * MARGIN,
            height=self.y + MARGIN - 6,
            title=title,
            description=description,
            boxes=tuple(self.boxes),
            arrows=tuple(self.arrows),
            texts=tuple(self.texts),
        )
