"""The projection of a WordNet: phrases are looked up by their base forms, and derivations lead through words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ....core.normalisation import normalise
from ..projection import PhraseProjection
from ..string_table import StringIndex
from ..view import Entity, Entry, TargetLabel
from .morphology import match_targets
from .senses import describe_senses

if TYPE_CHECKING:
    from ....graph.store import Store
    from ...results import Target
    from ...scoring.parameters import Parameters
    from ..array_file import Arrays


class WordNetProjection(PhraseProjection):
    """The projection of a base of the kind ``wordnet``."""

    has_word_derivations = True

    def __init__(self, arrays: Arrays) -> None:
        super().__init__(arrays)
        self._linking_words = arrays["out word"]
        self._labels = StringIndex(arrays["label"], arrays["label offsets"], arrays["label buckets"])
        self._senses = arrays["sense offsets"], arrays["sense"]
        self._counts = arrays["sense rank"], arrays["sense uses"]
        self._inflections = arrays["inflection offsets"], arrays["inflection"], arrays["inflection pos"]
        self._pos = arrays["pos"]
        self._opposites = arrays["opposite offsets"], arrays["opposite"]
        self._folded = StringIndex(arrays["folded"], arrays["folded offsets"], arrays["folded buckets"])
        self._folded_labels = arrays["folded label offsets"], arrays["folded label"]

    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[int, TargetLabel]:
        """Return the synsets of a phrase's base forms."""
        return match_targets(self, words, parameters)

    def senses(self, store: Store, text: str, parameters: Parameters) -> Iterator[Target]:  # noqa: ARG002
        """Yield the synsets of a phrase's base forms, by part of speech and then as the lexicon ranks them."""
        return describe_senses(self, store, self.base, text)

    def linking_word(self, node: int, following: int) -> str | None:
        """Return the word that a derivation leads to, the alphabetically first of several; None for other transitions."""
        for row in self.rows_between(node, following):
            word = self._linking_words[row]
            if word >= 0:
                return self._labels.read(word)
        return None

    def rename_to_label(self, entity: Entity, label: str) -> Entity:
        """Return a synset under the word by which it was found."""
        return entity if normalise(entity.name) == label else entity._replace(name=label)

    def plain_names(self) -> Iterator[tuple[str, Sequence[int]]]:
        """Yield the words of all synsets, each with the synsets that it names."""
        offsets, senses = self._senses
        for label in range(len(offsets) - 1):
            nodes = senses[offsets[label] : offsets[label + 1]].tolist()
            if nodes:
                yield self._labels.read(label), nodes

    def synsets(self, pos: str) -> list[int]:
        """Return all synsets of a part of speech."""
        return [node for node in range(self.size) if self._pos[node] == ord(pos)]

    def entries(self, names: Sequence[str]) -> dict[str, Entry[int]]:
        """Return the entries of these labels; names the base does not have are left out."""
        found = {}
        for name in names:
            label = self._labels.find(name)
            if label is not None:
                found[name] = self._entry(name, label)
        return found

    def folded_entries(self, forms: Sequence[str]) -> dict[str, list[Entry[int]]]:
        """Return the entries of all labels with one of these folded forms, by name; forms without any are left out."""
        found = {}
        offsets, labels = self._folded_labels
        for form in forms:
            own, index = self._labels.find(form), self._folded.find(form)
            numbers = [] if own is None else [own]
            numbers += [] if index is None else labels[offsets[index] : offsets[index + 1]].tolist()
            if numbers:
                found[form] = sorted(self._entry(self._labels.read(number), number) for number in numbers)
        return found

    def opposites(self, nodes: Sequence[int]) -> dict[int, Sequence[int]]:
        """Return the antonyms of each synset."""
        offsets, opposites = self._opposites
        return {node: opposites[offsets[node] : offsets[node + 1]].tolist() for node in nodes}

    def _entry(self, name: str, label: int) -> Entry[int]:
        offsets, senses = self._senses
        pos = self._pos
        first = offsets[label]
        found = tuple([(node, chr(pos[node])) for node in senses[first : offsets[label + 1]].tolist()])
        counts_of = partial(self._counts_of, first)
        offsets, targets, kinds = self._inflections
        first, last = offsets[label], offsets[label + 1]
        if first == last:
            return Entry(name, found, (), counts_of)
        inflections = tuple(
            (self._labels.read(target), chr(kind))
            for target, kind in zip(targets[first:last].tolist(), kinds[first:last].tolist(), strict=True)
        )
        return Entry(name, found, inflections, counts_of)

    def _counts_of(self, first: int, place: int) -> tuple[int, int]:
        """Return the rank and the uses of a sense, given the row of the first sense of its label and its place after that."""
        ranks, uses = self._counts
        return ranks[first + place], uses[first + place]
