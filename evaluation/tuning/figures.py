"""Draw the curves of a tuning, like figure 5.4 of the thesis, with a curve for the held-out items."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import isnan
from statistics import fmean
from typing import TYPE_CHECKING, Any

from ...rendering.files import write_figure
from ...rendering.plots import DARK, GRID, LIGHT, PAGE_WIDTH, SERIES_COLOURS, SMALL, new_figure, title_figure

if TYPE_CHECKING:
    from .results import SplitResult, Tuning

TITLE = "Tuning"
HEIGHT = 3.6
HELD_OUT = SERIES_COLOURS[1]
MAX_POINTS = 5_000
"""How many steps are drawn as points; of more, evenly spaced ones."""


def draw_curves(tuning: Tuning, file: str) -> None:
    """Draw the curves of a tuning to a file that ends in .svg, .png or .pdf."""
    write_figure(curves_figure(tuning), file, TITLE)


def curves_figure(tuning: Tuning) -> Any:
    """Draw the figure at each step, the best so far, and for each fold the best so far with its figure on what was held out."""
    figure = new_figure(PAGE_WIDTH, HEIGHT)
    axis = figure.subplots()
    every = max(1, len(tuning.final.scores) // MAX_POINTS)
    steps = range(1, len(tuning.final.scores) + 1)
    axis.plot(
        steps[::every],
        tuning.final.scores[::every],
        ".",
        color=LIGHT,
        markersize=2.5,
        label="each step",
        zorder=1,
    )
    thin: dict[str, Any] = {"linewidth": 0.8, "alpha": 0.5}
    for fold in tuning.folds:
        _draw_steps(axis, *_extend(fold, tuning.steps, held_out=False), color=DARK, **thin)
        _draw_steps(axis, *_extend(fold, tuning.steps, held_out=True), color=HELD_OUT, **thin)
    _draw_steps(
        axis,
        *_extend(tuning.final, tuning.steps, held_out=False),
        color=DARK,
        linewidth=1.8,
        label="best so far, of all (thin: of a fold)",
    )
    _draw_steps(axis, *_average(tuning), color=HELD_OUT, linewidth=1.8, label="the same, held out: mean (thin: of a fold)")
    axis.set_xlabel("step of the best pass" if tuning.passes > 1 else "step", fontsize=SMALL)
    names = [f"{each.name} ({each.figure})" for each in tuning.objectives]
    axis.set_ylabel(names[0] if len(names) == 1 else "mixed figure", fontsize=SMALL)
    axis.grid(visible=True, color=GRID, linewidth=0.6)
    axis.tick_params(labelsize=SMALL)
    figure.legend(loc="outside lower left", ncols=2, fontsize=SMALL, frameon=False)
    held_out, gain = tuning.held_out, tuning.gain
    line = f"{tuning.method}, seed {tuning.seed}; held out {held_out.value:.3f}, gain {gain.value:+.3f}"
    title_figure(
        figure, f"{TITLE}: {', '.join(names)}", line + ("" if isnan(gain.low) else f" [{gain.low:+.3f}, {gain.high:+.3f}]")
    )
    return figure


def _extend(result: SplitResult, steps: int, *, held_out: bool) -> tuple[list[int], list[float]]:
    """Return the steps at which a better point was found and the figures of these points, up to the last step."""
    values = [each.held_out if held_out else each.training for each in result.curve]
    return [*(each.step for each in result.curve), steps], [*values, values[-1]]


def _average(tuning: Tuning) -> tuple[list[int], list[float]]:
    """Return the mean over folds of the figure held out; folds in which it is undefined are left out."""
    curves = [_extend(fold, tuning.steps, held_out=True) for fold in tuning.folds]
    curves = [(steps, values) for steps, values in curves if not any(map(isnan, values))]
    places = sorted({step for steps, _ in curves for step in steps})
    return places, [fmean(values[bisect_right(steps, place) - 1] for steps, values in curves) for place in places]


def _draw_steps(axis: Any, steps: Sequence[int], values: Sequence[float], **style: Any) -> None:
    axis.step(steps, values, where="post", zorder=2, **style)
