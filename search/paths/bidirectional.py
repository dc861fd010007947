"""The best path to one target set, searched from both ends: the answer of ``best_first``, sooner.

A path counts if its score before the last step is not below the threshold (only such nodes are expanded), whatever its last
step leaves of it. So three questions are asked, each of two fringes that grow towards each other:

1. Can any node one step before the targets be reached? If not, the score is 0. (Left out where most pairs have a score.)
2. Which path to the targets themselves does not fall below the threshold? The best of them is the answer.
3. If there is none: by which nodes are those before the targets reached? The answer is among their paths.

What is the same as a source or a target (its twins) belongs to the two ends: there it costs nothing.

Products taken from the far end round differently. So figures are compared with a slack, and what survives is searched again by
``best_first`` in the corridor of its nodes, which yields exactly the score and the path of the plain search.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import inf
from typing import Generic, NamedTuple

from ..bases.view import N
from .best_first import FoundPath, best_first, position_costs
from .weighted import WeightedView

SLACK = 1e-12
"""Relative room for rounding: far above 250 multiplications, far below any difference between two transition scores."""


class Meeting(NamedTuple, Generic[N]):
    """Where two fringes met: the best product, the nodes that came about as near, and what each side knows of its nodes."""

    best: float
    nodes: Collection[N]
    ahead: Mapping[N, float]
    behind: Mapping[N, float]


def search_both_ends(view: WeightedView[N], sources: Sequence[N], targets: Sequence[N]) -> FoundPath[N] | None:
    """The best path from the sources to the targets, None where there is none; both have the preferred nodes first."""
    ours, theirs = position_costs(sources), position_costs(targets)
    shared = [(ours[node] + theirs[node], node) for node in ours.keys() & theirs]
    if shared:
        return FoundPath(1.0, (min(shared)[1],), (1.0,))
    floor = view.parameters.threshold * (1 - SLACK)
    joined = (
        view.view.has_word_derivations and view.parameters.by_word
    )  # so densely that most pairs meet, and the first question is rarely worth it
    starts, ends = _with_twins(view, sources), _with_twins(view, targets)
    if not joined and not meet(view, starts, _entrances(view, targets), floor, first=True).best:
        return None
    meeting = meet(view, starts, ends, floor)
    if not meeting.best:
        meeting = meet(view, starts, _entrances(view, targets), floor, every=True)
        return _survey(view, sources, targets, meeting, floor) if meeting.best else None
    floor = meeting.best * (1 - SLACK)
    found = _survey(view, sources, targets, meeting, floor)
    if found is None or found.score < floor:  # the best meeting was below the threshold by less than the slack
        (found,) = best_first(view, sources, [targets])
    return found


def _with_twins(view: WeightedView[N], nodes: Collection[N]) -> set[N]:
    """The nodes, and what is the same as one of them at an end of a path."""
    return {*nodes, *(twin for node in nodes for twin in view.twins(node))}


def _entrances(view: WeightedView[N], targets: Collection[N]) -> set[N]:
    """The nodes one step before the targets."""
    found = {node for target in targets for _, node, _ in view.backward[target]}
    return found.union(*(view.twins(target) for target in targets))


def _survey(
    view: WeightedView[N], sources: Sequence[N], targets: Sequence[N], meeting: Meeting[N], floor: float
) -> FoundPath[N] | None:
    """The best path among those that lead through a meeting."""
    traced = _trace(view, meeting)
    certain = traced.union(targets)
    behind = meeting.behind

    def corridor(node: N) -> float:
        return inf if node in certain else behind.get(node, 0.0)

    (found,) = best_first(view, sources, [targets], corridor, floor)
    return found


def meet(
    view: WeightedView[N],
    sources: Collection[N],
    ends: Collection[N],
    floor: float,
    *,
    first: bool = False,
    every: bool = False,
) -> Meeting[N]:
    """Let two fringes grow until no way that neither has seen reaches ``floor``, nor about the best meeting.

    ``first``: the first meeting will do. ``every``: all that reach ``floor`` count, not the best alone.

    The side with fewer nodes waiting goes on. What a way keeps beyond a node that the other side has not settled is at most the
    best that waits there; and beyond any node it is at most what the other side knows of it, or the heaviest transition from it
    times that best. Where this is too little nothing is noted. A way that matters still shows: on it a node settled from the
    front is followed by one settled from the back, and the first of the two to be settled noted its score at the second.
    """
    ahead: dict[N, float] = dict.fromkeys(sources, 1.0)
    behind: dict[N, float] = dict.fromkeys(ends, 1.0)
    front: list[tuple[float, N]] = [(-1.0, node) for node in ahead]
    back: list[tuple[float, N]] = [(-1.0, node) for node in behind]
    heapify(front)
    heapify(back)
    view.view.watch("out", front)
    view.view.watch("in", back)
    met = [(1.0, node) for node in ahead if node in behind]
    best, needed = (1.0, floor if every else 1.0 - SLACK) if met else (0.0, floor)
    while front and back and not (first and met):
        score, way = -front[0][0], -back[0][0]
        if score * way < needed:
            break
        if len(front) <= len(back):
            mine, theirs, fringe, edges, reached, far = ahead, behind, front, view.forward, score, way
        else:
            mine, theirs, fringe, edges, reached, far = behind, ahead, back, view.backward, way, score
        node = heappop(fringe)[1]
        expansion = edges[node] if mine[node] == reached else ()
        if not expansion or reached * max(theirs.get(node, 0.0), far * expansion[0][0]) < needed:
            continue
        known = mine.get
        for weight, other, _ in expansion:
            new = reached * weight
            if new * far < needed:
                break
            if new > known(other, 0.0):
                mine[other] = new
                heappush(fringe, (-new, other))
                if other in theirs and (product := new * theirs[other]) >= needed:
                    met.append((product, other))
                    if product > best:
                        best = product
                        needed = floor if every else best * (1 - SLACK)
    return Meeting(best, [node for product, node in met if product >= needed], ahead, behind)


def _trace(view: WeightedView[N], meeting: Meeting[N]) -> set[N]:
    """The nodes on the ways from the sources to the best meetings."""
    ahead = meeting.ahead
    waiting = list(meeting.nodes)
    traced: set[N] = set()
    while waiting:
        node = waiting.pop()
        if node not in traced:
            traced.add(node)
            score = ahead[node]
            waiting += [each for weight, each, _ in view.backward[node] if ahead.get(each, 0.0) * weight == score]
    return traced
