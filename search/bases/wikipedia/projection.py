"""The projection of a wiki: phrases are looked up by the stems of labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ....core.stemming import Stemmer
from ..projection import PhraseProjection
from ..string_table import StringIndex
from .label_senses import LabelUses, StemEntry, describe_senses, find_label_senses, join_folded, match_targets

if TYPE_CHECKING:
    from ....graph.store import Store
    from ...results import Target
    from ...scoring.parameters import Parameters
    from ..array_file import Arrays
    from ..view import TargetLabel


class WikiProjection(PhraseProjection):
    """The projection of a base of the kind ``wikipedia``."""

    def __init__(self, arrays: Arrays) -> None:
        super().__init__(arrays)
        self._stems = StringIndex(arrays["stem"], arrays["stem offsets"], arrays["stem buckets"])
        self._labels = self.texts("label")
        self._label_offsets = arrays["stem labels"]
        self._sense_offsets, self._senses, self._uses = arrays["sense offsets"], arrays["sense"], arrays["sense uses"]
        self._bracketed = arrays["bracketed offsets"], arrays["bracketed"]
        self._bracketed_labels = self.texts("bracketed label")
        self._folded_stems = StringIndex(arrays["folded stem"], arrays["folded stem offsets"], arrays["folded stem buckets"])
        self._folded_labels = arrays["folded label offsets"], arrays["folded label"]
        self._folded_bracketed = arrays["folded bracketed offsets"], arrays["folded bracketed"]
        self.stem = Stemmer()

    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[int, TargetLabel]:
        """Return the articles that the labels with the stem of a phrase are used for."""
        return match_targets(find_label_senses(self, " ".join(words), parameters), parameters)

    def senses(self, store: Store, text: str, parameters: Parameters) -> Iterator[Target]:  # noqa: ARG002
        """Yield the articles that the labels with the stem of a phrase are used for, most used first."""
        return describe_senses(self, find_label_senses(self, text, parameters))

    def plain_names(self) -> Iterator[tuple[str, Sequence[int]]]:
        """Yield the plain names of every article and category, see ``kind``."""
        names, offsets = self.texts("plain name"), self.arrays["plain name nodes"]
        for node in range(self.size):
            for index in range(offsets[node], offsets[node + 1]):
                yield names.read(index), (node,)

    def entry_by_stem(self, stem: str, *, bracketed: bool = True) -> StemEntry[int]:
        """Return the labels with a stem, and if requested the articles whose title has it without brackets."""
        number = self._stems.find(stem)
        if number is None:
            return StemEntry()
        labels = range(self._label_offsets[number], self._label_offsets[number + 1])
        offsets, nodes = self._bracketed
        rows = range(offsets[number], offsets[number + 1]) if bracketed else ()
        return StemEntry(
            [self._label_uses(label) for label in labels], [(nodes[row], self._bracketed_labels.read(row)) for row in rows]
        )

    def entry_by_folded_stem(self, stem: str, *, bracketed: bool = True) -> StemEntry[int]:
        """Return the same for labels and titles whose folded form has the stem."""
        own, number = self.entry_by_stem(stem, bracketed=bracketed), self._folded_stems.find(stem)
        if number is None:
            return join_folded(own, StemEntry(), stem, self.stem)
        offsets, labels = self._folded_labels
        found = [self._label_uses(label) for label in labels[offsets[number] : offsets[number + 1]].tolist()]
        offsets, rows = self._folded_bracketed
        titles = rows[offsets[number] : offsets[number + 1]].tolist() if bracketed else ()
        _, nodes = self._bracketed
        return join_folded(
            own, StemEntry(found, [(nodes[row], self._bracketed_labels.read(row)) for row in titles]), stem, self.stem
        )

    def _label_uses(self, label: int) -> LabelUses[int]:
        first, last = self._sense_offsets[label], self._sense_offsets[label + 1]
        return LabelUses(
            self._labels.read(label),
            tuple(zip(self._senses[first:last].tolist(), self._uses[first:last].tolist(), strict=True)),
        )
