"""Draws figures 1, 3 and 5 of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ....rendering.errors import RenderError
from ....rendering.plots import DARK, INK, LIGHT, PAPER, escape_text, new_figure, write_figure
from ....rendering.text import clean, shorten

if TYPE_CHECKING:
    import os

    from ....search.traversal.results import Trail

_ANCHOR_COLUMNS, _BINS = 22, 20


def draw_trail_scores(trail: Trail, file: str | os.PathLike[str]) -> None:
    """Draw figure 1: for each article of a trail the similarity of its candidate links to the target, the chosen one dark."""
    if any(link.score is None for step in trail.steps for link in step.links):
        raise RenderError(
            f"the strategy {trail.strategy} scores no links, so its trail has no bars to draw; choose another run"
        )
    if not trail.steps:
        raise RenderError(f"the trail of {trail.trail[0]!r} has no hops to draw; choose another starter")
    figure = new_figure(11.0, 2.3 * len(trail.steps) + 0.7)
    widest = max(len(step.links) for step in trail.steps)
    scores = [link.score or 0.0 for step in trail.steps for link in step.links]
    low, high = min(0.0, *scores), max(0.0, *scores) or 1.0
    axes = figure.subplots(len(trail.steps), 1, squeeze=False)[:, 0]
    for axis, step in zip(axes, trail.steps, strict=True):
        chosen = step.chosen - 1
        bars = axis.bar(
            range(len(step.links)), [link.score or 0.0 for link in step.links], color=LIGHT, edgecolor=INK, linewidth=0.5
        )
        bars[chosen].set(facecolor=DARK)
        names = [escape_text(shorten(clean(link.anchor or link.title), _ANCHOR_COLUMNS)) for link in step.links]
        axis.set_xticks(range(len(step.links)), names, rotation=38, ha="right", rotation_mode="anchor", fontsize=7.5)
        axis.get_xticklabels()[chosen].set_fontweight("bold")
        axis.set_xlim(-0.7, widest - 0.3)
        axis.set_ylim(low * 1.1, high * 1.15)
        axis.set_title(escape_text(clean(step.title)), fontsize=10, loc="left")
        axis.tick_params(axis="y", labelsize=8)
    figure.supylabel(f"similarity to {escape_text(clean(trail.target))}", fontsize=9)
    write_figure(figure, file, f"{trail.trail[0]} to {trail.target} by {trail.strategy}")


def draw_concreteness(ratings: Sequence[float], file: str | os.PathLike[str]) -> None:
    """Draw figure 3: a histogram of the concreteness of the starters."""
    if not len(ratings):
        raise RenderError("no starter has a concreteness rating")
    figure = new_figure(6.4, 4.0)
    axis = figure.subplots()
    axis.hist(ratings, bins=_BINS, color=LIGHT, edgecolor=INK, linewidth=0.6)
    axis.set_xlabel("concreteness of the opening (1 abstract, 5 concrete)")
    axis.set_ylabel("starters")
    axis.axvline(float(np.mean(ratings)), color=INK, linestyle="--", linewidth=1.0)
    axis.set_title(f"{len(ratings):,} starters, mean {np.mean(ratings):.2f} (dashed)", fontsize=10, loc="left")
    write_figure(figure, file, "Concreteness of the starters")


def draw_hops(hops: Sequence[tuple[str, Sequence[int]]], target: str, file: str | os.PathLike[str]) -> None:
    """Draw figure 5: the hops of the traversals that reached the target, a violin for each run."""
    violins = [(name, values) for name, values in hops if len(values)]
    if not violins:
        raise RenderError(f"no traversal of these runs reached {target}")
    figure = new_figure(max(4.8, 1.25 * len(violins) + 1.4), 4.4)
    axis = figure.subplots()
    for position, (_, values) in enumerate(violins, start=1):
        if len(set(values)) > 1:
            body = axis.violinplot([values], [position], widths=0.8, showextrema=False)
            for each in body["bodies"]:
                each.set(facecolor=LIGHT, edgecolor=INK, linewidth=0.8, alpha=1.0)
        axis.vlines(position, *np.percentile(values, [25, 75]), color=DARK, linewidth=5)
        axis.plot(position, np.mean(values), "o", color=PAPER, markeredgecolor=INK, markersize=5)
    axis.set_xticks(
        range(1, len(violins) + 1), [f"{escape_text(clean(name))}\n{len(values):,}" for name, values in violins], fontsize=8.5
    )
    axis.set_xlim(0.4, len(violins) + 0.6)
    axis.set_ylim(bottom=0)
    axis.set_ylabel(f"hops to {escape_text(clean(target))}")
    axis.set_title("circle: mean (the HOP-value), bar: middle half; below: number of traversals", fontsize=9, loc="left")
    write_figure(figure, file, f"Hops to {target}")
