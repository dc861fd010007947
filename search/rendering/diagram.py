"""One path, measured and drawn to itself: boxes on the grid of ``placement``, with room for their texts and labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..result import Step
from .lettering import clean, figure, shorten, width, wrap
from .placement import Band, Place, bands
from .shapes import Area, Arrow, Box, Look, Text

MARGIN = 26.0
_NAME, _LABEL = 14.0, 11.0
_NAME_LINE, _LABEL_LINE = 18.0, 15.0
_NAME_ROOM, _NAME_LINES, _LEAST = 150.0, 4, 64.0
_LABEL_LETTERS = 28
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


def path_diagram(path: Sequence[Step]) -> list[Diagram]:
    """The diagrams of a path, one for each band of it."""
    frames = [_entity_frame(path, index, _look(path, index)) for index in range(len(path))]
    return _diagrams(frames, [_label(step) for step in path], [step.step for step in path])


def chain_diagram(boxes: Sequence[tuple[str, str]], arrows: Sequence[tuple[str, Sequence[str]]]) -> list[Diagram]:
    """The diagrams of a chain, one for each band: the boxes' names and what stands below them, and what is at the arrows."""
    ends = {0, len(boxes) - 1}
    frames = [_frame(name, clean(below), "end" if index in ends else "entity") for index, (name, below) in enumerate(boxes)]
    labels = [
        _Label(shorten(clean(name), _LABEL_LETTERS), tuple(shorten(clean(line), _LABEL_LETTERS) for line in lines))
        for name, lines in arrows
    ]
    return _diagrams(frames, [_Label("", ()), *labels], [None] + ["same"] * len(arrows))


def _diagrams(frames: Sequence[_Frame], labels: Sequence[_Label], kinds: Sequence[str | None]) -> list[Diagram]:
    return [_band_diagram(frames, labels, kinds, band, first=not number) for number, band in enumerate(bands(kinds))]


def missing_diagram(phrases: tuple[str, str], unknown: Sequence[bool]) -> Diagram:
    """Two phrases with no path between them."""
    frames = [_frame(phrase, "unknown" if missing else "", "phrase") for phrase, missing in zip(phrases, unknown, strict=True)]
    gap = _SHAFT + width("no path", _LABEL)
    height = max(frame.height for frame in frames)
    left = frames[0].box(frames[0].width / 2, height / 2)
    right = frames[1].box(left.area.right + gap + frames[1].width / 2, height / 2)
    ends = ((left.area.right + 4, height / 2), (right.area.left - 4, height / 2))
    label = Text("no path", (ends[0][0] + ends[1][0]) / 2, height / 2 - 7, _LABEL, "middle", "muted")
    arrow = Arrow(ends, None, (label,), "no path")
    return Diagram(right.area.right, height, (left, right), (arrow,))


@dataclass(frozen=True, slots=True)
class _Frame:
    """A box before it has a place: its lines of text and its size."""

    name: tuple[str, ...]
    below: str
    look: Look
    about: str

    @property
    def width(self) -> float:
        rooms = [width(line, _NAME) for line in self.name] + [width(self.below, _LABEL)]
        return max(_LEAST, max(rooms) + 2 * _PADDING)

    @property
    def height(self) -> float:
        return _NAME_LINE * len(self.name) + (_LABEL_LINE if self.below else 0.0) + _PADDING

    def box(self, x: float, y: float) -> Box:
        """The box with its middle at this point."""
        left, top = x - self.width / 2, y - self.height / 2
        base = top + _PADDING / 2 - 4.5
        texts = [Text(line, x, base + _NAME_LINE * number, _NAME, "middle") for number, line in enumerate(self.name, start=1)]
        if self.below:
            texts.append(Text(self.below, x, base + _NAME_LINE * len(self.name) + _LABEL_LINE, _LABEL, "middle", "muted"))
        return Box(Area(left, top, left + self.width, top + self.height), self.look, tuple(texts), self.about)


def _frame(name: str, below: str, look: Look, about: str | None = None) -> _Frame:
    name = clean(name)
    return _Frame(tuple(wrap(name, _NAME_ROOM, _NAME, _NAME_LINES)), below, look, about or name)


def _entity_frame(path: Sequence[Step], index: int, look: Look) -> _Frame:
    step = path[index]
    score = figure(step.score) if index == 0 else f"= {figure(step.score)}"
    about = " · ".join(clean(part) for part in (step.title, step.gloss, step.id) if part)
    return _frame(step.title, score, look, about)


def _look(path: Sequence[Step], index: int) -> Look:
    if index in (0, len(path) - 1):
        return "end"
    return "group" if path[index].label == "Category" else "entity"


