"""Several bases as one, straight over their store: crossings are looked up where a search comes to them.

From which names one comes to an entity cannot be asked of a store, so such a view is searched from the substitute's side alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..graph.phrases import normalise, unbracketed
from ..graph.schema import base_of, entity_id
from .errors import PhraseError
from .lru import Lru
from .targets import to_words
from .transitions import Kind
from .view import CacheInfo, Entity, Transition

if TYPE_CHECKING:
    from ..graph.store import Direction, Store
    from .opening import Live
    from .transitions import Parameters


class LiveUnion:
    """The live views of several bases as one, in the order in which they were named."""

    one_way = True

    def __init__(self, store: Store, parts: Sequence[Live], parameters: Parameters, limit: int = 100_000) -> None:
        self.store = store
        self.bases = tuple(part.base for part in parts)
        self.parts = parts
        self.by_words = any(part.by_words for part in parts)
        self._parameters = parameters
        self._part = {part.base: part for part in parts}
        self._crossings: Lru[str, list[tuple[str, Kind]]] = Lru(self._cross, limit)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the bases."""
        return tuple(language for part in self.parts for language in part.languages)

    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[str, str]:
        """What the phrase means in each base, in the order in which they were named."""
        return {node: label for part in self.parts for node, label in part.targets(words, parameters).items()}

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

    def _cross(self, ids: Sequence[str]) -> dict[str, list[tuple[str, Kind]]]:
        names = self._names(ids)
        found = {}
        for node in ids:
            here = self.bases.index(base_of(node))
            reached: dict[tuple[str, Kind], None] = {}
            for number, part in enumerate(self.parts):
                if number != here:
                    kind = Kind.CROSSING_ON if number > here else Kind.CROSSING_BACK
                    for name in names[node]:
                        reached |= dict.fromkeys((target, kind) for target in self._matched(part, name))
            found[node] = list(reached)
        return found

    def _matched(self, part: Live, name: str) -> Iterable[str]:
        try:
            return part.targets(to_words(name), self._parameters)
        except PhraseError:  # no phrase that could be asked for, such as a title of 300 characters
            return ()

    def _names(self, ids: Sequence[str]) -> dict[str, list[str]]:
        """The plain-text names of these entities."""
        stored = self.store.nodes(ids)
        redirects = self.store.expand(ids, ("REDIRECTS_TO",), "in")
        found = {}
        for node in ids:
            about = stored[node]
            names = list(about.get("lemmas") or [about["name"]])
            if about["label"] == "Category":
                names = [unbracketed(about["name"]) or about["name"]]
            elif about["label"] == "Article":
                names += [each for each in (unbracketed(about["name"]),) if each]
                begin = len(entity_id(base_of(node), ""))
                names += [edge.other[begin:] for edge in redirects.get(node, ())]
            found[node] = sorted(set(filter(None, map(normalise, names))))
        return found
