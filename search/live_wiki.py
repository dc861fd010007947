"""The live view of a wiki: a phrase means what the labels with its stem are used for; categories make the hierarchy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from ..graph.phrases import normalise, unbracketed
from ..graph.stems import Stemmer
from .labels import Labelled, Stemmed, match_targets
from .live import LiveView
from .lru import Lru
from .transitions import Kind
from .view import CacheInfo, Entity, Transition

if TYPE_CHECKING:
    from ..graph.store import Direction, Store
    from .transitions import Parameters

HIERARCHIES = ("IN_CATEGORY", "SUBCATEGORY_OF")


class LiveWiki(LiveView):
    """A base of the kind ``wikipedia`` as it is now."""

    types = (*HIERARCHIES, "CENTRAL_TO")

    def __init__(self, store: Store, base: str, limit: int = 100_000) -> None:
        super().__init__(store, base, limit)
        self.stem = Stemmer()
        self._labels: Lru[str, list[Labelled[str]]] = Lru(self._look_up, limit)
        self._bracketed: Lru[str, list[tuple[str, str]]] = Lru(self._look_up_bracketed, limit)

    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[str, str]:
        """The articles that the labels with the stem of a phrase are used for."""
        return match_targets(self.stemmed(self.stem(" ".join(words)), bracketed=parameters.bracketed), parameters)

    def stemmed(self, stem: str, *, bracketed: bool = True) -> Stemmed[str]:
        """What there is under a stem."""
        return Stemmed(self._labels.get(stem), self._bracketed.get(stem) if bracketed else ())

    def transitions(self, node: str, direction: Direction, *, words: bool = True) -> list[Transition[str]]:  # noqa: ARG002
        """All transitions out of an article or a category, or into it."""
        ahead = partial(self._ahead, direction)
        up, down = Kind.GENERALISATION, Kind.SPECIALISATION
        if direction == "in":
            up, down = down, up
        found: list[Transition[str]] = []
        for kind, edges in ((up, self._edges["out"].get(node, ahead)), (down, self._edges["in"].get(node, ahead))):
            found += [
                (edge.other, kind, edge.breadth or 0) if edge.type in HIERARCHIES else (edge.other, Kind.CENTRAL, 0)
                for edge in edges
                if edge.other != node
            ]
        return found

    def twins(self, node: str) -> Sequence[str]:
        """The category that an article is central to, or the other way round."""
        edges = [*self._edges["out"].get(node), *self._edges["in"].get(node)]
        return [edge.other for edge in edges if edge.type == "CENTRAL_TO"]

    def word(self, node: str, following: str) -> str | None:  # noqa: ARG002
        """None: no transition leads by way of a word."""
        return None

    def called(self, entity: Entity, label: str) -> Entity:  # noqa: ARG002
        """The entity under its own name."""
        return entity

    def caches(self) -> dict[str, CacheInfo]:
        """The caches of this view."""
        return {**super().caches(), "store labels": self._labels.info()}

    def _look_up(self, stems: Sequence[str]) -> dict[str, list[Labelled[str]]]:
        found = self.store.stems(self.base, stems)
        return {
            stem: [
                Labelled(entry.name, tuple((sense.entity, sense.uses) for sense in entry.senses))
                for entry in found.get(stem, ())
            ]
            for stem in stems
        }

    def _look_up_bracketed(self, stems: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
        found = self.store.bracketed(self.base, stems)
        return {stem: [(id, normalise(unbracketed(name) or name)) for id, name in found.get(stem, ())] for stem in stems}
