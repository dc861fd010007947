"""A view over a snapshot of a base: flat arrays, mapped into memory, with both directions of every transition.

A projection is made once for each revision of a base (``projecting``) and holds kinds and breadths, never weights: those come
from the parameters with which it is searched. Nodes are numbers in the order of the entities' ids. What a phrase means is for
the two kinds of base to say: ``WordNetProjection`` and ``WikiProjection``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any
from zlib import crc32

from ..graph.schema import label_of
from .transitions import Kind
from .view import CacheInfo, Entity, Transition

if TYPE_CHECKING:
    from ..graph.store import Direction
    from .arrayfile import Arrays

FORMAT = 3
"""Grows when the arrays change their meaning; projections of another format are made anew."""


class Projection:
    """The arrays of one base as a view."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        self.base: str = arrays.about["base"]
        self.bases: tuple[str, ...] = (self.base,)
        self.parts: Sequence[Any] = (self,)
        self.by_words = arrays.about["kind"] == "wordnet"
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
        return [following[row] for row in range(first, last) if kinds[row] == Kind.CENTRAL]

    def word(self, node: int, following: int) -> str | None:  # noqa: ARG002
        """None: no transition leads by way of a word."""
        return None

    def watch(self, direction: Direction, frontier: Sequence[tuple[Any, ...]]) -> None:
        """Nothing is fetched ahead: everything is at hand."""

    def entities(self, nodes: Sequence[int]) -> list[Entity]:
        """What people read of these nodes."""
        ids, names, glosses = (self.texts(name) for name in ("id", "name", "gloss"))
        kind = self.arrays.about["kind"]
        return [
            Entity(id := ids.read(node), names.read(node), glosses.read(node) or None, label_of(kind, id)) for node in nodes
        ]

    def called(self, entity: Entity, label: str) -> Entity:  # noqa: ARG002
        """The entity under its own name."""
        return entity

    def texts(self, name: str) -> Texts:
        """The texts of this name."""
        return Texts(self.arrays[name], self.arrays[f"{name} offsets"])

    def caches(self) -> dict[str, CacheInfo]:
        """None: the system keeps the pages of the file."""
        return {}


class Texts:
    """Texts one behind the other, read by their number."""

    def __init__(self, content: memoryview, offsets: memoryview) -> None:
        self._content, self._offsets = content, offsets

    def bytes(self, place: int) -> bytes:
        """A text as it is stored."""
        return bytes(self._content[self._offsets[place] : self._offsets[place + 1]])

    def read(self, place: int) -> str:
        """A text."""
        return self.bytes(place).decode("utf-8", "surrogatepass")


class Index(Texts):
    """Texts that can be looked up: they lie in the order of their buckets."""

    def __init__(self, content: memoryview, offsets: memoryview, buckets: memoryview) -> None:
        super().__init__(content, offsets)
        self._buckets = buckets

    @cached_property
    def _mask(self) -> int:
        return len(self._buckets) - 2

    def find(self, text: str) -> int | None:
        """The number of a text, None if it is not among them."""
        wanted = text.encode("utf-8", "surrogatepass")
        bucket = crc32(wanted) & self._mask
        for place in range(self._buckets[bucket], self._buckets[bucket + 1]):
            if self.bytes(place) == wanted:
                return place
        return None
