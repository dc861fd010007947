"""Best-first search with a stopping threshold and several target sets: Algorithm 5 of the thesis.

All sources start at 1.0, the score of a node is the product of the transitions that lead to it, and the first node taken from
the fringe that lies in a target set fixes the score of that set. A node below the threshold is not expanded, but can be a
target; so a push below the threshold is left out unless it is one.

What is the same as a source (its twins) starts at 1.0 too, one step further. A twin of a target leads into the target set at
no cost; that counts for this set alone, so each set has ends of its own beside the nodes.

Of equal scores the shorter path is taken (``transitions.STEP`` says what counts), then the smaller id. So the path does not
depend on the order in which a view yields its transitions, nor on the method that found it. What a target's place among its
set adds to the length is the last step of a path, to the set itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Generic, NamedTuple

from ..bases.view import N
from ..scoring.transitions import LAST_PLACE, STEP
from .weighted import WeightedView

NODE = -1
"""In the fringe: a node, not the end of the path to a target set."""

Label = tuple[float, int, N | None]
"""How a node was reached: score (negative), length, the node before."""

Doors = dict[N, list[tuple[int, N]]]


class FoundPath(NamedTuple, Generic[N]):
    """The best path to a target set: its score, the nodes from source to target, and the score at each."""

    score: float
    nodes: tuple[N, ...]
    scores: tuple[float, ...]


def best_first(
    view: WeightedView[N],
    sources: Sequence[N],
    target_sets: Sequence[Sequence[N]],
    corridor: Callable[[N], float] | None = None,
    floor: float = 0.0,
) -> list[FoundPath[N] | None]:
    """The best path from the sources to each target set, None where there is none; both have the preferred nodes first.

    A ``corridor`` tells how much the rest of the way from a node can keep at best; a node is entered only where the score
    times that reaches ``floor``.
    """
    found: list[FoundPath[N] | None] = [None] * len(target_sets)
    missing = {number: position_costs(targets) for number, targets in enumerate(target_sets) if targets}
    wanted, doors = _doors(view, missing)
    forward, threshold = view.forward, view.parameters.threshold
    labels = _starts(view, sources)
    ends: dict[tuple[int, N], Label[N]] = {}
    fringe: list[tuple[float, int, int, N]] = [(negative, length, NODE, node) for node, (negative, length, _) in labels.items()]
    heapify(fringe)
    visited: set[N] = set()
    while fringe and missing:
        negative, length, ended, node = heappop(fringe)
        if ended != NODE:
            if ended in missing:
                found[ended] = _trace(labels, ends[ended, node], node)
                del missing[ended]
            continue
        if node in visited:
            continue
        visited.add(node)
        passed = -negative >= threshold
        for number, target in (*wanted.get(node, ()), *(doors.get(node, ()) if passed else ())):
            label = labels[node] if target == node else (negative, length + STEP, node)
            if number in missing and ((number, target) not in ends or label < ends[number, target]):
                ends[number, target] = label
                heappush(fringe, (negative, label[1] + missing[number][target], number, target))
        if not passed:
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


def position_costs(nodes: Sequence[N]) -> dict[N, int]:
    """What the place of each node in its set adds to the length of a path."""
    return {node: min(place, LAST_PLACE) for place, node in enumerate(nodes)}


def _starts(view: WeightedView[N], sources: Sequence[N]) -> dict[N, Label[N]]:
    """The sources, and what is the same as one of them."""
    labels: dict[N, Label[N]] = {node: (-1.0, place, None) for node, place in position_costs(sources).items()}
    for node in list(labels):
        for twin in view.twins(node):
            label = -1.0, labels[node][1] + STEP, node
            if twin not in labels or label < labels[twin]:
                labels[twin] = label
    return labels


def _doors(view: WeightedView[N], target_sets: Mapping[int, Mapping[N, int]]) -> tuple[Doors[N], Doors[N]]:
    """For each target, and for each twin of one, the sets (by number) and the targets that it leads to at no cost."""
    wanted: Doors[N] = {}
    doors: Doors[N] = {}
    for number, targets in target_sets.items():
        for target in targets:
            wanted.setdefault(target, []).append((number, target))
            for twin in view.twins(target):
                doors.setdefault(twin, []).append((number, target))
    return wanted, doors


def _trace(labels: Mapping[N, Label[N]], end: Label[N], target: N) -> FoundPath[N]:
    nodes, scores = [target], [-end[0]]
    node = end[2]
    while node is not None:
        negative, _, before = labels[node]
        nodes.append(node)
        scores.append(-negative)
        node = before
    return FoundPath(scores[0], tuple(reversed(nodes)), tuple(reversed(scores)))
