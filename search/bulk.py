"""Scores from one source to very many targets at once: Algorithm 5 to the end, a wave of nodes at a time.

Where a source comes with many targets, one full search answers them all. Its order does not matter for the scores (the best
product over all paths whose score before the last step is not below the threshold), so whole waves of nodes are expanded
together, and a node is expanded again when its score has grown. Waves go from high scores to low, which makes that rare.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .transitions import Kind

if TYPE_CHECKING:
    import numpy as np

    from .projection import Projection
    from .transitions import Parameters

WAVE = 0.6
"""Nodes that have at least this share of the highest waiting score are expanded together."""


class Bulk:
    """A projection with all its transitions weighted, and the scores of the latest source."""

    def __init__(self, projection: Projection, parameters: Parameters) -> None:
        import numpy as np

        arrays = projection.arrays
        following = np.frombuffer(arrays["out next"], np.int32)
        kinds = np.frombuffer(arrays["out kind"], np.uint8).astype(np.int64)
        breadths = np.frombuffer(arrays["out breadth"], np.int32)
        distinct, places = np.unique(kinds << 32 | breadths, return_inverse=True)
        weights = np.array([parameters.weight(Kind(int(each) >> 32), int(each) & 0xFFFFFFFF) for each in distinct])[places]
        offsets = np.frombuffer(arrays["out offsets"], np.int64)
        starts = np.repeat(np.arange(arrays.about["nodes"]), offsets[1:] - offsets[:-1])
        kept = weights > 0.0
        self._next, self._weights = following[kept], weights[kept]
        self._offsets = np.searchsorted(starts[kept], np.arange(arrays.about["nodes"] + 1))
        self._threshold = parameters.threshold
        self._scores = np.zeros(arrays.about["nodes"])
        self._expanded = np.zeros(arrays.about["nodes"])
        self._touched: list[np.ndarray] = []

    def search(self, sources: Sequence[int]) -> None:
        """Score every node from these sources."""
        import numpy as np

        scores, expanded = self._scores, self._expanded
        for nodes in self._touched:
            scores[nodes] = 0.0
            expanded[nodes] = 0.0
        waiting = np.array(sources, np.int64)
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

        first, last = self._offsets[wave], self._offsets[wave + 1]
        count = last - first
        ends = np.cumsum(count)
        places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(first - ends + count, count)
        nodes = self._next[places]
        new = np.repeat(self._scores[wave], count) * self._weights[places]
        grown = new > self._scores[nodes]
        better: np.ndarray = nodes[grown]
        np.maximum.at(self._scores, better, new[grown])
        return better

    def scores(self, target_sets: Sequence[Sequence[int]]) -> list[float]:
        """The best score in each target set (none of them empty), from the sources searched last."""
        import numpy as np

        lengths = np.fromiter(map(len, target_sets), np.int64, len(target_sets))
        nodes = np.fromiter((node for targets in target_sets for node in targets), np.int64, int(lengths.sum()))
        found: list[float] = np.maximum.reduceat(self._scores[nodes], np.cumsum(lengths) - lengths).tolist()
        return found
