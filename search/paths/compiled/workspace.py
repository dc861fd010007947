"""The workspace of the compiled search: scores, flags, labels and traced transitions of the nodes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....core.jit import machine_code
from .edge_weights import WeightedEdges
from .heap import Frontier, allocate_frontier

NONE = -1
"""No node, or no index."""

TARGET, PREDECESSOR, EQUIVALENT, LISTED, ON_FORWARD_PATH, ON_BACKWARD_PATH = 1, 2, 4, 8, 16, 32
"""Flags of nodes. The last two trace the best paths from the sources to a meeting, and from there to the targets.

A node that was ever flagged is ``LISTED`` in ``flagged``, once.
"""


class Ends(NamedTuple):
    """The sources or the targets of a search, preferred nodes first, followed by their equivalents.

    ``original_count`` is the number of nodes before the equivalents; ``position`` is the position of each node in its set, for
    an equivalent that of its original.
    """

    nodes: np.ndarray
    position: np.ndarray
    original_count: int


class Workspace(NamedTuple):
    """Arrays that a search writes into. ``nodes`` is a list of nodes: of predecessors, later of those traced.

    ``lengths`` and ``previous`` are labels, for the nodes and after them for the targets as ends of a path and for their set.
    Traced transitions are linked lists: ``last_edge`` is the latest out of each node, ``previous_edge`` the one before it out
    of the same node, -1 for none. ``sizes`` counts the flagged nodes, the meetings and the traced transitions.
    """

    forward: Frontier
    backward: Frontier
    meeting_scores: np.ndarray
    meeting_nodes: np.ndarray
    flags: np.ndarray
    flagged: np.ndarray
    nodes: np.ndarray
    lengths: np.ndarray
    previous: np.ndarray
    last_edge: np.ndarray
    previous_edge: np.ndarray
    edge_targets: np.ndarray
    edge_weights: np.ndarray
    edge_lengths: np.ndarray
    sizes: np.ndarray


def allocate_workspace(
    out: WeightedEdges, into: WeightedEdges, capacity: int
) -> tuple[WeightedEdges, WeightedEdges, Workspace]:
    """Allocate a workspace with the given heap capacity. Returns the edges of both directions too, sharing its memory.

    The two scores of a node and its heaviest transitions lie side by side: they are read together, in random order.
    """
    nodes = len(out.heaviest)
    size = nodes + 1 + capacity
    known = np.zeros((size, 4))
    known[:nodes, 2], known[:nodes, 3] = out.heaviest, into.heaviest
    met = np.zeros(capacity), np.zeros(capacity, np.int32)
    flags = np.zeros(nodes, np.uint8), np.zeros(nodes, np.int32)
    workspace = Workspace(
        allocate_frontier(known[:, 0], capacity),
        allocate_frontier(known[:, 1], capacity),
        *met,
        *flags,
        np.zeros(nodes, np.int32),
        np.zeros(size, np.int32),
        np.zeros(size, np.int32),
        np.full(nodes, NONE, np.int32),
        np.zeros(capacity, np.int32),
        np.zeros(capacity, np.int32),
        np.zeros(capacity),
        np.zeros(capacity, np.int64),
        np.zeros(3, np.int64),
    )
    return out._replace(heaviest=known[:nodes, 2]), into._replace(heaviest=known[:nodes, 3]), workspace


@machine_code
def set_flag(workspace: Workspace, node: int, flag: int) -> None:
    """Set a flag of a node."""
    if workspace.flags[node] == 0:
        workspace.flagged[workspace.sizes[0]] = node
        workspace.sizes[0] += 1
    workspace.flags[node] |= flag | LISTED


@machine_code
def clear_flags(workspace: Workspace) -> None:
    """Clear the flags and the traced transitions of all nodes."""
    for position in range(workspace.sizes[0]):
        node = workspace.flagged[position]
        workspace.flags[node], workspace.last_edge[node] = 0, NONE
    workspace.sizes[0] = 0


@machine_code
def append_once(workspace: Workspace, node: int, flag: int, number: int) -> int:
    """Flag a node and append it to the list of nodes unless it has the flag, and return the length of the list."""
    if workspace.flags[node] & flag:
        return number
    set_flag(workspace, node, flag)
    workspace.nodes[number] = node
    return number + 1


@machine_code
def add_edge(workspace: Workspace, node: int, other: int, weight: float, length: int) -> bool:
    """Add a traced transition; False if the list is full."""
    number = workspace.sizes[2]
    if number == len(workspace.edge_targets):
        return False
    workspace.edge_targets[number], workspace.edge_weights[number], workspace.edge_lengths[number] = other, weight, length
    workspace.previous_edge[number], workspace.last_edge[node] = workspace.last_edge[node], number
    workspace.sizes[2] += 1
    return True


@machine_code
def find_position(ends: Ends, node: int) -> int:
    """Return the position of a node in its set."""
    for position in range(ends.original_count):
        if ends.nodes[position] == node:
            return position
    return NONE
