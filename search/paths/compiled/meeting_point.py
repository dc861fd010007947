"""The meeting of two frontiers, compiled by numba: ``paths.bidirectional.meet`` over arrays."""

from __future__ import annotations

import numpy as np

from ....core.jit import machine_code
from ..bidirectional import SLACK
from .edge_weights import WeightedEdges
from .heap import Frontier, improve, pop, push, restart
from .workspace import Workspace

HUB_DEGREE = 128
"""A node with more transitions than this is expanded weight by weight, see ``meet``."""


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

    A hub is expanded weight by weight: after the transitions of one weight it is pushed again with the score that those of the
    next weight would yield. So the members of a hub, which each keep little of its score, are reached late or never.
    ``deferred`` is the best score among the hubs that the other side has pushed again: beyond a transition into such a hub a
    path may keep more than ``far``.
    """
    ahead, behind = workspace.ahead, workspace.behind
    largest = len(workspace.meeting_nodes)
    if len(ends) >= largest:
        return -1.0
    restart(ahead, sources)
    restart(behind, ends)
    met = _meet_at_ends(ends, workspace)
    best, deferred_ahead, deferred_behind = (1.0 if met > 0 else 0.0), 0.0, 0.0
    needed = floor if keep_all or met == 0 else 1.0 - SLACK
    while ahead.sizes[1] > 0 and behind.sizes[1] > 0 and not (stop_at_first and met > 0):
        front_score, back_score = ahead.scores[0], behind.scores[0]
        if front_score * back_score < needed and min(front_score * deferred_behind, deferred_ahead * back_score) < needed:
            break
        forward = ahead.sizes[1] + (_expansion_size(out, ahead) >> 2) <= behind.sizes[1] + (_expansion_size(into, behind) >> 2)
        if forward:
            mine, theirs, edges, pushed_score, far, deferred = ahead, behind, out, front_score, back_score, deferred_behind
        else:
            mine, theirs, edges, pushed_score, far, deferred = behind, ahead, into, back_score, front_score, deferred_ahead
        node = mine.keys[0]
        pop(mine)
        reached, loose_bound = mine.reached[node], max(far, deferred)
        bound = (
            _rest_bound(theirs.reached[node], far, deferred, edges.heaviest[node]) if pushed_score == reached else loose_bound
        )
        row, end = edges.first[node], edges.first[node + 1]
        if pushed_score * bound < needed or (pushed_score != reached and end - row <= HUB_DEGREE):
            continue
        row, stop = _next_batch(edges, node, reached, pushed_score) if end - row > HUB_DEGREE else (row, end)
        if max(mine.sizes[1], met) + stop - row >= largest:
            return -1.0
        for number in range(row, stop):
            new = reached * edges.weight[number]
            if new * loose_bound < needed:
                end = stop
                break
            other = edges.next[number]
            if new <= mine.reached[other]:
                continue
            if new * _rest_bound(theirs.reached[other], far, deferred, edges.heaviest[other]) >= needed:
                improve(mine, other, new, other)
                product = new * theirs.reached[other]
                if product > 0.0 and product >= needed:
                    workspace.meeting_scores[met], workspace.meeting_nodes[met] = product, other
                    met += 1
                    if product > best:
                        best = product
                        needed = floor if keep_all else best * (1 - SLACK)
        if stop < end:
            push(mine, reached * edges.weight[stop], node)
            if forward:
                deferred_ahead = max(deferred_ahead, reached)
            else:
                deferred_behind = max(deferred_behind, reached)
    workspace.sizes[1] = met
    return best


@machine_code
def _meet_at_ends(ends: np.ndarray, workspace: Workspace) -> int:
    """Record the ends that are sources as meetings, and return their number."""
    met = 0
    for node in ends:
        if workspace.ahead.reached[node] == 1.0:
            workspace.meeting_scores[met], workspace.meeting_nodes[met] = 1.0, node
            met += 1
    return met


@machine_code
def _rest_bound(known: float, far: float, deferred: float, heaviest: float) -> float:
    """Return an upper bound on what a path keeps beyond a node: its score at the other side, or its heaviest transition."""
    bound = max(known, far * heaviest)
    return max(bound, min(far, deferred * heaviest)) if deferred > 0.0 else bound


@machine_code
def _expansion_size(edges: WeightedEdges, frontier: Frontier) -> int:
    """Return how many transitions are relaxed if the first node of the heap is popped."""
    node = frontier.keys[0]
    number = edges.first[node + 1] - edges.first[node]
    if number <= HUB_DEGREE:
        return int(number)
    row, stop = _next_batch(edges, node, frontier.reached[node], frontier.scores[0])
    return stop - row


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
