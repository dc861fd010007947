"""One traversal in full: which links were looked at in each article, and which was followed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from ..bases.wikipedia.articles import find_article
from ..errors import ArticleUnknown, StartersInvalid
from .results import Considered, Hop, Trail
from .strategy_options import open_strategy
from .walk import walk

if TYPE_CHECKING:
    from ...graph.store import Store
    from .link_graph import LinkGraph
    from .strategies import Strategy
    from .strategy_options import StrategyOptions
    from .walk import WalkRules


def resolve_article(store: Store, world: LinkGraph, title: str) -> int:
    """The article of this title, or the one that a redirect of this title leads to."""
    found = world.find(title)
    if found is None:
        found = world.find(find_article(store, world.base, title).partition(":")[2])
    if found is None:
        raise ArticleUnknown(f"{title!r} only tells names apart in {world.base}; name one of the articles it leads to")
    return found


def make_trail(
    store: Store,
    world: LinkGraph,
    choice: StrategyOptions,
    starter: str,
    target: str,
    rules: WalkRules,
    vocabularies: Sequence[StrategyOptions] = (),
) -> Trail:
    """The traversal from an article to a target; with ``vocabularies`` along links of which all of them know something."""
    first, goal = resolve_article(store, world, starter), resolve_article(store, world, target)
    if first == goal:
        raise StartersInvalid(f"{world.title(first)!r} is the target itself; begin somewhere else")
    strategy = open_strategy(choice, vocabularies, store, world, world.title(goal))
    ended, followed = walk(world, strategy, first, goal, rules)
    way = [first, *world.next[followed].tolist()]
    return Trail(
        strategy=strategy.name,
        target=world.title(goal),
        base=world.base,
        ending=ended.ending,
        hops=ended.hops,
        trail=tuple(map(world.title, way)),
        cycle=ended.cycle,
        parameters={**asdict(rules), **choice.to_dict()},
        steps=tuple(_hop(world, strategy, article, link, rules) for article, link in zip(way, followed, strict=False)),
    )


def _hop(world: LinkGraph, strategy: Strategy, article: int, followed: int, rules: WalkRules) -> Hop:
    links = world.first_links(np.array([article]), rules.first_links, keep_parentheses=rules.keep_parentheses)
    links = links[:, links[0] >= 0]
    scores = strategy.scores(links)
    looked_at = tuple(
        Considered(world.anchor(link), world.title(int(world.next[link])), None if scores is None else float(scores[0, column]))
        for column, link in enumerate(links[0].tolist())
    )
    return Hop(world.title(article), links[0].tolist().index(followed) + 1, looked_at)
