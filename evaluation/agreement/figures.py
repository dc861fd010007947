"""Draw the mean judgement of pairs by their scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from ...rendering.files import write_figure
from ...rendering.plots import GRID, PAGE_WIDTH, SERIES_COLOURS, SMALL, new_figure, title_figure
from .calibration import Bin

TITLE = "Calibration"
HEIGHT = 3.6
MARKERS = "osD^vP"


def draw_calibration(bins: Mapping[str, Sequence[Bin]], file: str, source: str) -> None:
    """Draw the calibration of matchers to a file that ends in .svg, .png or .pdf; ``source`` says who judged."""
    write_figure(calibration_figure(bins, source), file, TITLE)


def calibration_figure(bins: Mapping[str, Sequence[Bin]], source: str) -> Any:
    """Draw the mean judgement of each bin, with its interval, at the middle of the bin."""
    figure = new_figure(PAGE_WIDTH, HEIGHT)
    axis = figure.subplots()
    for number, (name, found) in enumerate(bins.items()):
        colour, marker = (values[number % len(values)] for values in (SERIES_COLOURS, MARKERS))
        places = [(each.low + each.high) / 2 for each in found]
        means = [each.judgement.value for each in found]
        axis.plot(places, means, color=colour, marker=marker, markersize=4, linewidth=1.2, label=name, zorder=2)
        bounded = [(place, each.judgement) for place, each in zip(places, found, strict=True) if not isnan(each.judgement.low)]
        axis.vlines(
            [place for place, _ in bounded],
            [each.low for _, each in bounded],
            [each.high for _, each in bounded],
            color=colour,
            linewidth=0.8,
            alpha=0.7,
        )
    axis.set_xlabel("score", fontsize=SMALL)
    axis.set_ylabel("mean judgement", fontsize=SMALL)
    axis.grid(visible=True, color=GRID, linewidth=0.6)
    axis.tick_params(labelsize=SMALL)
    figure.legend(loc="outside lower left", ncols=3, fontsize=SMALL, frameon=False)
    title_figure(figure, TITLE, source)
    return figure
