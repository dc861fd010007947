"""The live view of a wiki: phrases are looked up by the stems of labels, and categories form the hierarchy."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ....core.normalisation import normalise, strip_brackets
from ....core.stemming import Stemmer
from ...scoring.transitions import TransitionClass, TransitionKind
from ..batch_cache import BatchCache
from ..live import LiveView
from ..view import CacheInfo, TargetLabel, Transition
from .label_senses import LabelUses, StemEntry, describe_senses, find_label_senses, join_folded, match_targets

if TYPE_CHECKING:
    from ....graph.records import Direction
    from ....graph.store import Store
    from ...results import Target
    from ...scoring.parameters import Parameters

HIERARCHIES = ("IN_CATEGORY", "SUBCATEGORY_OF")

_CENTRAL = TransitionClass(TransitionKind.CENTRAL)


class LiveWiki(LiveView):
    """A base of the kind ``wikipedia`` as it is now."""

    types = (*HIERARCHIES, "CENTRAL_TO")

    def __init__(self, store: Store, base: str, limit: int = 100_000) -> None:
        super().__init__(store, base, limit)
        self.stem = Stemmer()
        self._labels: BatchCache[str, list[LabelUses[str]]] = BatchCache(self._load_labels, limit)
        self._folded_labels: BatchCache[str, list[LabelUses[str]]] = BatchCache(partial(self._load_labels, folded=True), limit)
        self._bracketed: BatchCache[str, list[tuple[str, str]]] = BatchCache(self._load_bracketed, limit)
        self._folded_bracketed: BatchCache[str, list[tuple[str, str]]] = BatchCache(
            partial(self._load_bracketed, folded=True), limit
        )

    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[str, TargetLabel]:
        """Return the articles that the labels with the stem of a phrase are used for."""
        return match_targets(find_label_senses(self, " ".join(words), parameters), parameters)

    def senses(self, store: Store, text: str, parameters: Parameters) -> Iterator[Target]:  # noqa: ARG002
        """Yield the articles that the labels with the stem of a phrase are used for, most used first."""
        return describe_senses(self, find_label_senses(self, text, parameters))

    def entry_by_stem(self, stem: str, *, bracketed: bool = True) -> StemEntry[str]:
        """Return the labels with a stem, and if requested the articles whose title has it without brackets."""
        return StemEntry(self._labels.get(stem), self._bracketed.get(stem) if bracketed else ())

    def entry_by_folded_stem(self, stem: str, *, bracketed: bool = True) -> StemEntry[str]:
        """Return the same for labels and titles whose folded form has the stem."""
        own = self.entry_by_stem(stem, bracketed=bracketed)
        more = self._folded_bracketed.get(stem) if bracketed else ()
        return join_folded(own, StemEntry(self._folded_labels.get(stem), more), stem, self.stem)

    def transitions(
        self,
        node: str,
        direction: Direction,
        *,
        without: Collection[TransitionKind] = (),  # noqa: ARG002
        shares_aside: bool = True,  # noqa: ARG002
    ) -> list[Transition[str]]:
        """Return all transitions out of an article or a category, or into it."""
        prefetch = partial(self._frontier_nodes, direction)
        up, down = TransitionKind.CATEGORY_GENERALISATION, TransitionKind.CATEGORY_SPECIALISATION
        if direction == "in":
            up, down = down, up
        found: list[Transition[str]] = []
        for kind, edges in ((up, self._edges["out"].get(node, prefetch)), (down, self._edges["in"].get(node, prefetch))):
            found += [
                (edge.other, TransitionClass(kind, edge.breadth or 0) if edge.type in HIERARCHIES else _CENTRAL)
                for edge in edges
                if edge.other != node
            ]
        return found

    def equivalents(self, node: str) -> Sequence[str]:
        """Return the categories that an article is central to, or the central articles of a category."""
        edges = [*self._edges["out"].get(node), *self._edges["in"].get(node)]
        return [edge.other for edge in edges if edge.type == "CENTRAL_TO"]

    def cache_info(self) -> dict[str, CacheInfo]:
        """Return the statistics of the caches of transitions and of labels."""
        return {**super().cache_info(), "store labels": self._labels.info()}

    def _load_labels(self, stems: Sequence[str], *, folded: bool = False) -> dict[str, list[LabelUses[str]]]:
        found = self.store.labels_by_stem(self.base, stems, folded=folded)
        return {
            stem: [
                LabelUses(entry.name, tuple((sense.entity, sense.uses) for sense in entry.senses))
                for entry in found.get(stem, ())
            ]
            for stem in stems
        }

    def _load_bracketed(self, stems: Sequence[str], *, folded: bool = False) -> dict[str, list[tuple[str, str]]]:
        found = self.store.articles_by_stem(self.base, stems, folded=folded)
        return {stem: [(id, normalise(strip_brackets(name) or name)) for id, name in found.get(stem, ())] for stem in stems}
