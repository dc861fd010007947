"""The projection of a wiki: a phrase means what the labels with its stem are used for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..graph.stems import Stemmer
from .labels import Labelled, Stemmed, match_targets
from .projection import Index, Projection

if TYPE_CHECKING:
    from .arrayfile import Arrays
    from .transitions import Parameters


class WikiProjection(Projection):
    """The arrays of a base of the kind ``wikipedia``."""

    def __init__(self, arrays: Arrays) -> None:
        super().__init__(arrays)
        self._stems = Index(arrays["stem"], arrays["stem offsets"], arrays["stem buckets"])
        self._labels = self.texts("label")
        self._label_offsets = arrays["stem labels"]
        self._sense_offsets, self._senses, self._uses = arrays["sense offsets"], arrays["sense"], arrays["sense uses"]
        self._bracketed = arrays["bracketed offsets"], arrays["bracketed"]
        self._plain = self.texts("plain")
        self.stem = Stemmer()

    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[int, str]:
        """The articles that the labels with the stem of a phrase are used for."""
        return match_targets(self.stemmed(self.stem(" ".join(words))), parameters)

    def names(self) -> Iterator[tuple[str, Sequence[int]]]:
        """The titles of all articles and categories, also without brackets, and the redirects to them."""
        texts, offsets = self.texts("known as"), self.arrays["known as of"]
        for node in range(self.size):
            for place in range(offsets[node], offsets[node + 1]):
                yield texts.read(place), (node,)

    def stemmed(self, stem: str) -> Stemmed[int]:
        """What there is under a stem."""
        number = self._stems.find(stem)
        if number is None:
            return Stemmed()
        labels = range(self._label_offsets[number], self._label_offsets[number + 1])
        offsets, nodes = self._bracketed
        bracketed = range(offsets[number], offsets[number + 1])
        return Stemmed([self._labelled(label) for label in labels], [(nodes[row], self._plain.read(row)) for row in bracketed])

    def _labelled(self, label: int) -> Labelled[int]:
        first, last = self._sense_offsets[label], self._sense_offsets[label + 1]
        return Labelled(
            self._labels.read(label),
            tuple(zip(self._senses[first:last].tolist(), self._uses[first:last].tolist(), strict=True)),
        )
