"""Scores from one source set to very many target sets: Algorithm 5 run to exhaustion, one wave of nodes at a time.

If a source is scored against many targets, one full search answers all of them. The order of expansion does not affect the
scores: the score of a target is the best product over all paths whose score before the last step is not below the threshold. So
many nodes are expanded together with numpy, as a wave, and a node is expanded again if its score has grown since. Waves proceed
from high scores to low, which makes that rare.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .best_first import Weights, weigh_nodes

if TYPE_CHECKING:
    import numpy as np

    from ..bases.projection import Projection
    from ..scoring.parameters import Parameters
    from .target_sets import TargetSets

WAVE_SHARE = 0.6
"""Nodes that have at least this share of the highest waiting score are expanded in one wave."""


class SingleSourceSearch:
    """A projection with all its transitions weighted, and the scores of the latest source set."""

    def __init__(self, projection: Projection, parameters: Parameters) -> None:
        import numpy as np

        arrays = projection.arrays
        column, numbered, *_ = projection.weigh(parameters)
        weights = np.array([*numbered, 0.0])[np.frombuffer(arrays.whole(f"out {column}"), np.int32)]
        is_open = weights > 0.0
        offsets = np.frombuffer(arrays.whole("out offsets"), np.int64)
        self._first = np.concatenate([[0], np.cumsum(is_open)])[offsets]
        self._next, self._weights = np.frombuffer(arrays.whole("out next"), np.int32)[is_open], weights[is_open]
        self._threshold = parameters.threshold
        self._scores = np.zeros(len(self._first) - 1)
        self._expanded = np.zeros(len(self._first) - 1)
        self._touched: list[np.ndarray] = []
        self._sets: TargetSets | None = None
        self._set_starts, self._node_weights = np.zeros(0, np.int64), np.zeros(0)
        self._equivalents, self._has_equivalents = projection.equivalents, projection.has_equivalents

    def _search(self, sources: Sequence[int], weights: Weights) -> None:
        """Score every node from these sources."""
        import numpy as np

        scores, expanded = self._scores, self._expanded
        for touched in self._touched:
            scores[touched] = 0.0
            expanded[touched] = 0.0
        starts = list(weigh_nodes(sources, weights).items())
        starts += [(each, weight) for node, weight in starts for each in self._equivalents(node)]
        nodes = np.array([node for node, _ in starts], np.int64)
        self._touched = [nodes]
        np.maximum.at(scores, nodes, np.array([weight for _, weight in starts]))
        waiting = np.unique(nodes[scores[nodes] >= self._threshold])
        # Invariant: ``expanded`` holds the score with which each node was last expanded, and ``waiting`` exactly the nodes that
        # have reached the threshold and have a greater score now. Once it is empty, no transition can raise a score.
        while len(waiting):
            reached = scores[waiting]
            in_wave = reached >= max(reached.max() * WAVE_SHARE, self._threshold)
            wave, waiting = waiting[in_wave], waiting[~in_wave]
            expanded[wave] = scores[wave]
            improved = self._expand(wave)
            self._touched.append(improved)
            improved = improved[scores[improved] >= self._threshold]
            waiting = np.concatenate([waiting, improved])
            waiting = np.unique(waiting[scores[waiting] > expanded[waiting]])

    def _expand(self, wave: np.ndarray) -> np.ndarray:
        """Relax the transitions of these nodes, and return the nodes whose scores have grown."""
        import numpy as np

        first, last = self._first[wave], self._first[wave + 1]
        count = last - first
        ends = np.cumsum(count)
        rows = np.arange(ends[-1] if len(ends) else 0) + np.repeat(first - ends + count, count)
        nodes = self._next[rows]
        new = np.repeat(self._scores[wave], count) * self._weights[rows]
        grown = new > self._scores[nodes]
        improved: np.ndarray = nodes[grown]
        np.maximum.at(self._scores, improved, new[grown])
        return improved

    def scores(self, sources: Sequence[int], sets: TargetSets, source_weights: Weights = None) -> memoryview[float]:
        """Return the best score from the sources to each target set, none of them empty."""
        import numpy as np

        self._search(sources, source_weights)
        if sets is not self._sets or len(sets) != len(self._set_starts):
            self._sets = sets
            self._nodes, self._set_starts = np.array(sets.nodes, np.int64), np.array(sets.starts[:-1], np.int64)
            self._node_weights = np.array(sets.weights)
            if self._has_equivalents:
                self._add_equivalents()
        found = np.maximum.reduceat(self._scores[self._nodes] * self._node_weights, self._set_starts)
        if self._has_equivalents:  # an equivalent that is expanded reaches its target at no cost
            at_entries = self._scores[self._entries]
            at_entries[at_entries < self._threshold] = 0.0
            np.maximum.at(found, self._entry_sets, at_entries * self._entry_weights)
        return memoryview(found)  # type: ignore[arg-type]

    def _add_equivalents(self) -> None:
        """Note the equivalents of the targets, each with the number of its set and the weight of its target."""
        import numpy as np

        numbers = np.repeat(np.arange(len(self._set_starts)), np.diff(self._set_starts, append=len(self._nodes)))
        entries = [
            (each, number, place)
            for place, (node, number) in enumerate(zip(self._nodes, numbers, strict=True))
            for each in self._equivalents(node)
        ]
        self._entries, self._entry_sets, places = np.array(entries, np.int64).reshape(-1, 3).T
        self._entry_weights = self._node_weights[places]
