"""Scores from one source set to very many target sets: Algorithm 5 run to exhaustion, one wave of nodes at a time.

If a source is scored against many targets, one full search answers all of them. The order of expansion does not affect the
scores: the score of a target is the best product over all paths whose score before the last step is not below the threshold. So
many nodes are expanded together with numpy, as a wave, and a node is expanded again if its score has grown since. Waves proceed
from high scores to low, which makes that rare.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .compiled.edge_weights import weigh_edges

if TYPE_CHECKING:
    import numpy as np

    from ..bases.projection import Projection
    from ..scoring.parameters import Parameters

WAVE_SHARE = 0.6
"""Nodes that have at least this share of the highest waiting score are expanded in one wave."""


class SingleSourceSearch:
    """A projection with all its transitions weighted, and the scores of the latest source set."""

    def __init__(self, projection: Projection, parameters: Parameters) -> None:
        import numpy as np

        edges = weigh_edges(projection, parameters, "out")
        self._first, self._next, self._weights = edges.first, edges.next, edges.weight
        self._threshold = parameters.threshold
        self._scores = np.zeros(len(self._first) - 1)
        self._expanded = np.zeros(len(self._first) - 1)
        self._touched: list[np.ndarray] = []
        self._flattened: Sequence[Sequence[int]] | None = None
        self._equivalents = projection.equivalents if projection.has_equivalents else None

    def search(self, sources: Sequence[int]) -> None:
        """Score every node from these sources."""
        import numpy as np

        scores, expanded = self._scores, self._expanded
        for nodes in self._touched:
            scores[nodes] = 0.0
            expanded[nodes] = 0.0
        waiting = np.array(self._with_equivalents(sources), np.int64)
        self._touched = [waiting]
        scores[waiting] = 1.0
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

    def scores(self, target_sets: Sequence[Sequence[int]]) -> memoryview:
        """Return the best score in each target set (none of them empty) from the sources searched last."""
        import numpy as np

        if self._flattened is not target_sets:
            self._targets, self._target_starts = _flatten(target_sets)
            if self._equivalents is not None:
                self._entries, self._entry_starts = _flatten([self._with_equivalents(targets) for targets in target_sets])
            self._flattened = target_sets
        found = np.maximum.reduceat(self._scores[self._targets], self._target_starts)
        if self._equivalents is not None:  # an equivalent that is expanded reaches its target at no cost
            at_entries = self._scores[self._entries]
            at_entries[at_entries < self._threshold] = 0.0
            found = np.maximum(found, np.maximum.reduceat(at_entries, self._entry_starts))
        return memoryview(found)  # type: ignore[arg-type]

    def _with_equivalents(self, nodes: Sequence[int]) -> Sequence[int]:
        if self._equivalents is None:
            return nodes
        return [*nodes, *(equivalent for node in nodes for equivalent in self._equivalents(node))]


def _flatten(sets: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the nodes of all sets in one array, and the index at which each set begins."""
    import numpy as np

    lengths = np.fromiter(map(len, sets), np.int64, len(sets))
    nodes = np.fromiter((node for targets in sets for node in targets), np.int64, int(lengths.sum()))
    return nodes, np.cumsum(lengths) - lengths
