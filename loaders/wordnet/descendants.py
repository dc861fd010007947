"""Count all synsets below each synset of a hierarchy, each once however many ways lead down to it."""

from __future__ import annotations

import numpy as np

from ...core.arrays import IntArray

MAX_INTERVALS = 1_024
"""The greatest number of intervals in which a set of descendants is stored; in WordNet 3.1 the largest has 563."""

MAX_UNITED = 4_000_000
"""After so many intervals have been united, a set is stored in ``FEW_INTERVALS``; WordNet 3.1 needs a sixteenth of that."""

FEW_INTERVALS = 16

Intervals = list[tuple[int, int]]
"""Disjoint ranges of numbers in ascending order, each as its first number and the one after its last."""


def count_descendants(specific: IntArray, general: IntArray, size: int) -> IntArray:
    """Return how many other synsets are below each synset.

    The synsets of a cycle are all below each other. The counts are exact except in a lexicon with far more cross-connections
    than any WordNet (see ``MAX_INTERVALS``, ``MAX_UNITED``): there they are too large, but still grow upwards.

    Args:
        specific: The number of the more specific synset of each edge.
        general: The number of the more general one.
        size: The number of synsets.

    >>> count_descendants(np.array([1, 2, 3, 3, 4]), np.array([0, 0, 1, 2, 4]), 5).tolist()
    [3, 1, 1, 0, 0]
    """
    order = np.argsort(general, kind="stable")
    below = specific[order].tolist()
    first = np.searchsorted(general[order], np.arange(size + 1)).tolist()
    # Tarjan's algorithm completes a component (a synset, or all synsets of a cycle) after everything below it. Numbered in that
    # order, what a depth-first search finds below a component is one interval of numbers; only a synset that was found before,
    # below another parent, adds an interval. So trees and chains of any depth have one interval a component (tree cover of
    # Agrawal, Borgida and Jagadish 1989).
    counts = np.zeros(size, np.int64)
    entered, lowest = [0] * size, [0] * size  # in the order of entering, from 1; 0: not entered
    component = [-1] * size
    covers: list[Intervals] = []
    path: list[int] = []  # entered, and not yet in a component
    entries = completed = united = 0
    position = first[:size]  # of each synset, the next child to look at
    for root in range(size):
        if entered[root]:
            continue
        waiting = [root]
        while waiting:
            node = waiting[-1]
            if not entered[node]:
                entries += 1
                entered[node] = lowest[node] = entries
                path.append(node)
            while position[node] < first[node + 1] and entered[below[position[node]]]:
                child = below[position[node]]
                if component[child] < 0:
                    lowest[node] = min(lowest[node], lowest[child])
                position[node] += 1
            if position[node] < first[node + 1]:
                waiting.append(below[position[node]])  # looked at once more when it has been completed
                continue
            waiting.pop()
            if lowest[node] < entered[node]:
                continue
            members = [path.pop()]
            while members[-1] != node:
                members.append(path.pop())
            for member in members:
                component[member] = len(covers)
            parts = {component[child] for member in members for child in below[first[member] : first[member + 1]]}
            parts.discard(len(covers))
            intervals = [*(each for part in parts for each in covers[part]), (completed, completed + len(members))]
            united += len(intervals)
            cover = _unite(intervals, MAX_INTERVALS if united <= MAX_UNITED else FEW_INTERVALS)
            completed += len(members)
            covers.append(cover)
            counts[members] = sum(end - begin for begin, end in cover) - 1
    return counts


def _unite(intervals: Intervals, limit: int) -> Intervals:
    """Return the union of some intervals; beyond a limit the smallest gaps between them are closed."""
    if len(intervals) == 1:  # as for all synsets without any below them
        return intervals
    intervals.sort()
    united: Intervals = []
    begin, end = intervals[0]
    for next_begin, next_end in intervals:
        if next_begin > end:
            united.append((begin, end))
            begin, end = next_begin, next_end
        elif next_end > end:
            end = next_end
    united.append((begin, end))
    if len(united) <= limit:
        return united
    gaps = sorted(range(1, len(united)), key=lambda index: united[index][0] - united[index - 1][1])
    kept = sorted(gaps[len(united) - limit :])
    starts, ends = [0, *kept], [*(index - 1 for index in kept), len(united) - 1]
    return [(united[one][0], united[other][1]) for one, other in zip(starts, ends, strict=True)]
