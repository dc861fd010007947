"""The bidirectional search compiled by numba: ``paths.bidirectional`` and ``paths.best_first`` over arrays.

Read it beside those two modules, which explain the steps and why they are exact. Here a set of nodes is a bit in an array of
flags, a dictionary is an array with one element for each node, and a heap is two arrays whose first item is the best.
"""

from __future__ import annotations

import numpy as np

from ....core.jit import machine_code
from ...scoring.transitions import MAX_POSITION, STEP_LENGTH
from ..bidirectional import SLACK
from .edge_weights import WeightedEdges
from .heap import clear, improve, pop
from .meeting_point import meet
from .workspace import (
    EQUIVALENT,
    NONE,
    ON_BACKWARD_PATH,
    ON_FORWARD_PATH,
    PREDECESSOR,
    TARGET,
    Ends,
    Workspace,
    add_edge,
    append_once,
    clear_flags,
    find_position,
    set_flag,
)

HEAP_FULL = -2
"""Result if a heap or the list of edges is full: the caller allocates a larger workspace and repeats the search."""

ALL_EDGES, BOUNDED, TRACED = 0, 1, 2
"""Which transitions ``_best_first`` follows: all, those whose bound reaches the floor, or those that were traced."""

SMALL_DEGREE = 64
"""A node with more transitions than this is a hub: scanning the touched nodes instead of its transitions may be faster."""


@machine_code
def sort_by_weight(edges: WeightedEdges) -> None:
    """Sort the transitions of every node by weight, heaviest first."""
    following, weights, lengths = edges.next, edges.weight, edges.length
    for node in range(len(edges.heaviest)):
        begin, end = edges.first[node], edges.first[node + 1]
        if end - begin > SMALL_DEGREE:
            order = begin + np.argsort(-weights[begin:end], kind="mergesort")
            following[begin:end], weights[begin:end], lengths[begin:end] = following[order], weights[order], lengths[order]
            continue
        for index in range(begin + 1, end):
            other, weight, length, free = following[index], weights[index], lengths[index], index
            while free > begin and weights[free - 1] < weight:
                following[free], weights[free], lengths[free] = following[free - 1], weights[free - 1], lengths[free - 1]
                free -= 1
            following[free], weights[free], lengths[free] = other, weight, length


@machine_code
def search(
    out: WeightedEdges, into: WeightedEdges, sources: Ends, targets: Ends, threshold: float, dense: bool, workspace: Workspace
) -> int:
    """Return the last node of the best path, see ``search_both_ends``; ``workspace.previous`` leads back from it."""
    if max(len(sources.nodes), len(targets.nodes)) >= len(workspace.meeting_nodes):
        return HEAP_FULL
    shared = _find_shared(sources, targets, workspace)
    if shared != NONE:
        return shared
    floor = threshold * (1 - SLACK)
    if not dense:
        best = meet(out, into, sources.nodes, _predecessors(into, targets, workspace), floor, True, False, workspace)
        if best <= 0.0:
            return HEAP_FULL if best < 0.0 else NONE
    best = meet(out, into, sources.nodes, targets.nodes, floor, False, False, workspace)
    if best < 0.0:
        return HEAP_FULL
    if best > 0.0:
        floor = best * (1 - SLACK)
        if not (_trace_to_sources(into, floor, workspace) and _trace_to_targets(out, into, floor, workspace)):
            return HEAP_FULL
        node = _best_first(out, into, sources, targets, threshold, TRACED, floor, workspace)
        if node == HEAP_FULL or (node >= 0 and workspace.forward.reached[node] >= floor):
            return node
        return _best_first(out, into, sources, targets, threshold, ALL_EDGES, floor, workspace)
    best = meet(out, into, sources.nodes, _predecessors(into, targets, workspace), floor, False, True, workspace)
    if best <= 0.0:
        return HEAP_FULL if best < 0.0 else NONE
    if not _trace_to_sources(into, floor, workspace):
        return HEAP_FULL
    return _best_first(out, into, sources, targets, threshold, BOUNDED, floor, workspace)


@machine_code
def _find_shared(sources: Ends, targets: Ends, workspace: Workspace) -> int:
    """Flag the targets and their equivalents, and return the most preferred node that is both source and target."""
    clear_flags(workspace)
    for index in range(targets.original_count):
        set_flag(workspace, targets.nodes[index], TARGET)
    for index in range(targets.original_count, len(targets.nodes)):
        set_flag(workspace, targets.nodes[index], EQUIVALENT)
    shared, shortest = NONE, 0
    for index in range(sources.original_count):
        node = sources.nodes[index]
        if workspace.flags[node] & TARGET:
            length = min(index, MAX_POSITION) + min(find_position(targets, node), MAX_POSITION)
            if shared == NONE or length < shortest or (length == shortest and node < shared):
                shared, shortest = node, length
    if shared != NONE:
        clear(workspace.forward)
        improve(workspace.forward, shared, 1.0, 0)
        workspace.previous[shared] = NONE
    return shared


