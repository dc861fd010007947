"""Many target sets in flat arrays, as the searches of all nodes read them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence


class TargetSets:
    """Numbered target sets: the nodes of set n are at ``starts[n]`` to ``starts[n + 1]``."""

    def __init__(self, sets: Iterable[Sequence[int]] = ()) -> None:
        self.nodes, self.starts = array("i"), array("q", [0])
        for nodes in sets:
            self.append(nodes)

    def append(self, nodes: Sequence[int]) -> None:
        """Add a target set, which gets the next number."""
        self.nodes.extend(nodes)
        self.starts.append(len(self.nodes))

    def __len__(self) -> int:
        return len(self.starts) - 1
