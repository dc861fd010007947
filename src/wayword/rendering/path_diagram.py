"""Diagrams of a path: boxes on the grid of ``grid_layout``, spaced for their texts and the labels of the arrows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .font_metrics import text_width, wrap_text
from .grid_layout import COLUMNS, Band, Cell, lay_out_path
from .line_styles import FAINT_LINE, PLAIN_LINE, LineStyle
from .shapes import Area, Arrow, Box, Look, Text
from .text import clean

MARGIN = 26.0
PAGE_WIDTH = 1040.0
"""The greatest width of a picture in pixels, if its path can be broken into bands: that of A4 in landscape."""

_NAME, _LABEL = 14.0, 11.5
_NAME_LINE, _LABEL_LINE = 18.0, 15.0
_NAME_WIDTH, _NAME_LINES, _GLOSS_LINES, _MIN_WIDTH = 164.0, 4, 4, 64.0
_PADDING, _SHAFT, _MIN_ROW_GAP, _LABEL_GAP = 12.0, 40.0, 62.0, 10.0


@dataclass(frozen=True, slots=True)
class Diagram:
    """Boxes and arrows relative to an origin at the upper left."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]

    def place_at(self, x: float, y: float) -> tuple[list[Box], list[Arrow]]:
        """Return the boxes and arrows with the origin at a point."""
        boxes = [replace(box, area=_move(box.area, x, y), texts=_move_texts(box.texts, x, y)) for box in self.boxes]
        arrows = [
            replace(arrow, points=tuple((a + x, b + y) for a, b in arrow.points), texts=_move_texts(arrow.texts, x, y))
            for arrow in self.arrows
        ]
        return boxes, arrows


def _move(area: Area, x: float, y: float) -> Area:
    return Area(area.left + x, area.top + y, area.right + x, area.bottom + y)


def _move_texts(texts: Sequence[Text], x: float, y: float) -> tuple[Text, ...]:
    return tuple(text.shift(x, y) for text in texts)


def path_diagrams(frames: Sequence[Frame], links: Sequence[PathLink]) -> list[Diagram]:
    """Lay out a path as one diagram for each band; each link leads from one frame to the next."""
    rows_down = [link.rows_down for link in links]
    for columns in range(COLUMNS, 1, -1):
        diagrams = [_band_diagram(frames, links, band) for band in lay_out_path(rows_down, columns)]
        if max(diagram.width for diagram in diagrams) <= PAGE_WIDTH - 2 * MARGIN:
            break
    return diagrams


def missing_path_diagram(left: Frame, right: Frame) -> Diagram:
    """Lay out two boxes with no path between them."""
    text = "no path"
    height = max(left.height, right.height)
    start = left.box(left.width / 2, height / 2)
    end = right.box(start.area.right + _SHAFT + text_width(text, _LABEL) + right.width / 2, height / 2)
    points = ((start.area.right + 4, height / 2), (end.area.left - 4, height / 2))
    label = Text(text, (points[0][0] + points[1][0]) / 2, height / 2 - 7, _LABEL, "middle", "muted")
    return Diagram(end.area.right, height, (start, end), (Arrow(points, FAINT_LINE, (label,), text),))


@dataclass(frozen=True, slots=True)
class Frame:
    """A box without a position: its lines of text and its size."""

    name: tuple[str, ...]
    gloss: tuple[str, ...]
    below: str
    look: Look
    tooltip: str

    @classmethod
    def from_text(
        cls, name: str, below: str, look: Look, tooltip: str | None = None, *, gloss: str = "", source: str = ""
    ) -> Frame:
        """Wrap texts into the lines of a box.

        Args:
            name: The name.
            below: The last line.
            look: The look of the box.
            tooltip: By default the full name.
            gloss: What the name means here.
            source: A line below the gloss that says where it comes from.
        """
        name, gloss, source = clean(name), clean(gloss), clean(source)
        small = wrap_text(gloss, _NAME_WIDTH, _LABEL, _GLOSS_LINES) if gloss else []
        small += wrap_text(source, _NAME_WIDTH, _LABEL, 1) if source else []
        return cls(tuple(wrap_text(name, _NAME_WIDTH, _NAME, _NAME_LINES)), tuple(small), below, look, tooltip or name)

    @property
    def width(self) -> float:
        """Width of the box."""
        widths = [text_width(line, _NAME) for line in self.name]
        widths += [text_width(line, _LABEL) for line in (*self.gloss, self.below)]
        return max(_MIN_WIDTH, max(widths) + 2 * _PADDING)

    @property
    def height(self) -> float:
        """Height of the box."""
        return _NAME_LINE * len(self.name) + _LABEL_LINE * (len(self.gloss) + bool(self.below)) + _PADDING

    def box(self, x: float, y: float) -> Box:
        """Return the box with its centre at a point."""
        left, top = x - self.width / 2, y - self.height / 2
        baseline = top + _PADDING / 2 - 4.5
        texts = [
            Text(line, x, baseline + _NAME_LINE * number, _NAME, "middle") for number, line in enumerate(self.name, start=1)
        ]
        foot = baseline + _NAME_LINE * len(self.name)
        texts += [
            Text(line, x, foot + _LABEL_LINE * number, _LABEL, "middle", "muted")
            for number, line in enumerate(self.gloss, start=1)
        ]
        if self.below:
            texts.append(Text(self.below, x, foot + _LABEL_LINE * (len(self.gloss) + 1), _LABEL, "middle"))
        return Box(Area(left, top, left + self.width, top + self.height), self.look, tuple(texts), self.tooltip)


