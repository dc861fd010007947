"""Figures 1, 3 and 5 of the paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from ....rendering.errors import RenderError
from ....rendering.plots import (
    DARK,
    INK,
    LIGHT,
    NORMAL,
    PAGE_WIDTH,
    PAPER,
    SMALL,
    fit_text,
    new_figure,
    title_figure,
)
from ....rendering.text import format_score
from ....search.traversal.presentation.trail_text import ending_phrase
from .tables import strategy_label, strategy_name

if TYPE_CHECKING:
    from ....search.traversal.results import Hop, Trail
    from ..results import Summary

_BINS = 20
_ANCHOR_INCHES, _MAX_LINKS, _MAX_HOPS = 1.05, 24, 12
"""Figure 1: the width of a link's name, and the greatest numbers of links of an article and of hops."""

_RUN_HEIGHT, _AXIS_HEIGHT, _AXIS_INCHES = 0.75, 0.5, 4.3
"""Figure 5, in inches: the heights of a run and of the axis below the last one, and the width of that axis."""

_SPREAD, _FLAT = 4.0, 10.0
"""Figure 5: how many times as long, or as frequent, the extremes of runs must be for a square-root scale."""


@dataclass(frozen=True, slots=True)
class HopDistribution:
    """The hops of the traversals of a run that reached the target, the run's summary and its date."""

    summary: Summary
    hops: Sequence[int]
    begun: datetime


def trail_figure(trail: Trail, origin: str = "") -> Any:
    """Draw figure 1: for each article of a trail the similarity of its candidate links to the target, the followed one dark.

    Args:
        trail: The trail.
        origin: Where it comes from, such as a run and its date.

    Raises:
        RenderError: The trail has no hops, or its strategy scores no links.
    """
    if any(link.score is None for step in trail.steps for link in step.links):
        raise RenderError(
            f"the strategy {trail.strategy} scores no links, so its trail has no bars to draw; choose another run"
        )
    if not trail.steps:
        raise RenderError(f"the trail of {trail.trail[0]!r} has no hops to draw; choose another starter")
    rows = list(_trail_rows(trail))
    figure = new_figure(PAGE_WIDTH, sum(_ROW_HEIGHTS[isinstance(row, _Panel)] for row in rows) + 0.1)
    heights = [_ROW_HEIGHTS[isinstance(row, _Panel)] for row in rows]
    grid = figure.subplots(len(rows), 1, squeeze=False, gridspec_kw={"height_ratios": heights})[:, 0]
    widest = max((len(row.columns) for row in rows if isinstance(row, _Panel)), default=1)
    for axis, row in zip(grid, rows, strict=True):
        if isinstance(row, _Panel):
            _draw_panel(axis, row, widest)
        else:
            axis.axis("off")
            axis.text(0, 0.5, fit_text(row, PAGE_WIDTH - 0.8, SMALL, 2), fontsize=SMALL, va="center", transform=axis.transAxes)
    title_figure(
        figure,
        f"From {trail.trail[0]} to {trail.target} by {strategy_name(trail.strategy)}",
        " · ".join(part for part in (trail.base, ending_phrase(trail), origin) if part),
        f"Bars: the similarity of each link to {trail.target}, in reading order; the dark one was followed. "
        "Each row has its own scale.",
    )
    return figure


@dataclass(frozen=True, slots=True)
class _Panel:
    """The bars of one hop: the columns of the links that are drawn."""

    number: int
    step: Hop
    columns: tuple[int, ...]

    @property
    def title(self) -> str:
        shown, links = len(self.columns), len(self.step.links)
        return f"{self.number}. {self.step.title}" + (f" ({shown} of {links} links)" if shown < links else "")


_ROW_HEIGHTS = {True: 1.6, False: 0.32}
"""Heights of a panel and of a line of text in inches."""


