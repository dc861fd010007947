"""Draw one path: boxes on the grid of ``grid_layout``, with room for their texts and the labels of the arrows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .font_metrics import text_width, wrap_text
from .grid_layout import Band, Place, lay_out_path
from .shapes import FAINT_LINE, PLAIN_LINE, Area, Arrow, Box, LineStyle, Look, Text
from .text import clean

MARGIN = 26.0
_NAME, _LABEL = 14.0, 11.0
_NAME_LINE, _LABEL_LINE = 18.0, 15.0
_NAME_ROOM, _NAME_LINES, _LEAST = 150.0, 4, 64.0
_PADDING, _SHAFT, _FALL, _CLEAR = 12.0, 40.0, 62.0, 10.0


@dataclass(frozen=True, slots=True)
class Diagram:
    """Boxes and arrows around their own origin."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]

    def at(self, x: float, y: float) -> tuple[list[Box], list[Arrow]]:
        """The same boxes and arrows with the origin moved to this point."""
        boxes = [replace(box, area=_moved(box.area, x, y), texts=_texts_moved(box.texts, x, y)) for box in self.boxes]
        arrows = [
            replace(arrow, points=tuple((a + x, b + y) for a, b in arrow.points), texts=_texts_moved(arrow.texts, x, y))
            for arrow in self.arrows
        ]
        return boxes, arrows


def _moved(area: Area, x: float, y: float) -> Area:
    return Area(area.left + x, area.top + y, area.right + x, area.bottom + y)


def _texts_moved(texts: Sequence[Text], x: float, y: float) -> tuple[Text, ...]:
    return tuple(text.moved(x, y) for text in texts)


def path_diagrams(frames: Sequence[Frame], links: Sequence[PathLink]) -> list[Diagram]:
    """Lay out a path, one diagram a band; each link leads from one frame to the next."""
    return [_band_diagram(frames, links, band) for band in lay_out_path([link.fall for link in links])]


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
    """A box before it has a place: its lines of text and its size."""

    name: tuple[str, ...]
    below: str
    look: Look
    about: str

    @classmethod
    def from_text(cls, name: str, below: str, look: Look, about: str | None = None) -> Frame:
        """Wrap a name into the lines of a box; ``about`` is its full text, shown on hovering."""
        name = clean(name)
        return cls(tuple(wrap_text(name, _NAME_ROOM, _NAME, _NAME_LINES)), below, look, about or name)

    @property
    def width(self) -> float:
        """Width of the box."""
        rooms = [text_width(line, _NAME) for line in self.name] + [text_width(self.below, _LABEL)]
        return max(_LEAST, max(rooms) + 2 * _PADDING)

    @property
    def height(self) -> float:
        """Height of the box."""
        return _NAME_LINE * len(self.name) + (_LABEL_LINE if self.below else 0.0) + _PADDING

    def box(self, x: float, y: float) -> Box:
        """The box with its middle at this point."""
        left, top = x - self.width / 2, y - self.height / 2
        base = top + _PADDING / 2 - 4.5
        texts = [Text(line, x, base + _NAME_LINE * number, _NAME, "middle") for number, line in enumerate(self.name, start=1)]
        if self.below:
            texts.append(Text(self.below, x, base + _NAME_LINE * len(self.name) + _LABEL_LINE, _LABEL, "middle", "muted"))
        return Box(Area(left, top, left + self.width, top + self.height), self.look, tuple(texts), self.about)


@dataclass(frozen=True, slots=True)
class PathLink:
    """An arrow between two boxes: the heading and the lines beside it, how it looks, and how many rows it leads down."""

    heading: str
    lines: tuple[str, ...] = ()
    style: LineStyle = PLAIN_LINE
    fall: int = 0

    @property
    def width(self) -> float:
        """Width of the widest line."""
        return max(text_width(line, _LABEL) for line in (self.heading, *self.lines))