@machine_code
def _predecessors(into: WeightedEdges, targets: Ends, workspace: Workspace) -> np.ndarray:
    """Return the nodes one step before the targets."""
    number = 0
    for end in range(len(targets.nodes)):
        target = targets.nodes[end]
        if end >= targets.original_count:
            number = _append_predecessor(workspace, target, number)
            continue
        for index in range(into.first[target], into.first[target + 1]):
            number = _append_predecessor(workspace, into.next[index], number)
    for index in range(number):
        workspace.flags[workspace.nodes[index]] &= ~PREDECESSOR
    return workspace.nodes[:number]


@machine_code
def _append_predecessor(workspace: Workspace, node: int, number: int) -> int:
    """Append a node to the list of predecessors unless it is listed, and return the length of the list."""
    if workspace.flags[node] & PREDECESSOR:
        return number
    set_flag(workspace, node, PREDECESSOR)
    workspace.nodes[number] = node
    return number + 1


@machine_code
def _trace_to_sources(into: WeightedEdges, floor: float, workspace: Workspace) -> bool:
    """Add the transitions on the best paths from the sources to the meetings that reach ``floor``; False if the list is full.

    A transition is on a best path if it yields exactly the known score.
    """
    reached = workspace.forward.reached
    workspace.sizes[2] = 0
    done, traced = 0, _collect_meetings(workspace, floor, ON_FORWARD_PATH)
    while done < traced:
        node = workspace.nodes[done]
        done += 1
        for index in range(into.first[node], into.first[node + 1]):
            predecessor, weight = into.next[index], into.weight[index]
            if reached[predecessor] > 0.0 and reached[predecessor] * weight == reached[node]:
                traced = append_once(workspace, predecessor, ON_FORWARD_PATH, traced)
                if not add_edge(workspace, predecessor, node, weight, into.length[index]):
                    return False
    return True


@machine_code
def _trace_to_targets(out: WeightedEdges, into: WeightedEdges, floor: float, workspace: Workspace) -> bool:
    """Add the transitions on the best paths from the meetings to the targets; False if the list is full.

    These products were computed from the other end, so they are compared with a slack.
    """
    backward_scores, known = workspace.backward.reached, workspace.backward
    done, traced = 0, _collect_meetings(workspace, floor, ON_BACKWARD_PATH)
    while done < traced:
        node = workspace.nodes[done]
        done += 1
        least = backward_scores[node] * (1 - SLACK)
        if out.first[node + 1] - out.first[node] <= SMALL_DEGREE + known.sizes[0]:
            for index in range(out.first[node], out.first[node + 1]):
                other, weight = out.next[index], out.weight[index]
                if backward_scores[other] * weight >= least and backward_scores[other] > 0.0:
                    traced = append_once(workspace, other, ON_BACKWARD_PATH, traced)
                    if not add_edge(workspace, node, other, weight, out.length[index]):
                        return False
            continue
        for number in range(known.sizes[0]):  # the touched nodes are fewer than the hub's transitions
            other = known.touched[number]
            if backward_scores[other] >= least:
                for index in range(into.first[other], into.first[other + 1]):
                    if into.next[index] == node and backward_scores[other] * into.weight[index] >= least:
                        traced = append_once(workspace, other, ON_BACKWARD_PATH, traced)
                        if not add_edge(workspace, node, other, into.weight[index], into.length[index]):
                            return False
    return True


@machine_code
def _collect_meetings(workspace: Workspace, floor: float, flag: int) -> int:
    """Fill the list of nodes with the meetings that reach ``floor``, and return its length."""
    number = 0
    for index in range(workspace.sizes[1]):
        if workspace.meeting_scores[index] >= floor:
            number = append_once(workspace, workspace.meeting_nodes[index], flag, number)
    return number


