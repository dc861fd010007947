"""Scores from one source to very many targets at once: Algorithm 5 to the end, a wave of nodes at a time.

Where a source comes with many targets, one full search answers them all. Its order does not matter for the scores (the best
product over all paths whose score before the last step is not below the threshold), so whole waves of nodes are expanded
together, and a node is expanded again when its score has grown. Waves go from high scores to low, which makes that rare.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .compiled.edge_weights import weighted_side

if TYPE_CHECKING:
    import numpy as np

    from ..bases.projection import Projection
    from ..scoring.parameters import Parameters

WAVE = 0.6
"""Nodes that have at least this share of the highest waiting score are expanded together."""


class SingleSourceSearch:
    """A projection with all its transitions weighted, and the scores of the latest source."""

    def __init__(self, projection: Projection, parameters: Parameters) -> None:
        import numpy as np

        side = weighted_side(projection, parameters, "out")
        self._first, self._next, self._weights = side.first, side.next, side.weight
        self._threshold = parameters.threshold
        self._scores = np.zeros(len(self._first) - 1)
        self._expanded = np.zeros(len(self._first) - 1)
        self._touched: list[np.ndarray] = []
        self._asked: Sequence[Sequence[int]] | None = None
        self._twins = projection.twins if projection.twinned else None

    def search(self, sources: Sequence[int]) -> None:
        """Score every node from these sources."""
        import numpy as np

        scores, expanded = self._scores, self._expanded
        for nodes in self._touched:
            scores[nodes] = 0.0
            expanded[nodes] = 0.0
        waiting = np.array(self._with_twins(sources), np.int64)
        self._touched = [waiting]
        scores[waiting] = 1.0
        while len(waiting):
            reached = scores[waiting]
            in_wave = reached >= max(reached.max() * WAVE, self._threshold)
            wave, waiting = waiting[in_wave], waiting[~in_wave]
            expanded[wave] = scores[wave]
            better = self._expand(wave)
            self._touched.append(better)
            better = better[scores[better] >= self._threshold]
            waiting = np.concatenate([waiting, better])
            waiting = np.unique(waiting[scores[waiting] > expanded[waiting]])

    def _expand(self, wave: np.ndarray) -> np.ndarray:
        """Pass on the scores of these nodes; the nodes whose scores have grown."""
        import numpy as np

        first, last = self._first[wave], self._first[wave + 1]
        count = last - first
        ends = np.cumsum(count)
        places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(first - ends + count, count)
        nodes = self._next[places]
        new = np.repeat(self._scores[wave], count) * self._weights[places]
        grown = new > self._scores[nodes]
        better: np.ndarray = nodes[grown]
        np.maximum.at(self._scores, better, new[grown])
        return better

    def scores(self, target_sets: Sequence[Sequence[int]]) -> memoryview:
        """The best score in each target set (none of them empty), from the sources searched last."""
        import numpy as np

        if self._asked is not target_sets:
            self._nodes, self._starts = _flat(target_sets)
            if self._twins is not None:
                self._doors, self._door_starts = _flat([self._with_twins(targets) for targets in target_sets])
            self._asked = target_sets
        found = np.maximum.reduceat(self._scores[self._nodes], self._starts)
        if self._twins is not None:  # from a node that is passed to its twin nothing is lost, if that is a target
            at_doors = self._scores[self._doors]
            at_doors[at_doors < self._threshold] = 0.0
            found = np.maximum(found, np.maximum.reduceat(at_doors, self._door_starts))
        return memoryview(found)  # type: ignore[arg-type]

    def _with_twins(self, nodes: Sequence[int]) -> Sequence[int]:
        if self._twins is None:
            return nodes
        return [*nodes, *(twin for node in nodes for twin in self._twins(node))]


def _flat(sets: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """The nodes of all sets in a row, and where each set begins."""
    import numpy as np

    lengths = np.fromiter(map(len, sets), np.int64, len(sets))
    nodes = np.fromiter((node for targets in sets for node in targets), np.int64, int(lengths.sum()))
    return nodes, np.cumsum(lengths) - lengths
