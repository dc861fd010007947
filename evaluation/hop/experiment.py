"""A HOP experiment: many traversals to one target, each of them a row of the ledger as soon as it has ended.

A strategy that always chooses the same link of an article makes the wiki a functional graph, in which all traversals are found
together. Random ones, and those that never come to an article twice, are walked, many at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.progress import Progress, no_progress
from ...search.traversal.functional_graph import (
    Destinations,
    count_levels,
    find_basins,
    find_destinations,
    find_endings,
    reachable,
)
from ...search.traversal.markov_chain import exact_distribution
from ...search.traversal.strategy_options import StrategyOptions, open_strategy
from ...search.traversal.trails import resolve_article
from ...search.traversal.walk import AT_ONCE, NOWHERE, Traversal, WalkRules, walk_together
from ..runs.recording import RunRequest, describe_bases
from ..runs.records import RecordedTraversal
from .results import Summary, summarise
from .starters import ChosenStarters, Starters

if TYPE_CHECKING:
    from ...graph.store import Store
    from ...search.traversal.link_graph import LinkGraph
    from ...search.traversal.strategies import Strategy, Whole
    from ..runs.ledger import Ledger
    from ..runs.recording import Recording

KIND = "hop"

WRITTEN = 20_000
"""Traversals that are written together where all are found together."""

EVERY = 1.0
"""Seconds between two writings of traversals that end one after the other."""

NAMED = 20
"""Cycles of a functional graph that a summary tells of, those that most articles drain into."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """What is asked: which links are chosen on which way, from where to where.

    ``vocabularies``: only links are followed of which each of these choices knows something.
    """

    choice: StrategyOptions = field(default_factory=StrategyOptions)
    rules: WalkRules = field(default_factory=WalkRules)
    target: str = "Philosophy"
    starters: Starters = field(default_factory=Starters)
    vocabularies: tuple[StrategyOptions, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """All of it, in words and numbers."""
        plain = {"strategy": self.choice.strategy, "target": self.target, **self.choice.to_dict(), **asdict(self.rules)}
        shared = [{"strategy": each.strategy, **each.to_dict()} for each in self.vocabularies]
        return {**plain, **self.starters.to_dict(), **({"vocabularies": shared} if shared else {})}

    @classmethod
    def of(
        cls,
        parameters: Mapping[str, Any],
        seed: int | None,
        titles: Iterable[str] = (),
        unused: Mapping[str, int] | None = None,
    ) -> Experiment:
        """The experiment of a row of the ledger.

        ``titles`` are those starters of a list that were walked from; ``unused`` tells why there were no more.
        """
        given = {**parameters, "seed": seed or 0}
        how = given["starters"]
        listed = (tuple(titles), dict(unused or {}), given.get("titles")) if how == "listed" else ((), {}, None)
        starters = Starters(how, given.get("count"), seed or 0, given.get("ratings"), *listed)
        rules = WalkRules(**{name: given[name] for name in WalkRules.__slots__})
        shared = tuple(_choice(each) for each in given.get("vocabularies", ()))
        return cls(_choice(given), rules, given["target"], starters, shared)


def _choice(given: Mapping[str, Any]) -> StrategyOptions:
    return StrategyOptions(**{name: given[name] for name in StrategyOptions.__slots__ if name in given})


def run_experiment(
    store: Store, world: LinkGraph, asked: Experiment, ledger: Ledger, progress: Progress = no_progress
) -> Summary:
    """Carry out an experiment, or go on with it where it was cut off; every traversal is in the ledger."""
    target = resolve_article(store, world, asked.target)
    asked = replace(asked, target=world.title(target))
    chosen = asked.starters.choose(store, world, target, progress)
    strategy = open_strategy(asked.choice, asked.vocabularies, store, world, asked.target, progress)
    with ledger.record(_asked(store, world, asked)) as recording:
        done = {each.place: each for each in recording.walked()} if recording.resumed else {}
        places = np.array([place for place in range(len(chosen.articles)) if place not in done], np.int64)
        made: Iterator[list[RecordedTraversal]]
        whole: dict[str, Any] | None = None
        if strategy.fixed and not asked.rules.no_revisit:
            following = reachable(world, strategy, chosen.articles, target, asked.rules)
            found = find_destinations(following, target)
            if asked.starters.how == "all":
                whole = _whole(world, found, following)
            made = _found_together(world, found, chosen, places, asked.rules.limit)
        else:
            made = _walked(world, strategy, chosen, target, asked.rules, places)
        walked = chain(done.values(), _written(made, recording, len(chosen.articles), len(done), progress))
        ended = list(walked)
        summary = summarise(
            ended,
            strategy=asked.choice.strategy,
            target=asked.target,
            base=world.base,
            parameters=asked.to_dict(),
            left_out={**chosen.left_out, **strategy.lost()},
            exact=_exact(world, asked, chosen, target),
            whole=whole,
            run=recording.id,
        )
        recording.finish(summary.to_dict())
    return summary


def _asked(store: Store, world: LinkGraph, asked: Experiment) -> RunRequest:
    needed = {world.base, *(each.lexicon for each in (asked.choice, *asked.vocabularies) if each.strategy == "wordnet")}
    bases = describe_bases(each for each in store.bases() if each.id in needed)
    files = [each.files() for each in (asked.choice, *asked.vocabularies)]
    return RunRequest(
        KIND, asked.to_dict(), store.address, bases, asked.choice.seed, {"files": files, **asked.starters.files()}
    )


def _found_together(
    world: LinkGraph, found: Destinations, chosen: ChosenStarters, places: Whole, limit: int
) -> Iterator[list[RecordedTraversal]]:
    title = _titles(world)
    for start in range(0, len(places), WRITTEN):
        some = places[start : start + WRITTEN]
        ended = find_endings(found, chosen.articles[some], limit)
        yield [_row(place, each, chosen, title) for place, each in zip(some.tolist(), ended, strict=True)]


def _walked(
    world: LinkGraph, strategy: Strategy, chosen: ChosenStarters, target: int, rules: WalkRules, places: Whole
) -> Iterator[list[RecordedTraversal]]:
    """The traversals from the starters at these places as they end, about a second's worth at a time."""
    title = _titles(world)
    waiting, told = list[RecordedTraversal](), time.monotonic()
    for start in range(0, len(places), AT_ONCE):
        some = places[start : start + AT_ONCE]
        for ended in walk_together(world, strategy, chosen.articles[some], target, rules):
            waiting += [_row(int(some[number]), each, chosen, title) for number, each in sorted(ended.items())]
            if waiting and time.monotonic() - told > EVERY:
                yield waiting
                waiting, told = [], time.monotonic()
    if waiting:
        yield waiting


