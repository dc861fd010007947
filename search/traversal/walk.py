"""Traversals: from a starter link by link until the target is reached or the traversal ends otherwise (section 4 of the paper).

At each article the endings are tested in this order:

1. ``reached``: the article is the target;
2. ``cycle``: the article was visited before. The random strategy may choose another link there, so it walks on;
3. ``dead-end``: the strategy finds no link to follow;
4. ``limit``: the limit of hops is used up (100 in section 6 of the paper). A target reached with the last hop still counts.

With ``no_revisit`` links to visited articles are masked, so that no traversal ends in a cycle (a remedy for the cycles that
section 8 describes).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from ..errors import RulesInvalid

if TYPE_CHECKING:
    from ...core.arrays import IntArray
    from .link_graph import LinkGraph
    from .strategies import Strategy

Ending = Literal["reached", "cycle", "dead-end", "limit"]

NO_ARTICLE = -1
"""Stands for the absence of an article."""

MAX_LIMIT = 10_000
"""The greatest limit of hops: visited articles are kept in memory."""

BATCH = 2_048
"""Traversals that are walked together; their visited articles fit into the processor's cache."""


@dataclass(frozen=True, slots=True)
class WalkRules:
    """The rules of a traversal, whatever its strategy.

    - ``first_links``: the number of links of each article that may be followed (the first 20 in section 5 of the paper)
    - ``limit``: the number of hops after which a traversal ends
    - ``keep_parentheses``: whether links within parentheses count too
    - ``no_revisit``: whether links to visited articles may not be followed
    """

    first_links: int = 20
    limit: int = 100
    keep_parentheses: bool = False
    no_revisit: bool = False

    def __post_init__(self) -> None:
        if self.first_links < 1:
            raise RulesInvalid(f"the number of first links is {self.first_links}; it must be at least 1")
        if not 0 <= self.limit <= MAX_LIMIT:
            raise RulesInvalid(f"the limit is {self.limit} hops; it must be from 0 to {MAX_LIMIT:,}")


class Traversal(NamedTuple):
    """How one traversal ended.

    - ``hops``: the number of links followed
    - ``last``: the article at which it ended, ``NO_ARTICLE`` at the limit
    - ``cycle``: the length of the cycle, if it ended in one
    """

    starter: int
    ending: Ending
    hops: int
    last: int
    cycle: int | None = None


def walk(graph: LinkGraph, strategy: Strategy, starter: int, target: int, rules: WalkRules) -> tuple[Traversal, list[int]]:
    """Walk one traversal.

    Returns:
        How it ended, and the numbers of the links followed.
    """
    article, followed, visited = starter, list[int](), {starter: 0}
    while True:
        if article == target:
            return Traversal(starter, "reached", len(followed), article), followed
        links = graph.first_links(np.array([article]), rules.first_links, keep_parentheses=rules.keep_parentheses)
        allowed = links >= 0
        if rules.no_revisit:
            allowed &= ~np.isin(graph.follow(links), list(visited))
        column = int(strategy.pick(links, allowed, np.array([starter]), len(followed))[0])
        if column < 0:
            return Traversal(starter, "dead-end", len(followed), article), followed
        if len(followed) == rules.limit:
            return Traversal(starter, "limit", len(followed), NO_ARTICLE), followed
        followed.append(int(links[0, column]))
        article = int(graph.destinations[followed[-1]])
        if article in visited and strategy.deterministic and article != target:
            return Traversal(starter, "cycle", len(followed), article, len(followed) - visited[article]), followed
        visited[article] = len(followed)


def walk_together(
    graph: LinkGraph, strategy: Strategy, starters: IntArray, target: int, rules: WalkRules
) -> Iterator[dict[int, Traversal]]:
    """Walk the traversals of all starters together, one hop at a time; the same as ``walk`` for each.

    ``active`` holds the positions of the traversals that have not ended, ``article`` where each of them is; both shrink
    together. ``visited[p, h]`` is the article of traversal ``p`` after ``h`` hops.

    Yields:
        For each hop the traversals that end there, by the positions of their starters.
    """
    remembers = strategy.deterministic or rules.no_revisit
    visited = np.full((len(starters), rules.limit + 1 if remembers else 1), -1, np.int64)
    active, article = np.arange(len(starters)), starters.copy()
    for hop in range(rules.limit + 1):
        ended: dict[int, Traversal] = {}
        arrived = article == target
        _record(ended, active[arrived], starters, "reached", hop, article[arrived])
        active, article = active[~arrived], article[~arrived]
        if strategy.deterministic and not rules.no_revisit:
            before = visited[active, : hop + 1] == article[:, None]
            again = before.any(axis=1)
            lengths = hop - before[again].argmax(axis=1)
            for position, last, length in zip(active[again], article[again], lengths, strict=True):
                ended[int(position)] = Traversal(int(starters[position]), "cycle", hop, int(last), int(length))
            active, article = active[~again], article[~again]
        if remembers:
            visited[active, hop] = article
        links = graph.first_links(article, rules.first_links, keep_parentheses=rules.keep_parentheses)
        allowed = links >= 0
        destinations = graph.follow(links)
        if rules.no_revisit:
            allowed &= ~(destinations[:, :, None] == visited[active, None, : hop + 1]).any(axis=2)
        column = strategy.pick(links, allowed, starters[active], hop)
        stuck = column < 0
        _record(ended, active[stuck], starters, "dead-end", hop, article[stuck])
        active, article, destinations, column = active[~stuck], article[~stuck], destinations[~stuck], column[~stuck]
        if hop == rules.limit:
            _record(ended, active, starters, "limit", hop, np.full(len(active), NO_ARTICLE))
        yield ended
        if not len(active) or hop == rules.limit:
            return
        article = destinations[np.arange(len(active)), column].astype(np.int64)


def _record(
    ended: dict[int, Traversal], positions: IntArray, starters: IntArray, ending: Ending, hops: int, last: IntArray
) -> None:
    for position, article in zip(positions.tolist(), last.tolist(), strict=True):
        ended[position] = Traversal(int(starters[position]), ending, hops, article)