def _trail_rows(trail: Trail) -> Iterator[_Panel | str]:
    """Yield the panels, and a line of text for hops without a similarity and for those that are left out of a long trail."""
    steps = list(enumerate(trail.steps, start=1))
    half = _MAX_HOPS // 2
    for number, step in steps:
        if len(steps) > _MAX_HOPS and half < number <= len(steps) - half:
            if number == half + 1:
                yield f"Hops {number} to {len(steps) - half} are not drawn."
            continue
        followed = step.links[step.chosen - 1]
        if any(link.score for link in step.links):
            yield _Panel(number, step, _shown_columns(step))
        else:
            number_of_links = "its only link" if len(step.links) == 1 else f"all of its {len(step.links)} links"
            yield (
                f"{number}. {step.title}: the similarity of {number_of_links} is 0; "
                f"“{followed.anchor or followed.title}” was followed."
            )


def _shown_columns(step: Hop) -> tuple[int, ...]:
    """Return the columns of the most similar links, with the one that was followed, in reading order."""
    order = sorted(range(len(step.links)), key=lambda column: (column != step.chosen - 1, -(step.links[column].score or 0.0)))
    return tuple(sorted(order[:_MAX_LINKS]))


def _draw_panel(axis: Any, panel: _Panel, widest: int) -> None:
    step = panel.step
    scores = [step.links[column].score or 0.0 for column in panel.columns]
    chosen = panel.columns.index(step.chosen - 1)
    bars = axis.bar(range(len(scores)), scores, color=LIGHT, edgecolor=INK, linewidth=0.5)
    bars[chosen].set(facecolor=DARK)
    names = [step.links[column].anchor or step.links[column].title for column in panel.columns]
    axis.set_xticks(
        range(len(scores)),
        [fit_text(name, _ANCHOR_INCHES) for name in names],
        rotation=38,
        ha="right",
        rotation_mode="anchor",
        fontsize=SMALL,
    )
    axis.get_xticklabels()[chosen].set_fontweight("bold")
    low, high = min(0.0, *scores), max(0.0, *scores)
    space = high - low
    axis.set_ylim(low - 0.08 * space if low else 0.0, high + 0.4 * space)
    axis.set_xlim(-0.7, widest - 0.3)
    axis.locator_params(axis="y", nbins=3)
    axis.tick_params(axis="y", labelsize=SMALL)
    axis.text(chosen, max(0.0, scores[chosen]) + 0.06 * space, format_score(scores[chosen]), fontsize=SMALL, ha="center")
    axis.set_title(fit_text(panel.title, PAGE_WIDTH - 1.0, NORMAL), fontsize=NORMAL, loc="left")


def concreteness_figure(ratings: Sequence[float], origin: str) -> Any:
    """Draw figure 3: a histogram of the concreteness of the starters; ``origin`` says where they come from."""
    if not len(ratings):
        raise RenderError("no starter has a concreteness rating")
    figure = new_figure(6.0, 3.4)
    axis = figure.subplots()
    axis.hist(ratings, bins=_BINS, color=LIGHT, edgecolor=INK, linewidth=0.6)
    axis.set_xlabel("concreteness of the opening (1 abstract, 5 concrete)", fontsize=NORMAL)
    axis.set_ylabel("starters", fontsize=NORMAL)
    axis.axvline(float(np.mean(ratings)), color=INK, linestyle="--", linewidth=1.0)
    axis.tick_params(labelsize=SMALL)
    axis.yaxis.get_major_locator().set_params(integer=True)
    title_figure(
        figure,
        "How concrete the starters are",
        origin,
        f"{len(ratings):,} starters with a rating; dashed: their mean, {np.mean(ratings):.2f}",
    )
    return figure


