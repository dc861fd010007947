"""A projection: a snapshot of a base as flat, memory-mapped arrays, with both directions of every transition.

It is built once for each revision of a base (``projector``) and holds kinds and breadths, never weights: those come from the
parameters of a search. Nodes are numbers in the order of the entities' ids. What a phrase means, each kind of base says itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..scoring.transitions import TransitionKind
from .string_table import StringTable
from .view import CacheInfo, Entity, Transition

if TYPE_CHECKING:
    from ...graph.records import Direction
    from ...graph.store import Store
    from ..results import Target
    from ..scoring.parameters import Parameters
    from .array_file import Arrays

FORMAT = 5
"""Increase it when the arrays change their meaning: projections of another format are built again."""


class Projection:
    """Arrays as a graph to search in."""

    has_word_derivations = False

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        self.base: str = arrays.about["base"]
        self.bases: tuple[str, ...] = (self.base,)
        self.languages: tuple[str, ...] = (arrays.about.get("language", ""),)
        self.size: int = arrays.about["nodes"]
        self.twinned: bool = arrays.about["twinned"]
        self._sides = {
            direction: tuple(arrays[f"{direction} {name}"] for name in ("offsets", "next", "kind", "breadth"))
            for direction in ("out", "in")
        }

    def transitions(self, node: int, direction: Direction, *, words: bool = True) -> Iterable[Transition[int]]:  # noqa: ARG002
        """All transitions out of a node, or into it; those that ``words`` asks for are always at hand."""
        offsets, following, kinds, breadths = self._sides[direction]
        first, last = offsets[node], offsets[node + 1]
        return zip(following[first:last].tolist(), kinds[first:last].tolist(), breadths[first:last].tolist(), strict=True)

    def twins(self, node: int) -> Sequence[int]:
        """The category that an article is central to, or the other way round."""
        if not self.twinned:
            return ()
        offsets, following, kinds, _ = self._sides["out"]
        first, last = offsets[node], offsets[node + 1]
        return [following[row] for row in range(first, last) if kinds[row] == TransitionKind.CENTRAL]

    def word(self, node: int, following: int) -> str | None:  # noqa: ARG002
        """None: no transition leads by way of a word."""
        return None

    def watch(self, direction: Direction, frontier: Sequence[tuple[Any, ...]]) -> None:
        """Do nothing: there is nothing to fetch ahead."""

    def entities(self, nodes: Sequence[int]) -> list[Entity]:
        """What people read of these nodes."""
        ids, names, glosses = (self.texts(name) for name in ("id", "name", "gloss"))
        labels, label = self.arrays.about["node labels"], self.arrays["node label"]
        return [Entity(ids.read(node), names.read(node), glosses.read(node) or None, labels[label[node]]) for node in nodes]

    def called(self, entity: Entity, label: str) -> Entity:  # noqa: ARG002
        """The entity under its own name."""
        return entity

    def texts(self, name: str) -> StringTable:
        """The texts of this name."""
        return StringTable(self.arrays[name], self.arrays[f"{name} offsets"])

    def caches(self) -> dict[str, CacheInfo]:
        """None: the system keeps the pages of the file."""
        return {}


class PhraseProjection(Projection, ABC):
    """The arrays of a base as a view: phrases lead into the graph."""

    @abstractmethod
    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[int, str]:
        """The entities that a phrase of these words means as a whole, each with a label that leads to it."""

    @abstractmethod
    def senses(self, store: Store, text: str, parameters: Parameters) -> Iterator[Target]:
        """The same entities in full, for people to read; what the arrays do not hold is read from the store."""

    @abstractmethod
    def names(self) -> Iterator[tuple[str, Sequence[int]]]:
        """The plain names under which another base may know entities, each with the entities that it names."""