@dataclass(frozen=True, slots=True)
class _Label:
    """What is written at an arrow."""

    kind: str
    lines: tuple[str, ...]

    @property
    def width(self) -> float:
        return max(width(line, _LABEL) for line in (self.kind, *self.lines))


def _label(step: Step) -> _Label:
    breadth = () if step.breadth is None else (f"breadth {step.breadth}",)
    return _Label(clean(step.kind), (f"× {figure(step.factor)}", *breadth))


def _band_diagram(
    frames: Sequence[_Frame], labels: Sequence[_Label], kinds: Sequence[str | None], band: Band, *, first: bool
) -> Diagram:
    framed = {place.index: frames[place.index] for place in band.places}
    if not first:
        framed |= {place.index: replace(frames[place.index], look="again") for place in band.places if not place.route}
    labelled = {place.index: labels[place.index] for place in band.places if place.route}
    columns = _columns(band, framed, labelled)
    rows = _rows(band, framed, labelled)
    boxes = {place.index: framed[place.index].box(columns[place.column], rows[place.row]) for place in band.places}
    arrows = tuple(
        _arrow(boxes[place.index - 1], boxes[place.index], place, labels[place.index], kinds[place.index])
        for place in band.places
        if place.route
    )
    areas = [box.area for box in boxes.values()] + [text.area for arrow in arrows for text in arrow.texts]
    return Diagram(max(area.right for area in areas), max(area.bottom for area in areas), tuple(boxes.values()), arrows)


def _columns(band: Band, frames: dict[int, _Frame], labels: dict[int, _Label]) -> list[float]:
    """The middle of each column: boxes stand on both sides of it, labels of upright lines on its right."""
    middles: list[float] = []
    right = 0.0
    for column in range(band.columns):
        inside = [place for place in band.places if place.column == column]
        half = max(frames[place.index].width for place in inside) / 2
        lead = [place for place in inside if place.route in ("flat", "bent")]
        flat = [labels[place.index].width for place in lead if place.route == "flat"]
        gap = _SHAFT + max(flat, default=0.0) if lead else 0.0
        middles.append(right + gap + half)
        upright = [labels[place.index].width + _CLEAR for place in inside if place.route in ("straight", "bent")]
        right = middles[-1] + max(half, *upright, 0.0)
    return middles


def _rows(band: Band, frames: dict[int, _Frame], labels: dict[int, _Label]) -> list[float]:
    """The middle of each row."""
    middles: list[float] = []
    bottom = -_fall(labels)
    for row in range(band.rows):
        inside = [place.index for place in band.places if place.row == row]
        flat = [labels[place.index] for place in band.places if place.row == row and place.route == "flat"]
        beside = max((_LABEL_LINE * (len(label.lines) + 1) for label in flat), default=0.0)
        half = max([frames[index].height / 2 for index in inside] + [beside])
        middles.append(bottom + _fall(labels) + half)
        bottom = middles[-1] + half
    return middles


def _fall(labels: dict[int, _Label]) -> float:
    """The distance between two rows, in which the labels of upright lines stand."""
    return max([_LABEL_LINE * (len(label.lines) + 1) + 18 for label in labels.values()] + [_FALL])


def _arrow(start: Box, end: Box, place: Place, label: _Label, kind: str | None) -> Arrow:
    x, y = (end.area.left + end.area.right) / 2, (start.area.top + start.area.bottom) / 2
    about = f"{label.kind}: {', '.join(label.lines)}"
    points: tuple[tuple[float, float], ...]
    if place.route == "flat":
        points = ((start.area.right, y), (end.area.left, y))
        middle = (points[0][0] + points[1][0] - 6) / 2
        texts = [Text(label.kind, middle, y - 7, _LABEL, "middle")]
        texts += [
            Text(line, middle, y + _LABEL_LINE * number, _LABEL, "middle", "muted")
            for number, line in enumerate(label.lines, start=1)
        ]
        return Arrow(points, kind, tuple(texts), about)
    down = kind == "specialisation"
    foot = end.area.top if down else end.area.bottom
    corner = start.area.bottom if down else start.area.top
    bent = place.route == "bent"
    points = ((start.area.right, y), (x, y), (x, foot)) if bent else ((x, corner), (x, foot))
    lines = (label.kind, *label.lines)
    base = ((y if bent else corner) + foot) / 2 - _LABEL_LINE * len(lines) / 2 + 11
    texts = [
        Text(line, x + _CLEAR, base + _LABEL_LINE * number, _LABEL, "start", "muted" if number else "ink")
        for number, line in enumerate(lines)
    ]
    return Arrow(points, kind, tuple(texts), about)
