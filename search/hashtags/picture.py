"""Draw the neighbourhood of a hashtag: its synonyms around it, and the strongest ties between them.

The synonyms are placed on an oval, clockwise from the upper right, at even vertical distances and with their names outside
it. So names of any length never touch, and all lines run inside. There can be hundreds of ties between thirty synonyms: the
picture has the strongest of each synonym, and synonyms that these connect stand side by side, so that most lines are short.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

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

_TITLE, _HEADING, _NAME, _SMALL = 19.0, 14.0, 13.0, 11.5
_MAX_NAME_WIDTH = 32  # terminal columns
_HEIGHT, _PADDING, _BLANK = 25.0, 9.0, 7.0  # of a synonym's box, and the blank before its distance
_CLOSE, _WIDE, _MANY = 31.0, 42.0, 16  # vertical distance of synonyms if there are more than _MANY, else
_MIN_HEIGHT, _MIN_CLEARANCE = 70.0, 120.0  # of the oval: half its height, and its distance from the box in the middle
_MIDDLE_WIDTH, _MIDDLE_LINE = 140.0, 18.0  # of the text in the middle
_BEND, _POINTS = 0.55, 16  # of a curve between synonyms: the greatest share of its way to the centre, and its points
_SAMPLE = 34.0  # length of a line in the legend


LINE_STYLES = {
    "synonym": LineStyle("#0b5fa5", 1.0, (6, 4)),
    "mutual synonyms": LineStyle("#0b5fa5", 1.2, head=False),
    "tie": LineStyle("#94690a", 1.8, (4, 3)),
    "mutual tie": LineStyle("#94690a", 2.4, head=False),
}
"""Lines from the hashtag to its synonyms, and ties between synonyms; mutual if each has the other, then without heads."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Position:
    """The position of a synonym: the point on the oval that its lines lead to, and its box."""

    point: Point
    box: Box


def similar_picture(similar: Similar) -> Picture:
    """Return the picture of a hashtag and its nearest synonyms."""
    shown = similar.synonyms[:MAX_SYNONYMS]
    all_ties = _find_ties(similar, shown)
    ties = _strongest_ties(all_ties, len(shown))
    diagram = _diagram(similar, shown, ties)
    legend = [*_legend(similar, shown, ties)]
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
    canvas.write(_caption(shown, len(all_ties) - len(ties)), _SMALL, tone="muted", lines=4)
    return canvas.to_picture(
        f"{clean(similar.hashtag)}: {_heading(similar, len(shown))}",
        _description(similar, shown),
    )


def _heading(similar: Similar, shown: int) -> str:
    if not shown:
        return clean(f"no synonyms in the thesaurus {similar.thesaurus}")
    number = f"{shown} of {len(similar)}" if shown < len(similar) else "the nearest" if shown == 1 else f"the {shown} nearest"
    return clean(f"{number} synonym{'' if len(similar) == 1 else 's'} in the thesaurus {similar.thesaurus}")


def _caption(shown: Sequence[SimilarHashtag], weaker: int) -> str:
    if not shown:
        return ""
    sentences = ["Before a name: its rank, the nearest is 1."]
    sentences += ["After it: the cosine distance."] if any(each.distance is not None for each in shown) else []
    if weaker:
        ties = "tie is" if weaker == 1 else "ties are"
        sentences.append(f"The strongest tie of each synonym is drawn; {weaker:,} weaker {ties} not.")
    return " ".join(sentences)


def _find_ties(similar: Similar, shown: Sequence[SimilarHashtag]) -> list[_Tie]:
    """Return the ties between the synonyms in the picture, the strongest first."""
    names = {each.hashtag for each in shown}
    directed = {(tie.hashtag, tie.synonym): tie for tie in similar.ties if tie.hashtag in names and tie.synonym in names}
    ties = []
    for one, other in directed:
        mutual = (other, one) in directed
        if not mutual or one < other:
            both = [directed[one, other], *([directed[other, one]] if mutual else [])]
            ties.append(_Tie(min(map(_strength, both)), one, other, mutual))
    return sorted(ties)


class _Tie(NamedTuple):
    """Two synonyms of which one has the other among its synonyms, or each the other."""

    strength: tuple[bool, float, int]
    hashtag: str
    synonym: str
    mutual: bool


def _strength(tie: SynonymEdge) -> tuple[bool, float, int]:
    """Return a key by which the strongest tie is the first: the nearest, or that of the best rank."""
    return tie.distance is None, tie.distance or 0.0, tie.rank


def _strongest_ties(ties: Sequence[_Tie], most: int) -> list[_Tie]:
    """Return all ties if there are no more than ``most``, else the strongest tie of each synonym."""
    if len(ties) <= most:
        return list(ties)
    strongest: dict[str, _Tie] = {}
    for tie in ties:
        strongest.setdefault(tie.hashtag, tie)
        strongest.setdefault(tie.synonym, tie)
    return sorted(set(strongest.values()))


def _order(shown: Sequence[SimilarHashtag], ties: Sequence[_Tie]) -> list[SimilarHashtag]:
    """Return synonyms in an order in which tied ones are close to each other; groups and their beginnings by rank."""
    tied: dict[str, list[str]] = {each.hashtag: [] for each in shown}
    for tie in ties:
        tied[tie.hashtag].append(tie.synonym)
        tied[tie.synonym].append(tie.hashtag)
    order: dict[str, None] = {}
    for each in shown:
        waiting = [each.hashtag]
        while waiting:
            name = waiting.pop()
            if name not in order:
                order[name] = None
                waiting += reversed(tied[name])
    by_name = {each.hashtag: each for each in shown}
    return [by_name[name] for name in order]


