"""What a search sees of a stored base: a view yields the transitions around an entity, weighted or not.

``View`` is the raw reading side, the same for a live store and for a projection; ``Weighted`` gives each transition its
score from one set of parameters and remembers the latest expansions. Nodes are whatever a view likes to count with, as long
as they sort in the order of the entities' ids: that order breaks ties, so every view finds the same path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from ...graph.records import Direction
    from ...graph.store import Store
    from ..results import Target
    from ..scoring.parameters import Parameters


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

    def folded_entries(self, forms: Sequence[str]) -> dict[str, list[Entry[N]]]:
        """The entries of all labels whose folded form is one of these; forms without any are left out."""


class View(Protocol[N]):
    """The reading side of a base, or of several as one."""

    bases: tuple[str, ...]

    @property
    def has_word_derivations(self) -> bool:
        """Whether any of them may have transitions of ``Kind.WORD_DERIVATION``."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of its bases, nothing where a base does not say."""

    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[N, str]:
        """The entities that a phrase of these words means as a whole, most used first, each with a label that leads to it."""

    def senses(self, store: Store, text: str, parameters: Parameters) -> Iterator[Target]:
        """The same entities in full, for people to read; what the view does not hold is read from its store."""

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
