"""A view straight over a store: always current, nothing to build, every expansion asked of the engine once.

What was asked stays in bounded caches. A store that likes many questions at once is asked ahead: for the node that a search
needs now and for those that wait next in its fringe.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from .lru import Lru
from .view import CacheInfo, Entity

if TYPE_CHECKING:
    from ..graph.store import Direction, Edge, Store


class LiveView:
    """One base of a store, seen as it is now; nodes are the ids of entities, joined by relationships of these types."""

    types: Sequence[str] = ()
    by_words = False

    def __init__(self, store: Store, base: str, limit: int = 100_000) -> None:
        self.store = store
        self.base = base
        self.bases: tuple[str, ...] = (base,)
        self.parts: Sequence[Any] = (self,)
        self._frontiers: dict[Direction, Sequence[tuple[Any, ...]]] = {"out": (), "in": ()}
        self._edges: dict[Direction, Lru[str, list[Edge]]] = {
            "out": Lru(lambda ids: self._expand(ids, self.types, "out"), limit),
            "in": Lru(lambda ids: self._expand(ids, self.types, "in"), limit),
        }
        self._entities: Lru[str, Entity] = Lru(self._describe, limit)

    @property
    def languages(self) -> tuple[str, ...]:
        """The language of the base."""
        return tuple(each.language for each in self.store.bases() if each.id == self.base)

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
        if self.store.fetch <= 1:
            return []
        found: list[str] = []
        for waiting in islice(self._frontiers[direction], self.store.fetch):
            found += waiting[-1] if isinstance(waiting[-1], list) else [waiting[-1]]
        return found[: self.store.fetch]

    def _expand(self, ids: Sequence[str], types: Sequence[str], direction: Direction) -> dict[str, list[Edge]]:
        found = self.store.expand(ids, types, direction)
        return {each: found.get(each, []) for each in ids}

    def _describe(self, ids: Sequence[str]) -> dict[str, Entity]:
        found = self.store.nodes(ids)
        return {each: Entity(each, found[each]["name"], found[each].get("gloss") or None, found[each]["label"]) for each in ids}
