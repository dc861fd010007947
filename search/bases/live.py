"""The live view of a base: it reads the store itself, so it is always current and needs no building.

Results are cached. If a store answers many look-ups at once for about the cost of one (``Store.batch_size``), the nodes at the
front of the frontier are fetched together with the one that is needed now.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from .batch_cache import BatchCache
from .view import CacheInfo, Entity, TargetLabel, Transition

if TYPE_CHECKING:
    from ...graph.records import Direction, Edge
    from ...graph.store import Store
    from ..results import Target
    from ..scoring.parameters import Parameters
    from ..scoring.transitions import TransitionKind


class LiveView(ABC):
    """One base of a store as it is now. Nodes are the ids of entities.

    A kind of base names the relationship ``types`` that join its entities, and implements the abstract methods.

    Args:
        store: The store.
        base: The name of the base.
        limit: The greatest number of entries in each cache.
    """

    types: Sequence[str] = ()
    has_word_derivations = False
    forward_only = False

    def __init__(self, store: Store, base: str, limit: int = 100_000) -> None:
        self.store = store
        self.base = base
        self.bases: tuple[str, ...] = (base,)
        self._frontiers: dict[Direction, Sequence[tuple[float, Sequence[str]]]] = {"out": (), "in": ()}
        self._edges: dict[Direction, BatchCache[str, list[Edge]]] = {
            "out": BatchCache(lambda ids: self._expand(ids, self.types, "out"), limit),
            "in": BatchCache(lambda ids: self._expand(ids, self.types, "in"), limit),
        }
        self._entities: BatchCache[str, Entity] = BatchCache(self._load_entities, limit)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The language of the base."""
        return tuple(each.language for each in self.store.bases() if each.id == self.base)

    @abstractmethod
    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[str, TargetLabel]:
        """Return the target set of a phrase, most used first, each entity with a label that leads to it."""

    @abstractmethod
    def senses(self, store: Store, text: str, parameters: Parameters) -> Iterator[Target]:
        """Yield the target set of a phrase with the details that people read."""

    @abstractmethod
    def transitions(
        self, node: str, direction: Direction, *, without: Collection[TransitionKind] = (), shares_aside: bool = True
    ) -> list[Transition[str]]:
        """Return all transitions out of an entity, or into it."""

    def equivalents(self, node: str) -> Sequence[str]:  # noqa: ARG002
        """Return the entities that are the same as this one at an end of a path; none by default."""
        return ()

    def linking_word(self, node: str, following: str) -> str | None:  # noqa: ARG002
        """Return the word that a transition leads to; None by default."""
        return None

    def rename_to_label(self, entity: Entity, label: str) -> Entity:  # noqa: ARG002
        """Return the entity under the label by which a phrase found it; by default under its own name."""
        return entity

    def prefetch_from(self, direction: Direction, frontier: Sequence[tuple[float, Sequence[str]]]) -> None:
        """Register the levels of a search: transitions of the nodes at their front are prefetched."""
        self._frontiers[direction] = frontier

    def entities(self, nodes: Sequence[str]) -> list[Entity]:
        """Return these nodes as people read them."""
        found = self._entities.get_many(nodes)
        return [found[node] for node in nodes]

    def cache_info(self) -> dict[str, CacheInfo]:
        """Return the statistics of the caches of transitions."""
        return {"store edges out": self._edges["out"].info(), "store edges in": self._edges["in"].info()}

    def _frontier_nodes(self, direction: Direction) -> list[str]:
        """Return as many nodes from the front of the frontier as the store reads at once."""
        if self.store.batch_size <= 1:
            return []
        nodes: list[str] = []
        for _, level in islice(self._frontiers[direction], self.store.batch_size):
            nodes += level
        return nodes[: self.store.batch_size]

    def _expand(self, ids: Sequence[str], types: Sequence[str], direction: Direction) -> dict[str, list[Edge]]:
        found = self.store.edges(ids, types, direction)
        return {each: found.get(each, []) for each in ids}

    def _load_entities(self, ids: Sequence[str]) -> dict[str, Entity]:
        found = self.store.nodes(ids)
        return {
            each: Entity(each, found[each]["name"] or "", found[each].get("gloss") or None, found[each]["label"])
            for each in ids
        }