def hops_figure(distributions: Sequence[HopDistribution]) -> Any:
    """Draw figure 5: for each run the share that reached the target, and how many hops those took.

    Hops are whole numbers, so each has a bar: its share of the traversals of the run that reached the target. All runs have the
    same scales, with square roots if one run would flatten the others.

    Raises:
        RenderError: No traversal reached the target.
    """
    shown = [each for each in distributions if len(each.hops)]
    if not shown:
        targets = " or ".join(dict.fromkeys(each.summary.target for each in distributions))
        raise RenderError(f"no traversal of these runs reached {targets}")
    height = _RUN_HEIGHT * len(shown) + _AXIS_HEIGHT
    figure = new_figure(PAGE_WIDTH, height, constrained=False)  # its margins are known, and there may be hundreds of runs
    figure.subplots_adjust(left=0.18, right=0.965, bottom=_AXIS_HEIGHT / height, top=1.0, wspace=0.17, hspace=0.25)
    grid = figure.subplots(len(shown), 2, squeeze=False, gridspec_kw={"width_ratios": [1, 4]})
    for _, right in grid[1:]:
        right.sharex(grid[0][1])
        right.sharey(grid[0][1])
    for right in grid[:-1, 1]:
        right.tick_params(labelbottom=False)
    for (left, right), each in zip(grid, shown, strict=True):
        _draw_share(left, each, _row_label(each, distributions))
        _draw_masses(right, each)
    peak = _scale_hops(grid[0][1], shown)
    for (_, right), each in zip(grid, shown, strict=True):
        _draw_spread(right, each, peak)
    grid[-1][0].set_xlabel("reached", fontsize=NORMAL)
    targets = _join(each.summary.target for each in shown)
    grid[-1][1].set_xlabel(fit_text(f"hops to {targets}", 4.5, NORMAL), fontsize=NORMAL)
    scales = {"Hops": grid[0][1].get_xscale(), "shares": grid[0][1].get_yscale()}
    roots = " and ".join(name for name, scale in scales.items() if scale != "linear")
    title_figure(
        figure,
        f"Hops to {targets} in {_join(each.summary.base for each in shown)}",
        *_captions(distributions),
        *([f"{roots.capitalize()} are on a square-root scale."] if roots else []),
    )
    return figure


