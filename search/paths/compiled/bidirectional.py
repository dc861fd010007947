"""The functions of ``compiled`` that numba turns into machine code: ``two_sided`` and ``best_first`` over arrays.

They are read beside those two: what is searched, and why that is enough, is said there. Here a set of nodes is a bit in an
array of marks, a dictionary an array with a place for each node, and a heap two arrays whose best item comes first.
"""

from __future__ import annotations

import numpy as np

from ....core.jit import machine_code
from ...scoring.transitions import LAST_PLACE, STEP
from ..bidirectional import SLACK
from .edge_weights import Side
from .heap import pop, reach, wipe
from .meeting_point import meet
from .workspace import BEYOND, CERTAIN, DOOR, ENTRANCE, NOWHERE, TARGET, Ends, Room, mark, note, place_of, take, unmark

FAILED = -2
"""The heaps were too small."""

EVERYWHERE, CORRIDOR, TRACED = 0, 1, 2
"""Where the last search goes: by all transitions, by those after which enough can be kept, by those that were traced."""

FEW = 64
"""Transitions that are looked through without asking whether something else would take less time."""


@machine_code
def arrange(side: Side) -> None:
    """Put the transitions of every node into an order in which the heaviest come first."""
    following, weights, lengths = side.next, side.weight, side.length
    for node in range(len(side.heaviest)):
        begin, end = side.first[node], side.first[node + 1]
        if end - begin > FEW:
            order = begin + np.argsort(-weights[begin:end], kind="mergesort")
            following[begin:end], weights[begin:end], lengths[begin:end] = following[order], weights[order], lengths[order]
            continue
        for place in range(begin + 1, end):
            other, weight, length, free = following[place], weights[place], lengths[place], place
            while free > begin and weights[free - 1] < weight:
                following[free], weights[free], lengths[free] = following[free - 1], weights[free - 1], lengths[free - 1]
                free -= 1
            following[free], weights[free], lengths[free] = other, weight, length


@machine_code
def search(out: Side, into: Side, sources: Ends, targets: Ends, threshold: float, joined: bool, room: Room) -> int:
    """See ``two_sided.search``: the end of the best path; ``room.before`` leads from it to the others."""
    if max(len(sources.nodes), len(targets.nodes)) >= len(room.met_nodes):
        return FAILED
    shared = _shared(sources, targets, room)
    if shared != NOWHERE:
        return shared
    floor = threshold * (1 - SLACK)
    if not joined:
        best = meet(out, into, sources.nodes, _entrances(into, targets, room), floor, True, False, room)
        if best <= 0.0:
            return FAILED if best < 0.0 else NOWHERE
    best = meet(out, into, sources.nodes, targets.nodes, floor, False, False, room)
    if best < 0.0:
        return FAILED
    if best > 0.0:
        floor = best * (1 - SLACK)
        if not (_trace(into, floor, room) and _trace_beyond(out, into, floor, room)):
            return FAILED
        node = _best_first(out, into, sources, targets, threshold, TRACED, floor, room)
        if node == FAILED or (node >= 0 and room.ahead.reached[node] >= floor):
            return node
        return _best_first(out, into, sources, targets, threshold, EVERYWHERE, floor, room)
    best = meet(out, into, sources.nodes, _entrances(into, targets, room), floor, False, True, room)
    if best <= 0.0:
        return FAILED if best < 0.0 else NOWHERE
    if not _trace(into, floor, room):
        return FAILED
    return _best_first(out, into, sources, targets, threshold, CORRIDOR, floor, room)


