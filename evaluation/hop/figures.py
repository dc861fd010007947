"""The figures of the paper, drawn from runs of the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...core.errors import hint
from ...core.progress import Progress, no_progress
from ...rendering.files import check_figure_path, write_figure
from ...search.traversal.trails import make_trail
from ..errors import RunUnknown
from .comparison import read_experiment, read_summary
from .presentation.plots import HopDistribution, concreteness_figure, describe_runs, hops_figure, trail_figure

if TYPE_CHECKING:
    from ...graph.store import Store
    from ..runs.ledger import Ledger


def draw_hops_of_runs(ledger: Ledger, numbers: Sequence[int], file: str) -> None:
    """Draw figure 5: the hops of the traversals that reached the target, for each run; a repeated run counts once."""
    check_figure_path(file)
    distributions = [
        HopDistribution(
            read_summary(ledger, number),
            [each.hops for each in ledger.traversals(number) if each.ending == "reached"],
            ledger.run(number).begun,
        )
        for number in dict.fromkeys(numbers)
    ]
    write_figure(hops_figure(distributions), file, f"Hops to {distributions[0].summary.target}")


def draw_concreteness_of_runs(ledger: Ledger, numbers: Sequence[int], file: str) -> None:
    """Draw figure 3: the concreteness of the starters of these runs, each starter once."""
    check_figure_path(file)
    ratings: dict[str, float] = {}
    bases: dict[str, None] = {}
    for number in numbers:
        bases[read_summary(ledger, number).base] = None
        ratings |= {each.starter: each.concreteness for each in ledger.traversals(number) if each.concreteness is not None}
    if not ratings:
        raise RunUnknown(f"no starter of run {numbers[0]} has a concreteness rating; choose a run with balanced starters")
    runs = describe_runs([(number, ledger.run(number).begun) for number in dict.fromkeys(numbers)])
    figure = concreteness_figure(list(ratings.values()), f"{', '.join(bases)} · {runs}")
    write_figure(figure, file, "How concrete the starters are")


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

    check_figure_path(file)
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
    figure = trail_figure(trail, describe_runs([(number, ledger.run(number).begun)]))
    write_figure(figure, file, f"From {trail.trail[0]} to {trail.target}")
