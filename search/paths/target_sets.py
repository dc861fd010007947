"""Many target sets in flat arrays, as the searches of all nodes read them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from .best_first import Weights

TargetSet = tuple[tuple[int, ...], tuple[float, ...] | None]
"""The nodes of a source or target set, and their weights; None if each is 1."""


class TargetSets:
    """Numbered target sets: the nodes of set n are at ``starts[n]`` to ``starts[n + 1]``, and so are their weights."""

    def __init__(self, sets: Iterable[Sequence[int]] = ()) -> None:
        self.nodes, self.weights, self.starts = array("i"), array("d"), array("q", [0])
        for nodes in sets:
            self.append(nodes)

    def append(self, nodes: Sequence[int], weights: Weights = None) -> None:
        """Add a target set, which gets the next number."""
        self.nodes.extend(nodes)
        self.weights.extend([1.0] * len(nodes) if weights is None else weights)
        self.starts.append(len(self.nodes))

    def __len__(self) -> int:
        return len(self.starts) - 1
