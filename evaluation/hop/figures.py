"""The figures of the paper from runs of the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...core.progress import Progress, no_progress
from ...search.traversal.trails import make_trail
from ..errors import RunUnknown
from .comparison import read_experiment, read_summary
from .presentation.plots import draw_concreteness, draw_hops, draw_trail_scores
from .presentation.tables import strategy_label

if TYPE_CHECKING:
    from ...graph.store import Store
    from ..runs.ledger import Ledger


def hops(ledger: Ledger, numbers: Sequence[int], file: str) -> None:
    """Figure 5: the hops of the traversals that reached the target, for each run."""
    summaries = {number: read_summary(ledger, number) for number in numbers}
    named = [
        (strategy_label(found), [each.hops for each in ledger.walked(number) if each.ending == "reached"])
        for number, found in summaries.items()
    ]
    draw_hops(named, summaries[numbers[0]].target, file)


def concreteness(ledger: Ledger, numbers: Sequence[int], file: str) -> None:
    """Figure 3: how concrete the starters of the runs are, each starter once."""
    rated: dict[str, float] = {}
    for number in numbers:
        read_summary(ledger, number)  # only an experiment that has ended is drawn
        rated |= {each.starter: each.concreteness for each in ledger.walked(number) if each.concreteness is not None}
    if not rated:
        raise RunUnknown(f"no starter of run {numbers[0]} is rated; rate them: wayword hop run --balanced N --ratings FILE")
    draw_concreteness(list(rated.values()), file)


def base_of(ledger: Ledger, number: int) -> str:
    """The wiki of a run."""
    return read_summary(ledger, number).base


def trail(store: Store, ledger: Ledger, number: int, starter: str | None, file: str, progress: Progress = no_progress) -> None:
    """Figure 1: a trail of a run, link by link; by default the first of the longest that reached the target."""
    from ...search.traversal.link_graph import open_link_graph

    asked, base = read_experiment(ledger, number), base_of(ledger, number)
    if starter is None:
        reached = [each for each in ledger.walked(number) if each.ending == "reached" and each.hops]
        if not reached:
            raise RunUnknown(f"no traversal of run {number} reached {asked.target}; name a starter with --starter")
        starter = max(reached, key=lambda each: each.hops).starter
    world = open_link_graph(store, [base], progress)
    draw_trail_scores(make_trail(store, world, asked.choice, starter, asked.target, asked.rules, asked.vocabularies), file)
