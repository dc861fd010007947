"""A view with its transitions weighted by one set of parameters."""

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
"""The transitions of a node in one direction: weight, other node, length; heaviest first, none of weight 0."""


class Expansions(dict[N, Expansion[N]]):
    """The expansions asked for, made on demand; of more than ``limit`` the oldest goes."""

    def __init__(self, gather: Callable[[N], Expansion[N]], limit: int) -> None:
        super().__init__()
        self._gather = gather
        self.limit = limit
        self.made = 0

    def __missing__(self, node: N) -> Expansion[N]:
        """Make the expansion of a node."""
        found = self._gather(node)
        self.made += 1
        while len(self) >= self.limit:
            self.pop(next(iter(self), node), None)
        self[node] = found
        return found


class WeightedView(Generic[N]):
    """A view with its transitions weighted by one set of parameters."""

    def __init__(self, view: View[N], parameters: Parameters, remembered: int = 200_000) -> None:
        self.view = view
        self.parameters = parameters
        weigh = cache(parameters.weight)
        lengths = [kind.length for kind in TransitionKind]

        def gather(transitions: Iterable[Transition[N]]) -> Expansion[N]:
            heaviest: dict[N, tuple[float, int]] = {}
            for node, kind, breadth in transitions:
                weight = weigh(kind, breadth)
                if weight > 0.0:
                    found = weight, -lengths[kind]
                    if found > heaviest.get(node, (0.0, 0)):
                        heaviest[node] = found
            expansion = [(weight, node, -length) for node, (weight, length) in heaviest.items()]
            return sorted(expansion, key=itemgetter(0), reverse=True)

        words = parameters.by_word
        self.forward = Expansions(lambda node: gather(view.transitions(node, "out", words=words)), remembered)
        self.backward = Expansions(lambda node: gather(view.transitions(node, "in", words=words)), remembered)

    def between(self, node: N, following: N) -> Transition[N]:
        """The best transition from one node to the next; of equals the one whose kind comes first."""
        weight = self.parameters.weight
        transitions = self.view.transitions(node, "out", words=self.parameters.by_word)
        found = [each for each in transitions if each[0] == following]
        return min(found, key=lambda each: (-weight(each[1], each[2]), each[1:]))

    def twins(self, node: N) -> Sequence[N]:
        """The entities that are the same as this one at the ends of a path."""
        return self.view.twins(node)

    def caches(self) -> dict[str, CacheInfo]:
        """The caches of the view, and how many weighted expansions were made and are kept."""
        mine = {"weighted out": self.forward, "weighted in": self.backward}
        return {
            **self.view.caches(),
            **{name: CacheInfo(None, each.made, each.limit, len(each)) for name, each in mine.items()},
        }