@machine_code
def _best_first(
    out: WeightedEdges,
    into: WeightedEdges,
    sources: Ends,
    targets: Ends,
    threshold: float,
    mode: int,
    floor: float,
    workspace: Workspace,
) -> int:
    """Search as ``best_first`` does, for one target set; the bound comes from the flags and from ``workspace.backward``.

    Its targets as ends of a path are numbered after the nodes, and the target set itself is numbered last: among items with the
    same score and length a heap returns the smaller number first, so when the set is popped every end as good is known.
    """
    frontier, flags, previous, first_end = workspace.forward, workspace.flags, workspace.previous, len(out.heaviest)
    set_node = first_end + len(targets.nodes)
    clear(frontier)
    for end in range(len(sources.nodes)):
        node, index = sources.nodes[end], sources.position[end]
        if mode == ALL_EDGES or flags[node] & ON_FORWARD_PATH:
            _update_label(workspace, sources.nodes[index], 1.0, min(index, MAX_POSITION), NONE)
            if end >= sources.original_count:
                _update_label(workspace, node, 1.0, min(index, MAX_POSITION) + STEP_LENGTH, sources.nodes[index])
    while frontier.sizes[1] > 0:
        score, key = frontier.scores[0], frontier.keys[0]
        node, length = key & 0xFFFFFFFF, key >> 32
        pop(frontier)
        if frontier.reached[node] != score or workspace.lengths[node] != length:
            continue
        if node == set_node:
            return int(previous[node])
        if node >= first_end:
            _update_set(workspace, set_node, score, length + min(node - first_end, MAX_POSITION), node, targets.nodes)
            continue
        begin, end = out.first[node], out.first[node + 1]
        added = (workspace.sizes[2] if mode == TRACED else end - begin) + len(targets.nodes)
        if frontier.sizes[1] + added >= len(frontier.keys):
            return HEAP_FULL
        if flags[node] & TARGET:
            _update_label(workspace, first_end + find_position(targets, node), score, length, previous[node])
        if score < threshold:
            continue
        if flags[node] & EQUIVALENT:
            for index in range(targets.original_count, len(targets.nodes)):
                if targets.nodes[index] == node:
                    _update_label(workspace, first_end + targets.position[index], score, length + STEP_LENGTH, node)
        if mode == TRACED:
            number = workspace.last_edge[node]
            while number != NONE:
                other, new = workspace.edge_targets[number], score * workspace.edge_weights[number]
                _relax(workspace, node, other, new, length + workspace.edge_lengths[number], threshold)
                number = workspace.previous_edge[number]
            continue
        if mode == BOUNDED and end - begin > SMALL_DEGREE + workspace.backward.sizes[0] + workspace.sizes[0]:
            scored = workspace.backward.touched[: workspace.backward.sizes[0]]
            _relax_hub(into, node, scored, score, length, threshold, floor, workspace)
            _relax_hub(into, node, workspace.flagged[: workspace.sizes[0]], score, length, threshold, floor, workspace)
            continue
        for index in range(begin, end):
            other, new = out.next[index], score * out.weight[index]
            if (
                mode == ALL_EDGES
                or flags[other] & (TARGET | ON_FORWARD_PATH)
                or new * workspace.backward.reached[other] >= floor
            ):
                _relax(workspace, node, other, new, length + out.length[index], threshold)
    return NONE


@machine_code
def _relax_hub(
    into: WeightedEdges,
    hub: int,
    nodes: np.ndarray,
    score: float,
    length: int,
    threshold: float,
    floor: float,
    workspace: Workspace,
) -> None:
    """Relax the transitions from a hub to those of these nodes that the bound admits; its other transitions cannot matter."""
    for other in nodes:
        for index in range(into.first[other], into.first[other + 1]):
            if into.next[index] == hub:
                new = score * into.weight[index]
                if workspace.flags[other] & (TARGET | ON_FORWARD_PATH) or new * workspace.backward.reached[other] >= floor:
                    _relax(workspace, hub, other, new, length + into.length[index], threshold)


@machine_code
def _relax(workspace: Workspace, node: int, other: int, score: float, length: int, threshold: float) -> None:
    """Relax a transition, unless it leads below the threshold and not to a target."""
    if score >= threshold or workspace.flags[other] & TARGET:
        _update_label(workspace, other, score, length, node)


@machine_code
def _update_label(workspace: Workspace, node: int, score: float, length: int, predecessor: int) -> None:
    """Record a label and push the node, if the label is better than the known one."""
    known = workspace.forward.reached[node]
    if score > known or (score == known and length < workspace.lengths[node]):
        workspace.lengths[node], workspace.previous[node] = length, predecessor
        improve(workspace.forward, node, score, length << 32 | node)
    elif score == known and length == workspace.lengths[node] and predecessor < workspace.previous[node]:
        workspace.previous[node] = predecessor


@machine_code
def _update_set(workspace: Workspace, set_node: int, score: float, length: int, end: int, targets: np.ndarray) -> None:
    """Record an end of a path to the target set; of equally good ones that of the smaller target."""
    if score != workspace.forward.reached[set_node] or length != workspace.lengths[set_node]:
        _update_label(workspace, set_node, score, length, end)
        return
    first_end = set_node - len(targets)
    if targets[end - first_end] < targets[workspace.previous[set_node] - first_end]:
        workspace.previous[set_node] = end
