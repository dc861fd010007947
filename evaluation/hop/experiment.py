"""A HOP experiment: many traversals to one target, each of them a row of the ledger as soon as it has ended.

A strategy that always chooses the same link of an article makes the wiki a functional graph, in which all traversals are found
together. Random ones, and those that never come to an article twice, are walked, many at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from ...graph.store import Progress, silent
from ..ledger.recording import Asked
from ..ledger.records import Walked
from .chain import exact
from .choosing import Choice
from .functional import Drains, basins, drains, ends, levels, reachable
from .results import Summary, summarise
from .starters import Chosen, Starters
from .strategies import Scored, Strategy, Within
from .trails import article_of
from .walking import NOWHERE, Rules, Traversal, walk_each

if TYPE_CHECKING:
    from ...graph.store import Store
    from ...search.world import World
    from ..ledger.book import Ledger
    from ..ledger.recording import Recording
    from .strategies import Whole

KIND = "hop"

WRITTEN = 20_000
"""Traversals that are written together where all are found together."""

NAMED = 20
"""Cycles of a functional graph that a summary tells of, those that most articles drain into."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """What is asked: which links are chosen on which way, from where to where.

    ``vocabularies``: only links are followed of which each of these choices knows something.
    """

    choice: Choice = field(default_factory=Choice)
    rules: Rules = field(default_factory=Rules)
    target: str = "Philosophy"
    starters: Starters = field(default_factory=Starters)
    vocabularies: tuple[Choice, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """All of it, in words and numbers."""
        plain = {"strategy": self.choice.strategy, "target": self.target, **self.choice.to_dict(), **asdict(self.rules)}
        shared = [{"strategy": each.strategy, **each.to_dict()} for each in self.vocabularies]
        return {**plain, **self.starters.to_dict(), **({"vocabularies": shared} if shared else {})}

    @classmethod
    def of(cls, parameters: Mapping[str, Any], seed: int | None, titles: Iterable[str] = ()) -> Experiment:
        """The experiment of a row of the ledger; ``titles`` are the starters of one that had a list of them."""
        given = {**parameters, "seed": seed or 0}
        how = given["starters"]
        starters = Starters(how, given.get("count"), seed or 0, given.get("ratings"), tuple(titles) if how == "listed" else ())
        rules = Rules(**{name: given[name] for name in Rules.__slots__})
        shared = tuple(_choice(each) for each in given.get("vocabularies", ()))
        return cls(_choice(given), rules, given["target"], starters, shared)

    def strategy(self, store: Store, world: World, target: str, progress: Progress = silent) -> Strategy:
        """The strategy, kept within the vocabularies."""
        chosen = self.choice.open(store, world, target, progress)
        others = [each.open(store, world, target, progress) for each in self.vocabularies]
        known = [each for each in others if isinstance(each, Scored)]
        return Within(chosen, known) if known else chosen


def _choice(given: Mapping[str, Any]) -> Choice:
    return Choice(**{name: given[name] for name in Choice.__slots__ if name in given})


def run(store: Store, world: World, asked: Experiment, ledger: Ledger, progress: Progress = silent) -> Summary:
    """Carry out an experiment, or go on with it where it was cut off; every traversal is in the ledger."""
    target = article_of(store, world, asked.target)
    asked = replace(asked, target=world.title(target))
    chosen = asked.starters.choose(store, world, target, progress)
    strategy = asked.strategy(store, world, asked.target, progress)
    with ledger.record(_asked(store, world, asked)) as recording:
        done = list(recording.walked()) if recording.resumed else []
        made: Iterator[list[Walked]]
        whole: dict[str, Any] | None = None
        if strategy.fixed and not asked.rules.no_revisit:
            following = reachable(world, strategy, chosen.articles, target, asked.rules)
            found = drains(following, target)
            if asked.starters.how == "all":
                whole = _whole(world, found, following)
            made = _found_together(world, ends(found, chosen.articles[len(done) :], asked.rules.limit), chosen, len(done))
        else:
            made = _walked(world, strategy, chosen, target, asked.rules, len(done))
        walked = chain(done, _written(made, recording, len(chosen.articles), len(done), progress))
        summary = summarise(
            walked,
            strategy=asked.choice.strategy,
            target=asked.target,
            base=world.base,
            parameters=asked.to_dict(),
            left_out=chosen.left_out,
            exact=_exact(world, asked, chosen, target),
            whole=whole,
            run=recording.id,
        )
        recording.finish(summary.to_dict())
    return summary


def _asked(store: Store, world: World, asked: Experiment) -> Asked:
    needed = {world.base, *(each.lexicon for each in (asked.choice, *asked.vocabularies) if each.strategy == "wordnet")}
    bases = [
        {"id": each.id, "kind": each.kind, "source": each.source, "revision": each.revision}
        for each in store.bases()
        if each.id in needed
    ]
    files = [each.files() for each in (asked.choice, *asked.vocabularies)]
    return Asked(KIND, asked.to_dict(), store.address, bases, asked.choice.seed, {"files": files, **asked.starters.files()})


def _found_together(world: World, traversals: Iterator[Traversal], chosen: Chosen, begin: int) -> Iterator[list[Walked]]:
    title = _titles(world)
    while some := list(islice(traversals, WRITTEN)):
        yield _rows(some, chosen, begin, title)
        begin += len(some)


def _walked(world: World, strategy: Strategy, chosen: Chosen, target: int, rules: Rules, begin: int) -> Iterator[list[Walked]]:
    title = _titles(world)
    for some in walk_each(world, strategy, chosen.articles[begin:], target, rules):
        yield _rows(some, chosen, begin, title)
        begin += len(some)


def _titles(world: World) -> Callable[[int], str]:
    """Titles by number; many traversals end in the same few articles."""
    known: dict[int, str] = {}

    def title(article: int) -> str:
        if article not in known:
            known[article] = world.title(article)
        return known[article]

    return title


def _rows(traversals: list[Traversal], chosen: Chosen, begin: int, title: Callable[[int], str]) -> list[Walked]:
    rated = chosen.concreteness
    return [
        Walked(
            place,
            title(each.starter),
            each.ending,
            each.hops,
            each.cycle,
            None if each.last == NOWHERE else title(each.last),
            None if rated is None else float(rated[place]),
        )
        for place, each in enumerate(traversals, begin)
    ]


def _written(
    batches: Iterator[list[Walked]], recording: Recording, whole: int, done: int, progress: Progress
) -> Iterator[Walked]:
    for rows in batches:
        recording.add(rows)
        done += len(rows)
        progress("walking", done, done / whole)
        yield from rows


def _exact(world: World, asked: Experiment, chosen: Chosen, target: int) -> dict[str, float | None] | None:
    if asked.choice.strategy != "random" or asked.rules.no_revisit or asked.vocabularies:
        return None
    return asdict(exact(world, chosen.articles, target, asked.rules))


def _whole(world: World, found: Drains, following: Whole) -> dict[str, Any]:
    """The functional graph of all articles: how deep the target's tree is, and the cycles that the others drain into."""
    tree, around = levels(found), basins(found, following)
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
