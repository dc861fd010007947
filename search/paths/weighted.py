"""A view with its transitions weighted by one set of parameters: EXPAND of Algorithms 4 and 5, with the cache of 5.3.3."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import groupby
from typing import TYPE_CHECKING, Generic

from ..bases.projection import Projection
from ..bases.view import CacheInfo, N, View
from ..scoring.transitions import TransitionKind

if TYPE_CHECKING:
    from ...graph.records import Direction
    from ..bases.projection import Column, Weighting
    from ..bases.view import Transition
    from ..scoring.parameters import Parameters
    from ..scoring.transitions import TransitionClass
    from .best_first import BestPath


CACHED_RUNS = 10_000
"""How many sequences of classes or groups keep their runs: most nodes of a base share a few."""

Run = tuple[float, int, int, int]
"""Transitions of equal weight and length: the two, and from where to where their nodes are in an ``Expansion``."""

Expansion = tuple[Sequence[N], Sequence[Run]]
"""The transitions of a node in one direction: the nodes at their other ends, and their runs, heaviest first, none of weight 0.

Millions of expansions may be cached. Numbers alone cost the garbage collector little, and most expansions share their runs.
"""


class ExpansionCache(dict[N, Expansion[N]]):
    """The expansions of nodes, computed on demand. Beyond ``limit`` entries the oldest is evicted."""

    def __init__(self, expand: Callable[[N], Expansion[N]], limit: int) -> None:
        super().__init__()
        self._expand = expand
        self.limit = limit
        self.misses = 0

    def __missing__(self, node: N) -> Expansion[N]:
        expansion = self._expand(node)
        self.misses += 1
        while len(self) >= self.limit:
            self.pop(next(iter(self), node), None)
        self[node] = expansion
        return expansion


def _transition_reader(view: View[N], parameters: Parameters) -> Callable[[N, Direction], Iterable[Transition[N]]]:
    """Return the transitions of a view without reading what these parameters do not use."""
    return partial(view.transitions, without=parameters.unused_kinds, shares_aside=parameters.ic_aside > 0.0)


def _expand_transitions(view: View[N], parameters: Parameters) -> Callable[[Direction], Callable[[N], Expansion[N]]]:
    """Return for each direction the function that expands a node of any view."""
    weigh = cache(parameters.weight)
    lengths = [kind.length for kind in TransitionKind]
    read = _transition_reader(view, parameters)

    def expand(node: N, direction: Direction) -> Expansion[N]:
        found = [(other, weigh(transition), lengths[transition.kind]) for other, transition in read(node, direction)]
        return tuple(other for other, _, _ in found), _find_runs([(weight, length) for _, weight, length in found])

    return lambda direction: partial(expand, direction=direction)


def _expand_rows(projection: Projection, weighting: Weighting) -> Callable[[Direction], Callable[[int], Expansion[int]]]:
    """Return the same for a projection, which stores the class and the group of each transition: faster."""
    column, weights, lengths, _ = weighting

    @lru_cache(CACHED_RUNS)
    def find_runs(numbers: bytes) -> Sequence[Run]:
        runs: list[Run] = []
        row = memoryview(numbers).cast("i")
        last = 0
        while last < len(row):
            first, number = last, row[last]
            last = bisect_right(row, number, first)  # rows are sorted by their numbers
            if weights[number] > 0.0:
                runs.append((weights[number], lengths[number], first, last))
        return tuple(sorted(runs, reverse=True))

    def expand(node: int, direction: Direction) -> Expansion[int]:
        nodes, numbers = projection.rows(node, direction, column)
        return nodes, find_runs(numbers.tobytes())

    return lambda direction: partial(expand, direction=direction)


def _find_runs(transitions: Sequence[tuple[float, int]]) -> Sequence[Run]:
    """Return the runs of transitions, which are given by their weights and lengths."""
    runs: list[Run] = []
    first = 0
    for (weight, length), equal in groupby(transitions):
        last = first + sum(1 for _ in equal)
        if weight > 0.0:
            runs.append((weight, length, first, last))
        first = last
    return tuple(sorted(runs, reverse=True))


class WeightedView(Generic[N]):
    """A view with its transitions weighted by one set of parameters.

    Args:
        view: The view of a base, or of several as one.
        parameters: The transition scores and the stopping threshold.
        cache_size: How many expansions are cached in each direction.
    """

    def __init__(self, view: View[N], parameters: Parameters, cache_size: int = 200_000) -> None:
        self.view = view
        self.parameters = parameters
        self._column: Column = "class"
        if isinstance(view, Projection):
            weighting = view.weigh(parameters)
            self._column = weighting.column
            expand = _expand_rows(view, weighting)
        else:
            expand = _expand_transitions(view, parameters)
        self.forward = ExpansionCache(expand("out"), cache_size)
        self.backward = ExpansionCache(expand("in"), cache_size)

    def transitions(self, node: N, direction: Direction) -> Iterator[tuple[float, N, int]]:
        """Yield the transitions of a node as (weight, other node, length), heaviest first."""
        others, runs = (self.forward if direction == "out" else self.backward)[node]
        for weight, length, first, last in runs:
            yield from ((weight, other, length) for other in others[first:last])

    def describe_transition(self, path: BestPath[N], place: int) -> TransitionClass:
        """Return the class of the transition to a place of a path: the heaviest between the two nodes.

        Of equally heavy ones it is the one whose kind comes first.
        """
        node, following = path.nodes[place - 1], path.nodes[place]
        if path.numbers and isinstance(self.view, Projection):
            return self.view.find_class(node, following, self._column, path.numbers[place])
        weight = self.parameters.weight
        transitions = _transition_reader(self.view, self.parameters)(node, "out")
        found = [transition for other, transition in transitions if other == following]
        return min(found, key=lambda each: (-weight(each), each))

    def equivalents(self, node: N) -> Sequence[N]:
        """Return the entities that are the same as this one at an end of a path."""
        return self.view.equivalents(node)

    def cache_info(self) -> dict[str, CacheInfo]:
        """Return the statistics of the view's caches and of the two caches of expansions."""
        own = {"weighted out": self.forward, "weighted in": self.backward}
        return {
            **self.view.cache_info(),
            **{name: CacheInfo(None, each.misses, each.limit, len(each)) for name, each in own.items()},
        }