@machine_code
def _shared(sources: Ends, targets: Ends, room: Room) -> int:
    """Mark the targets and the doors to them; a node that is a source as well as a target, the most preferred one."""
    unmark(room)
    for place in range(targets.given):
        mark(room, targets.nodes[place], TARGET)
    for place in range(targets.given, len(targets.nodes)):
        mark(room, targets.nodes[place], DOOR)
    shared, shortest = NOWHERE, 0
    for place in range(sources.given):
        node = sources.nodes[place]
        if room.marks[node] & TARGET:
            length = min(place, LAST_PLACE) + min(place_of(targets, node), LAST_PLACE)
            if shared == NOWHERE or length < shortest or (length == shortest and node < shared):
                shared, shortest = node, length
    if shared != NOWHERE:
        wipe(room.ahead)
        reach(room.ahead, shared, 1.0, 0)
        room.before[shared] = NOWHERE
    return shared


@machine_code
def _entrances(into: Side, targets: Ends, room: Room) -> np.ndarray:
    """The nodes one step before the targets."""
    number = 0
    for end in range(len(targets.nodes)):
        target = targets.nodes[end]
        if end >= targets.given:
            number = _enter(room, target, number)
            continue
        for place in range(into.first[target], into.first[target + 1]):
            number = _enter(room, into.next[place], number)
    for place in range(number):
        room.marks[room.nodes[place]] &= ~ENTRANCE
    return room.nodes[:number]


@machine_code
def _enter(room: Room, node: int, number: int) -> int:
    """Put a node into the list of entrances, unless it is there; the length of the list."""
    if room.marks[node] & ENTRANCE:
        return number
    mark(room, node, ENTRANCE)
    room.nodes[number] = node
    return number + 1


@machine_code
def _trace(into: Side, floor: float, room: Room) -> bool:
    """Take the transitions from the sources to the meetings that reach ``floor``; whether there was room for them.

    Those count that give the very score that is known.
    """
    reached = room.ahead.reached
    room.sizes[2] = 0
    done, traced = 0, _meetings(room, floor, CERTAIN)
    while done < traced:
        node = room.nodes[done]
        done += 1
        for place in range(into.first[node], into.first[node + 1]):
            before, weight = into.next[place], into.weight[place]
            if reached[before] > 0.0 and reached[before] * weight == reached[node]:
                traced = note(room, before, CERTAIN, traced)
                if not take(room, before, node, weight, into.length[place]):
                    return False
    return True


@machine_code
def _trace_beyond(out: Side, into: Side, floor: float, room: Room) -> bool:
    """Take the transitions on the best ways from the meetings to the targets; whether there was room for them.

    Products were taken from the other end here, and may differ by a rounding.
    """
    way, known = room.behind.reached, room.behind
    done, traced = 0, _meetings(room, floor, BEYOND)
    while done < traced:
        node = room.nodes[done]
        done += 1
        least = way[node] * (1 - SLACK)
        if out.first[node + 1] - out.first[node] <= FEW + known.sizes[0]:
            for place in range(out.first[node], out.first[node + 1]):
                other, weight = out.next[place], out.weight[place]
                if way[other] * weight >= least and way[other] > 0.0:
                    traced = note(room, other, BEYOND, traced)
                    if not take(room, node, other, weight, out.length[place]):
                        return False
            continue
        for number in range(known.sizes[0]):  # of what leads here from a hub little is known of the rest
            other = known.touched[number]
            if way[other] >= least:
                for place in range(into.first[other], into.first[other + 1]):
                    if into.next[place] == node and way[other] * into.weight[place] >= least:
                        traced = note(room, other, BEYOND, traced)
                        if not take(room, node, other, into.weight[place], into.length[place]):
                            return False
    return True


@machine_code
def _meetings(room: Room, floor: float, mark: int) -> int:
    """Put the meetings that reach ``floor`` into the list of nodes; its length."""
    number = 0
    for place in range(room.sizes[1]):
        if room.met_scores[place] >= floor:
            number = note(room, room.met_nodes[place], mark, number)
    return number


