"""Draw the neighbourhood of a hashtag: its synonyms around it, nearest first, and the ties between them.

The synonyms are placed on an oval, clockwise from the upper right, at even vertical distances and with their names outside
it. So names of any length never touch, and all lines run inside.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...rendering.canvas import Canvas
from ...rendering.font_metrics import text_width, wrap_text
from ...rendering.line_styles import LineStyle
from ...rendering.path_diagram import MARGIN, Diagram
from ...rendering.shapes import Area, Arrow, Box, Look, Picture, Text
from ...rendering.text import clean, format_score, shorten

if TYPE_CHECKING:
    from .results import Similar, SimilarHashtag, SynonymEdge

MAX_SYNONYMS = 60
"""The greatest number of synonyms in a picture."""

_TITLE, _HEADING, _NAME, _SMALL = 19.0, 14.0, 13.0, 11.0
_MAX_NAME_WIDTH = 32  # terminal columns
_HEIGHT, _PADDING, _BLANK = 25.0, 9.0, 7.0  # of a synonym's box, and the blank before its distance
_CLOSE, _WIDE, _MANY = 31.0, 42.0, 16  # vertical distance of synonyms if there are more than _MANY, else
_MIN_HEIGHT, _MIN_CLEARANCE = 70.0, 120.0  # of the oval: half its height, and its distance from the box in the middle
_MIDDLE_WIDTH, _MIDDLE_LINE = 140.0, 18.0  # of the text in the middle
_BEND, _POINTS = 0.45, 12  # of a curve between synonyms
_SAMPLE = 34.0  # length of a line in the legend


LINE_STYLES = {
    "synonym": LineStyle("#0b5fa5", 1.6, (7, 4)),
    "mutual synonyms": LineStyle("#0b5fa5", 2.6),
    "tie": LineStyle("#94690a", 0.9, (4, 3)),
    "mutual tie": LineStyle("#94690a", 1.5),
}
"""Lines from the hashtag to its synonyms, and ties between synonyms; mutual if each has the other."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Position:
    """The position of a synonym: the point on the oval that its lines lead to, and its box."""

    point: Point
    box: Box


def similar_picture(similar: Similar) -> Picture:
    """Return the picture of a hashtag and its nearest synonyms."""
    shown = similar.synonyms[:MAX_SYNONYMS]
    diagram = _diagram(similar, shown)
    legend = [*_legend(similar, shown)]
    width = max(diagram.width, *(_SAMPLE + 8 + text_width(text, _SMALL) for _, text in legend), 380.0)
    canvas = Canvas(width)
    canvas.write(clean(similar.hashtag), _TITLE, bold=True)
    canvas.write(_heading(similar, len(shown)), _HEADING, tone="muted")
    canvas.y += 18
    canvas.add_diagram(diagram)
    canvas.y += 16
    for kind, text in legend:
        _write_legend(canvas, kind, text)
    canvas.y += 4
    canvas.write(_caption(shown), _SMALL, tone="muted", lines=4)
    return canvas.to_picture(
        f"{clean(similar.hashtag)}: {_heading(similar, len(shown))}",
        _description(similar, shown),
    )


def _heading(similar: Similar, shown: int) -> str:
    if not shown:
        return clean(f"no synonyms in {similar.thesaurus}")
    number = f"{shown} of {len(similar)}" if shown < len(similar) else "the nearest" if shown == 1 else f"the {shown} nearest"
    return clean(f"{number} synonym{'' if len(similar) == 1 else 's'} in {similar.thesaurus}")


def _caption(shown: Sequence[SimilarHashtag]) -> str:
    if not shown:
        return ""
    distance = "; the figures are cosine distances" if any(each.distance is not None for each in shown) else ""
    return f"Nearest first, clockwise from the upper right{distance}."


def _description(similar: Similar, shown: Sequence[SimilarHashtag]) -> str:
    names = ", ".join(
        clean(each.hashtag) + ("" if each.distance is None else f" ({format_score(each.distance)})") for each in shown
    )
    return f"{_heading(similar, len(shown)).capitalize()} of {clean(similar.hashtag)}{f': {names}' if names else ''}."


