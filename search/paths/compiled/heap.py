"""One end of a search in machine code: what it knows of the nodes, and the heap of those that wait."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....core.jit import machine_code


class Fringe(NamedTuple):
    """One end of a search: the product at each node (0 where it has not been), the nodes where it has been, and its heap.

    An item of the heap is a score and a key, the length of the path above 32 bits of the node: of equal scores the smaller
    key comes first. ``sizes`` holds the number of nodes touched and of those waiting in the heap.
    """

    reached: np.ndarray
    touched: np.ndarray
    scores: np.ndarray
    keys: np.ndarray
    sizes: np.ndarray


def make_fringe(reached: np.ndarray, waiting: int) -> Fringe:
    """A fringe that keeps here what it knows of the nodes, with so many at most waiting in its heap."""
    heap = np.zeros(waiting), np.zeros(waiting, np.int64)
    return Fringe(reached, np.zeros(len(reached), np.int32), *heap, np.zeros(2, np.int64))


@machine_code
def start(fringe: Fringe, nodes: np.ndarray) -> None:
    """Begin anew at these nodes."""
    wipe(fringe)
    for node in nodes:
        reach(fringe, node, 1.0, node)


@machine_code
def wipe(fringe: Fringe) -> None:
    """Forget all."""
    for place in range(fringe.sizes[0]):
        fringe.reached[fringe.touched[place]] = 0.0
    fringe.sizes[0] = fringe.sizes[1] = 0


@machine_code
def reach(fringe: Fringe, node: int, score: float, key: int) -> None:
    """Come to a node with a better score, and let it wait."""
    if fringe.reached[node] == 0.0:
        fringe.touched[fringe.sizes[0]] = node
        fringe.sizes[0] += 1
    fringe.reached[node] = score
    wait(fringe, score, key)


@machine_code
def wait(fringe: Fringe, score: float, key: int) -> None:
    """Put an item into the heap."""
    scores, keys, place = fringe.scores, fringe.keys, fringe.sizes[1]
    fringe.sizes[1] += 1
    while place > 0:
        above = (place - 1) >> 1
        if scores[above] > score or (scores[above] == score and keys[above] <= key):
            break
        scores[place], keys[place] = scores[above], keys[above]
        place = above
    scores[place], keys[place] = score, key


@machine_code
def pop(fringe: Fringe) -> None:
    """Take the first item out of the heap."""
    scores, keys = fringe.scores, fringe.keys
    fringe.sizes[1] -= 1
    last = fringe.sizes[1]
    score, key = scores[last], keys[last]
    place, below = 0, 1
    while below < last:
        beside = below + 1
        if beside < last and (
            scores[beside] > scores[below] or (scores[beside] == scores[below] and keys[beside] < keys[below])
        ):
            below = beside
        if score > scores[below] or (score == scores[below] and key <= keys[below]):
            break
        scores[place], keys[place] = scores[below], keys[below]
        place, below = below, 2 * below + 1
    scores[place], keys[place] = score, key
