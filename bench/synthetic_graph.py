"""Write the arrays of a projection for a synthetic wiki as large as the English one; runs in its own process.

Articles and categories are numbered by popularity. Their order in the arrays is that of their ids, which is unrelated: the
categories are contiguous, everything else is shuffled.
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

from .synthetic_dump import SEED, skewed

if TYPE_CHECKING:
    import numpy.typing as npt

    Nodes = npt.NDArray[np.int32]
    Numbers = npt.NDArray[np.int64]

BASE = "synthetic"
RANK_NOISE = 1.7
"""Noise between the rank of an article and that of its category. Their logarithms then have a correlation of about 0.5, as in
schoolswiki (0.33 in ltgwiki)."""


class Sizes(NamedTuple):
    """The numbers of articles, categories and relationships in a graph."""

    articles: int
    categories: int
    memberships: int
    subcategories: int


class Graph(NamedTuple):
    """Relationships as pairs of numbers, and the node number of each article and category."""

    membership: tuple[Numbers, Numbers]
    below: tuple[Numbers, Numbers]
    central: tuple[Numbers, Numbers]
    article: Nodes
    category: Nodes


def generate_graph(sizes: Sizes) -> Graph:
    """Generate relationships: category sizes follow Zipf's law, and subcategories mostly belong to popular categories.

    All of the most popular articles have a category of their own, and fewer and fewer of the others. The popularity of an
    article says about as much about the size of that category as in real wikis.
    """
    rng = np.random.default_rng(SEED)
    articles, categories = sizes[:2]
    shares = np.cumsum(np.arange(1, categories + 1) ** -0.9)
    filed = np.searchsorted(shares, rng.random(sizes.memberships) * shares[-1]).clip(max=categories - 1)
    known = skewed(rng, sizes.memberships // 5, articles, articles / 75)
    member = np.concatenate([known, rng.integers(0, articles, sizes.memberships - len(known))])
    child = rng.integers(1, categories, sizes.subcategories)
    parent = (child * rng.random(sizes.subcategories) ** 3).astype(np.int64)
    central = np.flatnonzero(rng.random(articles) < np.sqrt(articles / 1_000 / np.arange(1, articles + 1)))
    own = np.sort(rng.permutation(categories)[: len(central)])
    central = central[np.argsort(np.log1p(np.arange(len(central))) + rng.normal(0.0, RANK_NOISE, len(central)))]
    before = articles // 7
    mixed = rng.permutation(articles).astype(np.int32)
    return Graph(
        _distinct_pairs(member, filed, categories),
        _distinct_pairs(child, parent, categories),
        (central, own),
        np.where(mixed < before, mixed, mixed + categories).astype(np.int32),
        (before + rng.permutation(categories)).astype(np.int32),
    )


def _distinct_pairs(one: Numbers, other: Numbers, categories: int) -> tuple[Numbers, Numbers]:
    pairs = np.unique(one * categories + other)
    return pairs // categories, pairs % categories


def write_graph(target: Path, sizes: Sizes) -> None:
    """Write the arrays, and a companion file with each article's node and the size of the category that it is central to."""
    graph = generate_graph(sizes)
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
    companion = np.zeros((2, len(article)), np.int32)
    companion[0] = article
    companion[1, graph.central[0]] = breadths[0, central[1]] + breadths[1, central[1]]
    del graph
    with target.open("wb") as file:
        write_arrays(file, about, transition_arrays(pieces, nodes))
    np.save(companion_file(target), companion)


def companion_file(target: Path) -> Path:
    """Return the path of the companion file: a row of nodes, and a row of the sizes of their categories."""
    return target.with_suffix(".npy")


if __name__ == "__main__":
    start = time.perf_counter()
    write_graph(Path(sys.argv[1]), Sizes(*map(int, sys.argv[2:6])))
    print(f"{time.perf_counter() - start:.1f} s")
