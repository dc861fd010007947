"""Figures with matplotlib: common colours, sizes and labels that fit.

``pip install 'wayword[pictures]'`` installs matplotlib, which is imported only when a figure is drawn.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, BinaryIO

from ..core.optional_packages import require_package
from .errors import RenderError
from .font_metrics import text_width, wrap_text
from .text import clean

LIGHT, DARK, INK, PAPER, GRID = "#a9c3dd", "#0b3d6b", "#1a1a1a", "#ffffff", "#dddddd"
"""A light and a dark blue, which differ in brightness as well."""

SERIES_COLOURS = (
    "#0b3d6b", "#d55e00", "#009e73", "#cc79a7", "#7a6a00", "#56b4e9", "#4d4d4d", "#8a4fff", "#e69f00", "#000000",
)  # fmt: skip
SERIES_STYLES = ("-", "--", ":", "-.")
SERIES_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*", "h")
"""Colours that people with colour blindness can distinguish. Styles and markers differ too, for a print in grey; no two of
the first 110 series share both colour and marker, no two of the first 220 all three."""

SMALL, NORMAL, TITLE = 8.0, 9.0, 10.5
"""Sizes of texts in points; none is smaller than 8."""

PAGE_WIDTH = 7.1
"""The width of a figure in inches, if its content does not need more."""

_PIXELS_PER_POINT, _MARGIN, _LINE = 96 / 72, 0.12, 1.4

# Fallbacks for characters that are missing in DejaVu Sans, which comes with matplotlib.
_FONTS = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "WenQuanYi Zen Hei", "PingFang SC", "Hiragino Sans", "Microsoft YaHei",
    "Arial Unicode MS", "Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari", "Noto Emoji", "Symbola",
)  # fmt: skip


@cache
def font_families() -> list[str]:
    """Return DejaVu Sans and those installed fonts that have further scripts."""
    from matplotlib import font_manager

    installed = {font.name for font in font_manager.fontManager.ttflist}
    return ["DejaVu Sans", *(name for name in _FONTS if name in installed)]


def escape_text(text: str) -> str:
    """Escape dollar signs, between which matplotlib expects formulas."""
    return text.replace("$", r"\$")


def fit_text(text: str, inches: float, size: float = SMALL, lines: int = 1, *, bold: bool = False) -> str:
    """Clean a text from a file, break it into lines of this width, shorten the last one, and escape it."""
    return escape_text("\n".join(wrap_text(clean(text), inches * 96, size * _PIXELS_PER_POINT, lines, bold=bold)))


def text_inches(text: str, size: float = SMALL) -> float:
    """Return the width of a text in inches."""
    return text_width(text, size * _PIXELS_PER_POINT) / 96


def require_matplotlib() -> None:
    """Raise ``RenderError`` if matplotlib is not installed."""
    require_package("matplotlib", "figures, and files that end in .png or .pdf, need", RenderError)


def new_figure(width: float, height: float, *, constrained: bool = True) -> Any:
    """Create an empty figure; the size is in inches. A constrained layout makes space for all texts of its axes."""
    require_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained" if constrained else None, facecolor=PAPER, dpi=200)
    FigureCanvasAgg(figure)
    return figure


def title_figure(figure: Any, title: str, *lines: str) -> None:
    """Make a figure taller, and write a title and smaller lines into the space above its content."""
    width, height = figure.get_size_inches()
    texts = [(fit_text(title, width - 2 * _MARGIN, TITLE, 3, bold=True), TITLE, "bold")]
    texts += [(fit_text(line, width - 2 * _MARGIN, SMALL, 4), SMALL, "normal") for line in lines]
    heights = [_LINE * size / 72 * (1 + text.count("\n")) for text, size, _ in texts]
    whole = height + _MARGIN + sum(heights)
    figure.set_size_inches(width, whole)
    if engine := figure.get_layout_engine():
        engine.set(rect=(0, 0, 1, height / whole))
    else:
        figure.subplots_adjust(top=figure.subplotpars.top * height / whole, bottom=figure.subplotpars.bottom * height / whole)
    y = whole - _MARGIN / 2
    for (text, size, weight), used in zip(texts, heights, strict=True):
        figure.text(_MARGIN / width, y / whole, text, fontsize=size, fontweight=weight, ha="left", va="top", color=INK)
        y -= used


def series_style(number: int) -> dict[str, Any]:
    """Return the style of the curve of this number."""
    return {
        "color": SERIES_COLOURS[number % len(SERIES_COLOURS)],
        "linestyle": SERIES_STYLES[number % len(SERIES_STYLES)],
        "marker": SERIES_MARKERS[number % len(SERIES_MARKERS)],
        "markersize": 4,
        "linewidth": 1.5,
    }


def place_labels(axis: Any, labels: Sequence[tuple[str, float, float]]) -> None:
    """Write labels at points of an axis, moved as little as needed so that none touches another or leaves the axis.

    The layout of the figure must be final: nothing may be added to it afterwards.
    """
    figure = axis.figure
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    inside = axis.get_window_extent(renderer)
    taken: list[Any] = []
    background = {"facecolor": PAPER, "alpha": 0.8, "edgecolor": "none", "pad": 1.0}
    for text, x, y in labels:
        label = axis.text(x, y, text, fontsize=SMALL, color=INK, ha="center", va="center", bbox=background)
        label.set_in_layout(False)
        label.set_family(font_families())
        with missing_glyphs_allowed():
            box = label.get_window_extent(renderer).padded(3)
        places = (box.translated(*step) for step in _spiral(box.height / 2, math.hypot(inside.width, inside.height)))
        fits = (place for place in places if _is_within(place, inside) and not any(place.overlaps(each) for each in taken))
        place = next(fits, None)
        if place is None:  # there is no space left
            label.remove()
            continue
        taken.append(place)
        label.set_position(axis.transData.inverted().transform(((place.x0 + place.x1) / 2, (place.y0 + place.y1) / 2)))


def _is_within(box: Any, other: Any) -> bool:
    return bool(box.x0 >= other.x0 and box.x1 <= other.x1 and box.y0 >= other.y0 and box.y1 <= other.y1)


def _spiral(step: float, radius: float) -> Iterator[tuple[float, float]]:
    """Yield steps away from a point, the nearest first."""
    yield 0.0, 0.0
    for ring in range(1, math.ceil(radius / step) + 1):
        for number in range(8 * ring):
            angle = math.tau * number / (8 * ring)
            yield ring * step * math.cos(angle), ring * step * math.sin(angle)


def save_figure(figure: Any, file: BinaryIO, format: str, title: str) -> None:
    """Save a figure so that text stays text, and that the same figure is the same file."""
    import matplotlib

    for text in figure.findobj(matplotlib.text.Text):
        text.set_family(font_families())
    metadata = {"Title": clean(title)} | ({"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(format, {}))
    options: Any = {"svg.fonttype": "none", "svg.hashsalt": "wayword", "pdf.fonttype": 42}
    with missing_glyphs_allowed(), matplotlib.rc_context(options):
        figure.savefig(file, format=format, dpi=200, metadata=metadata)


@contextmanager
def missing_glyphs_allowed() -> Iterator[None]:
    """Draw characters that no installed font has as boxes, without a warning."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*[Gg]lyph.*missing")
        yield
