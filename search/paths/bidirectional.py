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

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from heapq import heapify, heappop, heappush
from math import inf
from typing import Generic, NamedTuple

from ..bases.view import N
from .best_first import BestPath, Weights, best_first, position_costs, weigh_nodes
from .weighted import ExpansionCache, WeightedView

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


def search_both_ends(
    view: WeightedView[N],
    sources: Sequence[N],
    targets: Sequence[N],
    source_weights: Weights = None,
    target_weights: Weights = None,
) -> BestPath[N] | None:
    """Return the best path from the sources to the targets, or None; both have preferred nodes first.

    Args:
        view: The weighted transitions and the stopping threshold.
        sources: The source set.
        targets: The target set.
        source_weights: The weights of the sources, as in ``best_first``.
        target_weights: The weights of the targets.
    """
    source_costs, target_costs = position_costs(sources), position_costs(targets)
    starts, ends = weigh_nodes(sources, source_weights), weigh_nodes(targets, target_weights)
    shared = [
        (source_costs[node] + target_costs[node], node) for node in starts.keys() & ends if starts[node] * ends[node] == 1.0
    ]
    if shared:
        return BestPath(1.0, (min(shared)[1],), (1.0,))
    floor = view.parameters.threshold * (1 - SLACK)
    # Derivations between words connect most pairs, so the first search would rarely end with a score of 0.
    is_dense = view.view.has_word_derivations and view.parameters.uses_word_derivation
    search = partial(best_first, view, sources, [targets], source_weights=source_weights, target_weights=[target_weights])
    starts = _with_equivalents(view, starts)
    if any(starts[node] * ends[node] < 1.0 for node in starts.keys() & ends):
        return search()[0]  # such a path without a step may begin below the threshold, which the searches below would miss
    predecessors = partial(_predecessors, view, targets)
    if not is_dense and not meet(view, starts, predecessors(), floor, stop_at_first=True).best:
        return None
    meeting = meet(view, starts, _with_equivalents(view, ends), floor)
    if not meeting.best:
        meeting = meet(view, starts, predecessors(), floor, keep_all=True)
        return _search_through(search, view, targets, meeting, floor) if meeting.best else None
    floor = meeting.best * (1 - SLACK)
    found = _search_through(search, view, targets, meeting, floor)
    if found is None or found.score < floor:  # the meeting was below the threshold by less than the slack
        (found,) = search()
    return found


def _with_equivalents(view: WeightedView[N], weights: Mapping[N, float]) -> dict[N, float]:
    found = dict(weights)
    for node, weight in weights.items():
        for equivalent in view.equivalents(node):
            found[equivalent] = max(weight, found.get(equivalent, 0.0))
    return found


def _predecessors(view: WeightedView[N], targets: Collection[N]) -> dict[N, float]:
    """Return the nodes one step before the targets, with the score 1.0."""
    found = {node for target in targets for _, node, _ in view.transitions(target, "in")}
    found.update(*(view.equivalents(target) for target in targets))
    return dict.fromkeys(found, 1.0)


def _search_through(
    search: Callable[..., list[BestPath[N] | None]],
    view: WeightedView[N],
    targets: Sequence[N],
    meeting: Meeting[N],
    floor: float,
) -> BestPath[N] | None:
    """Return the best path, by ``best_first``, among those that reach ``floor`` and lead through a meeting point.

    Up to the meeting point such a path consists of traced nodes, which are never pruned. After it, the backward score of a node
    is an upper bound on the product of the remaining transitions.
    """
    unpruned = _trace_to_sources(view, meeting).union(targets)
    backward_scores = meeting.backward_scores

    def remaining_bound(node: N) -> float:
        return inf if node in unpruned else backward_scores.get(node, 0.0)

    (found,) = search(remaining_bound, floor)
    return found


