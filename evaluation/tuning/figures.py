"""Draw the curves of a tuning: like figure 5.4 of the thesis, with what was held out beside what was learnt from."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from ...rendering.files import write_figure
from ...rendering.plots import DARK, GRID, LIGHT, PAGE_WIDTH, SERIES_COLOURS, SMALL, new_figure, title_figure

if TYPE_CHECKING:
    from .results import CurvePoint, Learnt, Tuning

TITLE = "Tuning"
HEIGHT = 3.6
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
        label="each step, learning from all",
        zorder=1,
    )
    for number, fold in enumerate(tuning.folds):
        label = {False: "best so far without a fold", True: "the same on the fold held out"} if number == 0 else {}
        _draw_best(axis, fold, tuning.steps, held_out=False, color=DARK, linewidth=0.8, alpha=0.6, label=label.get(False))
        _draw_best(axis, fold, tuning.steps, held_out=True, color=SERIES_COLOURS[1], linewidth=0.8, label=label.get(True))
    _draw_best(
        axis, tuning.final, tuning.steps, held_out=False, color=DARK, linewidth=1.8, label="best so far, learning from all"
    )
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


def _draw_best(axis: Any, learnt: Learnt, steps: int, *, held_out: bool, **style: Any) -> None:
    curve: Sequence[CurvePoint] = learnt.curve
    values = [each.held_out if held_out else each.learnt for each in curve]
    axis.step([*(each.step for each in curve), steps], [*values, values[-1]], where="post", zorder=2, **style)