def _join(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def _captions(distributions: Sequence[HopDistribution]) -> Iterator[str]:
    yield describe_runs([(each.summary.run, each.begun) for each in distributions])
    yield "Bars: how often each number of hops was needed. Circle: mean, the HOP-value. Line: middle half."
    if none := [each for each in distributions if not len(each.hops)]:
        yield f"Not drawn, because no traversal reached the target: {_join(_name(each.summary) for each in none)}."


def describe_runs(runs: Sequence[tuple[int | None, datetime]]) -> str:
    """Return the numbers and dates of runs.

    >>> describe_runs([(3, datetime(2026, 11, 19)), (4, datetime(2026, 11, 20))])
    'runs 3, 4 of 2026-11-19 to 2026-11-20'
    """
    numbers = [str(number) for number, _ in runs if number is not None]
    dates = sorted({f"{begun:%Y-%m-%d}" for _, begun in runs})
    period = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    return f"run{'' if len(numbers) == 1 else 's'} {', '.join(numbers)} of {period}" if numbers else period


def _name(summary: Summary) -> str:
    return strategy_label(summary) if summary.run is None else f"{strategy_label(summary)} (run {summary.run})"


def _row_label(each: HopDistribution, distributions: Sequence[HopDistribution]) -> str:
    """Return the strategy of a run, with what else distinguishes it from the other runs."""
    summary = each.summary
    lines = [strategy_label(summary)]
    if [strategy_label(other.summary) for other in distributions].count(lines[0]) > 1:
        lines.append(f"run {summary.run}")
    if len({(other.summary.base, other.summary.target) for other in distributions}) > 1:
        lines.append(f"{summary.base} → {summary.target}")
    return "\n".join(fit_text(line, 1.1) for line in lines)


def _draw_share(axis: Any, each: HopDistribution, label: str) -> None:
    """Draw the share of the starters whose traversals reached the target."""
    axis.barh([0], [1.0], height=0.3, color=PAPER, edgecolor=INK, linewidth=0.6)
    axis.barh([0], [each.summary.share], height=0.3, color=DARK, edgecolor=INK, linewidth=0.6)
    axis.text(0.5, 0.24, f"{each.summary.share:.1%}".replace("%", " %"), fontsize=SMALL, ha="center")
    axis.text(0.5, -0.24, f"{len(each.hops):,} of {each.summary.starters:,}", fontsize=SMALL, ha="center", va="top")
    axis.set_ylim(-0.62, 0.62)
    axis.set_xlim(0, 1)
    axis.set_yticks([0], [label], fontsize=SMALL)
    axis.set_xticks([])
    axis.tick_params(left=False)
    for side in axis.spines.values():
        side.set_visible(False)


def _draw_masses(axis: Any, each: HopDistribution) -> None:
    counts = Counter(each.hops)
    numbers = sorted(counts)
    axis.bar(
        numbers,
        [counts[number] / len(each.hops) for number in numbers],
        width=0.9,
        color=LIGHT,
        edgecolor=INK,
        linewidth=0.5 if max(numbers) <= 60 else 0.2,
    )
    axis.tick_params(labelsize=SMALL)


def _scale_hops(axis: Any, shown: Sequence[HopDistribution]) -> float:
    """Set the scales, which all runs share, so that no run flattens the others; return the greatest share of a number."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

    longest = [max(each.hops) for each in shown]
    peaks = [max(Counter(each.hops).values()) / len(each.hops) for each in shown]
    end, peak = max(longest), max(peaks)
    if end > _SPREAD * sorted(longest)[(len(longest) - 1) // 2]:
        axis.set_xscale("function", functions=(_root, np.square))
        axis.xaxis.set_major_locator(FixedLocator(_root_ticks(end)))
        axis.xaxis.set_minor_locator(FixedLocator([]))
        axis.xaxis.set_major_formatter(FuncFormatter(lambda tick, _: f"{tick:g}"))
    else:
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.set_xlim(0.4 if min(min(each.hops) for each in shown) else -0.6, end + 0.6)
    if peak > _FLAT * min(peaks):
        axis.set_yscale("function", functions=(_root, np.square))
    axis.set_ylim(0, _ROOM[axis.get_yscale()] * peak)
    top = max(share for share in _SHARES if share <= peak or share == _SHARES[0])
    low = [share for share in _SHARES if share <= top / 4][-1:] if axis.get_yscale() != "linear" else []
    axis.yaxis.set_major_locator(FixedLocator([0, *low, top]))
    axis.yaxis.set_minor_locator(FixedLocator([]))
    axis.yaxis.set_major_formatter(FuncFormatter(lambda tick, _: f"{100 * tick:g} %"))
    return peak


def _root_ticks(end: int) -> list[int]:
    """Return round numbers that are far enough apart on a square-root scale for their digits."""
    ticks = [end]
    for tick in (5000, 2000, 1000, 500, 200, 100, 50, 30, 20, 10, 5, 2, 1):
        inches = (np.sqrt(ticks[-1]) - np.sqrt(tick)) / np.sqrt(end) * _AXIS_INCHES
        if inches > 0.045 * len(f"{ticks[-1]}{tick}") + 0.08:
            ticks.append(tick)
    return ticks


_SHARES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
_ROOM = {"linear": 1.45, "function": 1.45**2}
"""Space above the bars for the mean and the middle half, as a factor."""


def _root(value: Any) -> Any:
    """Return the square root; the scale also asks for numbers below its range."""
    return np.sign(value) * np.sqrt(np.abs(value))


def _draw_spread(axis: Any, each: HopDistribution, peak: float) -> None:
    """Draw the mean and the middle half above the bars."""
    height = peak * (1.22 if axis.get_yscale() == "linear" else 1.22**2)
    mean, (low, high) = float(np.mean(each.hops)), np.percentile(each.hops, [25, 75])
    axis.hlines(height, low, high, color=DARK, linewidth=3)
    axis.plot(mean, height, "o", color=PAPER, markeredgecolor=INK, markersize=5, zorder=3)
    left, right = axis.transLimits.transform(axis.transScale.transform([(min(low, mean), height), (max(high, mean), height)]))
    at, side, align = (max(high, mean), 6, "left") if right[0] < 0.85 or left[0] < 0.15 else (min(low, mean), -6, "right")
    axis.annotate(f"{mean:.2f}", (at, height), (side, 0), textcoords="offset points", fontsize=SMALL, va="center", ha=align)