@machine_code
def _best_first(
    out: Side, into: Side, sources: Ends, targets: Ends, threshold: float, where: int, floor: float, room: Room
) -> int:
    """See ``best_first.best_first``, for one set of targets; the corridor is what the last trace and ``behind`` say.

    The set itself is a node beyond all others, and after it come its targets as ends of a path.
    """
    fringe, marks, before, the_set = room.ahead, room.marks, room.before, len(out.heaviest)
    wipe(fringe)
    for end in range(len(sources.nodes)):
        node, place = sources.nodes[end], sources.place[end]
        if where == EVERYWHERE or marks[node] & CERTAIN:
            _label(room, sources.nodes[place], 1.0, min(place, LAST_PLACE), NOWHERE)
            if end >= sources.given:
                _label(room, node, 1.0, min(place, LAST_PLACE) + STEP, sources.nodes[place])
    while fringe.sizes[1] > 0:
        score, key = fringe.scores[0], fringe.keys[0]
        node, length = key & 0xFFFFFFFF, key >> 32
        pop(fringe)
        if fringe.reached[node] != score or room.lengths[node] != length:
            continue
        if node == the_set:
            return int(before[node])
        if node > the_set:
            _label(room, the_set, score, length + min(node - the_set - 1, LAST_PLACE), node)
            continue
        begin, end = out.first[node], out.first[node + 1]
        if fringe.sizes[1] + (room.sizes[2] if where == TRACED else end - begin) + len(targets.nodes) >= len(fringe.keys):
            return FAILED
        if marks[node] & TARGET:
            _label(room, the_set + 1 + place_of(targets, node), score, length, before[node])
        if score < threshold:
            continue
        if marks[node] & DOOR:
            for place in range(targets.given, len(targets.nodes)):
                if targets.nodes[place] == node:
                    _label(room, the_set + 1 + targets.place[place], score, length + STEP, node)
        if where == TRACED:
            number = room.latest[node]
            while number != NOWHERE:
                _come(room, node, room.reaches[number], score * room.weights[number], length + room.steps[number], threshold)
                number = room.earlier[number]
            continue
        if where == CORRIDOR and end - begin > FEW + room.behind.sizes[0] + room.sizes[0]:
            _leave_hub(into, node, room.behind.touched[: room.behind.sizes[0]], score, length, threshold, floor, room)
            _leave_hub(into, node, room.marked[: room.sizes[0]], score, length, threshold, floor, room)
            continue
        for place in range(begin, end):
            other, new = out.next[place], score * out.weight[place]
            if where == EVERYWHERE or marks[other] & (TARGET | CERTAIN) or new * room.behind.reached[other] >= floor:
                _come(room, node, other, new, length + out.length[place], threshold)
    return NOWHERE


@machine_code
def _leave_hub(
    into: Side, hub: int, nodes: np.ndarray, score: float, length: int, threshold: float, floor: float, room: Room
) -> None:
    """Come from a hub to those of these nodes that are in the corridor: of its other transitions none matters."""
    for other in nodes:
        for place in range(into.first[other], into.first[other + 1]):
            if into.next[place] == hub:
                new = score * into.weight[place]
                if room.marks[other] & (TARGET | CERTAIN) or new * room.behind.reached[other] >= floor:
                    _come(room, hub, other, new, length + into.length[place], threshold)


@machine_code
def _come(room: Room, node: int, other: int, score: float, length: int, threshold: float) -> None:
    """Come to a node from another one, unless it would be below the threshold and is no target."""
    if score >= threshold or room.marks[other] & TARGET:
        _label(room, other, score, length, node)


@machine_code
def _label(room: Room, node: int, score: float, length: int, before: int) -> None:
    """Come to a node from another one, if that is better than what is known of it."""
    known = room.ahead.reached[node]
    if score > known or (score == known and length < room.lengths[node]):
        room.lengths[node], room.before[node] = length, before
        reach(room.ahead, node, score, length << 32 | node)
    elif score == known and length == room.lengths[node] and before < room.before[node]:
        room.before[node] = before
