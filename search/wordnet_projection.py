"""The projection of a WordNet: words are looked up by their base forms, and a derivation leads by way of a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..graph.phrases import normalise
from .morphology import match_targets
from .projection import Index, Projection
from .view import Entity, Entry

if TYPE_CHECKING:
    from .arrayfile import Arrays
    from .transitions import Parameters


class WordNetProjection(Projection):
    """The arrays of a base of the kind ``wordnet``."""

    def __init__(self, arrays: Arrays) -> None:
        super().__init__(arrays)
        self._words = arrays["out word"]
        self._labels = Index(arrays["label"], arrays["label offsets"], arrays["label buckets"])
        self._senses = arrays["sense offsets"], arrays["sense"]
        self._inflections = arrays["inflection offsets"], arrays["inflection"], arrays["inflection pos"]
        self._pos = arrays["pos"]

    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[int, str]:  # noqa: ARG002
        """The synsets of a phrase's base forms."""
        return match_targets(self, words)

    def word(self, node: int, following: int) -> str | None:
        """The word that a derivation leads to, of several the first of the alphabet; None for another transition."""
        offsets, others, _, _ = self._sides["out"]
        rows = range(offsets[node], offsets[node + 1])
        words = [self._words[row] for row in rows if others[row] == following and self._words[row] >= 0]
        return self._labels.read(words[0]) if words else None

    def called(self, entity: Entity, label: str) -> Entity:
        """A synset under the one of its words by which it was found."""
        return entity if normalise(entity.name) == label else entity._replace(name=label)

    def names(self) -> Iterator[tuple[str, Sequence[int]]]:
        """The words of all synsets, each with the synsets that it names."""
        offsets, senses = self._senses
        for label in range(len(offsets) - 1):
            nodes = senses[offsets[label] : offsets[label + 1]].tolist()
            if nodes:
                yield self._labels.read(label), nodes

    def entries(self, names: Sequence[str]) -> dict[str, Entry[int]]:
        """The entries of labels; names that the base does not have are left out."""
        found = {}
        for name in names:
            label = self._labels.find(name)
            if label is not None:
                found[name] = self._entry(name, label)
        return found

    def _entry(self, name: str, label: int) -> Entry[int]:
        offsets, senses = self._senses
        pos = self._pos
        found = tuple([(node, chr(pos[node])) for node in senses[offsets[label] : offsets[label + 1]].tolist()])
        offsets, targets, kinds = self._inflections
        first, last = offsets[label], offsets[label + 1]
        if first == last:
            return Entry(name, found, ())
        inflections = tuple(
            (self._labels.read(target), chr(kind))
            for target, kind in zip(targets[first:last].tolist(), kinds[first:last].tolist(), strict=True)
        )
        return Entry(name, found, inflections)
