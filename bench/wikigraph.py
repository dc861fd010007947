"""The categories of an invented wiki as large as the English one, as the arrays of a projection; made in a process of its own.

Articles and categories are numbered by how well they are known, and lie in the arrays in the order of their ids, which has
nothing to do with it: the categories together, all else mixed.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wayword.search.bases.array_builder import flat_transitions, hierarchy_transitions, transition_arrays
from wayword.search.bases.array_file import write_arrays
from wayword.search.scoring.transitions import TransitionKind

from .invented import SEED, skewed

if TYPE_CHECKING:
    import numpy.typing as npt

    Nodes = npt.NDArray[np.int32]
    Numbers = npt.NDArray[np.int64]

BASE = "invented"
UNSURE = 1.7
"""How little the rank of an article says of that of its category: their logarithms correlate by about 0.5, as they do in
schoolswiki (in ltgwiki by 0.33)."""


class Sizes(NamedTuple):
    """How many articles, categories and relationships a graph has."""

    articles: int
    categories: int
    memberships: int
    subcategories: int


class Graph(NamedTuple):
    """Relationships as pairs of numbers, and the node of each article and category."""

    membership: tuple[Numbers, Numbers]
    below: tuple[Numbers, Numbers]
    central: tuple[Numbers, Numbers]
    article: Nodes
    category: Nodes


def invent(sizes: Sizes) -> Graph:
    """The relationships: sizes of categories by Zipf's law, subcategories mostly of well-known ones.

    All of the best known articles have a category of their own, of the others ever fewer; how well an article is known says
    about as much of that category's size as it does in real wikis.
    """
    chance = np.random.default_rng(SEED)
    articles, categories = sizes[:2]
    shares = np.cumsum(np.arange(1, categories + 1) ** -0.9)
    filed = np.searchsorted(shares, chance.random(sizes.memberships) * shares[-1]).clip(max=categories - 1)
    known = skewed(chance, sizes.memberships // 5, articles, articles / 75)
    member = np.concatenate([known, chance.integers(0, articles, sizes.memberships - len(known))])
    child = chance.integers(1, categories, sizes.subcategories)
    parent = (child * chance.random(sizes.subcategories) ** 3).astype(np.int64)
    central = np.flatnonzero(chance.random(articles) < np.sqrt(articles / 1_000 / np.arange(1, articles + 1)))
    own = np.sort(chance.permutation(categories)[: len(central)])
    central = central[np.argsort(np.log1p(np.arange(len(central))) + chance.normal(0.0, UNSURE, len(central)))]
    before = articles // 7
    mixed = chance.permutation(articles).astype(np.int32)
    return Graph(
        _distinct(member, filed, categories),
        _distinct(child, parent, categories),
        (central, own),
        np.where(mixed < before, mixed, mixed + categories).astype(np.int32),
        (before + chance.permutation(categories)).astype(np.int32),
    )


def _distinct(one: Numbers, other: Numbers, categories: int) -> tuple[Numbers, Numbers]:
    pairs = np.unique(one * categories + other)
    return pairs // categories, pairs % categories


def write_graph(target: Path, sizes: Sizes) -> None:
    """Write the arrays, and beside them the node of each article and the size of the category that it is central to."""
    graph = invent(sizes)
    article, category = graph.article, graph.category
    nodes = len(article) + len(category)
    breadths = np.zeros((2, nodes), np.int32)
    breadths[0, category] = np.bincount(graph.membership[1], minlength=len(category))
    breadths[1, category] = np.bincount(graph.below[1], minlength=len(category))
    pieces = [
        *hierarchy_transitions((article[graph.membership[0]], category[graph.membership[1]]), breadths[0]),
        *hierarchy_transitions((category[graph.below[0]], category[graph.below[1]]), breadths[1]),
    ]
    central = article[graph.central[0]], category[graph.central[1]]
    pieces += [flat_transitions(central, TransitionKind.CENTRAL), flat_transitions(central[::-1], TransitionKind.CENTRAL)]
    about = {
        "base": BASE,
        "kind": "wikipedia",
        "nodes": nodes,
        "has equivalents": True,
        "relationships": sum(len(each[0]) for each in graph[:3]),
        "broadest": int(breadths.max()),
    }
    beside = np.zeros((2, len(article)), np.int32)
    beside[0] = article
    beside[1, graph.central[0]] = breadths[0, central[1]] + breadths[1, central[1]]
    del graph
    with target.open("wb") as file:
        write_arrays(file, about, transition_arrays(pieces, nodes))
    np.save(beside_of(target), beside)


def beside_of(target: Path) -> Path:
    """Where the articles are told of: a row of nodes, and a row of how much is in the category that each is central to."""
    return target.with_suffix(".npy")


if __name__ == "__main__":
    begun = time.perf_counter()
    write_graph(Path(sys.argv[1]), Sizes(*map(int, sys.argv[2:6])))
    print(f"{time.perf_counter() - begun:.1f} s")
