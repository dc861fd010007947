"""Bidirectional search for the best path to one target set: the same answer as ``best_first``, faster.

A path counts if its score before the last step is not below the threshold, because only such nodes are expanded; the last
step may lead below it. So up to three searches are run, each with two frontiers that grow towards each other:

1. From the sources to the *predecessors* of the targets: if no path reaches the threshold there, the score is 0. (Skipped where
   most pairs are connected, see ``search_both_ends``.)
2. From the sources to the targets themselves, for paths that do not fall below the threshold. The best of them is the answer.
3. If there is none, from the sources to the predecessors again, this time for every path that reaches the threshold: the answer
   is one of them and one more step.

The equivalents of sources and targets belong to the two ends: there they cost nothing.

Products computed from the far end are rounded differently. So scores are compared with a relative slack, and ``best_first``
searches the remaining nodes once more, which yields exactly the score and the path of the plain search.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import inf
from typing import Generic, NamedTuple

from ..bases.view import N
from .best_first import BestPath, best_first, position_costs
from .weighted import WeightedView

SLACK = 1e-12
"""Relative tolerance for rounding: far above the error of 250 multiplications, far below any difference between two weights."""


class Meeting(NamedTuple, Generic[N]):
    """The meeting of two frontiers.

    - ``best``: the greatest product of a path through a meeting point
    - ``nodes``: the meeting points that reach it, apart from rounding
    - ``forward_scores``: the best known product from a source to each node
    - ``backward_scores``: the best known product from each node to an end
    """

    best: float
    nodes: Collection[N]
    forward_scores: Mapping[N, float]
    backward_scores: Mapping[N, float]


def search_both_ends(view: WeightedView[N], sources: Sequence[N], targets: Sequence[N]) -> BestPath[N] | None:
    """Return the best path from the sources to the targets, or None; both have preferred nodes first."""
    source_costs, target_costs = position_costs(sources), position_costs(targets)
    shared = [(source_costs[node] + target_costs[node], node) for node in source_costs.keys() & target_costs]
    if shared:
        return BestPath(1.0, (min(shared)[1],), (1.0,))
    floor = view.parameters.threshold * (1 - SLACK)
    # Derivations between words connect most pairs, so the first search would rarely end with a score of 0.
    is_dense = view.view.has_word_derivations and view.parameters.uses_word_derivation
    starts, ends = _with_equivalents(view, sources), _with_equivalents(view, targets)
    if not is_dense and not meet(view, starts, _predecessors(view, targets), floor, stop_at_first=True).best:
        return None
    meeting = meet(view, starts, ends, floor)
    if not meeting.best:
        meeting = meet(view, starts, _predecessors(view, targets), floor, keep_all=True)
        return _search_through(view, sources, targets, meeting, floor) if meeting.best else None
    floor = meeting.best * (1 - SLACK)
    found = _search_through(view, sources, targets, meeting, floor)
    if found is None or found.score < floor:  # the meeting was below the threshold by less than the slack
        (found,) = best_first(view, sources, [targets])
    return found


def _with_equivalents(view: WeightedView[N], nodes: Collection[N]) -> set[N]:
    return {*nodes, *(equivalent for node in nodes for equivalent in view.equivalents(node))}


def _predecessors(view: WeightedView[N], targets: Collection[N]) -> set[N]:
    """Return the nodes one step before the targets."""
    found = {node for target in targets for _, node, _ in view.backward[target]}
    return found.union(*(view.equivalents(target) for target in targets))


def _search_through(
    view: WeightedView[N], sources: Sequence[N], targets: Sequence[N], meeting: Meeting[N], floor: float
) -> BestPath[N] | None:
    """Return the best path among those that reach ``floor`` and lead through a meeting point.

    Up to the meeting point such a path consists of traced nodes, which are never pruned. After it, the backward score of a node
    is an upper bound on the product of the remaining transitions.
    """
    unpruned = _trace_to_sources(view, meeting).union(targets)
    backward_scores = meeting.backward_scores

    def remaining_bound(node: N) -> float:
        return inf if node in unpruned else backward_scores.get(node, 0.0)

    (found,) = best_first(view, sources, [targets], remaining_bound, floor)
    return found


def meet(
    view: WeightedView[N],
    sources: Collection[N],
    ends: Collection[N],
    floor: float,
    *,
    stop_at_first: bool = False,
    keep_all: bool = False,
) -> Meeting[N]:
    """Grow two frontiers until no unseen path can reach ``floor`` or, apart from rounding, the best meeting.

    Args:
        view: The weighted transitions.
        sources: Where the forward frontier starts, at 1.0.
        ends: Where the backward frontier starts, at 1.0.
        floor: The least product of a path that matters.
        stop_at_first: Stop at the first meeting, even if a better one may follow.
        keep_all: Find all meetings that reach ``floor``, not only the best.
    """
    forward_scores: dict[N, float] = dict.fromkeys(sources, 1.0)
    backward_scores: dict[N, float] = dict.fromkeys(ends, 1.0)
    forward_heap: list[tuple[float, N]] = [(-1.0, node) for node in forward_scores]
    backward_heap: list[tuple[float, N]] = [(-1.0, node) for node in backward_scores]
    heapify(forward_heap)
    heapify(backward_heap)
    view.view.prefetch_from("out", forward_heap)
    view.view.prefetch_from("in", backward_heap)
    met = [(1.0, node) for node in forward_scores if node in backward_scores]
    best, needed = (1.0, floor if keep_all else 1.0 - SLACK) if met else (0.0, floor)
    # Invariant: every path whose product reaches ``needed`` either has a recorded meeting or a node in each frontier. In the
    # second case its product is at most that of the best scores in the two heaps: the first bounds the part up to the one node,
    # the second the part after the other. So once that product is below ``needed``, no path is missing.
    while forward_heap and backward_heap and not (stop_at_first and met):
        forward_best, backward_best = -forward_heap[0][0], -backward_heap[0][0]
        if forward_best * backward_best < needed:
            break
        # Expand the smaller frontier; ``far`` is the best score in the other one.
        if len(forward_heap) <= len(backward_heap):
            scores, heap, edges, score = forward_scores, forward_heap, view.forward, forward_best
            other_scores, far = backward_scores, backward_best
        else:
            scores, heap, edges, score = backward_scores, backward_heap, view.backward, backward_best
            other_scores, far = forward_scores, forward_best
        node = heappop(heap)[1]
        expansion = edges[node] if scores[node] == score else ()  # else it was popped before with a better score
        # Either the other side has scored this node, or the path continues to a node that the other side has not popped, and
        # the product of its transitions from there is at most ``far``.
        if not expansion or score * max(other_scores.get(node, 0.0), far * expansion[0][0]) < needed:
            continue
        known = scores.get
        for weight, other, _ in expansion:  # heaviest first
            new = score * weight
            # This prunes no path that matters. Each such path has two neighbouring nodes of which one is popped from the
            # forward heap and the next from the backward heap. When the first of the two was popped, the other side had not
            # popped the second. So the product beyond the second was at most ``far``, and the transition passed this test.
            # The second became a meeting point as soon as both of its scores were known.
            if new * far < needed:
                break
            if new > known(other, 0.0):
                scores[other] = new
                heappush(heap, (-new, other))
                if other in other_scores and (product := new * other_scores[other]) >= needed:
                    met.append((product, other))
                    if product > best:
                        best = product
                        needed = floor if keep_all else best * (1 - SLACK)
    return Meeting(best, [node for product, node in met if product >= needed], forward_scores, backward_scores)


def _trace_to_sources(view: WeightedView[N], meeting: Meeting[N]) -> set[N]:
    """Return the nodes on the best paths from the sources to the meeting points, recognised by equal products."""
    scores = meeting.forward_scores
    waiting = list(meeting.nodes)
    traced: set[N] = set()
    while waiting:
        node = waiting.pop()
        if node not in traced:
            traced.add(node)
            score = scores[node]
            waiting += [each for weight, each, _ in view.backward[node] if scores.get(each, 0.0) * weight == score]
    return traced
