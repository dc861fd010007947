"""A view with its transitions weighted by one set of parameters: EXPAND of Algorithms 4 and 5, with the cache of 5.3.3."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Generic

from ..bases.view import CacheInfo, N, Transition, View
from ..scoring.transitions import TransitionKind

if TYPE_CHECKING:
    from ..scoring.parameters import Parameters


Expansion = Sequence[tuple[float, N, int]]
"""The transitions of a node in one direction as (weight, other node, length): heaviest first, one for each other node, no 0."""


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
        weigh = cache(parameters.weight)
        lengths = [kind.length for kind in TransitionKind]

        def expand(transitions: Iterable[Transition[N]]) -> Expansion[N]:
            heaviest: dict[N, tuple[float, int]] = {}
            for node, kind, breadth in transitions:
                weight = weigh(kind, breadth)
                if weight > 0.0:
                    found = weight, -lengths[kind]
                    if found > heaviest.get(node, (0.0, 0)):
                        heaviest[node] = found
            expansion = [(weight, node, -length) for node, (weight, length) in heaviest.items()]
            return sorted(expansion, key=itemgetter(0), reverse=True)

        by_word = parameters.uses_word_derivation
        self.forward = ExpansionCache(lambda node: expand(view.transitions(node, "out", word_derivations=by_word)), cache_size)
        self.backward = ExpansionCache(lambda node: expand(view.transitions(node, "in", word_derivations=by_word)), cache_size)

    def best_transition(self, node: N, following: N) -> Transition[N]:
        """Return the heaviest transition from one node to the next; of equals the one whose kind comes first."""
        weight = self.parameters.weight
        transitions = self.view.transitions(node, "out", word_derivations=self.parameters.uses_word_derivation)
        found = [each for each in transitions if each[0] == following]
        return min(found, key=lambda each: (-weight(each[1], each[2]), each[1:]))

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
