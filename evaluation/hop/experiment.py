"""A HOP experiment: traversals from many articles to one target, each recorded in the ledger as soon as it has ended.

A deterministic strategy makes the wiki a functional graph, in which the endings of all traversals are found together. Random
traversals, and those without revisits, are walked, many at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.progress import Progress, no_progress
from ...search.traversal.functional_graph import (
    FunctionalGraph,
    build_functional_graph,
    count_levels,
    find_basins,
    find_successors,
)
from ...search.traversal.markov_chain import exact_distribution
from ...search.traversal.strategies import RandomLink
from ...search.traversal.strategy_options import StrategyOptions, open_strategy
from ...search.traversal.trails import resolve_target
from ...search.traversal.walk import BATCH, NO_ARTICLE, Traversal, WalkRules, walk_together
from ..runs.recording import RunRequest, describe_bases
from ..runs.records import RecordedTraversal
from .results import Summary, summarise
from .starters import ChosenStarters, Starters

if TYPE_CHECKING:
    from ...core.arrays import IntArray
    from ...graph.store import Store
    from ...search.traversal.link_graph import LinkGraph
    from ...search.traversal.strategies import Strategy
    from ..runs.ledger import Ledger
    from ..runs.recording import Recording

KIND = "hop"
"""The kind of its runs in the ledger."""

ROWS = 20_000
"""Traversals of a functional graph that are written in one transaction."""

WRITE_INTERVAL = 1.0
"""Seconds between two transactions while traversals are walked."""

MAX_CYCLES = 20
"""The cycles of a functional graph in a summary: those with the largest basins."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment.

    - ``options``: the strategy
    - ``rules``: the rules of its traversals
    - ``target``: the title of the article to reach
    - ``starters``: the articles to begin at
    - ``vocabularies``: strategies that must all know a link for it to be followed
    """

    options: StrategyOptions = field(default_factory=StrategyOptions)
    rules: WalkRules = field(default_factory=WalkRules)
    target: str = "Philosophy"
    starters: Starters = field(default_factory=Starters)
    vocabularies: tuple[StrategyOptions, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the experiment as a flat dictionary, ready for JSON."""
        plain = {"strategy": self.options.strategy, "target": self.target, **self.options.to_dict(), **asdict(self.rules)}
        shared = [{"strategy": each.strategy, **each.to_dict()} for each in self.vocabularies]
        return {**plain, **self.starters.to_dict(), **({"vocabularies": shared} if shared else {})}

    @classmethod
    def from_run(
        cls,
        parameters: Mapping[str, Any],
        seed: int | None,
        titles: Iterable[str] = (),
        left_out: Mapping[str, int] | None = None,
    ) -> Experiment:
        """Restore the experiment of a run.

        Args:
            parameters: What ``to_dict`` returned.
            seed: The seed of the run.
            titles: For a list of starters, the titles that were used.
            left_out: The counts of the others, by code.
        """
        values = {**parameters, "seed": seed or 0}
        how = values["starters"]
        listed = (tuple(titles), dict(left_out or {}), values.get("titles")) if how == "listed" else ((), {}, None)
        starters = Starters(how, values.get("count"), seed or 0, values.get("ratings"), *listed)
        rules = WalkRules(**{name: values[name] for name in WalkRules.__slots__})
        vocabularies = tuple(_strategy_options(each) for each in values.get("vocabularies", ()))
        return cls(_strategy_options(values), rules, values["target"], starters, vocabularies)


def _strategy_options(values: Mapping[str, Any]) -> StrategyOptions:
    return StrategyOptions(**{name: values[name] for name in StrategyOptions.__slots__ if name in values})


def run_experiment(
    store: Store, graph: LinkGraph, experiment: Experiment, ledger: Ledger, progress: Progress = no_progress
) -> Summary:
    """Run an experiment, or resume one that was interrupted.

    Args:
        store: The store that holds the wiki, and the WordNet of the strategy ``wordnet``.
        graph: The link graph of the wiki.
        experiment: The experiment.
        ledger: Records the run and each of its traversals.
        progress: Receives the progress.

    Returns:
        The summary of all traversals, also of those that were recorded before an interruption.

    Raises:
        ArticleUnknown: The wiki does not have the target.
        TraversalError: The experiment is invalid.
        LedgerError: The ledger cannot be written.
    """
    target = resolve_target(store, graph, experiment.target)
    experiment = replace(experiment, target=graph.title(target))
    starters = experiment.starters.choose(store, graph, target, progress)
    strategy = open_strategy(experiment.options, experiment.vocabularies, store, graph, experiment.target, progress)
    with ledger.record(_run_request(store, graph, experiment)) as recording:
        recorded = {each.position: each for each in recording.traversals()} if recording.is_resumed else {}
        # Positions identify the traversals of a run: those that are not recorded yet remain.
        remaining = np.array([position for position in range(len(starters.articles)) if position not in recorded], np.int64)
        batches: Iterator[list[RecordedTraversal]]
        whole: dict[str, Any] | None = None
        if strategy.deterministic and not experiment.rules.no_revisit:
            successors = find_successors(graph, strategy, starters.articles, target, experiment.rules)
            functional = build_functional_graph(successors, target)
            if experiment.starters.how == "all":
                whole = _describe_functional_graph(graph, functional)
            batches = _look_up_traversals(graph, functional, starters, remaining, experiment.rules.limit)
        else:
            batches = _walk_traversals(graph, strategy, starters, target, experiment.rules, remaining)
        new = _record(batches, recording, len(starters.articles), len(recorded), progress)
        summary = summarise(
            [*recorded.values(), *new],
            strategy=experiment.options.strategy,
            target=experiment.target,
            base=graph.base,
            parameters=experiment.to_dict(),
            left_out={**starters.left_out, **strategy.count_left_out()},
            exact=_exact(graph, strategy, starters, target, experiment.rules),
            whole=whole,
            run=recording.id,
        )
        recording.finish(summary.to_dict())
    return summary


