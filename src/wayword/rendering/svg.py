"""Write a picture as SVG: self-contained, accessible (title and description), and independent of the installed fonts.

Every text is fitted into the width that the layout measured (``textLength``), so texts cannot overlap in another font.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator
from xml.sax.saxutils import escape

from .shapes import TONES, Arrow, Box, Picture, Text

FONTS = "'DejaVu Sans', Verdana, 'Noto Sans', 'Segoe UI', Arial, sans-serif"
_RADII = {"entity": 9, "end": 9, "repeated": 9, "group": 0, "phrase": 9}
_HEAD = 9.0


def to_svg_document(drawing: Picture, *, style: str = "") -> str:
    """Return a picture as an SVG document; ``style`` is CSS for its root."""
    return "\n".join(_document(drawing, style)) + "\n"


def _document(drawing: Picture, style: str) -> Iterator[str]:
    size = f"{_number(drawing.width)} {_number(drawing.height)}"
    css = f' style="{escape(style)}"' if style else ""
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" width="{_number(drawing.width)}" '
        f'height="{_number(drawing.height)}" role="img" font-family="{FONTS}"{css}>'
    )
    yield f"<title>{escape(drawing.title)}</title>"
    yield f"<desc>{escape(drawing.description)}</desc>"
    yield f'<rect width="100%" height="100%" fill="{TONES["paper"]}"/>'
    for arrow in drawing.arrows:
        yield from _arrow(arrow)
    for box in drawing.boxes:
        yield from _box(box)
    for text in drawing.texts:
        yield _text(text)
    yield "</svg>"


def _box(box: Box) -> Iterator[str]:
    area = box.area
    fill = TONES["shade"] if box.look == "end" else TONES["paper"]
    dashes = ' stroke-dasharray="4 4"' if box.look in ("repeated", "phrase") else ""
    yield f"<g><title>{escape(box.tooltip)}</title>"
    yield (
        f'<rect x="{_number(area.left)}" y="{_number(area.top)}" width="{_number(area.right - area.left)}" '
        f'height="{_number(area.bottom - area.top)}" rx="{_RADII[box.look]}" fill="{fill}" stroke="{TONES["frame"]}" '
        f'stroke-width="{1.8 if box.look == "end" else 1.2}"{dashes}/>'
    )
    yield from map(_text, box.texts)
    yield "</g>"


def _arrow(arrow: Arrow) -> Iterator[str]:
    colour, width, dashes, _ = arrow.style
    pattern = f' stroke-dasharray="{" ".join(map(_number, dashes))}"' if dashes else ""
    points = " ".join(f"{_number(x)},{_number(y)}" for x, y in arrow_shaft(arrow))
    yield f"<g><title>{escape(arrow.tooltip)}</title>"
    yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{_number(width)}"{pattern}/>'
    if arrow.style.head:
        corners = " ".join(f"{_number(x)},{_number(y)}" for x, y in arrow_head(arrow))
        yield f'<polygon points="{corners}" fill="{colour}"/>'
    yield from map(_text, arrow.texts)
    yield "</g>"


def arrow_shaft(arrow: Arrow) -> list[tuple[float, float]]:
    """Return the points of an arrow's line, which ends inside its head."""
    if not arrow.style.head:
        return list(arrow.points)
    (x, y), across, down = arrow.points[-1], *_direction(arrow)
    return [*arrow.points[:-1], (x - across * _HEAD * 0.8, y - down * _HEAD * 0.8)]


def arrow_head(arrow: Arrow) -> list[tuple[float, float]]:
    """Return the corners of an arrow's head."""
    (x, y), across, down = arrow.points[-1], *_direction(arrow)
    foot_x, foot_y, half = x - across * _HEAD, y - down * _HEAD, _HEAD * 0.5
    return [(x, y), (foot_x - down * half, foot_y + across * half), (foot_x + down * half, foot_y - across * half)]


def _direction(arrow: Arrow) -> tuple[float, float]:
    (a, b), (x, y) = arrow.points[-2:]
    length = math.hypot(x - a, y - b)
    return (x - a) / length, (y - b) / length


def _text(text: Text) -> str:
    fitted = f' textLength="{_number(text.width)}" lengthAdjust="spacingAndGlyphs"' if len(text.text) > 1 else ""
    anchor = f' text-anchor="{text.anchor}"' if text.anchor != "start" else ""
    bold = ' font-weight="bold"' if text.bold else ""
    x = text.x
    if _is_right_to_left(text.text):
        # The start of a right-to-left text would be its right edge.
        anchor, x = ' direction="rtl" text-anchor="middle"', (text.area.left + text.area.right) / 2
    return (
        f'<text x="{_number(x)}" y="{_number(text.y)}" font-size="{_number(text.size)}" fill="{TONES[text.tone]}"'
        f"{anchor}{bold}{fitted}>{escape(text.text)}</text>"
    )


def _is_right_to_left(text: str) -> bool:
    directions = (unicodedata.bidirectional(character) for character in text)
    return next((direction for direction in directions if direction in ("L", "R", "AL")), "L") != "L"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
