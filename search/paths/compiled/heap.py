"""One frontier of the compiled search: the scores of the nodes, and a binary heap of items."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....core.jit import machine_code


class Frontier(NamedTuple):
    """One frontier: the best score of each node (0 if not reached), the nodes reached, and the heap.

    An item of the heap is a score and a key: the length of the path shifted by 32 bits, plus the node. Of equal scores the
    smaller key comes first. ``sizes`` holds the number of nodes reached and the number of items in the heap.
    """

    reached: np.ndarray
    touched: np.ndarray
    scores: np.ndarray
    keys: np.ndarray
    sizes: np.ndarray


def allocate_frontier(reached: np.ndarray, capacity: int) -> Frontier:
    """Allocate a frontier with the given heap capacity that writes scores into ``reached``."""
    heap = np.zeros(capacity), np.zeros(capacity, np.int64)
    return Frontier(reached, np.zeros(len(reached), np.int32), *heap, np.zeros(2, np.int64))


@machine_code
def restart(frontier: Frontier, nodes: np.ndarray) -> None:
    """Clear the frontier and push these nodes at 1.0."""
    clear(frontier)
    for node in nodes:
        improve(frontier, node, 1.0, node)


@machine_code
def clear(frontier: Frontier) -> None:
    """Reset the scores that were written, and empty the heap."""
    for index in range(frontier.sizes[0]):
        frontier.reached[frontier.touched[index]] = 0.0
    frontier.sizes[0] = frontier.sizes[1] = 0


@machine_code
def improve(frontier: Frontier, node: int, score: float, key: int) -> None:
    """Record an improved score and push the node onto the heap."""
    if frontier.reached[node] == 0.0:
        frontier.touched[frontier.sizes[0]] = node
        frontier.sizes[0] += 1
    frontier.reached[node] = score
    push(frontier, score, key)


@machine_code
def push(frontier: Frontier, score: float, key: int) -> None:
    """Push an item onto the heap."""
    scores, keys, index = frontier.scores, frontier.keys, frontier.sizes[1]
    frontier.sizes[1] += 1
    while index > 0:
        above = (index - 1) >> 1
        if scores[above] > score or (scores[above] == score and keys[above] <= key):
            break
        scores[index], keys[index] = scores[above], keys[above]
        index = above
    scores[index], keys[index] = score, key


@machine_code
def pop(frontier: Frontier) -> None:
    """Remove the best item from the heap."""
    scores, keys = frontier.scores, frontier.keys
    frontier.sizes[1] -= 1
    last = frontier.sizes[1]
    score, key = scores[last], keys[last]
    index, below = 0, 1
    while below < last:
        beside = below + 1
        if beside < last and (
            scores[beside] > scores[below] or (scores[beside] == scores[below] and keys[beside] < keys[below])
        ):
            below = beside
        if score > scores[below] or (score == scores[below] and key <= keys[below]):
            break
        scores[index], keys[index] = scores[below], keys[below]
        index, below = below, 2 * below + 1
    scores[index], keys[index] = score, key
