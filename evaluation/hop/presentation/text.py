"""The summary of an experiment as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.left_out import describe_left_out
from ....rendering.tables import align_columns
from ....rendering.text import clean, line_width, shorten, wrap
from ....search.traversal.presentation.trail_text import strategy_phrase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..results import Summary

_MAX_CYCLES, _CYCLE_COLUMNS = 5, 90
"""The cycles that are listed, and the greatest width of each."""

_BESIDE_CYCLE = len("HOP-value  1,000,000  ")
"""Columns of a line beside a cycle: the name of the row and the number of articles that lead to the cycle."""


def summary_text(summary: Summary) -> str:
    """Return the share that reached the target, above a table of the HOP-value, the endings and the functional graph.

    >>> from wayword.evaluation.hop.results import Summary
    >>> print(summary_text(Summary("first", "Animal", "w", 4, 2, 1, 1, 0, 0.5, 3.0, 1.0, 2, 4, 5, run=7)))
    2 of 4 traversals of w by the first link reached Animal (50.0 %)
    <BLANKLINE>
    HOP-value  3.00 hops on average, std 1.00, from 2 to 4
    endings    2 reached, 1 cycle, 1 dead end, 0 limit; the longest cycle has 5 articles
    run        7
    """
    heading = (
        f"{summary.reached:,} of {summary.starters:,} traversals of {clean(summary.base)} by "
        f"{strategy_phrase(summary.strategy)} reached {clean(summary.target)} ({100 * summary.share:.1f} %)"
    )
    width = line_width()
    return "\n".join([*wrap(heading, width), "", align_columns(("", ""), list(_rows(summary, width)), width=width)])


def _rows(summary: Summary, width: int) -> Iterator[tuple[str, str]]:
    if summary.hop_value is None:
        yield "HOP-value", "none: no traversal reached the target"
    else:
        deviation = "" if summary.std is None else f", std {summary.std:.2f}"
        yield "HOP-value", f"{summary.hop_value:.2f} hops on average{deviation}, from {summary.min} to {summary.max}"
    if summary.exact is not None:
        mean = summary.exact["hop_value"]
        after = "" if mean is None else f", after {mean:.2f} hops on average"
        yield "exactly", f"{100 * (summary.exact['reached'] or 0.0):.2f} % reach it within the limit{after}"
    endings = f"{summary.reached:,} reached, {summary.cycle:,} cycle, {summary.dead_end:,} dead end, {summary.limit:,} limit"
    longest = summary.longest_cycle
    cycle = "" if longest is None else f"; the longest cycle has {_count(longest, 'article')}"
    yield "endings", endings + cycle
    if summary.whole is not None:
        whole = summary.whole
        yield "reach", f"{_count(whole['to_target'], 'article')}, at most {_count(whole['depth'], 'hop')} away"
        if whole["cycles"]:
            yield (
                "cycles",
                f"{_count(whole['cycles'], 'cycle')}, reached from {_count(whole['drained'], 'article')}; the largest:",
            )
        for each in whole["largest"][:_MAX_CYCLES]:
            path = " → ".join(map(clean, [*each["articles"], each["articles"][0]]))
            yield "", f"{each['drained']:,}  {shorten(path, min(_CYCLE_COLUMNS, width - _BESIDE_CYCLE))}"
    for code, count in summary.left_out.items():
        yield "left out", describe_left_out(code, count)
    if summary.run is not None:
        yield "run", str(summary.run)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
