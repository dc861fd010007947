"""What a search sees of a stored base: a view yields the transitions around an entity, weighted or not.

``View`` is the raw reading side, the same for a live store and for a projection; ``Weighted`` gives each transition its
score from one set of parameters and remembers the latest expansions. Nodes are whatever a view likes to count with, as long
as they sort in the order of the entities' ids: that order breaks ties, so every view finds the same path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from .transitions import Kind

if TYPE_CHECKING:
    from ..graph.store import Direction
    from .transitions import Parameters


class Ordered(Protocol):
    """Anything that sorts and can be a key."""

    def __lt__(self, other: Any, /) -> bool: ...

    def __hash__(self) -> int: ...


N = TypeVar("N", bound=Ordered)


Transition = tuple[N, int, int]
"""One way on from a node, or into it when seen backwards: the other node, the ``Kind``, the breadth."""


class Entry(NamedTuple, Generic[N]):
    """What a label means in a base: entities by part of speech, and the labels that it is an irregular form of."""

    name: str
    senses: tuple[tuple[N, str], ...]  # most used first
    inflections: tuple[tuple[str, str], ...]


class Entity(NamedTuple):
    """What people read of a node, and its label in the graph."""

    id: str
    name: str
    gloss: str | None
    label: str = "Synset"


class CacheInfo(NamedTuple):
    """How well a bounded cache did; ``hits`` is None where counting them would cost more than a hit."""

    hits: int | None
    misses: int
    limit: int | None
    size: int


class Lexicon(Protocol[N]):
    """A base whose labels are words, which are looked up by their base forms."""

    def entries(self, names: Sequence[str]) -> dict[str, Entry[N]]:
        """The entries of labels; names that the base does not have are left out."""


class View(Protocol[N]):
    """The reading side of a base, or of several as one."""

    bases: tuple[str, ...]

    @property
    def by_words(self) -> bool:
        """Whether any of them has transitions of ``Kind.WORD_DERIVATION``."""

    @property
    def parts(self) -> Sequence[Any]:
        """The views of its bases, one by one."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of its bases, nothing where a base does not say."""

    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[N, str]:
        """The entities that a phrase of these words means as a whole, most used first, each with a label that leads to it."""

    def transitions(self, node: N, direction: Direction, *, words: bool = True) -> Iterable[Transition[N]]:
        """All transitions out of a node, or into it; without ``words`` those of ``Kind.WORD_DERIVATION`` may be missing."""

    def twins(self, node: N) -> Sequence[N]:
        """The entities that are the same as this one for a path that begins or ends there: those joined by ``Kind.CENTRAL``."""

    def word(self, node: N, following: N) -> str | None:
        """The word that a derivation leads to, of several the first of the alphabet; None for another transition."""

    def entities(self, nodes: Sequence[N]) -> list[Entity]:
        """What people read of these nodes."""

    def called(self, entity: Entity, label: str) -> Entity:
        """An end of a path under the name by which a phrase found it, if that is one of its own names."""

    def watch(self, direction: Direction, frontier: Sequence[tuple[Any, ...]]) -> None:
        """Take note of the heap of a search (its items end with a node), to fetch ahead from it."""

    def caches(self) -> dict[str, CacheInfo]:
        """The caches of this view."""


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


class Weighted(Generic[N]):
    """A view with its transitions weighted by one set of parameters."""

    def __init__(self, view: View[N], parameters: Parameters, remembered: int = 200_000) -> None:
        self.view = view
        self.parameters = parameters
        weigh = cache(parameters.weight)
        lengths = [kind.length for kind in Kind]

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
