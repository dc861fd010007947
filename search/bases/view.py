"""The interface between a search and a stored base: a view looks phrases up and yields the transitions around an entity.

Live views and projections implement ``View`` alike; ``paths.weighted.WeightedView`` gives each transition its score. A node may
be of any type that is hashable and sorts in the order of the entities' ids: that order breaks ties, so all views yield the same
path.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from ..scoring.transitions import TransitionClass, TransitionKind

if TYPE_CHECKING:
    from ...graph.records import Direction
    from ...graph.store import Store
    from ..results import Target
    from ..scoring.parameters import Parameters


class Ordered(Protocol):
    """A value that sorts and can be a dictionary key."""

    def __lt__(self, other: Any, /) -> bool: ...

    def __hash__(self) -> int: ...


N = TypeVar("N", bound=Ordered)
"""A node of a view."""


Transition = tuple[N, TransitionClass]
"""A transition seen from one of its ends: the node at the other end, and its class."""


class Entry(NamedTuple, Generic[N]):
    """A label in a lexicon.

    - ``name``: its text, normalised
    - ``senses``: its entities, each with its part of speech, most used first
    - ``inflections``: the labels it is an irregular form of, each with the part of speech
    - ``counts_of``: returns for the place of a sense its rank among those of its part of speech, and its uses
    """

    name: str
    senses: tuple[tuple[N, str], ...]
    inflections: tuple[tuple[str, str], ...]
    counts_of: Callable[[int], tuple[int, int]]


class SenseCounts(NamedTuple):
    """How common a sense of a phrase is.

    - ``rank``: its rank, from 1
    - ``share``: ``(uses + 1) / (most_uses + 1)``, where ``most_uses`` are those of the most used sense of the phrase in the
      base; one is added because most senses in a lexicon have no uses
    - ``of_wiki``: whether the base is a wiki
    """

    rank: int
    share: float
    of_wiki: bool = False


class TargetLabel(NamedTuple):
    """How a phrase names a target.

    - ``text``: the label
    - ``senses``: the senses that lead to it; left out if they all weigh 1
    - ``opposites``: the entities that are its antonyms; left out if antonyms do not matter
    """

    text: str
    senses: tuple[SenseCounts, ...] = ()
    opposites: Collection[Any] = ()


class Entity(NamedTuple):
    """A node as people read it: its id, name and gloss (None if it has none), and its label in the graph."""

    id: str
    name: str
    gloss: str | None
    label: str


class CacheInfo(NamedTuple):
    """The statistics of a bounded cache; ``hits`` is None if counting hits would cost more than a hit saves."""

    hits: int | None
    misses: int
    limit: int | None
    size: int


class Lexicon(Protocol[N]):
    """A base whose labels are words, looked up by their base forms."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The language codes of the base."""

    def entries(self, names: Sequence[str]) -> dict[str, Entry[N]]:
        """Return the entries of these labels; names the base does not have are left out."""

    def folded_entries(self, forms: Sequence[str]) -> dict[str, list[Entry[N]]]:
        """Return the entries of all labels with one of these folded forms, by name; forms without any are left out."""

    def opposites(self, nodes: Sequence[N]) -> Mapping[N, Collection[N]]:
        """Return the antonyms of each entity.

        These are the entities joined to it by ANTONYM, and as adjectives oppose each other in groups (*chilly* is similar to
        *cold*, which is an antonym of *hot*), also those joined by SIMILAR, ANTONYM and SIMILAR in turn.
        """


class View(Protocol[N]):
    """One base, or several as one, as a search reads it.

    - ``bases``: the names of the bases
    - ``forward_only``: whether transitions into a node are unavailable, so that it cannot be searched from both ends
    """

    bases: tuple[str, ...]
    forward_only: bool

    @property
    def has_word_derivations(self) -> bool:
        """Whether a base may have transitions of ``TransitionKind.WORD_DERIVATION``."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The language codes of the bases, empty for a base whose language is not known."""

    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[N, TargetLabel]:
        """Return the target set of a phrase as a whole (MATCHTARGETS of the thesis).

        Args:
            words: The words of the normalised phrase.
            parameters: Decide which senses of a label count, and how much.

        Returns:
            The entities that the phrase may mean, most used first, each with a label that leads to it.
        """

    def senses(self, store: Store, text: str, parameters: Parameters) -> Iterator[Target]:
        """Yield the target set of a phrase with the details that people read, if need be from the store."""

    def transitions(
        self, node: N, direction: Direction, *, without: Collection[TransitionKind] = (), shares_aside: bool = True
    ) -> Iterable[Transition[N]]:
        """Return all transitions out of a node, or into it.

        Args:
            node: The node.
            direction: ``out`` or ``in``.
            without: Kinds that may be left out, which is faster.
            shares_aside: Whether the ``share`` of steps aside matters; not to read it may be faster.
        """

    def equivalents(self, node: N) -> Sequence[N]:
        """Return the entities joined to this one by ``TransitionKind.CENTRAL``: the same entity at an end of a path."""

    def linking_word(self, node: N, following: N) -> str | None:
        """Return the word that a derivation leads to, the alphabetically first of several; None for other transitions."""

    def entities(self, nodes: Sequence[N]) -> list[Entity]:
        """Return these nodes as people read them."""

    def rename_to_label(self, entity: Entity, label: str) -> Entity:
        """Return an end of a path under the label by which the phrase found it, if that is one of its names."""

    def prefetch_from(self, direction: Direction, frontier: Sequence[tuple[float, Sequence[N]]]) -> None:
        """Register the levels of a search, the one that comes next first: transitions of their nodes are prefetched.

        Args:
            direction: ``out`` or ``in``.
            frontier: Pairs of a negative score and the nodes that have it; the search goes on changing the list.
        """

    def cache_info(self) -> dict[str, CacheInfo]:
        """Return the statistics of the view's caches by name."""
