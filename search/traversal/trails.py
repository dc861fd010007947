"""One traversal in full: the candidate links of each article, and which was followed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import hint
from ...core.suggestions import suggest
from ..bases.wikipedia.articles import find_article
from ..errors import ArticleUnknown, StartersInvalid
from .results import CandidateLink, Hop, Trail
from .strategy_options import open_strategy
from .walk import walk

if TYPE_CHECKING:
    from ...graph.store import Store
    from .link_graph import LinkGraph
    from .strategies import Strategy
    from .strategy_options import StrategyOptions
    from .walk import WalkRules


def resolve_article(store: Store, graph: LinkGraph, title: str) -> int:
    """Return the article of this title, or the one that a redirect of this title leads to.

    Raises:
        ArticleUnknown: The wiki has no such article, or the title is that of a disambiguation page.
    """
    found = graph.find(title)
    if found is None:
        try:
            found = graph.find(find_article(store, graph.base, title).partition(":")[2])
        except ArticleUnknown as error:
            raise error if error.hints else ArticleUnknown(error.message, *suggest(title, graph.titles_near(title))) from None
    if found is None:
        raise ArticleUnknown(f"{title!r} is a disambiguation page of {graph.base}; name one of the articles that it lists")
    return found


def resolve_target(store: Store, graph: LinkGraph, title: str) -> int:
    """Return the article to reach, which is *Philosophy* by default, though many wikis have no article of this title.

    Raises:
        ArticleUnknown: The wiki has no such article, or the title is that of a disambiguation page.
    """
    try:
        return resolve_article(store, graph, title)
    except ArticleUnknown as error:
        advice = hint("set", option="target", what="an article of this wiki")
        raise error if error.hints else ArticleUnknown(error.message, advice) from None


def make_trail(
    store: Store,
    graph: LinkGraph,
    options: StrategyOptions,
    starter: str,
    target: str,
    rules: WalkRules,
    vocabularies: Sequence[StrategyOptions] = (),
) -> Trail:
    """Walk from an article to a target.

    Args:
        store: The store that holds the wiki.
        graph: Its link graph.
        options: The strategy.
        starter: The title of the article to begin at, or of a redirect.
        target: The title of the article to reach, or of a redirect.
        rules: The rules of the traversal.
        vocabularies: Strategies that must all know a link for it to be followed.

    Raises:
        ArticleUnknown: The wiki has no such starter or target.
        StartersInvalid: Starter and target are the same article.
    """
    first, goal = resolve_article(store, graph, starter), resolve_target(store, graph, target)
    if first == goal:
        raise StartersInvalid(f"the starter {graph.title(first)!r} is the target itself; choose another starter")
    strategy = open_strategy(options, vocabularies, store, graph, graph.title(goal))
    traversal, followed = walk(graph, strategy, first, goal, rules)
    path = [first, *graph.destinations[followed].tolist()]
    return Trail(
        strategy=strategy.name,
        target=graph.title(goal),
        base=graph.base,
        ending=traversal.ending,
        hops=traversal.hops,
        trail=tuple(map(graph.title, path)),
        cycle=traversal.cycle,
        parameters={**asdict(rules), **options.to_dict()},
        steps=tuple(_hop(graph, strategy, article, link, rules) for article, link in zip(path, followed, strict=False)),
    )


def _hop(graph: LinkGraph, strategy: Strategy, article: int, followed: int, rules: WalkRules) -> Hop:
    links = graph.first_links(np.array([article]), rules.first_links, keep_parentheses=rules.keep_parentheses)
    links = links[:, links[0] >= 0]
    scores = strategy.score_links(links)
    candidates = tuple(
        CandidateLink(
            graph.anchor(link),
            graph.title(int(graph.destinations[link])),
            None if scores is None else float(scores[0, column]),
        )
        for column, link in enumerate(links[0].tolist())
    )
    return Hop(graph.title(article), links[0].tolist().index(followed) + 1, candidates)