def _diagram(similar: Similar, shown: Sequence[SimilarHashtag]) -> Diagram:
    """Lay out the oval around the origin, and move it so that all coordinates are positive."""
    middle = _hashtag_box(similar)
    positions = dict(zip((each.hashtag for each in shown), _positions(shown, middle.area.right), strict=True))
    lines = [*_lines(similar.hashtag, similar.ties, middle, positions)]
    areas = [middle.area, *(position.box.area for position in positions.values())]
    points = [point for line in lines for point in line.points]
    areas += [Area(x, y, x, y) for x, y in points]
    left, top = min(area.left for area in areas), min(area.top for area in areas)
    centred = Diagram(0.0, 0.0, (middle, *(position.box for position in positions.values())), tuple(lines))
    boxes, arrows = centred.place_at(-left, -top)
    right, bottom = max(area.right for area in areas), max(area.bottom for area in areas)
    return Diagram(right - left, bottom - top, tuple(boxes), tuple(arrows))


def _hashtag_box(similar: Similar) -> Box:
    name = clean(similar.hashtag)
    lines = wrap_text(name, _MIDDLE_WIDTH, _HEADING, 3, bold=True)
    tweet_count = "" if similar.tweets is None else f"{similar.tweets:,} tweet{'' if similar.tweets == 1 else 's'}"
    width = max([text_width(line, _HEADING, bold=True) for line in lines] + [text_width(tweet_count, _SMALL)])
    half_width, half_height = width / 2 + _PADDING + 3, (_MIDDLE_LINE * (len(lines) + bool(tweet_count)) + 12) / 2
    texts = [
        Text(line, 0.0, -half_height + 1 + _MIDDLE_LINE * number, _HEADING, "middle", bold=True)
        for number, line in enumerate(lines, start=1)
    ]
    if tweet_count:
        texts.append(Text(tweet_count, 0.0, -half_height + _MIDDLE_LINE * (len(lines) + 1), _SMALL, "middle", "muted"))
    return Box(Area(-half_width, -half_height, half_width, half_height), "end", tuple(texts), name)


def _positions(shown: Sequence[SimilarHashtag], middle: float) -> Iterator[_Position]:
    """Yield the positions of the synonyms on the oval: the first half down its right side, the rest up its left side."""
    first = math.ceil(len(shown) / 2)
    step = _WIDE if len(shown) <= _MANY else _CLOSE
    high = max(first * step / 2 + step / 3, _MIN_HEIGHT)
    across = max(high * 0.9, middle + _MIN_CLEARANCE)
    for number, each in enumerate(shown):
        right = number < first
        count, index = (first, number) if right else (len(shown) - first, len(shown) - 1 - number)
        y = (index - (count - 1) / 2) * step
        x = across * math.sqrt(1 - (y / high) ** 2)
        yield _position(each, x if right else -x, y)


def _position(each: SimilarHashtag, x: float, y: float) -> _Position:
    name = shorten(clean(each.hashtag), _MAX_NAME_WIDTH)
    figure = "" if each.distance is None else format_score(each.distance)
    width = text_width(name, _NAME) + (_BLANK + text_width(figure, _SMALL) if figure else 0.0)
    left = x if x > 0 else x - width - 2 * _PADDING
    texts = [Text(name, left + _PADDING, y + 4.5, _NAME)]
    if figure:
        texts.append(Text(figure, left + _PADDING + width, y + 4.5, _SMALL, "end", "muted"))
    tweets = "" if each.tweets is None else f" · {each.tweets:,} tweets"
    about = f"{clean(each.hashtag)} · rank {each.rank}{f' · distance {each.distance:.4f}' if figure else ''}{tweets}"
    style: Look = "entity"
    area = Area(left, y - _HEIGHT / 2, left + width + 2 * _PADDING, y + _HEIGHT / 2)
    return _Position((x, y), Box(area, style, tuple(texts), about))


