"""The live view: reads the store itself, so it is always current and needs no building.

Answers stay in bounded caches. A store that answers many questions at once is asked ahead: for the node that a search needs now
and for those at the front of its frontier.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from .batch_cache import BatchCache
from .view import CacheInfo, Entity, Transition

if TYPE_CHECKING:
    from ...graph.records import Direction, Edge
    from ...graph.store import Store
    from ..results import Target
    from ..scoring.parameters import Parameters


class LiveView(ABC):
    """One base of a store as it is now. Nodes are the ids of entities, joined by relationships of these ``types``."""

    types: Sequence[str] = ()
    has_word_derivations = False

    def __init__(self, store: Store, base: str, limit: int = 100_000) -> None:
        self.store = store
        self.base = base
        self.bases: tuple[str, ...] = (base,)
        self._frontiers: dict[Direction, Sequence[tuple[Any, ...]]] = {"out": (), "in": ()}
        self._edges: dict[Direction, BatchCache[str, list[Edge]]] = {
            "out": BatchCache(lambda ids: self._expand(ids, self.types, "out"), limit),
            "in": BatchCache(lambda ids: self._expand(ids, self.types, "in"), limit),
        }
        self._entities: BatchCache[str, Entity] = BatchCache(self._describe, limit)

    @property
    def languages(self) -> tuple[str, ...]:
        """The language of the base."""
        return tuple(each.language for each in self.store.bases() if each.id == self.base)

    @abstractmethod
    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[str, str]:
        """The entities that a phrase of these words means as a whole, each with a label that leads to it."""

    @abstractmethod
    def senses(self, store: Store, text: str, parameters: Parameters) -> Iterator[Target]:
        """The same entities in full, for people to read."""

    @abstractmethod
    def transitions(self, node: str, direction: Direction, *, words: bool = True) -> list[Transition[str]]:
        """All transitions out of an entity, or into it."""

    def twins(self, node: str) -> Sequence[str]:  # noqa: ARG002
        """The entities that are the same as this one; none, unless a kind of base has such."""
        return ()

    def word(self, node: str, following: str) -> str | None:  # noqa: ARG002
        """The word that a transition leads to; None, unless a kind of base has transitions between words."""
        return None

    def called(self, entity: Entity, label: str) -> Entity:  # noqa: ARG002
        """The entity under the name by which a phrase found it; its own, unless a kind of base gives it several."""
        return entity

    def watch(self, direction: Direction, frontier: Sequence[tuple[Any, ...]]) -> None:
        """Take note of the heap of a search, to fetch ahead from it."""
        self._frontiers[direction] = frontier

    def entities(self, nodes: Sequence[str]) -> list[Entity]:
        """What people read of these nodes."""
        found = self._entities.all(nodes)
        return [found[node] for node in nodes]

    def caches(self) -> dict[str, CacheInfo]:
        """The caches of this view."""
        return {"store edges out": self._edges["out"].info(), "store edges in": self._edges["in"].info()}

    def _ahead(self, direction: Direction) -> list[str]:
        if self.store.batch_size <= 1:
            return []
        found: list[str] = []
        for waiting in islice(self._frontiers[direction], self.store.batch_size):
            found += waiting[-1] if isinstance(waiting[-1], list) else [waiting[-1]]
        return found[: self.store.batch_size]

    def _expand(self, ids: Sequence[str], types: Sequence[str], direction: Direction) -> dict[str, list[Edge]]:
        found = self.store.edges(ids, types, direction)
        return {each: found.get(each, []) for each in ids}

    def _describe(self, ids: Sequence[str]) -> dict[str, Entity]:
        found = self.store.nodes(ids)
        return {each: Entity(each, found[each]["name"], found[each].get("gloss") or None, found[each]["label"]) for each in ids}
