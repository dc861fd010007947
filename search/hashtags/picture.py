"""The picture of a hashtag's neighbourhood: its synonyms around it, nearest first, and which of them have each other.

The synonyms stand on an oval, clockwise from the upper right, their names outside it and evenly one below the other: so names
of any length never touch, and every line runs inside.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...rendering.canvas import Canvas
from ...rendering.font_metrics import text_width, wrap_text
from ...rendering.path_diagram import MARGIN, Diagram
from ...rendering.shapes import Area, Arrow, Box, LineStyle, Look, Picture, Text
from ...rendering.text import clean, format_score, shorten

if TYPE_CHECKING:
    from .results import Similar, SimilarHashtag, SynonymEdge

MOST = 60
"""Synonyms that a picture shows."""

_TITLE, _HEADING, _NAME, _SMALL = 19.0, 14.0, 13.0, 11.0
_LETTERS = 32
_HEIGHT, _PADDING, _BLANK = 25.0, 9.0, 7.0
_CLOSE, _WIDE, _MANY = 31.0, 42.0, 16
_LEAST, _CLEAR = 70.0, 120.0
_MIDDLE_ROOM, _MIDDLE_LINE = 140.0, 18.0
_BEND, _POINTS = 0.45, 12
_SAMPLE = 34.0


LINE_STYLES = {
    "synonym": LineStyle("#0b5fa5", 1.6, (7, 4)),
    "mutual synonyms": LineStyle("#0b5fa5", 2.6),
    "tie": LineStyle("#94690a", 0.9, (4, 3)),
    "mutual tie": LineStyle("#94690a", 1.5),
}
"""Lines from the hashtag to its synonyms, and ties among these; mutual where each has the other."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a synonym stands: the point that its lines lead to, and its box."""

    point: Point
    box: Box


def similar_picture(similar: Similar) -> Picture:
    """The picture of a hashtag and its nearest synonyms."""
    shown = similar.synonyms[:MOST]
    diagram = _diagram(similar, shown)
    legend = [*_legend(similar, shown)]
    room = max(diagram.width, *(_SAMPLE + 8 + text_width(text, _SMALL) for _, text in legend), 380.0)
    canvas = Canvas(room)
    canvas.write(clean(similar.hashtag), _TITLE, bold=True)
    canvas.write(_heading(similar, len(shown)), _HEADING, tone="muted")
    canvas.y += 18
    canvas.add_diagram(diagram)
    canvas.y += 16
    for kind, text in legend:
        _explain(canvas, kind, text)
    canvas.y += 4
    canvas.write(_how(shown), _SMALL, tone="muted", lines=4)
    return canvas.to_picture(
        f"{clean(similar.hashtag)}: {_heading(similar, len(shown))}",
        _description(similar, shown),
    )


def _heading(similar: Similar, shown: int) -> str:
    if not shown:
        return clean(f"no synonyms in {similar.thesaurus}")
    number = f"{shown} of {len(similar)}" if shown < len(similar) else "the nearest" if shown == 1 else f"the {shown} nearest"
    return clean(f"{number} synonym{'' if len(similar) == 1 else 's'} in {similar.thesaurus}")


def _how(shown: Sequence[SimilarHashtag]) -> str:
    if not shown:
        return ""
    distance = "; the figures are cosine distances" if any(each.distance is not None for each in shown) else ""
    return f"Nearest first, clockwise from the upper right{distance}."


def _description(similar: Similar, shown: Sequence[SimilarHashtag]) -> str:
    named = ", ".join(
        clean(each.hashtag) + ("" if each.distance is None else f" ({format_score(each.distance)})") for each in shown
    )
    return f"{_heading(similar, len(shown)).capitalize()} of {clean(similar.hashtag)}{f': {named}' if named else ''}."


def _diagram(similar: Similar, shown: Sequence[SimilarHashtag]) -> Diagram:
    """The oval around the origin, moved so that all of it is right of and below it."""
    middle = _middle(similar)
    spots = dict(zip((each.hashtag for each in shown), _spots(shown, middle.area.right), strict=True))
    lines = [*_lines(similar.hashtag, similar.ties, middle, spots)]
    areas = [middle.area, *(spot.box.area for spot in spots.values())]
    points = [point for line in lines for point in line.points]
    areas += [Area(x, y, x, y) for x, y in points]
    left, top = min(area.left for area in areas), min(area.top for area in areas)
    whole = Diagram(0.0, 0.0, (middle, *(spot.box for spot in spots.values())), tuple(lines))
    boxes, arrows = whole.at(-left, -top)
    right, bottom = max(area.right for area in areas), max(area.bottom for area in areas)
    return Diagram(right - left, bottom - top, tuple(boxes), tuple(arrows))


def _middle(similar: Similar) -> Box:
    name = clean(similar.hashtag)
    lines = wrap_text(name, _MIDDLE_ROOM, _HEADING, 3, bold=True)
    below = "" if similar.tweets is None else f"{similar.tweets:,} tweet{'' if similar.tweets == 1 else 's'}"
    room = max([text_width(line, _HEADING, bold=True) for line in lines] + [text_width(below, _SMALL)])
    half, high = room / 2 + _PADDING + 3, (_MIDDLE_LINE * (len(lines) + bool(below)) + 12) / 2
    texts = [
        Text(line, 0.0, -high + 1 + _MIDDLE_LINE * number, _HEADING, "middle", bold=True)
        for number, line in enumerate(lines, start=1)
    ]
    if below:
        texts.append(Text(below, 0.0, -high + _MIDDLE_LINE * (len(lines) + 1), _SMALL, "middle", "muted"))
    return Box(Area(-half, -high, half, high), "end", tuple(texts), name)


