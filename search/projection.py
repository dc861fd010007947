"""A view over a snapshot of a base: flat arrays, mapped into memory, with both directions of every transition.

A projection is made once for each revision of a base (``projecting``) and holds kinds and breadths, never weights: those come
from the parameters with which it is searched. Nodes are numbers in the order of the entities' ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from zlib import crc32

from .view import CacheInfo, Entity, Entry, Transition

if TYPE_CHECKING:
    from ..graph.store import Direction
    from .arrayfile import Arrays

FORMAT = 2
"""Grows when the arrays change their meaning; projections of another format are made anew."""


class Projection:
    """The arrays of one base as a view."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        self.base: str = arrays.about["base"]
        self._sides = {
            direction: tuple(arrays[f"{direction} {name}"] for name in ("offsets", "next", "kind", "breadth"))
            for direction in ("out", "in")
        }
        self._words = arrays["out word"]
        self._texts = {name: (arrays[name], arrays[f"{name} offsets"]) for name in ("id", "name", "gloss", "label")}
        self._buckets = arrays["buckets"]
        self._mask = len(self._buckets) - 2
        self._senses = arrays["sense offsets"], arrays["sense"]
        self._inflections = arrays["inflection offsets"], arrays["inflection"], arrays["inflection pos"]
        self._pos = arrays["pos"]

    def transitions(self, node: int, direction: Direction, *, words: bool = True) -> Iterable[Transition[int]]:  # noqa: ARG002
        """All transitions out of a node, or into it; those that ``words`` asks for are always at hand."""
        offsets, following, kinds, breadths = self._sides[direction]
        first, last = offsets[node], offsets[node + 1]
        return zip(following[first:last].tolist(), kinds[first:last].tolist(), breadths[first:last].tolist(), strict=True)

    def word(self, node: int, following: int) -> str | None:
        """The word that a derivation leads to, of several the first of the alphabet; None for another transition."""
        offsets, others, _, _ = self._sides["out"]
        rows = range(offsets[node], offsets[node + 1])
        words = [self._words[row] for row in rows if others[row] == following and self._words[row] >= 0]
        return self._read("label", words[0]) if words else None

    def watch(self, direction: Direction, frontier: Sequence[tuple[Any, ...]]) -> None:
        """Nothing is fetched ahead: everything is at hand."""

    def entries(self, names: Sequence[str]) -> dict[str, Entry[int]]:
        """The entries of labels; names that the base does not have are left out."""
        found = {}
        for name in names:
            label = self._find(name)
            if label is not None:
                found[name] = self._entry(name, label)
        return found

    def _find(self, name: str) -> int | None:
        text = name.encode("utf-8", "surrogatepass")
        bucket = crc32(text) & self._mask
        for label in range(self._buckets[bucket], self._buckets[bucket + 1]):
            if self._text("label", label) == text:
                return label
        return None

    def _entry(self, name: str, label: int) -> Entry[int]:
        offsets, senses = self._senses
        pos = self._pos
        found = tuple([(node, chr(pos[node])) for node in senses[offsets[label] : offsets[label + 1]].tolist()])
        offsets, targets, kinds = self._inflections
        first, last = offsets[label], offsets[label + 1]
        if first == last:
            return Entry(name, found, ())
        inflections = tuple(
            (self._read("label", target), chr(kind))
            for target, kind in zip(targets[first:last].tolist(), kinds[first:last].tolist(), strict=True)
        )
        return Entry(name, found, inflections)

    def entities(self, nodes: Sequence[int]) -> list[Entity]:
        """What people read of these nodes."""
        read = self._read
        return [Entity(read("id", node), read("name", node), read("gloss", node) or None) for node in nodes]

    def _text(self, name: str, place: int) -> bytes:
        content, offsets = self._texts[name]
        return bytes(content[offsets[place] : offsets[place + 1]])

    def _read(self, name: str, place: int) -> str:
        return self._text(name, place).decode("utf-8", "surrogatepass")

    def caches(self) -> dict[str, CacheInfo]:
        """None: the system keeps the pages of the file."""
        return {}
