"""Best-first search from one source set to several target sets: Algorithm 5 (MULTISEARCH) of the thesis.

The frontier is a max-heap of scores. All sources start at 1.0, the score of a node is the product of the transitions that lead
to it, and the first node popped that lies in a target set fixes the score of that set (lines 10 to 14). A node below the
stopping threshold is not expanded (line 20), but it can still be a target. Where the thesis is silent:

- *Equivalents.* An entity that is the same as a source (``View.equivalents``) starts at 1.0 too, one step further. An
  equivalent of a target leads into the target's set at no cost, but only into that set: in a multi-search every set is judged
  by itself. So the end of a path to a set is an item of its own in the frontier, beside the nodes.
- *Ties.* Of equal scores the shorter path wins (``scoring.transitions`` defines length), then the smaller id. So the path
  depends neither on the order in which a view yields transitions nor on the search method. A target's position in its set adds
  to the length as if it were the last step, from the target to its set.
- *Weights.* A source may start below 1.0, and the score of a path to a target may be multiplied by a weight at its end, which
  counts neither as a step nor for the threshold. A weight of 0 excludes a source or a target.
- *Pruning.* A transition that leads below the threshold is pushed only if it leads to a target: a node below the threshold that
  is no target would be popped without any effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Generic, NamedTuple

from ..bases.view import N
from ..scoring.transitions import MAX_POSITION, STEP_LENGTH
from .weighted import WeightedView

NODE = -1
"""In frontier items for nodes, in place of the number of a target set; sorts before every number."""

Label = tuple[float, int, N | None]
"""The best known path to a node: negative score, length, previous node. The smaller label is the better one."""

Weights = Sequence[float] | None
"""The weights of some nodes, from 0 to 1 in their order; None if each is 1."""

TargetEntries = dict[N, list[tuple[int, N]]]
"""For each node the targets it leads to at no cost, each with the number of its set."""


class BestPath(NamedTuple, Generic[N]):
    """The best path to a target set.

    - ``score``: the score at the target, times the target's weight
    - ``nodes``: from a source to a target
    - ``scores``: the score at each node
    - ``numbers``: the number of the transition to each node, for ``Projection.find_class``; only the search in C returns them
    """

    score: float
    nodes: tuple[N, ...]
    scores: tuple[float, ...]
    numbers: tuple[int, ...] = ()


def best_first(
    view: WeightedView[N],
    sources: Sequence[N],
    target_sets: Sequence[Sequence[N]],
    remaining_bound: Callable[[N], float] | None = None,
    score_floor: float = 0.0,
    *,
    source_weights: Weights = None,
    target_weights: Sequence[Weights] | None = None,
) -> list[BestPath[N] | None]:
    """Return the best path from the sources to each target set, or None.

    Args:
        view: The weighted transitions and the stopping threshold.
        sources: The source set, preferred nodes first.
        target_sets: The target sets, preferred nodes first in each.
        remaining_bound: Returns an upper bound on the product of the transitions from a node to a target. A node is pushed only
            if its score times this bound reaches ``score_floor``.
        score_floor: The least score of a path that matters; at most that of the best path, so that neither this path nor one of
            equal score is pruned.
        source_weights: The weights of the sources.
        target_weights: For each target set the weights of its nodes.
    """
    paths: list[BestPath[N] | None] = [None] * len(target_sets)
    open_sets = _target_costs(target_sets, target_weights or [None] * len(target_sets))
    own_entries, equivalent_entries = _target_entries(view, open_sets)
    threshold = view.parameters.threshold
    starts = _source_labels(view, sources, source_weights)
    labels = dict(starts)
    ends: dict[tuple[int, N], Label[N]] = {}
    frontier: list[tuple[float, int, int, N]] = [
        (negative, length, NODE, node) for node, (negative, length, _) in labels.items()
    ]
    heapify(frontier)
    visited: set[N] = set()
    # Invariant: items are popped in ascending order of (negative score, length), since no transition raises a score and each
    # adds to the length. So the label of a node is final when the node is first popped, and the first end popped for a set is
    # the best path to it. Nodes sort before ends (NODE), so every equally good path to a target is known by then.
    while frontier and open_sets:
        negative, length, number, node = heappop(frontier)
        if number != NODE:  # the end of a path to a set, lines 10 to 14
            if number in open_sets:
                paths[number] = _trace_path(labels, starts, ends[number, node], node, -negative)
                del open_sets[number]
            continue
        if node in visited:  # line 7
            continue
        visited.add(node)
        expands = -negative >= threshold  # line 20
        for number, target in (*own_entries.get(node, ()), *(equivalent_entries.get(node, ()) if expands else ())):
            label = labels[node] if target == node else (negative, length + STEP_LENGTH, node)
            if number in open_sets and ((number, target) not in ends or label < ends[number, target]):
                ends[number, target] = label
                cost, factor = open_sets[number][target]
                heappush(frontier, (negative * factor, label[1] + cost, number, target))
        if not expands:
            continue
        for weight, other, step in view.transitions(node, "out"):  # EXPAND, lines 23 to 30
            score = -negative * weight
            if score < threshold and other not in own_entries:
                continue
            if remaining_bound is not None and score * remaining_bound(other) < score_floor:
                continue
            label = (-score, length + step, node)
            known = labels.get(other)
            if known is None or label < known:
                labels[other] = label
                # If only the previous node differs, the item in the frontier still has the right key.
                if known is None or known[:2] != label[:2]:
                    heappush(frontier, (-score, length + step, NODE, other))
    return paths


def search_forwards(
    view: WeightedView[N],
    sources: Sequence[N],
    targets: Sequence[N],
    source_weights: Weights = None,
    target_weights: Weights = None,
) -> BestPath[N] | None:
    """Return what ``search_both_ends`` would, for a view that has no transitions into a node."""
    (path,) = best_first(view, sources, [targets], source_weights=source_weights, target_weights=[target_weights])
    return path


def position_costs(nodes: Sequence[N]) -> dict[N, int]:
    """Return what the position of each node in its set adds to the length of a path."""
    return {node: min(position, MAX_POSITION) for position, node in enumerate(nodes)}


def weigh_nodes(nodes: Sequence[N], weights: Weights) -> dict[N, float]:
    """Return the weight of each node, without those of weight 0."""
    if weights is None:
        return dict.fromkeys(nodes, 1.0)
    return {node: weight for node, weight in zip(nodes, weights, strict=True) if weight}


def _target_costs(target_sets: Sequence[Sequence[N]], weights: Sequence[Weights]) -> dict[int, dict[N, tuple[int, float]]]:
    """Return for each set that has targets what each adds to the length of a path, and its weight."""
    found = {}
    for number, (targets, of_set) in enumerate(zip(target_sets, weights, strict=True)):
        costs = position_costs(targets)
        if factors := weigh_nodes(targets, of_set):
            found[number] = {node: (costs[node], factor) for node, factor in factors.items()}
    return found


def _source_labels(view: WeightedView[N], sources: Sequence[N], weights: Weights) -> dict[N, Label[N]]:
    """Return the labels of the sources and their equivalents."""
    costs = position_costs(sources)
    labels: dict[N, Label[N]] = {node: (-weight, costs[node], None) for node, weight in weigh_nodes(sources, weights).items()}
    for node, (negative, cost, _) in list(labels.items()):
        for equivalent in view.equivalents(node):
            label = negative, cost + STEP_LENGTH, node
            if equivalent not in labels or label < labels[equivalent]:
                labels[equivalent] = label
    return labels


def _target_entries(view: WeightedView[N], target_sets: Mapping[int, Iterable[N]]) -> tuple[TargetEntries[N], TargetEntries[N]]:
    """Return the entries of the targets themselves, and those of their equivalents."""
    own: TargetEntries[N] = {}
    equivalents: TargetEntries[N] = {}
    for number, targets in target_sets.items():
        for target in targets:
            own.setdefault(target, []).append((number, target))
            for equivalent in view.equivalents(target):
                equivalents.setdefault(equivalent, []).append((number, target))
    return own, equivalents


def _trace_path(
    labels: Mapping[N, Label[N]], starts: Mapping[N, Label[N]], end: Label[N], target: N, score: float
) -> BestPath[N]:
    """Follow the previous nodes from a target back to a source."""
    nodes, scores = [target], [-end[0]]
    node, label = target, end
    while label[2] is not None:
        previous = label[2]
        nodes.append(previous)
        # A path that starts at an equivalent begins with its source, even if a better path leads to that.
        node, label = previous, (label[0], 0, None) if label == starts.get(node) else labels[previous]
        scores.append(-label[0])
    return BestPath(score, tuple(reversed(nodes)), tuple(reversed(scores)))
