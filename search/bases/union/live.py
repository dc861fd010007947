"""Several bases as one live view: crossings are looked up in the store when a search reaches an entity.

A store cannot tell from which entities of another base a crossing leads to an entity. So such a view is searched forwards only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ....graph.schema import base_of
from ...scoring.aspects import is_valid
from ...scoring.transitions import TransitionClass, TransitionKind
from ..batch_cache import BatchCache
from ..registry import get_phrase_search
from ..view import CacheInfo, Entity, TargetLabel, Transition

if TYPE_CHECKING:
    from ....graph.records import Direction
    from ....graph.store import Store
    from ...results import Target
    from ...scoring.parameters import Parameters
    from ..live import LiveView


class LiveUnion:
    """The live views of several bases as one.

    Args:
        store: The store of the bases.
        parts: Their live views, in the order in which the bases were named.
        parameters: Decide which labels match in a crossing.
        limit: The greatest number of entries in the cache of crossings.
    """

    forward_only = True

    def __init__(self, store: Store, parts: Sequence[LiveView], parameters: Parameters, limit: int = 100_000) -> None:
        self.store = store
        self.bases = tuple(part.base for part in parts)
        self.parts = parts
        self.has_word_derivations = any(part.has_word_derivations for part in parts)
        self._parameters = parameters
        self._part = {part.base: part for part in parts}
        self._kind = {each.id: each.kind for each in store.bases()}
        self._crossings: BatchCache[str, list[tuple[str, TransitionKind]]] = BatchCache(self._find_crossings, limit)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the bases."""
        return tuple(language for part in self.parts for language in part.languages)

    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[str, TargetLabel]:
        """Return the target set in all bases, in the order in which they were named; a share of uses is that in its base."""
        return {node: label for part in self.parts for node, label in part.targets(words, parameters).items()}

    def senses(self, store: Store, text: str, parameters: Parameters) -> Iterator[Target]:
        """Yield the target set in all bases, in the order in which they were named."""
        for part in self.parts:
            yield from part.senses(store, text, parameters)

    def transitions(
        self, node: str, direction: Direction, *, without: Collection[TransitionKind] = (), shares_aside: bool = True
    ) -> list[Transition[str]]:
        """Return all transitions out of an entity, including crossings to other bases.

        Raises:
            NotImplementedError: The direction is ``in``; see ``forward_only``.
        """
        if direction == "in":
            raise NotImplementedError("a live view of several bases has no transitions into an entity")
        found = list(self._part[base_of(node)].transitions(node, "out", without=without, shares_aside=shares_aside))
        return [*found, *((other, TransitionClass(kind)) for other, kind in self._crossings.get(node))]

    def equivalents(self, node: str) -> Sequence[str]:
        """Return the entities of the same base that are the same as this one at an end of a path."""
        return self._part[base_of(node)].equivalents(node)

    def linking_word(self, node: str, following: str) -> str | None:
        """Return the word that a derivation leads to; None for other transitions."""
        part = self._part[base_of(node)]
        return part.linking_word(node, following) if part.base == base_of(following) else None

    def entities(self, nodes: Sequence[str]) -> list[Entity]:
        """Return these nodes as people read them."""
        return [entity for node in nodes for entity in self._part[base_of(node)].entities([node])]

    def rename_to_label(self, entity: Entity, label: str) -> Entity:
        """Return the entity under the label by which a phrase found it, as its base does."""
        return self._part[base_of(entity.id)].rename_to_label(entity, label)

    def prefetch_from(self, direction: Direction, frontier: Sequence[tuple[float, Sequence[str]]]) -> None:
        """Do nothing: nothing is prefetched."""

    def cache_info(self) -> dict[str, CacheInfo]:
        """Return the statistics of the caches of all parts, and of the cache of crossings."""
        found = {f"{part.base}: {name}": info for part in self.parts for name, info in part.cache_info().items()}
        return {**found, "crossings": self._crossings.info()}

    def _find_crossings(self, ids: Sequence[str]) -> dict[str, list[tuple[str, TransitionKind]]]:
        names: dict[str, list[str]] = {}
        for part in self.parts:
            part_ids = [each for each in ids if base_of(each) == part.base]
            names |= get_phrase_search(self._kind[part.base]).plain_names(self.store, part_ids)
        found = {}
        for node in ids:
            node_part = self.bases.index(base_of(node))
            reached: dict[tuple[str, TransitionKind], None] = {}
            for number, part in enumerate(self.parts):
                if number != node_part:
                    kind = TransitionKind.CROSSING_ON if number > node_part else TransitionKind.CROSSING_BACK
                    for name in names[node]:
                        reached |= dict.fromkeys((target, kind) for target in self._match_name(part, name))
            found[node] = list(reached)
        return found

    def _match_name(self, part: LiveView, name: str) -> Iterable[str]:
        return part.targets(tuple(name.split(" ")), self._parameters) if is_valid(name) else ()