def _spots(shown: Sequence[SimilarHashtag], middle: float) -> Iterator[_Spot]:
    """The places on the oval: the first half down its right side, the other up its left."""
    first = math.ceil(len(shown) / 2)
    step = _WIDE if len(shown) <= _MANY else _CLOSE
    high = max(first * step / 2 + step / 3, _LEAST)
    across = max(high * 0.9, middle + _CLEAR)
    for number, each in enumerate(shown):
        right = number < first
        count, place = (first, number) if right else (len(shown) - first, len(shown) - 1 - number)
        y = (place - (count - 1) / 2) * step
        x = across * math.sqrt(1 - (y / high) ** 2)
        yield _spot(each, x if right else -x, y)


def _spot(each: SimilarHashtag, x: float, y: float) -> _Spot:
    name = shorten(clean(each.hashtag), _LETTERS)
    far = "" if each.distance is None else format_score(each.distance)
    room = text_width(name, _NAME) + (_BLANK + text_width(far, _SMALL) if far else 0.0)
    left = x if x > 0 else x - room - 2 * _PADDING
    texts = [Text(name, left + _PADDING, y + 4.5, _NAME)]
    if far:
        texts.append(Text(far, left + _PADDING + room, y + 4.5, _SMALL, "end", "muted"))
    tweets = "" if each.tweets is None else f" · {each.tweets:,} tweets"
    about = f"{clean(each.hashtag)} · rank {each.rank}{f' · distance {each.distance:.4f}' if far else ''}{tweets}"
    look: Look = "entity"
    area = Area(left, y - _HEIGHT / 2, left + room + 2 * _PADDING, y + _HEIGHT / 2)
    return _Spot((x, y), Box(area, look, tuple(texts), about))


def _lines(hashtag: str, ties: Sequence[SynonymEdge], middle: Box, spots: dict[str, _Spot]) -> Iterator[Arrow]:
    """The lines, those between synonyms below those that lead to them."""
    there = {(tie.hashtag, tie.synonym) for tie in ties}
    high = max((spot.box.area.bottom for spot in spots.values()), default=0.0)
    for one, other in sorted(there):
        if one in spots and other in spots:
            mutual = (other, one) in there
            if not mutual or one < other:
                curve = _bent(spots[one].point, spots[other].point, high)
                yield from _joined(curve, "tie", one, other, mutual=mutual)
    for name, spot in spots.items():
        begin = _edge(middle.area, spot.point)
        yield from _joined((begin, spot.point), "synonym", hashtag, name, mutual=(name, hashtag) in there)


def _joined(points: Sequence[Point], kind: str, one: str, other: str, *, mutual: bool) -> Iterator[Arrow]:
    """An arrow, or the two of a pair that has each other."""
    one, other = clean(one), clean(other)
    if not mutual:
        yield Arrow(tuple(points), LINE_STYLES[kind], (), f"{one} has {other} among its synonyms")
        return
    kind = "mutual synonyms" if kind == "synonym" else f"mutual {kind}"
    about = f"{one} and {other} have each other among their synonyms"
    yield Arrow(tuple(points), LINE_STYLES[kind], (), about)
    yield Arrow(tuple(reversed(points)), LINE_STYLES[kind], (), about)


def _bent(start: Point, end: Point, high: float) -> list[Point]:
    """A curve between two points of the oval, drawn towards its middle, or past it where it would run through it."""
    (a, b), (x, y) = start, end
    length = math.hypot(x - a, y - b)
    across = max(0.0, 1 - math.hypot(a + x, b + y) / length)
    aside = min(0.4 * length, 1.4 * max(high, _LEAST)) * across
    bend = ((a + x) / 2 * _BEND - (y - b) / length * aside, (b + y) / 2 * _BEND + (x - a) / length * aside)
    shares = [number / _POINTS for number in range(_POINTS + 1)]
    return [
        (
            (1 - t) ** 2 * a + 2 * t * (1 - t) * bend[0] + t**2 * x,
            (1 - t) ** 2 * b + 2 * t * (1 - t) * bend[1] + t**2 * y,
        )
        for t in shares
    ]


def _edge(area: Area, towards: Point) -> Point:
    """Where the line from the middle of a box to a point leaves the box."""
    x, y = towards
    share = min(area.right / abs(x) if x else math.inf, area.bottom / abs(y) if y else math.inf)
    return x * share, y * share


def _legend(similar: Similar, shown: Sequence[SimilarHashtag]) -> Iterator[tuple[str, str]]:
    """What each kind of line means that is in the picture."""
    names = {each.hashtag for each in shown}
    there = {(tie.hashtag, tie.synonym) for tie in similar.ties}
    back = {name for name in names if (name, similar.hashtag) in there}
    among = {(one, other) for one, other in there if one in names and other in names}
    mutual = {(one, other) for one, other in among if (other, one) in among}
    if back:
        yield "mutual synonyms", "each has the other among its synonyms"
    if names - back:
        yield "synonym", "a synonym, but not the other way round"
    if mutual:
        yield "mutual tie", "two synonyms that have each other"
    if among - mutual:
        yield "tie", "one synonym has the other"


def _explain(canvas: Canvas, kind: str, text: str) -> None:
    """A line of the legend, below what is there."""
    canvas.y += 17
    middle = canvas.y - 8
    ends = ((MARGIN, middle), (MARGIN + _SAMPLE, middle))
    canvas.arrows.append(Arrow(ends, LINE_STYLES[kind], (), text))
    if kind.startswith("mutual"):
        canvas.arrows.append(Arrow(ends[::-1], LINE_STYLES[kind], (), text))
    canvas.texts.append(Text(text, MARGIN + _SAMPLE + 8, canvas.y - 4, _SMALL, tone="muted"))
