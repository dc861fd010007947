"""Several bases as one, straight over their store: crossings are looked up where a search comes to them.

From which names one comes to an entity cannot be asked of a store, so such a view is searched from the substitute's side alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ....graph.schema import base_of
from ...errors import PhraseError
from ...scoring.aspects import split_words
from ...scoring.transitions import TransitionKind
from ..batch_cache import BatchCache
from ..registry import phrase_kind
from ..view import CacheInfo, Entity, Transition

if TYPE_CHECKING:
    from ....graph.records import Direction
    from ....graph.store import Store
    from ...results import Target
    from ...scoring.parameters import Parameters
    from ..live import LiveView


class LiveUnion:
    """The live views of several bases as one, in the order in which they were named."""

    one_way = True

    def __init__(self, store: Store, parts: Sequence[LiveView], parameters: Parameters, limit: int = 100_000) -> None:
        self.store = store
        self.bases = tuple(part.base for part in parts)
        self.parts = parts
        self.has_word_derivations = any(part.has_word_derivations for part in parts)
        self._parameters = parameters
        self._part = {part.base: part for part in parts}
        self._kind = {each.id: each.kind for each in store.bases()}
        self._crossings: BatchCache[str, list[tuple[str, TransitionKind]]] = BatchCache(self._cross, limit)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the bases."""
        return tuple(language for part in self.parts for language in part.languages)

    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[str, str]:
        """What the phrase means in each base, in the order in which they were named."""
        return {node: label for part in self.parts for node, label in part.targets(words, parameters).items()}

    def senses(self, store: Store, text: str, parameters: Parameters) -> Iterator[Target]:
        """What the phrase means in each base, in the order in which they were named."""
        for part in self.parts:
            yield from part.senses(store, text, parameters)

    def transitions(self, node: str, direction: Direction, *, words: bool = True) -> list[Transition[str]]:
        """All transitions out of an entity, those to other bases among them."""
        if direction == "in":
            raise NotImplementedError("a live view of several bases is searched forwards only")
        found = list(self._part[base_of(node)].transitions(node, "out", words=words))
        return [*found, *((other, kind, 0) for other, kind in self._crossings.get(node))]

    def twins(self, node: str) -> Sequence[str]:
        """The category that an article is central to, or the other way round."""
        return self._part[base_of(node)].twins(node)

    def word(self, node: str, following: str) -> str | None:
        """The word that a derivation leads to; None for another transition."""
        part = self._part[base_of(node)]
        return part.word(node, following) if part.base == base_of(following) else None

    def entities(self, nodes: Sequence[str]) -> list[Entity]:
        """What people read of these nodes."""
        return [entity for node in nodes for entity in self._part[base_of(node)].entities([node])]

    def called(self, entity: Entity, label: str) -> Entity:
        """An end of a path as its base calls it."""
        return self._part[base_of(entity.id)].called(entity, label)

    def watch(self, direction: Direction, frontier: Sequence[tuple[Any, ...]]) -> None:
        """Nothing is fetched ahead."""

    def caches(self) -> dict[str, CacheInfo]:
        """The caches of all parts, and that of the crossings."""
        found = {f"{part.base}: {name}": info for part in self.parts for name, info in part.caches().items()}
        return {**found, "crossings": self._crossings.info()}

    def _cross(self, ids: Sequence[str]) -> dict[str, list[tuple[str, TransitionKind]]]:
        names: dict[str, list[str]] = {}
        for part in self.parts:
            own = [each for each in ids if base_of(each) == part.base]
            _, phrases = phrase_kind(self._kind[part.base])
            names |= phrases.plain_names(self.store, own)
        found = {}
        for node in ids:
            here = self.bases.index(base_of(node))
            reached: dict[tuple[str, TransitionKind], None] = {}
            for number, part in enumerate(self.parts):
                if number != here:
                    kind = TransitionKind.CROSSING_ON if number > here else TransitionKind.CROSSING_BACK
                    for name in names[node]:
                        reached |= dict.fromkeys((target, kind) for target in self._matched(part, name))
            found[node] = list(reached)
        return found

    def _matched(self, part: LiveView, name: str) -> Iterable[str]:
        try:
            return part.targets(split_words(name), self._parameters)
        except PhraseError:  # no phrase that could be asked for, such as a title of 300 characters
            return ()
