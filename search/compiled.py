"""The meeting of two fringes in machine code, for a process that asks often; comes with ``wayword[fast]``.

``Compiled.meet`` gives what ``two_sided.meet`` gives, by the same steps, over flat arrays instead of dictionaries: scores
lie in one array for each side that is as long as the base has nodes, and of which only what was touched is wiped afterwards.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from .two_sided import SLACK, Meeting
from .view import Expansion, Expansions
from .weights import Side, weighted_side

if TYPE_CHECKING:
    from .projection import Projection
    from .transitions import Parameters
    from .view import Weighted


class Known:
    """What one side knows of its nodes: the part of a mapping that a search reads."""

    def __init__(self, scores: np.ndarray) -> None:
        self._scores = memoryview(scores)  # type: ignore[arg-type]

    def __getitem__(self, node: int) -> float:
        return self._scores[node]

    def get(self, node: int, default: float = 0.0) -> float:
        """The product at a node, 0 where the side has not been."""
        return self._scores[node] or default


def _heaps(room: int) -> list[np.ndarray]:
    return [np.zeros(room), np.zeros(room, np.int32), np.zeros(room), np.zeros(room, np.int32)]


def _reader(side: Side) -> Callable[[int], Expansion[int]]:
    first, following, weights = (memoryview(each) for each in side)  # type: ignore[arg-type]

    def read(node: int) -> Expansion[int]:
        begin, end = first[node], first[node + 1]
        return list(zip(weights[begin:end].tolist(), following[begin:end].tolist(), strict=True))

    return read


class Compiled:
    """The weighted arrays of a projection, and room to search in them. One search at a time."""

    def __init__(self, projection: Projection, parameters: Parameters) -> None:
        size = projection.arrays.about["nodes"]
        self._out, self._into = (weighted_side(projection, parameters, direction) for direction in ("out", "in"))
        room = 1 << 16
        self._scores = np.zeros(size), np.zeros(size)
        self._heaps = _heaps(room)
        self._touched = np.zeros(size, np.int32), np.zeros(size, np.int32)
        self._met = np.zeros(room), np.zeros(room, np.int32)
        self._lengths = np.zeros(3, np.int64)
        with uninterrupted():
            self._meet(np.zeros(0, np.int32), np.zeros(0, np.int32), 1.0, first=False, every=False)

    def quicken(self, view: Weighted[int]) -> None:
        """Take the view's expansions from the weighted arrays, which is quicker than weighing them one by one."""
        view.forward = Expansions(_reader(self._out), view.forward.limit)
        view.backward = Expansions(_reader(self._into), view.backward.limit)

    def meet(
        self,
        view: Weighted[int],  # noqa: ARG002
        sources: Collection[int],
        ends: Collection[int],
        floor: float,
        *,
        first: bool = False,
        every: bool = False,
    ) -> Meeting[int]:
        """As ``two_sided.meet``; what it gives is good until the next call."""
        starts, goals = (np.fromiter(nodes, np.int32, len(nodes)) for nodes in (sources, ends))
        while (best := self._meet(starts, goals, floor, first=first, every=every)) < 0.0:
            room = 2 * len(self._met[0])
            self._heaps, self._met = _heaps(room), (np.zeros(room), np.zeros(room, np.int32))
        number = int(self._lengths[2])
        needed = floor if every else best * (1 - SLACK)
        nodes = self._met[1][:number][self._met[0][:number] >= needed].tolist()
        ahead, behind = map(Known, self._scores)
        return Meeting(best, nodes, ahead, behind)

    def _meet(self, starts: np.ndarray, goals: np.ndarray, floor: float, *, first: bool, every: bool) -> float:
        best: float = _meet(  # type: ignore[call-arg]
            *self._out, *self._into, starts, goals, floor, first, every,
            *self._scores, *self._heaps, *self._touched, *self._met, self._lengths,
        )  # fmt: skip
        return best


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Keep Ctrl-C until the end of the block: in the middle of compiling it would be lost."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    caught: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, _: caught.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if caught:
        raise KeyboardInterrupt