def _titles(world: LinkGraph) -> Callable[[int], str]:
    """Titles by number; many traversals end in the same few articles."""
    known: dict[int, str] = {}

    def title(article: int) -> str:
        if article not in known:
            known[article] = world.title(article)
        return known[article]

    return title


def _row(place: int, ended: Traversal, chosen: ChosenStarters, title: Callable[[int], str]) -> RecordedTraversal:
    rated = None if chosen.concreteness is None else float(chosen.concreteness[place])
    last = None if ended.last == NOWHERE else title(ended.last)
    return RecordedTraversal(place, title(ended.starter), ended.ending, ended.hops, ended.cycle, last, rated)


def _written(
    batches: Iterator[list[RecordedTraversal]], recording: Recording, whole: int, done: int, progress: Progress
) -> Iterator[RecordedTraversal]:
    for rows in batches:
        recording.add(rows)
        done += len(rows)
        progress("walking", done, done / whole)
        yield from rows


def _exact(world: LinkGraph, asked: Experiment, chosen: ChosenStarters, target: int) -> dict[str, float | None] | None:
    if not len(chosen.articles) or asked.choice.strategy != "random" or asked.rules.no_revisit or asked.vocabularies:
        return None
    return asdict(exact_distribution(world, chosen.articles, target, asked.rules))


def _whole(world: LinkGraph, found: Destinations, following: Whole) -> dict[str, Any]:
    """The functional graph of all articles: how deep the target's tree is, and the cycles that the others drain into."""
    tree, around = count_levels(found), find_basins(found, following)
    return {
        "to_target": sum(tree.values()) - 1,
        "depth": max(tree),
        "levels": [tree[level] for level in range(max(tree) + 1)],
        "cycles": len(around),
        "drained": sum(each.drained for each in around),
        "largest": [
            {"articles": [world.title(article) for article in each.articles], "drained": each.drained, "depth": each.depth}
            for each in around[:NAMED]
        ],
    }
