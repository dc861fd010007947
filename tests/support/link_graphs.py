"""Small link graphs, made by hand or at random, and strategies for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO

import numpy as np
from hypothesis import strategies as st

from wayword.search.bases.array_builder import text_arrays
from wayword.search.bases.array_file import Arrays, write_arrays
from wayword.search.traversal.link_graph import FORMAT, LinkGraph
from wayword.search.traversal.strategies import NearestLink, Strategy
from wayword.search.traversal.walk import Traversal, WalkRules, walk_together


def make_link_graph(
    links: Sequence[Sequence[int]], in_parentheses: Sequence[Sequence[int]] = (), stored_links: int | None = None
) -> LinkGraph:
    """Make a graph of articles named 0000, 0001, ... with these links; 1 marks those within parentheses."""
    flat = [destination for some in links for destination in some]
    marks = [mark for some in in_parentheses for mark in some] or [0] * len(flat)
    about = {"format": FORMAT, "base": "w~links", "kind": "link graph", "wiki": "w", "revisions": []}
    arrays = {
        **text_arrays("title", [f"{number:04}" for number in range(len(links))]),
        **text_arrays("anchor", [f"to {destination}" for destination in flat]),
        "link offsets": np.cumsum([0, *map(len, links)]).astype(np.int64),
        "destination": np.array(flat, np.int32),
        "in parentheses": np.array(marks, np.uint8),
    }
    content = BytesIO()
    write_arrays(content, {**about, "articles": len(links), "stored links": stored_links}, arrays)
    return LinkGraph(Arrays(content.getbuffer()))


LinkFunction = Callable[[np.ndarray], np.ndarray]


class FunctionSimilarity:
    """Scores links by a function; a second one decides which of them are known, by default all."""

    def __init__(self, score: LinkFunction, is_known: LinkFunction | None = None) -> None:
        self.score = score
        self.is_known = is_known or (lambda links: np.ones(len(links), bool))

    def count_left_out(self) -> dict[str, int]:
        return {}


def nearest_by(name: str, score: LinkFunction) -> NearestLink:
    """Make a strategy that picks the link with the greatest value of a function."""
    return NearestLink(name, FunctionSimilarity(score))


def walk_all(graph: LinkGraph, strategy: Strategy, starters: np.ndarray, target: int, rules: WalkRules) -> list[Traversal]:
    """Walk all traversals together, and return them in the order of their starters."""
    ended = {
        position: each for found in walk_together(graph, strategy, starters, target, rules) for position, each in found.items()
    }
    return [ended[position] for position in range(len(starters))]


@st.composite
def link_graphs(draw: st.DrawFn, max_size: int = 14) -> LinkGraph:
    """Generate graphs with cycles, dead ends and repeated links; no article links to itself."""
    size = draw(st.integers(2, max_size))
    others = [st.sampled_from([each for each in range(size) if each != article]) for article in range(size)]
    return make_link_graph([draw(st.lists(other, max_size=5)) for other in others])