@njit(cache=True, nogil=True)
def _push(scores, nodes, size, score, node):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """Put a node into a heap whose highest score comes first."""
    place = size
    while place > 0:
        above = (place - 1) >> 1
        if scores[above] >= score:
            break
        scores[place] = scores[above]
        nodes[place] = nodes[above]
        place = above
    scores[place] = score
    nodes[place] = node


@njit(cache=True, nogil=True)
def _pop(scores, nodes, size):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """Take the first node out of a heap of this size."""
    score, node = scores[size - 1], nodes[size - 1]
    place, below = 0, 1
    while below < size - 1:
        if below + 1 < size - 1 and scores[below + 1] > scores[below]:
            below += 1
        if score >= scores[below]:
            break
        scores[place] = scores[below]
        nodes[place] = nodes[below]
        place, below = below, 2 * below + 1
    scores[place] = score
    nodes[place] = node


@njit(cache=True, nogil=True)
def _start(nodes, scores, touched, heap_scores, heap_nodes):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """Begin a side at these nodes."""
    for place in range(len(nodes)):
        scores[nodes[place]] = 1.0
        touched[place] = nodes[place]
        _push(heap_scores, heap_nodes, place, 1.0, nodes[place])
    return len(nodes)


@njit(cache=True, nogil=True)
def _meet(  # type: ignore[no-untyped-def]  # noqa: ANN202
    out_first, out_next, out_weight, in_first, in_next, in_weight, sources, ends, floor, first, every,  # noqa: ANN001
    ahead, behind, front_scores, front_nodes, back_scores, back_nodes, touched_ahead, touched_behind,  # noqa: ANN001
    met_products, met_nodes, lengths,  # noqa: ANN001
):  # fmt: skip
    """See ``two_sided.meet_in_python``; -1 where the heaps are too small. ``lengths``: touched on either side, met."""
    for place in range(lengths[0]):
        ahead[touched_ahead[place]] = 0.0
    for place in range(lengths[1]):
        behind[touched_behind[place]] = 0.0
    waiting = np.zeros(2, np.int64)
    lengths[0] = waiting[0] = _start(sources, ahead, touched_ahead, front_scores, front_nodes)
    lengths[1] = waiting[1] = _start(ends, behind, touched_behind, back_scores, back_nodes)
    best, needed, met = 0.0, floor, 0
    for node in ends:
        if ahead[node] == 1.0:
            met_products[met], met_nodes[met], best = 1.0, node, 1.0
            met += 1
            needed = floor if every else 1.0 - SLACK
    while waiting[0] > 0 and waiting[1] > 0 and not (first and met > 0):
        score, way = front_scores[0], back_scores[0]
        if score * way < needed:
            break
        if waiting[0] <= waiting[1]:
            side, mine, theirs, touched, heap_scores, heap_nodes = 0, ahead, behind, touched_ahead, front_scores, front_nodes
            begins, following, weights, reached, lowest = out_first, out_next, out_weight, score, needed / way
            enough = lowest
        else:
            side, mine, theirs, touched, heap_scores, heap_nodes = 1, behind, ahead, touched_behind, back_scores, back_nodes
            begins, following, weights, reached, lowest = in_first, in_next, in_weight, way, needed
            enough = needed / score
        node = heap_nodes[0]
        _pop(heap_scores, heap_nodes, waiting[side])
        waiting[side] -= 1
        if mine[node] != reached:
            continue
        begin, end = begins[node], begins[node + 1]
        if max(waiting[side], met) + end - begin >= len(heap_scores):
            return -1.0
        for place in range(begin, end):
            new = reached * weights[place]
            if new < lowest:
                break
            other = following[place]
            if new > mine[other] and (new >= enough or theirs[other] > 0.0):
                if mine[other] == 0.0:
                    touched[lengths[side]] = other
                    lengths[side] += 1
                mine[other] = new
                _push(heap_scores, heap_nodes, waiting[side], new, other)
                waiting[side] += 1
                product = new * theirs[other]
                if product > 0.0 and product >= needed:
                    met_products[met], met_nodes[met] = product, other
                    met += 1
                    if product > best:
                        best = product
                        needed = floor if every else best * (1 - SLACK)
    lengths[2] = met
    return best
