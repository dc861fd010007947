"""Small worlds made by hand or at random, and a strategy for each way to choose."""

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


def world(links: Sequence[Sequence[int]], aside: Sequence[Sequence[int]] = (), stored: int | None = None) -> LinkGraph:
    """A world of articles called 0000, 0001, ... with these links; ``aside`` marks those that stand in parentheses."""
    flat = [each for some in links for each in some]
    marks = [each for some in aside for each in some] or [0] * len(flat)
    about = {
        "format": FORMAT,
        "base": "w~links",
        "kind": "world",
        "wiki": "w",
        "revisions": [],
        "revision": 1,
        "language": "en",
    }
    arrays = {
        **text_arrays("title", [f"{number:04}" for number in range(len(links))]),
        **text_arrays("anchor", [f"to {each}" for each in flat]),
        "link offsets": np.cumsum([0, *map(len, links)]).astype(np.int64),
        "link": np.array(flat, np.int32),
        "aside": np.array(marks, np.uint8),
    }
    content = BytesIO()
    write_arrays(content, {**about, "articles": len(links), "stored": stored}, arrays)
    return LinkGraph(Arrays(content.getbuffer()))


Tells = Callable[[np.ndarray], np.ndarray]


class Told:
    """Tells of links what a function says of them; ``known`` says which of them are known, by default all."""

    def __init__(
        self, near: Callable[[np.ndarray], np.ndarray], known: Callable[[np.ndarray], np.ndarray] | None = None
    ) -> None:
        self.score = near
        self.knows = known or (lambda links: np.ones(len(links), bool))

    def lost(self) -> dict[str, int]:
        return {}


def scored_by(name: str, near: Tells) -> NearestLink:
    """A strategy that goes by what a function says of links."""
    return NearestLink(name, Told(near))


def walked_together(
    world: LinkGraph, strategy: Strategy, starters: np.ndarray, target: int, rules: WalkRules
) -> list[Traversal]:
    """The traversals that go side by side, in the order of their starters."""
    ended = {place: each for found in walk_together(world, strategy, starters, target, rules) for place, each in found.items()}
    return [ended[place] for place in range(len(starters))]


@st.composite
def worlds(draw: st.DrawFn, most: int = 14) -> LinkGraph:
    """Worlds with loops, cycles, dead ends and links that come twice; no article links to itself."""
    size = draw(st.integers(2, most))
    others = [st.sampled_from([each for each in range(size) if each != article]) for article in range(size)]
    return world([draw(st.lists(other, max_size=5)) for other in others])