class Frontier(Generic[N]):
    """One of the two frontiers of ``meet``.

    - ``scores``: the best known score of each node that has been reached
    - ``levels``: for each score the nodes to be expanded with it; a node that has a better score by then is skipped
    - ``heap``: the negative scores of the levels, each with its nodes
    - ``best``, ``level``: the score of the next level, and its nodes
    - ``cost``: the size of the next level and a share of the nodes reached: where a side has spread, later levels are large too
    """

    level: list[N]
    best: float
    cost: float

    def __init__(self, starts: Mapping[N, float], expansions: ExpansionCache[N]) -> None:
        self.scores = dict(starts)
        self.expansions = expansions
        self.levels: dict[float, list[N]] = {}
        for node, score in starts.items():
            self.levels.setdefault(score, []).append(node)
        self.heap = [(-score, level) for score, level in self.levels.items()]
        heapify(self.heap)
        self.choose_level()

    def choose_level(self) -> None:
        """Make the level with the best score the next one, if there is any."""
        if self.heap:
            negative, self.level = self.heap[0]
            self.best = -negative
            self.cost = len(self.level) + len(self.scores) / 4


def meet(
    view: WeightedView[N],
    sources: Mapping[N, float],
    ends: Mapping[N, float],
    floor: float,
    *,
    stop_at_first: bool = False,
    keep_all: bool = False,
) -> Meeting[N]:
    """Grow two frontiers until no unseen path can reach ``floor`` or, apart from rounding, the best meeting.

    A score is a product of a few weights, so many nodes have the same one: they are expanded together, as a level.

    Args:
        view: The weighted transitions.
        sources: Where the forward frontier starts, with the scores there.
        ends: Where the backward frontier starts, with the scores there.
        floor: The least product of a path that matters.
        stop_at_first: Stop after the level with the first meeting, even if a better one may follow.
        keep_all: Find all meetings that reach ``floor``, not only the best.
    """
    forward, backward = Frontier(sources, view.forward), Frontier(ends, view.backward)
    view.view.prefetch_from("out", forward.heap)
    view.view.prefetch_from("in", backward.heap)
    met = [(product, node) for node in sources.keys() & ends if (product := sources[node] * ends[node]) >= floor]
    best = max(met)[0] if met else 0.0
    needed = best * (1 - SLACK) if met and not keep_all else floor
    # Invariant: every path whose product reaches ``needed`` either has a recorded meeting or a node in each frontier. In the
    # second case its product is at most that of the best scores in the two heaps: the first bounds the part up to the one node,
    # the second the part after the other. So once that product is below ``needed``, no path is missing.
    while forward.heap and backward.heap and not (stop_at_first and met):
        if forward.best * backward.best < needed:
            break
        near, other_side = (forward, backward) if forward.cost <= backward.cost else (backward, forward)
        score, level, far = near.best, near.level, other_side.best
        scores, levels, expansions, other_scores = near.scores, near.levels, near.expansions, other_side.scores
        known = scores.get
        while level:  # which may grow: a transition of weight 1.0 leads to the same level
            node = level.pop()
            if scores[node] != score:  # it was expanded with a better score
                continue
            others, runs = expansions[node]
            for weight, _, first, last in runs:  # heaviest first
                new = score * weight
                # This prunes no path that matters. Each such path has two neighbouring nodes of which one is expanded by the
                # forward search and the next by the backward search. When the first of the two was expanded, the other side had
                # not expanded the second. So the product beyond the second was at most ``far``, and the transition passed this
                # test. The second became a meeting point as soon as both of its scores were known.
                if new * far < needed:
                    break
                following = levels.get(new)
                if following is None:
                    following = levels[new] = []
                    heappush(near.heap, (-new, following))
                for other in others[first:last]:
                    if new > known(other, 0.0):
                        scores[other] = new
                        following.append(other)
                        if other in other_scores and (product := new * other_scores[other]) >= needed:
                            met.append((product, other))
                            if product > best:
                                best = product
                                needed = floor if keep_all else best * (1 - SLACK)
        heappop(near.heap)
        del levels[score]
        near.choose_level()
    return Meeting(best, [node for product, node in met if product >= needed], forward.scores, backward.scores)


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
            transitions = view.transitions(node, "in")
            waiting += [each for weight, each, _ in transitions if scores.get(each, 0.0) * weight == score]
    return traced
