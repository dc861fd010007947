"""What a search in machine code writes into: what it knows of the nodes, their marks, and the best ways between them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....core.jit import machine_code
from .edge_weights import Side
from .heap import Fringe, make_fringe

NOWHERE = -1
"""In the place of a node or a number: none."""

TARGET, ENTRANCE, CERTAIN, DOOR, BEYOND, LISTED = 1, 2, 4, 8, 16, 32
"""Marks of nodes; those on the best ways are ``CERTAIN`` from the sources to a meeting, and ``BEYOND`` from there on.

What has or had a mark is ``LISTED`` among the marked, once.
"""


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
def mark(room: Room, node: int, which: int) -> None:
    """Give a node a mark."""
    if room.marks[node] == 0:
        room.marked[room.sizes[0]] = node
        room.sizes[0] += 1
    room.marks[node] |= which | LISTED


@machine_code
def unmark(room: Room) -> None:
    """Take all marks away."""
    for place in range(room.sizes[0]):
        node = room.marked[place]
        room.marks[node], room.latest[node] = 0, NOWHERE
    room.sizes[0] = 0


@machine_code
def note(room: Room, node: int, which: int, number: int) -> int:
    """Mark a node and put it into the list of nodes, unless it has the mark; the length of the list."""
    if room.marks[node] & which:
        return number
    mark(room, node, which)
    room.nodes[number] = node
    return number + 1


@machine_code
def take(room: Room, node: int, other: int, weight: float, length: int) -> bool:
    """Take a transition; whether there was room for it."""
    number = room.sizes[2]
    if number == len(room.reaches):
        return False
    room.reaches[number], room.weights[number], room.steps[number] = other, weight, length
    room.earlier[number], room.latest[node] = room.latest[node], number
    room.sizes[2] += 1
    return True


@machine_code
def place_of(ends: Ends, wanted: int) -> int:
    """The place of a node in its set."""
    for place in range(ends.given):
        if ends.nodes[place] == wanted:
            return place
    return NOWHERE
