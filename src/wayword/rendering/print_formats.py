"""Write a picture as PNG or PDF with matplotlib, which ``pip install 'wayword[pictures]'`` installs."""

from __future__ import annotations

from typing import Any, BinaryIO, Literal

from .plots import font_families, missing_glyphs_allowed, new_figure, save_figure
from .shapes import TONES, Arrow, Box, Picture, Text
from .svg import arrow_head, arrow_shaft

_ABOVE_LINES = 1.5
_PIXELS_PER_INCH = 96


def write_printable(drawing: Picture, file: BinaryIO, format: Literal["png", "pdf"]) -> None:
    """Write a picture as PNG with 200 dots per inch, or as PDF, in both with 96 pixels of the layout per inch."""
    figure = new_figure(drawing.width / _PIXELS_PER_INCH, drawing.height / _PIXELS_PER_INCH, constrained=False)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(0, drawing.width)
    axes.set_ylim(drawing.height, 0)
    axes.axis("off")
    for arrow in drawing.arrows:
        _draw_arrow(axes, arrow)
    for box in drawing.boxes:
        _draw_box(axes, box)
    for text in drawing.all_texts():
        draw_text(axes, text)
    save_figure(figure, file, format, drawing.title)


def _points(pixels: float) -> float:
    return pixels * 72 / _PIXELS_PER_INCH


def _draw_box(axes: Any, box: Box) -> None:
    from matplotlib.patches import FancyBboxPatch

    area, radius = box.area, 0 if box.look == "group" else 9
    axes.add_patch(
        FancyBboxPatch(
            (area.left, area.top),
            area.right - area.left,
            area.bottom - area.top,
            boxstyle=f"round,pad=0,rounding_size={radius}" if radius else "square,pad=0",
            facecolor=TONES["shade"] if box.look == "end" else TONES["paper"],
            edgecolor=TONES["frame"],
            linewidth=_points(1.8 if box.look == "end" else 1.2),
            linestyle=(0, (3, 3)) if box.look in ("repeated", "phrase") else "solid",
            zorder=_ABOVE_LINES,
        )
    )


def _draw_arrow(axes: Any, arrow: Arrow) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Polygon

    colour, width, dashes, _ = arrow.style
    xs, ys = zip(*arrow_shaft(arrow), strict=True)
    line = Line2D(xs, ys, color=colour, linewidth=_points(width), solid_capstyle="butt", dash_capstyle="butt", zorder=1)
    if dashes:
        line.set_linestyle((0, tuple(length / width for length in dashes)))
    axes.add_line(line)
    if arrow.style.head:
        axes.add_patch(Polygon(arrow_head(arrow), closed=True, facecolor=colour, linewidth=0))


def draw_text(axes: Any, text: Text) -> Any:
    """Draw a text, in a smaller size if the font would exceed its width."""
    drawn = axes.text(
        text.x,
        text.y,
        text.text,
        color=TONES[text.tone],
        family=font_families(),
        fontsize=_points(text.size),
        fontweight="bold" if text.bold else "normal",
        ha={"start": "left", "middle": "center", "end": "right"}[text.anchor],
        va="baseline",
        parse_math=False,
    )
    with missing_glyphs_allowed():
        _fit(drawn, text.width)
    return drawn


def _fit(drawn: Any, widest: float) -> None:
    while (width := drawn.get_window_extent().width * _PIXELS_PER_INCH / drawn.figure.dpi) > widest:
        # Glyph widths are rounded to pixels, so a slightly smaller size may not be narrower.
        drawn.set_fontsize(drawn.get_fontsize() * min(0.98, widest / width))
