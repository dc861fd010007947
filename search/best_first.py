"""Best-first search with a stopping threshold and several target sets: Algorithm 5 of the thesis.

All sources start at 1.0, the score of a node is the product of the transitions that lead to it, and the first node taken from
the fringe that lies in a target set fixes the score of that set. A node below the threshold is not expanded, but can be a
target; so a push below the threshold is left out unless it is one.

Ties are broken by the nodes alone: of equal scores the path with fewer steps, then the smaller id. So the path does not
depend on the order in which a view yields its transitions, nor on the method that found it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Generic, NamedTuple

from .view import Expansion, N


class Found(NamedTuple, Generic[N]):
    """The best path to a target set: its score, the nodes from source to target, and the score at each."""

    score: float
    nodes: tuple[N, ...]
    scores: tuple[float, ...]


def best_first(
    forward: Mapping[N, Expansion[N]],
    sources: Collection[N],
    target_sets: Sequence[Collection[N]],
    threshold: float,
    corridor: Callable[[N], float] | None = None,
    floor: float = 0.0,
) -> list[Found[N] | None]:
    """The best path from the sources to each target set, None where there is none.

    A ``corridor`` tells how much the rest of the way from a node can keep at best; a node is entered only where the score
    times that reaches ``floor``.
    """
    found: list[Found[N] | None] = [None] * len(target_sets)
    missing = [(place, frozenset(targets)) for place, targets in enumerate(target_sets) if targets]
    wanted = frozenset().union(*(targets for _, targets in missing))
    labels: dict[N, tuple[float, int, N | None]] = dict.fromkeys(sources, (-1.0, 0, None))
    fringe: list[tuple[float, int, N]] = [(-1.0, 0, node) for node in sources]
    heapify(fringe)
    visited: set[N] = set()
    while fringe and missing:
        negative, steps, node = heappop(fringe)
        if node in visited:
            continue
        visited.add(node)
        if node in wanted:
            for place, targets in missing:
                if node in targets:
                    found[place] = _trace(labels, node)
            missing = [each for each in missing if found[each[0]] is None]
            wanted = frozenset().union(*(targets for _, targets in missing))
        if -negative < threshold:
            continue
        for weight, other in forward[node]:
            score = -negative * weight
            if score < threshold and other not in wanted:
                continue
            if corridor is not None and score * corridor(other) < floor:
                continue
            label = (-score, steps + 1, node)
            known = labels.get(other)
            if known is None or label < known:
                labels[other] = label
                if known is None or known[:2] != label[:2]:
                    heappush(fringe, (-score, steps + 1, other))
    return found


def _trace(labels: Mapping[N, tuple[float, int, N | None]], target: N) -> Found[N]:
    nodes, scores = [], []
    node: N | None = target
    while node is not None:
        negative, _, before = labels[node]
        nodes.append(node)
        scores.append(-negative)
        node = before
    return Found(scores[0], tuple(reversed(nodes)), tuple(reversed(scores)))
