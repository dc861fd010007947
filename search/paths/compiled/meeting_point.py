"""The meeting of two fringes in machine code: ``two_sided.meet`` over arrays."""

from __future__ import annotations

import numpy as np

from ....core.jit import machine_code
from ..bidirectional import SLACK
from .edge_weights import Side
from .heap import Fringe, pop, reach, start, wait
from .workspace import Room

BROAD = 128
"""Transitions of a node that are gone through together whatever they weigh, see ``meet``."""


@machine_code
def meet(
    out: Side, into: Side, sources: np.ndarray, ends: np.ndarray, floor: float, first: bool, every: bool, room: Room
) -> float:
    """See ``two_sided.meet``; -1 where the heaps are too small.

    Of a node with many transitions those of one weight are gone through at a time, and until then it waits with what they
    would leave. So the members of a hub, which each keep little of it, come late or never, and the other side needs to go no
    further than where even that would be too little. ``held`` is the best score of the nodes that waited so: a transition into
    one of them can find more there than the best that waits.
    """
    ahead, behind = room.ahead, room.behind
    largest = len(room.met_nodes)
    if len(ends) >= largest:
        return -1.0
    start(ahead, sources)
    start(behind, ends)
    best, needed, met, held_ahead, held_behind = 0.0, floor, 0, 0.0, 0.0
    for node in ends:
        if ahead.reached[node] == 1.0:
            room.met_scores[met], room.met_nodes[met], best = 1.0, node, 1.0
            met += 1
            needed = floor if every else 1.0 - SLACK
    while ahead.sizes[1] > 0 and behind.sizes[1] > 0 and not (first and met > 0):
        score, way = ahead.scores[0], behind.scores[0]
        if score * way < needed and min(score * held_behind, held_ahead * way) < needed:
            break
        here, there = ahead.keys[0], behind.keys[0]
        if ahead.sizes[1] + (_cost(out, ahead) >> 2) <= behind.sizes[1] + (_cost(into, behind) >> 2):
            forward, node, mine, theirs, edges, waited, far, held = True, here, ahead, behind, out, score, way, held_behind
        else:
            forward, node, mine, theirs, edges, waited, far, held = False, there, behind, ahead, into, way, score, held_ahead
        pop(mine)
        reached, heaviest = mine.reached[node], edges.heaviest[node]
        most = max(theirs.reached[node], far * heaviest, min(far, held * heaviest)) if waited == reached else max(far, held)
        place, end = edges.first[node], edges.first[node + 1]
        if waited * most < needed or (waited != reached and end - place <= BROAD):
            continue
        stop = end
        if end - place > BROAD:
            place, stop = _next(edges, node, reached, waited)
        if max(mine.sizes[1], met) + stop - place >= largest:
            return -1.0
        loose = max(far, held)
        for number in range(place, stop):
            new = reached * edges.weight[number]
            if new * loose < needed:
                end = stop
                break
            other = edges.next[number]
            if new > mine.reached[other]:
                beyond = far * edges.heaviest[other]
                if held > 0.0:
                    beyond = max(beyond, min(far, held * edges.heaviest[other]))
                if new * max(theirs.reached[other], beyond) >= needed:
                    reach(mine, other, new, other)
                    product = new * theirs.reached[other]
                    if product > 0.0 and product >= needed:
                        room.met_scores[met], room.met_nodes[met] = product, other
                        met += 1
                        if product > best:
                            best = product
                            needed = floor if every else best * (1 - SLACK)
        if stop < end:
            wait(mine, reached * edges.weight[stop], node)
            if forward:
                held_ahead = max(held_ahead, reached)
            else:
                held_behind = max(held_behind, reached)
    room.sizes[1] = met
    return best


@machine_code
def _cost(edges: Side, fringe: Fringe) -> int:
    """How many transitions are gone through when the first node that waits comes on."""
    node = fringe.keys[0]
    number = edges.first[node + 1] - edges.first[node]
    if number <= BROAD:
        return int(number)
    place, stop = _next(edges, node, fringe.reached[node], fringe.scores[0])
    return stop - place


@machine_code
def _next(edges: Side, node: int, reached: float, waited: float) -> tuple[int, int]:
    """Which of many transitions come next, from where to where.

    None as long as the node has not waited for its heaviest, and none if it is known better than when it began to wait.
    """
    begin, end = edges.first[node], edges.first[node + 1]
    if waited == reached and edges.heaviest[node] < 1.0:
        return begin, begin
    place = _first(edges, begin, end, reached, waited, False)
    if place == end or reached * edges.weight[place] != waited:
        return end, end
    return place, _first(edges, place, end, reached, waited, True)


@machine_code
def _first(edges: Side, begin: int, end: int, reached: float, score: float, below: bool) -> int:
    """The first transition that leaves no more than a score, or less; the heaviest come first."""
    while begin < end:
        middle = (begin + end) >> 1
        left = reached * edges.weight[middle]
        if left < score or (left == score and not below):
            end = middle
        else:
            begin = middle + 1
    return begin
