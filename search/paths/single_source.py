"""Scores from one source set to very many target sets: Algorithm 5 run to exhaustion, one wave of nodes at a time.

If a source comes with many targets, one full search answers them all. The order of expansion does not matter for the scores:
that of a target is the best product over all paths whose score before the last step is not below the threshold. So whole waves
of nodes are expanded together with numpy, and a node is expanded again if its score has grown since. Waves are taken from high
scores to low, which makes that rare.
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
"""Nodes that have at least this share of the highest waiting score are expanded together."""


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
        # Invariant: ``expanded`` holds the score with which a node was last expanded, and ``waiting`` holds exactly the nodes
        # that are not below the threshold and have a greater score by now. With none left, no transition can raise a score.
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
