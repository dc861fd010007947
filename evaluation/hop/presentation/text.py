"""The summary of an experiment as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....rendering.tables import align_columns
from ....rendering.text import clean, shorten
from ....search.traversal.presentation.trail_text import strategy_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..results import Summary

_CYCLES, _WIDE = 5, 90
"""The cycles that are told of, and how much of each."""


def summary_text(summary: Summary) -> str:
    """What came of an experiment.

    >>> from wayword.evaluation.hop.results import Summary
    >>> print(summary_text(Summary("first", "Animal", "w", 4, 2, 1, 1, 0, 0.5, 3.0, 1.0, 2, 4, 5, run=7)))
    2 of 4 traversals of w by the first link reached Animal (50.0 %)
    <BLANKLINE>
    HOP-value  3.00 hops on average, std 1.00, from 2 to 4
    endings    2 reached, 1 cycle, 1 dead end, 0 limit; the longest cycle has 5 articles
    run        7
    """
    head = (
        f"{summary.reached:,} of {summary.starters:,} traversals of {clean(summary.base)} by "
        f"{strategy_text(summary.strategy)} reached {clean(summary.target)} ({100 * summary.share:.1f} %)"
    )
    return f"{head}\n\n{align_columns(('', ''), list(_facts(summary)))}"


def _facts(summary: Summary) -> Iterator[tuple[str, str]]:
    if summary.hop_value is None:
        yield "HOP-value", "none: nothing reached the target"
    else:
        spread = "" if summary.std is None else f", std {summary.std:.2f}"
        yield "HOP-value", f"{summary.hop_value:.2f} hops on average{spread}, from {summary.min} to {summary.max}"
    if summary.exact is not None:
        mean = summary.exact["hop_value"]
        after = "" if mean is None else f", after {mean:.2f} hops on average"
        yield "exactly", f"{100 * (summary.exact['reached'] or 0.0):.2f} % reach it within the limit{after}"
    longest = summary.longest_cycle
    around = "" if longest is None else f"; the longest cycle has {longest} article{'' if longest == 1 else 's'}"
    endings = f"{summary.reached:,} reached, {summary.cycle:,} cycle, {summary.dead_end:,} dead end, {summary.limit:,} limit"
    yield "endings", endings + around
    if summary.whole is not None:
        whole = summary.whole
        yield "all", f"{whole['to_target']:,} articles lead to the target, from {whole['depth']} hops away at most"
        if whole["cycles"]:
            many = f"{whole['cycles']:,} cycle{'' if whole['cycles'] == 1 else 's'}"
            yield "cycles", f"{many}, into which {whole['drained']:,} articles drain; the largest:"
        for each in whole["largest"][:_CYCLES]:
            way = " → ".join(map(clean, [*each["articles"], each["articles"][0]]))
            yield "", f"{each['drained']:,}  {shorten(way, _WIDE)}"
    for reason, count in summary.left_out.items():
        yield "left out", f"{count:,} {reason}"
    if summary.run is not None:
        yield "run", str(summary.run)