def _band_diagram(frames: Sequence[Frame], links: Sequence[PathLink], band: Band) -> Diagram:
    framed = {place.index: frames[place.index] for place in band.places}
    begin = band.places[0].index
    if begin:  # this box ends the band before, too
        framed[begin] = replace(framed[begin], look="again")
    leading = {place.index: links[place.index - 1] for place in band.places if place.route}
    columns = _columns(band, framed, leading)
    rows = _rows(band, framed, leading)
    boxes = {place.index: framed[place.index].box(columns[place.column], rows[place.row]) for place in band.places}
    arrows = tuple(
        _arrow(boxes[place.index - 1], boxes[place.index], place, leading[place.index]) for place in band.places if place.route
    )
    areas = [box.area for box in boxes.values()] + [text.area for arrow in arrows for text in arrow.texts]
    return Diagram(max(area.right for area in areas), max(area.bottom for area in areas), tuple(boxes.values()), arrows)


def _columns(band: Band, frames: dict[int, Frame], links: dict[int, PathLink]) -> list[float]:
    """The middle of each column: boxes stand on both sides of it, labels of upright lines on its right."""
    middles: list[float] = []
    right = 0.0
    for column in range(band.columns):
        inside = [place for place in band.places if place.column == column]
        half = max(frames[place.index].width for place in inside) / 2
        lead = [place for place in inside if place.route in ("flat", "bent")]
        flat = [links[place.index].width for place in lead if place.route == "flat"]
        gap = _SHAFT + max(flat, default=0.0) if lead else 0.0
        middles.append(right + gap + half)
        upright = [links[place.index].width + _CLEAR for place in inside if place.route in ("straight", "bent")]
        right = middles[-1] + max(half, *upright, 0.0)
    return middles


def _rows(band: Band, frames: dict[int, Frame], links: dict[int, PathLink]) -> list[float]:
    """The middle of each row."""
    middles: list[float] = []
    bottom = -_row_gap(links)
    for row in range(band.rows):
        inside = [place.index for place in band.places if place.row == row]
        flat = [links[place.index] for place in band.places if place.row == row and place.route == "flat"]
        beside = max((_LABEL_LINE * (len(label.lines) + 1) for label in flat), default=0.0)
        half = max([frames[index].height / 2 for index in inside] + [beside])
        middles.append(bottom + _row_gap(links) + half)
        bottom = middles[-1] + half
    return middles


def _row_gap(links: dict[int, PathLink]) -> float:
    """The distance between two rows, in which the labels of upright lines stand."""
    return max([_LABEL_LINE * (len(link.lines) + 1) + 18 for link in links.values()] + [_FALL])


def _arrow(start: Box, end: Box, place: Place, link: PathLink) -> Arrow:
    x, y = (end.area.left + end.area.right) / 2, (start.area.top + start.area.bottom) / 2
    about = f"{link.heading}: {', '.join(link.lines)}"
    points: tuple[tuple[float, float], ...]
    if place.route == "flat":
        points = ((start.area.right, y), (end.area.left, y))
        middle = (points[0][0] + points[1][0] - 6) / 2
        texts = [Text(link.heading, middle, y - 7, _LABEL, "middle")]
        texts += [
            Text(line, middle, y + _LABEL_LINE * number, _LABEL, "middle", "muted")
            for number, line in enumerate(link.lines, start=1)
        ]
        return Arrow(points, link.style, tuple(texts), about)
    down = link.fall > 0
    foot = end.area.top if down else end.area.bottom
    corner = start.area.bottom if down else start.area.top
    bent = place.route == "bent"
    points = ((start.area.right, y), (x, y), (x, foot)) if bent else ((x, corner), (x, foot))
    lines = (link.heading, *link.lines)
    base = ((y if bent else corner) + foot) / 2 - _LABEL_LINE * len(lines) / 2 + 11
    texts = [
        Text(line, x + _CLEAR, base + _LABEL_LINE * number, _LABEL, "start", "muted" if number else "ink")
        for number, line in enumerate(lines)
    ]
    return Arrow(points, link.style, tuple(texts), about)