def _description(similar: Similar, shown: Sequence[SimilarHashtag]) -> str:
    names = ", ".join(
        clean(each.hashtag) + ("" if each.distance is None else f" ({format_score(each.distance)})") for each in shown
    )
    return f"{_heading(similar, len(shown)).capitalize()} of {clean(similar.hashtag)}{f': {names}' if names else ''}."


def _diagram(similar: Similar, shown: Sequence[SimilarHashtag], ties: Sequence[_Tie]) -> Diagram:
    """Lay out the oval around the origin, and move it so that all coordinates are positive."""
    middle = _hashtag_box(similar)
    order = _order(shown, ties)
    positions = dict(zip((each.hashtag for each in order), _positions(order, middle.area.right), strict=True))
    back = {tie.hashtag for tie in similar.ties if tie.synonym == similar.hashtag}
    lines = [*_lines(similar.hashtag, back, ties, middle, positions)]
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
    rank = str(each.rank)
    start = text_width(rank, _SMALL) + _BLANK
    width = start + text_width(name, _NAME) + (_BLANK + text_width(figure, _SMALL) if figure else 0.0)
    left = x if x > 0 else x - width - 2 * _PADDING
    texts = [
        Text(rank, left + _PADDING, y + 4.5, _SMALL, tone="muted"),
        Text(name, left + _PADDING + start, y + 4.5, _NAME),
    ]
    if figure:
        texts.append(Text(figure, left + _PADDING + width, y + 4.5, _SMALL, "end", "muted"))
    tweets = "" if each.tweets is None else f" · {each.tweets:,} tweets"
    about = f"{clean(each.hashtag)} · rank {each.rank}{f' · distance {each.distance:.4f}' if figure else ''}{tweets}"
    style: Look = "entity"
    area = Area(left, y - _HEIGHT / 2, left + width + 2 * _PADDING, y + _HEIGHT / 2)
    return _Position((x, y), Box(area, style, tuple(texts), about))


def _lines(
    hashtag: str, back: AbstractSet[str], ties: Sequence[_Tie], middle: Box, positions: Mapping[str, _Position]
) -> Iterator[Arrow]:
    """Yield the lines, first those of the hashtag, so that the ties are drawn over them; ``back`` are those that have it."""
    for name, position in positions.items():
        begin = _box_exit(middle.area, position.point)
        yield _line((begin, position.point), "synonym", hashtag, name, mutual=name in back)
    high = max((position.box.area.bottom for position in positions.values()), default=0.0)
    for tie in ties:
        curve = _curve(positions[tie.hashtag].point, positions[tie.synonym].point, high)
        yield _line(curve, "tie", tie.hashtag, tie.synonym, mutual=tie.mutual)


def _line(points: Sequence[Point], kind: str, one: str, other: str, *, mutual: bool) -> Arrow:
    one, other = clean(one), clean(other)
    if not mutual:
        return Arrow(tuple(points), LINE_STYLES[kind], (), f"{one} has {other} among its synonyms")
    kind = "mutual synonyms" if kind == "synonym" else f"mutual {kind}"
    return Arrow(tuple(points), LINE_STYLES[kind], (), f"{one} and {other} have each other among their synonyms")


def _curve(start: Point, end: Point, high: float) -> list[Point]:
    """Return a curve between two points of the oval, bent towards its middle, or around it if the points are opposite."""
    (a, b), (x, y) = start, end
    length = math.hypot(x - a, y - b)
    across = max(0.0, 1 - math.hypot(a + x, b + y) / length)
    offset = min(0.4 * length, 1.4 * max(high, _MIN_HEIGHT)) * across
    middle = math.hypot(a + x, b + y) / 2
    kept = 1 - min(_BEND, (0.45 * length + 16) / middle) if middle else 0.0  # lines to neighbours stay close to the oval
    bend = ((a + x) / 2 * kept - (y - b) / length * offset, (b + y) / 2 * kept + (x - a) / length * offset)
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


def _legend(similar: Similar, shown: Sequence[SimilarHashtag], ties: Sequence[_Tie]) -> Iterator[tuple[str, str]]:
    """Yield the kinds of lines in the picture, each with its meaning."""
    names = {each.hashtag for each in shown}
    back = {tie.hashtag for tie in similar.ties if tie.synonym == similar.hashtag and tie.hashtag in names}
    if back:
        yield "mutual synonyms", "each has the other among its synonyms"
    if names - back:
        yield "synonym", "a synonym, but not the other way round"
    if any(tie.mutual for tie in ties):
        yield "mutual tie", "two synonyms that have each other"
    if any(not tie.mutual for tie in ties):
        yield "tie", "one synonym has the other"


def _write_legend(canvas: Canvas, kind: str, text: str) -> None:
    """Add a line of the legend."""
    canvas.y += 17
    middle = canvas.y - 8
    ends = ((MARGIN, middle), (MARGIN + _SAMPLE, middle))
    canvas.arrows.append(Arrow(ends, LINE_STYLES[kind], (), text))
    canvas.texts.append(Text(text, MARGIN + _SAMPLE + 8, canvas.y - 4, _SMALL, tone="muted"))
