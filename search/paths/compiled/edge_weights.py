"""Weigh all transitions of a projection at once, for the searches over arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...scoring.transitions import TransitionKind

if TYPE_CHECKING:
    import numpy as np

    from ....graph.records import Direction
    from ...bases.projection import Projection
    from ...scoring.parameters import Parameters


class WeightedEdges(NamedTuple):
    """Transitions in one direction: those of a node are at ``first[node]`` to ``first[node + 1]``.

    ``length`` is what each adds to the length of a path; ``heaviest`` is the greatest weight of each node, 0 if it has none.
    """

    first: np.ndarray
    next: np.ndarray
    weight: np.ndarray
    length: np.ndarray
    heaviest: np.ndarray


def weigh_edges(projection: Projection, parameters: Parameters, direction: Direction) -> WeightedEdges:
    """Return the transitions of a projection in one direction, without those of weight 0."""
    import numpy as np

    arrays = projection.arrays
    kinds = np.frombuffer(arrays.whole(f"{direction} kind"), np.uint8)
    weights = _weights(kinds, np.frombuffer(arrays.whole(f"{direction} breadth"), np.int32), parameters)
    positive = weights > 0.0
    offsets = np.frombuffer(arrays.whole(f"{direction} offsets"), np.int64)
    first = np.concatenate([[0], np.cumsum(positive)])[offsets]
    weights = weights[positive]
    following = np.frombuffer(arrays.whole(f"{direction} next"), np.int32)[positive]
    lengths = np.array([kind.length for kind in TransitionKind], np.int32)[kinds[positive]]
    heaviest = np.zeros(projection.size)
    has_edges = first[:-1] < first[1:]
    if len(weights):
        heaviest[has_edges] = np.maximum.reduceat(weights, first[:-1][has_edges])
    return WeightedEdges(first, following, weights, lengths, heaviest)


def _weights(kinds: np.ndarray, breadths: np.ndarray, parameters: Parameters) -> np.ndarray:
    """Return the weight of each transition; each kind and breadth is weighed once."""
    import numpy as np

    occurs = np.zeros(int(breadths.max(initial=0)) + 1, bool)
    occurs[breadths] = True
    number = np.cumsum(occurs, dtype=np.int32) - 1
    distinct = np.flatnonzero(occurs).tolist()
    used = np.flatnonzero(np.bincount(kinds, minlength=len(TransitionKind))).tolist()
    table = np.zeros((len(TransitionKind), len(distinct)))
    for kind in used:
        table[kind] = [parameters.weight(kind, breadth) if breadth or not _has_breadth(kind) else 0.0 for breadth in distinct]
    weights: np.ndarray = table[kinds, number[breadths]]
    return weights


def _has_breadth(kind: int) -> bool:
    """Whether transitions of this kind have a breadth."""
    return kind in (TransitionKind.SPECIALISATION, TransitionKind.GENERALISATION)
