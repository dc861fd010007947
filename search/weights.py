"""The arrays of a projection weighted as a whole, for the methods that work on arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .transitions import Kind

if TYPE_CHECKING:
    import numpy as np

    from ..graph.store import Direction
    from .projection import Projection
    from .transitions import Parameters


class Side(NamedTuple):
    """Transitions in one direction: those of a node lie from ``first[node]`` to ``first[node + 1]``, heaviest first.

    ``length`` is what each adds to the length of a path; ``heaviest`` is the first weight of each node, 0 where it has none.
    """

    first: np.ndarray
    next: np.ndarray
    weight: np.ndarray
    length: np.ndarray
    heaviest: np.ndarray


def weighted_side(projection: Projection, parameters: Parameters, direction: Direction) -> Side:
    """The transitions of a projection in one direction, without those of weight 0."""
    import numpy as np

    arrays, size = projection.arrays, projection.arrays.about["nodes"]
    kinds = np.frombuffer(arrays[f"{direction} kind"], np.uint8).astype(np.int64)
    breadths = np.frombuffer(arrays[f"{direction} breadth"], np.int32)
    distinct, places = np.unique(kinds << 32 | breadths, return_inverse=True)
    weights = np.array([parameters.weight(int(each) >> 32, int(each) & 0xFFFFFFFF) for each in distinct])[places]
    offsets = np.frombuffer(arrays[f"{direction} offsets"], np.int64)
    nodes = np.repeat(np.arange(size), offsets[1:] - offsets[:-1])
    kept = weights > 0.0
    nodes, weights = nodes[kept], weights[kept]
    order = np.lexsort((-weights, nodes))
    following = np.frombuffer(arrays[f"{direction} next"], np.int32)[kept]
    first, weights = np.searchsorted(nodes, np.arange(size + 1)), weights[order]
    heaviest = np.zeros(size)
    some = first[:-1] < first[1:]
    heaviest[some] = weights[first[:-1][some]]
    lengths = np.array([kind.length for kind in Kind], np.int64)[kinds[kept][order]]
    return Side(first, following[order], weights, lengths, heaviest)
