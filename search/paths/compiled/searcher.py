"""The search from both ends in machine code, for a process that asks often; comes with ``wayword[fast]``.

``Compiled.search`` takes the steps of ``two_sided.search``, over flat arrays instead of dictionaries: what is known of the
nodes lies in arrays that are as long as the base has nodes, and of which only what was touched is wiped afterwards.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from ...scoring.transitions import LAST_PLACE
from ..best_first import FoundPath
from .bidirectional import FAILED, arrange, search
from .edge_weights import weighted_side
from .workspace import NOWHERE, Ends, make_room

if TYPE_CHECKING:
    from ...bases.projection import Projection
    from ...scoring.parameters import Parameters


class Compiled:
    """The weighted arrays of a projection, and room to search in them. One search at a time."""

    def __init__(self, projection: Projection, parameters: Parameters) -> None:
        self._out, self._into = (weighted_side(projection, parameters, direction) for direction in ("out", "in"))
        self._threshold = parameters.threshold
        self._joined = projection.has_word_derivations and parameters.by_word
        self._nodes = projection.size
        self._twins = projection.twins if projection.twinned else None
        with uninterrupted():
            arrange(self._out)
            arrange(self._into)
            self._make_room(1 << 16)
            self.search((), ())

    def _make_room(self, waiting: int) -> None:
        self._out, self._into, self._room = make_room(self._out, self._into, waiting)
        self._before: memoryview[int] = memoryview(self._room.before)  # type: ignore[arg-type]
        self._scores: memoryview[float] = memoryview(self._room.ahead.reached)  # type: ignore[arg-type]

    def search(self, sources: Collection[int], targets: Collection[int]) -> FoundPath[int] | None:
        """What ``two_sided.search`` finds."""
        goals = _ordered(targets)
        ends = self._ends(sources), self._ends(goals)
        while (node := search(self._out, self._into, *ends, self._threshold, self._joined, self._room)) == FAILED:
            self._make_room(2 * len(self._room.met_nodes))
        if node == NOWHERE:
            return None
        scores = [self._scores[node]]
        path = [node if node < self._nodes else goals[node - self._nodes - 1]]
        while (node := self._before[node]) != NOWHERE:
            path.append(node)
            scores.append(self._scores[node])
        return FoundPath(scores[0], tuple(reversed(path)), tuple(reversed(scores)))

    def _ends(self, nodes: Collection[int]) -> Ends:
        given, places = np.fromiter(nodes, np.int32, len(nodes)), np.arange(len(nodes), dtype=np.int32)
        if self._twins is None:
            return Ends(given, places, len(given))
        twins = [(twin, place) for place, node in enumerate(nodes) for twin in self._twins(node)]
        also, place = np.array(twins, np.int32).reshape(-1, 2).T
        return Ends(np.concatenate([given, also]), np.concatenate([places, place]), len(given))


def _ordered(targets: Collection[int]) -> Sequence[int]:
    """The targets with those whose place no longer counts in the order of their ids."""
    found = tuple(targets)
    return found if len(found) <= LAST_PLACE else (*found[:LAST_PLACE], *sorted(found[LAST_PLACE:]))


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Keep Ctrl-C and its kin until the end of the block: in the middle of compiling they would be lost."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    caught: list[int] = []
    kept = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    handlers = {number: signal.getsignal(number) for number in kept}
    held = [number for number, handler in handlers.items() if callable(handler)]
    for number in held:
        signal.signal(number, lambda number, _: caught.append(number))
    try:
        yield
    finally:
        for number in held:
            signal.signal(number, handlers[number])
    for number in caught:
        signal.raise_signal(number)
