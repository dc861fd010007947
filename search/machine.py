"""The functions of ``compiled`` that numba turns into machine code: ``two_sided`` and ``best_first`` over arrays.

They are read beside those two: what is searched, and why that is enough, is said there. Here a set of nodes is a bit in an
array of marks, a dictionary an array with a place for each node, and a heap two arrays whose best item comes first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .fringe import Fringe, machine_code, make_fringe, pop, reach, start, wait, wipe
from .transitions import LAST_PLACE, STEP
from .two_sided import SLACK
from .weights import Side

NOWHERE, FAILED = -1, -2
"""There is no path; the heaps were too small."""

TARGET, ENTRANCE, CERTAIN, DOOR, BEYOND, LISTED = 1, 2, 4, 8, 16, 32
"""Marks of nodes; those on the best ways are ``CERTAIN`` from the sources to a meeting, and ``BEYOND`` from there on.

What has or had a mark is ``LISTED`` among the marked, once.
"""

EVERYWHERE, CORRIDOR, TRACED = 0, 1, 2
"""Where the last search goes: by all transitions, by those after which enough can be kept, by those that were traced."""

FEW = 64
"""Transitions that are looked through without asking whether something else would take less time."""

BROAD = 128
"""Transitions of a node that are gone through together whatever they weigh, see ``_meet``."""


class Ends(NamedTuple):
    """The sources of a search, or its targets, in the order of preference, and behind them what is the same as one of them.

    ``given`` is the number of the former; ``place`` is the place of each in its set, of a twin that of whose twin it is.
    """

    nodes: np.ndarray
    place: np.ndarray
    given: int


class Room(NamedTuple):
    """What a search writes into. ``nodes`` takes a list of nodes, now of entrances, now of those traced.

    Beyond the nodes come, where something is known of each, the target set and its targets as ends of a path. The transitions
    on the best ways are numbered as they are found: ``latest`` is the last one out of each node, ``earlier`` the one before it
    out of the same node, -1 for none. ``sizes`` are the numbers of marked nodes, meetings and such transitions.
    """

    ahead: Fringe
    behind: Fringe
    met_scores: np.ndarray
    met_nodes: np.ndarray
    marks: np.ndarray
    marked: np.ndarray
    nodes: np.ndarray
    lengths: np.ndarray
    before: np.ndarray
    latest: np.ndarray
    earlier: np.ndarray
    reaches: np.ndarray
    weights: np.ndarray
    steps: np.ndarray
    sizes: np.ndarray


def make_room(out: Side, into: Side, waiting: int) -> tuple[Side, Side, Room]:
    """Room to search here, with so many at most waiting in a heap; and the two sides, what is asked of each node in it.

    What both ends know of a node, and its heaviest transitions, lie side by side: they are asked for together, of nodes that
    are anywhere in memory.
    """
    nodes = len(out.heaviest)
    everything = nodes + 1 + waiting
    known = np.zeros((everything, 4))
    known[:nodes, 2], known[:nodes, 3] = out.heaviest, into.heaviest
    met = np.zeros(waiting), np.zeros(waiting, np.int32)
    marks = np.zeros(nodes, np.uint8), np.zeros(nodes, np.int32)
    room = Room(
        make_fringe(known[:, 0], waiting),
        make_fringe(known[:, 1], waiting),
        *met,
        *marks,
        np.zeros(nodes, np.int32),
        np.zeros(everything, np.int32),
        np.zeros(everything, np.int32),
        np.full(nodes, NOWHERE, np.int32),
        np.zeros(waiting, np.int32),
        np.zeros(waiting, np.int32),
        np.zeros(waiting),
        np.zeros(waiting, np.int64),
        np.zeros(3, np.int64),
    )
    return out._replace(heaviest=known[:nodes, 2]), into._replace(heaviest=known[:nodes, 3]), room


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
        best = _meet(out, into, sources.nodes, _entrances(into, targets, room), floor, True, False, room)
        if best <= 0.0:
            return FAILED if best < 0.0 else NOWHERE
    best = _meet(out, into, sources.nodes, targets.nodes, floor, False, False, room)
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
    best = _meet(out, into, sources.nodes, _entrances(into, targets, room), floor, False, True, room)
    if best <= 0.0:
        return FAILED if best < 0.0 else NOWHERE
    if not _trace(into, floor, room):
        return FAILED
    return _best_first(out, into, sources, targets, threshold, CORRIDOR, floor, room)


@machine_code
def _shared(sources: Ends, targets: Ends, room: Room) -> int:
    """Mark the targets and the doors to them; a node that is a source as well as a target, the most preferred one."""
    _unmark(room)
    for place in range(targets.given):
        _mark(room, targets.nodes[place], TARGET)
    for place in range(targets.given, len(targets.nodes)):
        _mark(room, targets.nodes[place], DOOR)
    shared, shortest = NOWHERE, 0
    for place in range(sources.given):
        node = sources.nodes[place]
        if room.marks[node] & TARGET:
            length = min(place, LAST_PLACE) + min(_place(targets, node), LAST_PLACE)
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
    _mark(room, node, ENTRANCE)
    room.nodes[number] = node
    return number + 1


@machine_code
def _meet(
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
                traced = _note(room, before, CERTAIN, traced)
                if not _take(room, before, node, weight, into.length[place]):
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
                    traced = _note(room, other, BEYOND, traced)
                    if not _take(room, node, other, weight, out.length[place]):
                        return False
            continue
        for number in range(known.sizes[0]):  # of what leads here from a hub little is known of the rest
            other = known.touched[number]
            if way[other] >= least:
                for place in range(into.first[other], into.first[other + 1]):
                    if into.next[place] == node and way[other] * into.weight[place] >= least:
                        traced = _note(room, other, BEYOND, traced)
                        if not _take(room, node, other, into.weight[place], into.length[place]):
                            return False
    return True


@machine_code
def _meetings(room: Room, floor: float, mark: int) -> int:
    """Put the meetings that reach ``floor`` into the list of nodes; its length."""
    number = 0
    for place in range(room.sizes[1]):
        if room.met_scores[place] >= floor:
            number = _note(room, room.met_nodes[place], mark, number)
    return number


@machine_code
def _note(room: Room, node: int, mark: int, number: int) -> int:
    """Mark a node and put it into the list of nodes, unless it has the mark; the length of the list."""
    if room.marks[node] & mark:
        return number
    _mark(room, node, mark)
    room.nodes[number] = node
    return number + 1


@machine_code
def _take(room: Room, node: int, other: int, weight: float, length: int) -> bool:
    """Take a transition; whether there was room for it."""
    number = room.sizes[2]
    if number == len(room.reaches):
        return False
    room.reaches[number], room.weights[number], room.steps[number] = other, weight, length
    room.earlier[number], room.latest[node] = room.latest[node], number
    room.sizes[2] += 1
    return True


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
            _label(room, the_set + 1 + _place(targets, node), score, length, before[node])
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


@machine_code
def _place(ends: Ends, wanted: int) -> int:
    """The place of a node in its set."""
    for place in range(ends.given):
        if ends.nodes[place] == wanted:
            return place
    return NOWHERE


@machine_code
def _mark(room: Room, node: int, mark: int) -> None:
    if room.marks[node] == 0:
        room.marked[room.sizes[0]] = node
        room.sizes[0] += 1
    room.marks[node] |= mark | LISTED


@machine_code
def _unmark(room: Room) -> None:
    for place in range(room.sizes[0]):
        node = room.marked[place]
        room.marks[node], room.latest[node] = 0, NOWHERE
    room.sizes[0] = 0
