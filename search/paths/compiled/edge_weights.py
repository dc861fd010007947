"""The arrays of a projection weighted as a whole, for the methods that work on arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...scoring.transitions import TransitionKind

if TYPE_CHECKING:
    import numpy as np

    from ....graph.records import Direction
    from ...bases.projection import Projection
    from ...scoring.parameters import Parameters


class Side(NamedTuple):
    """Transitions in one direction: those of a node lie from ``first[node]`` to ``first[node + 1]``.

    ``length`` is what each adds to the length of a path; ``heaviest`` is the greatest weight of each node, 0 where it has none.
    """

    first: np.ndarray
    next: np.ndarray
    weight: np.ndarray
    length: np.ndarray
    heaviest: np.ndarray


def weighted_side(projection: Projection, parameters: Parameters, direction: Direction) -> Side:
    """The transitions of a projection in one direction, without those of weight 0."""
    import numpy as np

    arrays = projection.arrays
    kinds = np.frombuffer(arrays[f"{direction} kind"], np.uint8)
    weights = _weights(kinds, np.frombuffer(arrays[f"{direction} breadth"], np.int32), parameters)
    kept = weights > 0.0
    offsets = np.frombuffer(arrays[f"{direction} offsets"], np.int64)
    first = np.concatenate([[0], np.cumsum(kept)])[offsets]
    weights = weights[kept]
    following = np.frombuffer(arrays[f"{direction} next"], np.int32)[kept]
    lengths = np.array([kind.length for kind in TransitionKind], np.int32)[kinds[kept]]
    heaviest = np.zeros(projection.size)
    some = first[:-1] < first[1:]
    if len(weights):
        heaviest[some] = np.maximum.reduceat(weights, first[:-1][some])
    return Side(first, following, weights, lengths, heaviest)


def _weights(kinds: np.ndarray, breadths: np.ndarray, parameters: Parameters) -> np.ndarray:
    """The weight of each transition; each kind is weighted once with each breadth that occurs."""
    import numpy as np

    occurs = np.zeros(int(breadths.max(initial=0)) + 1, bool)
    occurs[breadths] = True
    number = np.cumsum(occurs, dtype=np.int32) - 1
    distinct = np.flatnonzero(occurs).tolist()
    used = np.flatnonzero(np.bincount(kinds, minlength=len(TransitionKind))).tolist()
    table = np.zeros((len(TransitionKind), len(distinct)))
    for kind in used:
        table[kind] = [parameters.weight(kind, breadth) if breadth or not _broad(kind) else 0.0 for breadth in distinct]
    found: np.ndarray = table[kinds, number[breadths]]
    return found


def _broad(kind: int) -> bool:
    """Whether transitions of this kind have a breadth."""
    return kind in (TransitionKind.SPECIALISATION, TransitionKind.GENERALISATION)