def _run_request(store: Store, graph: LinkGraph, experiment: Experiment) -> RunRequest:
    strategies = (experiment.options, *experiment.vocabularies)
    needed = {graph.base}.union(*(each.bases() for each in strategies))
    return RunRequest(
        KIND,
        experiment.to_dict(),
        store.address,
        describe_bases(each for each in store.bases() if each.id in needed),
        experiment.options.seed,
        {"files": [each.describe_files() for each in strategies], **experiment.starters.describe_files()},
    )


def _look_up_traversals(
    graph: LinkGraph, functional: FunctionalGraph, starters: ChosenStarters, positions: IntArray, limit: int
) -> Iterator[list[RecordedTraversal]]:
    """Yield the rows of the traversals at these positions, from the functional graph."""
    title = _cached_titles(graph)
    for start in range(0, len(positions), ROWS):
        batch = positions[start : start + ROWS]
        traversals = functional.traversals(starters.articles[batch], limit)
        yield [_row(position, each, starters, title) for position, each in zip(batch.tolist(), traversals, strict=True)]


def _walk_traversals(
    graph: LinkGraph, strategy: Strategy, starters: ChosenStarters, target: int, rules: WalkRules, positions: IntArray
) -> Iterator[list[RecordedTraversal]]:
    """Yield the rows of the traversals at these positions as they end, about once a second."""
    title = _cached_titles(graph)
    rows, written = list[RecordedTraversal](), time.monotonic()
    for start in range(0, len(positions), BATCH):
        batch = positions[start : start + BATCH]
        for ended in walk_together(graph, strategy, starters.articles[batch], target, rules):
            rows += [_row(int(batch[index]), each, starters, title) for index, each in sorted(ended.items())]
            if rows and time.monotonic() - written > WRITE_INTERVAL:
                yield rows
                rows, written = [], time.monotonic()
    if rows:
        yield rows


def _cached_titles(graph: LinkGraph) -> Callable[[int], str]:
    """Return a cached lookup of titles: many traversals end in the same few articles."""
    titles: dict[int, str] = {}

    def title(article: int) -> str:
        if article not in titles:
            titles[article] = graph.title(article)
        return titles[article]

    return title


def _row(position: int, ended: Traversal, starters: ChosenStarters, title: Callable[[int], str]) -> RecordedTraversal:
    concreteness = None if starters.concreteness is None else float(starters.concreteness[position])
    last = None if ended.last == NO_ARTICLE else title(ended.last)
    return RecordedTraversal(position, title(ended.starter), ended.ending, ended.hops, ended.cycle, last, concreteness)


def _record(
    batches: Iterator[list[RecordedTraversal]], recording: Recording, total: int, done: int, progress: Progress
) -> Iterator[RecordedTraversal]:
    for rows in batches:
        recording.add(rows)
        done += len(rows)
        progress("walking", done, done / total)
        yield from rows


def _exact(
    graph: LinkGraph, strategy: Strategy, starters: ChosenStarters, target: int, rules: WalkRules
) -> dict[str, float | None] | None:
    """Return the exact expectation of random traversals, None for other strategies and for walks without revisits."""
    if not len(starters.articles) or not isinstance(strategy, RandomLink) or rules.no_revisit:
        return None
    return asdict(exact_distribution(graph, starters.articles, target, rules))


def _describe_functional_graph(graph: LinkGraph, functional: FunctionalGraph) -> dict[str, Any]:
    """Describe the tree that leads to the target, and the cycles that the other articles drain into."""
    levels, basins = count_levels(functional), find_basins(functional)
    return {
        "to_target": sum(levels.values()) - 1,
        "depth": max(levels),
        "levels": [levels[level] for level in range(max(levels) + 1)],
        "cycles": len(basins),
        "drained": sum(each.drained for each in basins),
        "largest": [
            {"articles": [graph.title(article) for article in each.articles], "drained": each.drained, "depth": each.depth}
            for each in basins[:MAX_CYCLES]
        ],
    }
