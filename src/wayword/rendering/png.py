"""Write a picture as PNG with matplotlib, which ``pip install 'wayword[pictures]'`` installs."""

from __future__ import annotations

import warnings
from typing import Any, BinaryIO

from ..core.optional_packages import require_package
from .errors import RenderError
from .shapes import TONES, Arrow, Box, Picture, Text
from .svg import arrow_head, arrow_shaft

_ABOVE_LINES = 1.5
_DPI, _PIXELS_PER_INCH = 200, 96
# Fallbacks for characters that are missing in DejaVu Sans, which comes with matplotlib.
_FONTS = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "WenQuanYi Zen Hei", "PingFang SC", "Hiragino Sans", "Microsoft YaHei",
    "Arial Unicode MS", "Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari", "Noto Emoji", "Symbola",
)  # fmt: skip


def write_png(drawing: Picture, file: BinaryIO) -> None:
    """Write a picture at 200 dots per inch."""
    require_package("matplotlib", "a file that ends in .svg needs no other package, but .png needs", RenderError)
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    size = (drawing.width / _PIXELS_PER_INCH, drawing.height / _PIXELS_PER_INCH)
    figure = Figure(figsize=size, dpi=_DPI, facecolor=TONES["paper"])
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(0, drawing.width)
    axes.set_ylim(drawing.height, 0)
    axes.axis("off")
    for arrow in drawing.arrows:
        _draw_arrow(axes, arrow)
    for box in drawing.boxes:
        _draw_box(axes, box)
    with warnings.catch_warnings():
        # Characters that no installed font has are drawn as boxes.
        warnings.filterwarnings("ignore", message=".*[Gg]lyph.*missing")
        families = _families()
        for text in drawing.all_texts():
            draw_text(axes, text, families)
        figure.savefig(file, format="png", metadata={"Title": drawing.title.encode("latin-1", "replace").decode("latin-1")})


def _families() -> list[str]:
    from matplotlib import font_manager

    installed = {font.name for font in font_manager.fontManager.ttflist}
    return ["DejaVu Sans", *(name for name in _FONTS if name in installed)]


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


def draw_text(axes: Any, text: Text, families: list[str]) -> Any:
    """Draw a text, in a smaller size if the font would exceed its width."""
    drawn = axes.text(
        text.x,
        text.y,
        text.text,
        color=TONES[text.tone],
        family=families,
        fontsize=_points(text.size),
        fontweight="bold" if text.bold else "normal",
        ha={"start": "left", "middle": "center", "end": "right"}[text.anchor],
        va="baseline",
        parse_math=False,
    )
    while (width := drawn.get_window_extent().width * _PIXELS_PER_INCH / _DPI) > text.width:
        # Glyph widths are rounded to pixels, so a slightly smaller size may not be narrower.
        drawn.set_fontsize(drawn.get_fontsize() * min(0.98, text.width / width))
    return drawn
