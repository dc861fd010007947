"""The live view of a WordNet: words are looked up by their base forms, and a derivation leads by way of a word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ..graph.phrases import normalise
from ..graph.schema import label_id
from .live import LiveView
from .lru import Lru
from .morphology import match_targets
from .transitions import Kind
from .view import CacheInfo, Entity, Entry, Transition

if TYPE_CHECKING:
    from ..graph.store import Direction, Edge, Store
    from .transitions import Parameters

FLAT = {"SIMILAR": Kind.SIMILAR, "ALSO": Kind.ALSO, "DERIVATION": Kind.DERIVATION}

Word = tuple[str, str]
"""A lemma and the part of speech in which it is meant."""


class LiveWordNet(LiveView):
    """A base of the kind ``wordnet`` as it is now."""

    by_words = True
    types = ("HYPERNYM", "SIMILAR", "ALSO", "DERIVATION")

    def __init__(self, store: Store, base: str, limit: int = 100_000) -> None:
        super().__init__(store, base, limit)
        self._names: Lru[str, list[Edge]] = Lru(lambda ids: self._expand(ids, ("SENSE",), "in"), limit)
        self._entries: Lru[str, Entry[str] | None] = Lru(self._look_up, limit)

    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[str, str]:  # noqa: ARG002
        """The synsets of a phrase's base forms."""
        return match_targets(self, words)

    def twins(self, node: str) -> Sequence[str]:  # noqa: ARG002
        """None: words of one synset are one entity already."""
        return ()

    def called(self, entity: Entity, label: str) -> Entity:
        """A synset under the one of its words by which it was found."""
        return entity if normalise(entity.name) == label else entity._replace(name=label)

    def transitions(self, node: str, direction: Direction, *, words: bool = True) -> list[Transition[str]]:
        """All transitions out of a synset, or into it; without ``words`` those of ``Kind.WORD_DERIVATION`` are left out."""
        ahead = partial(self._ahead, direction)
        out, into = self._edges["out"].get(node, ahead), self._edges["in"].get(node, ahead)
        breadth = next((edge.breadth or 0 for edge in into if edge.type == "HYPERNYM"), 0)
        up, down = (
            (Kind.GENERALISATION, Kind.SPECIALISATION) if direction == "out" else (Kind.SPECIALISATION, Kind.GENERALISATION)
        )
        found: list[Transition[str]] = [(edge.other, up, edge.breadth or 0) for edge in out if edge.type == "HYPERNYM"]
        found += [(edge.other, down, breadth) for edge in into if edge.type == "HYPERNYM"]
        for edge in out if direction == "out" else into:
            if edge.type in FLAT:
                found.append((edge.other, FLAT[edge.type], 0))
        if words:
            derived = self._derived(node) if direction == "out" else self._deriving(node)
            direct = {other for other, kind, _ in found if kind is Kind.DERIVATION}
            found += [(other, Kind.WORD_DERIVATION, 0) for other in sorted(derived - direct)]
        return [each for each in found if each[0] != node]

    def _derived(self, node: str) -> set[str]:
        """The synsets of all words that a derivation pointer of this one leads to."""
        words = _pointed(self._edges["out"].get(node))

        def texts_ahead() -> list[str]:
            return _texts(map(_pointed, self._edges["out"].known(self._ahead("out")).values()))

        return _meant(words, self._entries.all(_texts([words]), texts_ahead))

    def _deriving(self, node: str) -> set[str]:
        """The synsets with a derivation pointer to a word of this one, whichever of its synsets the pointer names."""
        words = self._words(node, self._names.get(node, partial(self._ahead, "in")))

        def words_ahead() -> list[set[Word]]:
            return [self._words(*each) for each in self._names.known(self._ahead("in")).items()]

        entries = self._entries.all(_texts([words]), lambda: _texts(words_ahead()))
        siblings = _meant(words, entries)

        def siblings_ahead() -> list[str]:
            found = words_ahead()
            known = self._entries.known(_texts(found))
            return sorted(set().union(*(_meant(each, known) for each in found)))

        edges = self._edges["in"].all(sorted(siblings), siblings_ahead)
        return {
            edge.other
            for sibling in siblings
            for edge in edges[sibling]
            if edge.type == "DERIVATION" and (normalise(edge.to_lemma or ""), node[-1]) in words
        }

    def word(self, node: str, following: str) -> str | None:
        """The word that a derivation leads to, of several the first of the alphabet; None for another transition."""
        words = _pointed(self._edges["out"].get(node))
        entries = self._entries.all(_texts([words]))
        return min((text for text, pos in words if following in _meant([(text, pos)], entries)), default=None)

    def _words(self, node: str, named: Iterable[Edge]) -> set[Word]:
        """The words that name a synset."""
        base = label_id(self.base, "")
        return {(edge.other.removeprefix(base), node[-1]) for edge in named}

    def entries(self, names: Sequence[str]) -> dict[str, Entry[str]]:
        """The entries of labels; names that the base does not have are left out."""
        return {name: entry for name, entry in self._entries.all(names).items() if entry is not None}

    def caches(self) -> dict[str, CacheInfo]:
        """The caches of this view."""
        return {
            **super().caches(),
            "store labels": self._entries.info(),
            "store names": self._names.info(),
        }

    def _look_up(self, names: Sequence[str]) -> dict[str, Entry[str] | None]:
        found = self.store.labels(self.base, names)
        answers: dict[str, Entry[str] | None] = dict.fromkeys(names)
        for name, entry in found.items():
            ordered = sorted(entry.senses, key=lambda sense: (-sense.uses, sense.rank, sense.entity))
            senses = tuple((sense.entity, sense.entity[-1]) for sense in ordered)
            answers[name] = Entry(name, senses, entry.inflections)
        return answers


def _pointed(out: Iterable[Edge]) -> set[Word]:
    """The words that derivation pointers lead to."""
    return {(normalise(edge.to_lemma or ""), edge.other[-1]) for edge in out if edge.type == "DERIVATION"}


def _texts(words: Iterable[set[Word]]) -> list[str]:
    return sorted({text for each in words for text, _ in each})


def _meant(words: Iterable[Word], entries: Mapping[str, Entry[str] | None]) -> set[str]:
    """The synsets that words mean, as far as their entries are given."""
    return {
        entity for text, pos in words if (entry := entries.get(text)) is not None for entity, of in entry.senses if of == pos
    }
