"""Best-first search with a stopping threshold and several target sets: Algorithm 5 of the thesis.

All sources start at 1.0, the score of a node is the product of the transitions that lead to it, and the first node taken from
the fringe that lies in a target set fixes the score of that set. A node below the threshold is not expanded, but can be a
target; so a push below the threshold is left out unless it is one.

Of equal scores the shorter path is taken (``transitions.STEP`` says what counts), then the smaller id. So the path does not
depend on the order in which a view yields its transitions, nor on the method that found it. What a target's place among its
set adds to the length is the last step of a path, to the set itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Generic, NamedTuple

from .transitions import LAST_PLACE
from .view import Expansion, N

NODE = -1
"""In the fringe: a node, not the end of the path to a target set."""


class Found(NamedTuple, Generic[N]):
    """The best path to a target set: its score, the nodes from source to target, and the score at each."""

    score: float
    nodes: tuple[N, ...]
    scores: tuple[float, ...]


def best_first(
    forward: Mapping[N, Expansion[N]],
    sources: Sequence[N],
    target_sets: Sequence[Sequence[N]],
    threshold: float,
    corridor: Callable[[N], float] | None = None,
    floor: float = 0.0,
) -> list[Found[N] | None]:
    """The best path from the sources to each target set, None where there is none; both have the preferred nodes first.

    A ``corridor`` tells how much the rest of the way from a node can keep at best; a node is entered only where the score
    times that reaches ``floor``.
    """
    found: list[Found[N] | None] = [None] * len(target_sets)
    missing = [(number, places(targets)) for number, targets in enumerate(target_sets) if targets]
    wanted = frozenset().union(*(targets for _, targets in missing))
    labels: dict[N, tuple[float, int, N | None]] = {node: (-1.0, place, None) for node, place in places(sources).items()}
    fringe: list[tuple[float, int, int, N]] = [(-1.0, length, NODE, node) for node, (_, length, _) in labels.items()]
    heapify(fringe)
    visited: set[N] = set()
    while fringe and missing:
        negative, length, ended, node = heappop(fringe)
        if ended != NODE:
            if found[ended] is None:
                found[ended] = _trace(labels, node)
                missing = [each for each in missing if each[0] != ended]
                wanted = frozenset().union(*(targets for _, targets in missing))
            continue
        if node in visited:
            continue
        visited.add(node)
        if node in wanted:
            for number, targets in missing:
                if node in targets:
                    heappush(fringe, (negative, length + targets[node], number, node))
        if -negative < threshold:
            continue
        for weight, other, step in forward[node]:
            score = -negative * weight
            if score < threshold and other not in wanted:
                continue
            if corridor is not None and score * corridor(other) < floor:
                continue
            label = (-score, length + step, node)
            known = labels.get(other)
            if known is None or label < known:
                labels[other] = label
                if known is None or known[:2] != label[:2]:
                    heappush(fringe, (-score, length + step, NODE, other))
    return found


def places(nodes: Sequence[N]) -> dict[N, int]:
    """What the place of each node in its set adds to the length of a path."""
    return {node: min(place, LAST_PLACE) for place, node in enumerate(nodes)}


def _trace(labels: Mapping[N, tuple[float, int, N | None]], target: N) -> Found[N]:
    nodes, scores = [], []
    node: N | None = target
    while node is not None:
        negative, _, before = labels[node]
        nodes.append(node)
        scores.append(-negative)
        node = before
    return Found(scores[0], tuple(reversed(nodes)), tuple(reversed(scores)))
