"""The meeting of two frontiers, compiled by numba: ``paths.bidirectional.meet`` over arrays."""

from __future__ import annotations

import numpy as np

from ....core.jit import machine_code
from ..bidirectional import SLACK
from .edge_weights import WeightedEdges
from .heap import Frontier, improve, pop, push, restart
from .workspace import Workspace

HUB_DEGREE = 128
"""A node with more transitions than this is a hub, which is expanded weight by weight.

After the transitions of one weight a hub is pushed again with the score that those of the next weight would yield. So the
members of a hub, which each keep little of its score, are reached late or never.
"""


@machine_code
def meet(
    out: WeightedEdges,
    into: WeightedEdges,
    sources: np.ndarray,
    ends: np.ndarray,
    floor: float,
    stop_at_first: bool,
    keep_all: bool,
    workspace: Workspace,
) -> float:
    """Return the product of the best meeting, see ``paths.bidirectional.meet``; -1 if a heap is full.

    ``deferred`` is the best score among the hubs that the other side has pushed again: the product of a path after a
    transition into such a hub may exceed ``far``.
    """
    forward, backward = workspace.forward, workspace.backward
    largest = len(workspace.meeting_nodes)
    if len(ends) >= largest:
        return -1.0
    restart(forward, sources)
    restart(backward, ends)
    met = _meet_at_ends(ends, workspace)
    best, deferred_forward, deferred_backward = (1.0 if met > 0 else 0.0), 0.0, 0.0
    needed = floor if keep_all or met == 0 else 1.0 - SLACK
    while forward.sizes[1] > 0 and backward.sizes[1] > 0 and not (stop_at_first and met > 0):
        forward_best, backward_best = forward.scores[0], backward.scores[0]
        hub_bound = min(forward_best * deferred_backward, deferred_forward * backward_best)
        if max(forward_best * backward_best, hub_bound) < needed:
            break
        is_forward = _expansion_cost(out, forward) <= _expansion_cost(into, backward)
        if is_forward:
            frontier, opposite, edges, pushed_score = forward, backward, out, forward_best
            far, deferred = backward_best, deferred_backward
        else:
            frontier, opposite, edges, pushed_score = backward, forward, into, backward_best
            far, deferred = forward_best, deferred_forward
        node = frontier.keys[0]
        pop(frontier)
        reached, loose_bound = frontier.reached[node], max(far, deferred)
        is_first = pushed_score == reached  # else a hub pushed again, or an outdated item
        bound = _rest_bound(opposite.reached[node], far, deferred, edges.heaviest[node]) if is_first else loose_bound
        row, end = edges.first[node], edges.first[node + 1]
        if pushed_score * bound < needed or (not is_first and end - row <= HUB_DEGREE):
            continue
        row, stop = _next_batch(edges, node, reached, pushed_score) if end - row > HUB_DEGREE else (row, end)
        if max(frontier.sizes[1], met) + stop - row >= largest:
            return -1.0
        for number in range(row, stop):
            new = reached * edges.weight[number]
            if new * loose_bound < needed:
                end = stop
                break
            other = edges.next[number]
            if new <= frontier.reached[other]:
                continue
            if new * _rest_bound(opposite.reached[other], far, deferred, edges.heaviest[other]) >= needed:
                improve(frontier, other, new, other)
                product = new * opposite.reached[other]
                if product > 0.0 and product >= needed:
                    workspace.meeting_scores[met], workspace.meeting_nodes[met] = product, other
                    met += 1
                    best = max(best, product)
                    needed = floor if keep_all else best * (1 - SLACK)
        if stop < end:
            push(frontier, reached * edges.weight[stop], node)
            if is_forward:
                deferred_forward = max(deferred_forward, reached)
            else:
                deferred_backward = max(deferred_backward, reached)
    workspace.sizes[1] = met
    return best


@machine_code
def _meet_at_ends(ends: np.ndarray, workspace: Workspace) -> int:
    """Record the ends that are sources as meetings, and return their number."""
    met = 0
    for node in ends:
        if workspace.forward.reached[node] == 1.0:
            workspace.meeting_scores[met], workspace.meeting_nodes[met] = 1.0, node
            met += 1
    return met


@machine_code
def _rest_bound(known: float, far: float, deferred: float, heaviest: float) -> float:
    """Bound the product of a path after a node, by the score of the node on the other side and by its heaviest transition."""
    bound = max(known, far * heaviest)
    return max(bound, min(far, deferred * heaviest)) if deferred > 0.0 else bound


@machine_code
def _expansion_cost(edges: WeightedEdges, frontier: Frontier) -> int:
    """Estimate the cost of the next expansion: the items in the heap, and a quarter of the transitions that are relaxed."""
    node = frontier.keys[0]
    count = edges.first[node + 1] - edges.first[node]
    if count > HUB_DEGREE:
        row, stop = _next_batch(edges, node, frontier.reached[node], frontier.scores[0])
        count = stop - row
    return int(frontier.sizes[1] + (count >> 2))


@machine_code
def _next_batch(edges: WeightedEdges, node: int, reached: float, pushed_score: float) -> tuple[int, int]:
    """Return the range of a hub's transitions of the weight with which it was pushed.

    The range is empty at the start if the hub was pushed with its own score, and empty at the end if its score has grown since.
    """
    begin, end = edges.first[node], edges.first[node + 1]
    if pushed_score == reached and edges.heaviest[node] < 1.0:
        return begin, begin
    row = _bisect_weights(edges, begin, end, reached, pushed_score, False)
    if row == end or reached * edges.weight[row] != pushed_score:
        return end, end
    return row, _bisect_weights(edges, row, end, reached, pushed_score, True)


@machine_code
def _bisect_weights(edges: WeightedEdges, begin: int, end: int, reached: float, score: float, below: bool) -> int:
    """Return the index of the first transition that yields at most ``score``, or with ``below`` less; heaviest come first."""
    while begin < end:
        middle = (begin + end) >> 1
        left = reached * edges.weight[middle]
        if left < score or (left == score and not below):
            end = middle
        else:
            begin = middle + 1
    return begin
