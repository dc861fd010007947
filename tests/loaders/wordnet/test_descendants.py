"""The number of synsets below each synset, on any graph."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.loaders.wordnet import descendants
from wayword.loaders.wordnet.descendants import count_descendants


def count(edges: list[tuple[int, int]], size: int) -> list[int]:
    specific, general = np.array(edges, np.int64).reshape(-1, 2).T
    found: list[int] = count_descendants(specific, general, size).tolist()
    return found


GRAPHS = st.integers(1, 12).flatmap(
    lambda size: st.tuples(st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=30), st.just(size))
)


def expected_counts(edges: list[tuple[int, int]], size: int) -> list[int]:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from((general, specific) for specific, general in edges)
    return [len(nx.descendants(graph, node)) for node in range(size)]


@given(GRAPHS)
def test_every_synset_below_is_counted_once_with_cycles_and_several_parents(graph: tuple[list[tuple[int, int]], int]) -> None:
    assert count(*graph) == expected_counts(*graph)


@given(GRAPHS)
def test_where_intervals_are_limited_counts_are_too_large_but_still_grow_upwards(
    graph: tuple[list[tuple[int, int]], int],
) -> None:
    edges, size = graph
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(descendants, "MAX_INTERVALS", 2)
        found = count(edges, size)
    assert all(ours >= exact for ours, exact in zip(found, expected_counts(edges, size), strict=True))
    assert all(found[specific] <= found[general] < size for specific, general in edges)


def test_a_deep_chain_and_a_ladder_of_diamonds_take_linear_time() -> None:
    size = 50_000
    chain = [(node + 1, node) for node in range(size - 1)]
    assert count(chain, size) == list(range(size - 1, -1, -1))
    ladder = [*chain, *((node + 2, node) for node in range(size - 2))]
    assert count(ladder, size)[0] == size - 1
    assert count([*chain, (0, size - 1)], size) == [size - 1] * size
