"""The figures of the paper, drawn from runs of the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...core.errors import hint
from ...core.progress import Progress, no_progress
from ...search.traversal.trails import make_trail
from ..errors import RunUnknown
from .comparison import read_experiment, read_summary
from .presentation.plots import draw_concreteness, draw_hops, draw_trail_scores
from .presentation.tables import strategy_label

if TYPE_CHECKING:
    from ...graph.store import Store
    from ..runs.ledger import Ledger


def draw_hops_of_runs(ledger: Ledger, numbers: Sequence[int], file: str) -> None:
    """Draw figure 5: the hops of the traversals that reached the target, for each run."""
    summaries = {number: read_summary(ledger, number) for number in numbers}
    hops = [
        (strategy_label(summary), [each.hops for each in ledger.traversals(number) if each.ending == "reached"])
        for number, summary in summaries.items()
    ]
    draw_hops(hops, summaries[numbers[0]].target, file)


def draw_concreteness_of_runs(ledger: Ledger, numbers: Sequence[int], file: str) -> None:
    """Draw figure 3: the concreteness of the starters of these runs, each starter once."""
    ratings: dict[str, float] = {}
    for number in numbers:
        read_summary(ledger, number)  # raises unless the run is a finished experiment
        ratings |= {each.starter: each.concreteness for each in ledger.traversals(number) if each.concreteness is not None}
    if not ratings:
        raise RunUnknown(f"no starter of run {numbers[0]} has a concreteness rating; choose a run with balanced starters")
    draw_concreteness(list(ratings.values()), file)


def read_wiki(ledger: Ledger, number: int) -> str:
    """Return the wiki of a run."""
    return read_summary(ledger, number).base


def draw_trail_of_run(
    store: Store, ledger: Ledger, number: int, starter: str | None, file: str, progress: Progress = no_progress
) -> None:
    """Draw figure 1: a trail of a run, link by link.

    Args:
        store: The store that holds the wiki of the run.
        ledger: The ledger.
        number: The number of the run.
        starter: The starter of the trail; by default that of the longest traversal that reached the target, of ties the first.
        file: A file whose name ends in .svg, .png or .pdf.
        progress: Receives the progress of reading the link graph.
    """
    from ...search.traversal.link_graph import open_link_graph

    experiment, base = read_experiment(ledger, number), read_wiki(ledger, number)
    if starter is None:
        reached = [each for each in ledger.traversals(number) if each.ending == "reached" and each.hops]
        if not reached:
            raise RunUnknown(
                f"no traversal of run {number} reached {experiment.target}", hint("set", option="starter", what="an article")
            )
        starter = max(reached, key=lambda each: each.hops).starter
    graph = open_link_graph(store, [base], progress)
    trail = make_trail(store, graph, experiment.options, starter, experiment.target, experiment.rules, experiment.vocabularies)
    draw_trail_scores(trail, file)