def _lines(hashtag: str, ties: Sequence[SynonymEdge], middle: Box, positions: dict[str, _Position]) -> Iterator[Arrow]:
    """Yield the lines, first those between synonyms, so that the others are drawn over them."""
    tied = {(tie.hashtag, tie.synonym) for tie in ties}
    high = max((position.box.area.bottom for position in positions.values()), default=0.0)
    for one, other in sorted(tied):
        if one in positions and other in positions:
            mutual = (other, one) in tied
            if not mutual or one < other:
                curve = _curve(positions[one].point, positions[other].point, high)
                yield from _tie_arrows(curve, "tie", one, other, mutual=mutual)
    for name, position in positions.items():
        begin = _box_exit(middle.area, position.point)
        yield from _tie_arrows((begin, position.point), "synonym", hashtag, name, mutual=(name, hashtag) in tied)


def _tie_arrows(points: Sequence[Point], kind: str, one: str, other: str, *, mutual: bool) -> Iterator[Arrow]:
    """Yield one arrow, or two in opposite directions if the pair is mutual."""
    one, other = clean(one), clean(other)
    if not mutual:
        yield Arrow(tuple(points), LINE_STYLES[kind], (), f"{one} has {other} among its synonyms")
        return
    kind = "mutual synonyms" if kind == "synonym" else f"mutual {kind}"
    about = f"{one} and {other} have each other among their synonyms"
    yield Arrow(tuple(points), LINE_STYLES[kind], (), about)
    yield Arrow(tuple(reversed(points)), LINE_STYLES[kind], (), about)


def _curve(start: Point, end: Point, high: float) -> list[Point]:
    """Return a curve between two points of the oval, bent towards its middle, or around it if the points are opposite."""
    (a, b), (x, y) = start, end
    length = math.hypot(x - a, y - b)
    across = max(0.0, 1 - math.hypot(a + x, b + y) / length)
    offset = min(0.4 * length, 1.4 * max(high, _MIN_HEIGHT)) * across
    bend = ((a + x) / 2 * _BEND - (y - b) / length * offset, (b + y) / 2 * _BEND + (x - a) / length * offset)
    shares = [number / _POINTS for number in range(_POINTS + 1)]
    return [
        (
            (1 - t) ** 2 * a + 2 * t * (1 - t) * bend[0] + t**2 * x,
            (1 - t) ** 2 * b + 2 * t * (1 - t) * bend[1] + t**2 * y,
        )
        for t in shares
    ]


def _box_exit(area: Area, towards: Point) -> Point:
    """Return where the line from the middle of a box to a point leaves the box."""
    x, y = towards
    share = min(area.right / abs(x) if x else math.inf, area.bottom / abs(y) if y else math.inf)
    return x * share, y * share


def _legend(similar: Similar, shown: Sequence[SimilarHashtag]) -> Iterator[tuple[str, str]]:
    """Yield the kinds of lines in the picture, each with its meaning."""
    names = {each.hashtag for each in shown}
    tied = {(tie.hashtag, tie.synonym) for tie in similar.ties}
    back = {name for name in names if (name, similar.hashtag) in tied}
    among = {(one, other) for one, other in tied if one in names and other in names}
    mutual = {(one, other) for one, other in among if (other, one) in among}
    if back:
        yield "mutual synonyms", "each has the other among its synonyms"
    if names - back:
        yield "synonym", "a synonym, but not the other way round"
    if mutual:
        yield "mutual tie", "two synonyms that have each other"
    if among - mutual:
        yield "tie", "one synonym has the other"


def _write_legend(canvas: Canvas, kind: str, text: str) -> None:
    """Add a line of the legend."""
    canvas.y += 17
    middle = canvas.y - 8
    ends = ((MARGIN, middle), (MARGIN + _SAMPLE, middle))
    canvas.arrows.append(Arrow(ends, LINE_STYLES[kind], (), text))
    if kind.startswith("mutual"):
        canvas.arrows.append(Arrow(ends[::-1], LINE_STYLES[kind], (), text))
    canvas.texts.append(Text(text, MARGIN + _SAMPLE + 8, canvas.y - 4, _SMALL, tone="muted"))