@dataclass(frozen=True, slots=True)
class PathLink:
    """An arrow between two boxes: the heading and lines beside it, its style, and the number of rows that it leads down."""

    heading: str
    lines: tuple[str, ...] = ()
    style: LineStyle = PLAIN_LINE
    rows_down: int = 0

    @property
    def width(self) -> float:
        """Width of the widest line."""
        return max(text_width(line, _LABEL) for line in (self.heading, *self.lines))


def _band_diagram(frames: Sequence[Frame], links: Sequence[PathLink], band: Band) -> Diagram:
    band_frames = {cell.index: frames[cell.index] for cell in band.cells}
    first = band.cells[0].index
    if first:  # this box is also the last one of the previous band
        band_frames[first] = replace(band_frames[first], look="repeated")
    band_links = {cell.index: links[cell.index - 1] for cell in band.cells if cell.route}
    columns = _columns(band, band_frames, band_links)
    rows = _rows(band, band_frames, band_links)
    boxes = {cell.index: band_frames[cell.index].box(columns[cell.column], rows[cell.row]) for cell in band.cells}
    arrows = tuple(
        _arrow(boxes[cell.index - 1], boxes[cell.index], cell, band_links[cell.index]) for cell in band.cells if cell.route
    )
    areas = [box.area for box in boxes.values()] + [text.area for arrow in arrows for text in arrow.texts]
    return Diagram(max(area.right for area in areas), max(area.bottom for area in areas), tuple(boxes.values()), arrows)


def _columns(band: Band, frames: dict[int, Frame], links: dict[int, PathLink]) -> list[float]:
    """Return the centre of each column; boxes extend to both sides of it, labels of vertical lines to the right."""
    centres: list[float] = []
    right = 0.0
    for column in range(band.columns):
        inside = [cell for cell in band.cells if cell.column == column]
        half = max(frames[cell.index].width for cell in inside) / 2
        lead = [cell for cell in inside if cell.route in ("flat", "bent")]
        flat = [links[cell.index].width for cell in lead if cell.route == "flat"]
        gap = _SHAFT + max(flat, default=0.0) if lead else 0.0
        centres.append(right + gap + half)
        vertical = [links[cell.index].width + _LABEL_GAP for cell in inside if cell.route in ("straight", "bent")]
        right = centres[-1] + max(half, *vertical, 0.0)
    return centres


def _rows(band: Band, frames: dict[int, Frame], links: dict[int, PathLink]) -> list[float]:
    """Return the centre of each row."""
    centres: list[float] = []
    bottom = -_row_gap(links)
    for row in range(band.rows):
        inside = [cell.index for cell in band.cells if cell.row == row]
        flat = [links[cell.index] for cell in band.cells if cell.row == row and cell.route == "flat"]
        beside = max((_LABEL_LINE * (len(label.lines) + 1) for label in flat), default=0.0)
        half = max([frames[index].height / 2 for index in inside] + [beside])
        centres.append(bottom + _row_gap(links) + half)
        bottom = centres[-1] + half
    return centres


def _row_gap(links: dict[int, PathLink]) -> float:
    """Return the distance between two rows, which has space for the labels of vertical lines."""
    return max([_LABEL_LINE * (len(link.lines) + 1) + 18 for link in links.values()] + [_MIN_ROW_GAP])


def _arrow(start: Box, end: Box, cell: Cell, link: PathLink) -> Arrow:
    x, y = (end.area.left + end.area.right) / 2, (start.area.top + start.area.bottom) / 2
    tooltip = f"{link.heading}: {', '.join(link.lines)}"
    points: tuple[tuple[float, float], ...]
    if cell.route == "flat":
        points = ((start.area.right, y), (end.area.left, y))
        middle = (points[0][0] + points[1][0] - 6) / 2
        texts = [Text(link.heading, middle, y - 7, _LABEL, "middle")]
        texts += [
            Text(line, middle, y + _LABEL_LINE * number, _LABEL, "middle", "muted")
            for number, line in enumerate(link.lines, start=1)
        ]
        return Arrow(points, link.style, tuple(texts), tooltip)
    down = link.rows_down > 0
    foot = end.area.top if down else end.area.bottom
    corner = start.area.bottom if down else start.area.top
    bent = cell.route == "bent"
    points = ((start.area.right, y), (x, y), (x, foot)) if bent else ((x, corner), (x, foot))
    lines = (link.heading, *link.lines)
    baseline = ((y if bent else corner) + foot) / 2 - _LABEL_LINE * len(lines) / 2 + 11
    texts = [
        Text(line, x + _LABEL_GAP, baseline + _LABEL_LINE * number, _LABEL, "start", "muted" if number else "ink")
        for number, line in enumerate(lines)
    ]
    return Arrow(points, link.style, tuple(texts), tooltip)
