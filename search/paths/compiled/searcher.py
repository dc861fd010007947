"""The bidirectional search compiled by numba, for processes that score many pairs; installed with ``wayword[fast]``.

``CompiledSearch.search`` takes the steps of ``search_both_ends`` over arrays with one element for each node. Only the elements
that a search has written are reset before the next one.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from ..best_first import BestPath
from .bidirectional import HEAP_FULL, search, sort_by_weight
from .edge_weights import weigh_edges
from .workspace import NONE, Ends, allocate_workspace

if TYPE_CHECKING:
    from ...bases.projection import Projection
    from ...scoring.parameters import Parameters


class CompiledSearch:
    """Searches the weighted arrays of a projection, in one workspace: one search at a time."""

    def __init__(self, projection: Projection, parameters: Parameters) -> None:
        self._out, self._into = (weigh_edges(projection, parameters, direction) for direction in ("out", "in"))
        self._threshold = parameters.threshold
        self._dense = projection.has_word_derivations and parameters.uses_word_derivation
        self._nodes = projection.size
        self._equivalents = projection.equivalents if projection.has_equivalents else None
        with defer_signals():
            sort_by_weight(self._out)
            sort_by_weight(self._into)
            self._allocate(1 << 16)
            self.search((), ())

    def _allocate(self, capacity: int) -> None:
        self._out, self._into, self._workspace = allocate_workspace(self._out, self._into, capacity)
        self._previous: memoryview[int] = memoryview(self._workspace.previous)  # type: ignore[arg-type]
        self._scores: memoryview[float] = memoryview(self._workspace.forward.reached)  # type: ignore[arg-type]

    def search(self, sources: Collection[int], targets: Collection[int]) -> BestPath[int] | None:
        """Return what ``search_both_ends`` returns."""
        ordered = tuple(targets)
        ends = self._ends(sources), self._ends(ordered)
        while (node := search(self._out, self._into, *ends, self._threshold, self._dense, self._workspace)) == HEAP_FULL:
            self._allocate(2 * len(self._workspace.meeting_nodes))
        if node == NONE:
            return None
        scores = [self._scores[node]]
        path = [node if node < self._nodes else ordered[node - self._nodes]]
        while (node := self._previous[node]) != NONE:
            path.append(node)
            scores.append(self._scores[node])
        return BestPath(scores[0], tuple(reversed(path)), tuple(reversed(scores)))

    def _ends(self, nodes: Collection[int]) -> Ends:
        originals, positions = np.fromiter(nodes, np.int32, len(nodes)), np.arange(len(nodes), dtype=np.int32)
        if self._equivalents is None:
            return Ends(originals, positions, len(originals))
        pairs = [(equivalent, position) for position, node in enumerate(nodes) for equivalent in self._equivalents(node)]
        equivalents, position = np.array(pairs, np.int32).reshape(-1, 2).T
        return Ends(np.concatenate([originals, equivalents]), np.concatenate([positions, position]), len(originals))


@contextmanager
def defer_signals() -> Iterator[None]:
    """Deliver signals such as Ctrl-C at the end of the block, because they would be lost while numba compiles."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    handlers = {number: signal.getsignal(number) for number in numbers}
    deferred = [number for number, handler in handlers.items() if callable(handler)]
    for number in deferred:
        signal.signal(number, lambda number, _: received.append(number))
    try:
        yield
    finally:
        for number in deferred:
            signal.signal(number, handlers[number])
    for number in received:
        signal.raise_signal(number)
