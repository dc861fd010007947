"""Traversals: from a starter link by link until the target is reached or there is no way on.

Ends are tested in this order: the target is reached; a cycle, an article seen before; a dead end, no link to follow; the limit
of hops. Random never ends in a cycle, it walks on; without revisits no strategy does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from ..errors import RulesInvalid

if TYPE_CHECKING:
    from .link_graph import LinkGraph
    from .strategies import Strategy, Whole

Ending = Literal["reached", "cycle", "dead-end", "limit"]

NOWHERE = -1
"""In place of an article: there is none."""

MOST = 10_000
"""The greatest limit: where a traversal has been is remembered."""

AT_ONCE = 2_048
"""Traversals that go side by side: what they remember of their ways stays in the processor's cache."""


@dataclass(frozen=True, slots=True)
class WalkRules:
    """What a traversal goes by, whatever the strategy."""

    first_links: int = 20
    limit: int = 100
    keep_parentheses: bool = False
    no_revisit: bool = False

    def __post_init__(self) -> None:
        if self.first_links < 1:
            raise RulesInvalid(f"the first {self.first_links} links are to be looked at; look at one at least")
        if not 0 <= self.limit <= MOST:
            raise RulesInvalid(f"a limit of {self.limit} hops is not to be had; give one from 0 to {MOST:,}")


class Traversal(NamedTuple):
    """How one traversal ended: after how many hops, in which article (at the limit ``NOWHERE``), in a cycle of which length."""

    starter: int
    ending: Ending
    hops: int
    last: int
    cycle: int | None = None


def walk(world: LinkGraph, strategy: Strategy, starter: int, target: int, rules: WalkRules) -> tuple[Traversal, list[int]]:
    """One traversal, and the places of the links that it follows."""
    article, followed, seen = starter, list[int](), {starter: 0}
    while True:
        if article == target:
            return Traversal(starter, "reached", len(followed), article), followed
        links = world.first_links(np.array([article]), rules.first_links, keep_parentheses=rules.keep_parentheses)
        allowed = links >= 0
        if rules.no_revisit:
            allowed &= ~np.isin(world.follow(links), list(seen))
        column = int(strategy.pick(links, allowed, np.array([starter]), len(followed))[0])
        if column < 0:
            return Traversal(starter, "dead-end", len(followed), article), followed
        if len(followed) == rules.limit:
            return Traversal(starter, "limit", len(followed), NOWHERE), followed
        followed.append(int(links[0, column]))
        article = int(world.next[followed[-1]])
        if article in seen and strategy.fixed and article != target:
            return Traversal(starter, "cycle", len(followed), article, len(followed) - seen[article]), followed
        seen[article] = len(followed)


def walk_together(
    world: LinkGraph, strategy: Strategy, starters: Whole, target: int, rules: WalkRules
) -> Iterator[dict[int, Traversal]]:
    """The traversals of all starters, hop by hop together: those that end with each hop, by their places."""
    remembers = strategy.fixed or rules.no_revisit
    ways = np.full((len(starters), rules.limit + 1 if remembers else 1), -1, np.int64)
    going, article = np.arange(len(starters)), starters.copy()
    for hop in range(rules.limit + 1):
        ended: dict[int, Traversal] = {}
        arrived = article == target
        _end(ended, going[arrived], starters, "reached", hop, article[arrived])
        going, article = going[~arrived], article[~arrived]
        if strategy.fixed and not rules.no_revisit:
            before = ways[going, : hop + 1] == article[:, None]
            again = before.any(axis=1)
            for place, last, length in zip(going[again], article[again], hop - before[again].argmax(axis=1), strict=True):
                ended[int(place)] = Traversal(int(starters[place]), "cycle", hop, int(last), int(length))
            going, article = going[~again], article[~again]
        if remembers:
            ways[going, hop] = article
        links = world.first_links(article, rules.first_links, keep_parentheses=rules.keep_parentheses)
        allowed = links >= 0
        following = world.follow(links)
        if rules.no_revisit:
            allowed &= ~(following[:, :, None] == ways[going, None, : hop + 1]).any(axis=2)
        column = strategy.pick(links, allowed, starters[going], hop)
        stuck = column < 0
        _end(ended, going[stuck], starters, "dead-end", hop, article[stuck])
        going, article, following, column = going[~stuck], article[~stuck], following[~stuck], column[~stuck]
        if hop == rules.limit:
            _end(ended, going, starters, "limit", hop, np.full(len(going), NOWHERE))
        yield ended
        if not len(going) or hop == rules.limit:
            return
        article = following[np.arange(len(going)), column].astype(np.int64)


def _end(ended: dict[int, Traversal], places: Whole, starters: Whole, ending: Ending, hops: int, last: Whole) -> None:
    for place, article in zip(places.tolist(), last.tolist(), strict=True):
        ended[place] = Traversal(int(starters[place]), ending, hops, article)
