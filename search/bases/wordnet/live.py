"""The live view of a WordNet: words are looked up by their base forms, and a derivation leads by way of a word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ....core.normalization import fold, normalise
from ....core.stemming import Stemmer
from ....graph.schema import label_id
from ...scoring.transitions import TransitionKind
from ..batch_cache import BatchCache
from ..live import LiveView
from ..view import CacheInfo, Entity, Entry, Transition
from .morphology import match_targets
from .senses import describe_senses

if TYPE_CHECKING:
    from ....graph.records import Direction, Edge, LabelEntry
    from ....graph.store import Store
    from ...results import Target
    from ...scoring.parameters import Parameters

FLAT = {"SIMILAR": TransitionKind.SIMILAR, "ALSO": TransitionKind.ALSO, "DERIVATION": TransitionKind.DERIVATION}

Pointer = tuple[str, str]
"""The text of a word, and a synset that contains the word."""


class LiveWordNet(LiveView):
    """A base of the kind ``wordnet`` as it is now."""

    has_word_derivations = True
    types = ("HYPERNYM", "SIMILAR", "ALSO", "DERIVATION")

    def __init__(self, store: Store, base: str, limit: int = 100_000) -> None:
        super().__init__(store, base, limit)
        self._names: BatchCache[str, list[Edge]] = BatchCache(lambda ids: self._expand(ids, ("SENSE",), "in"), limit)
        self._entries: BatchCache[str, Entry[str] | None] = BatchCache(self._look_up, limit)
        self._stem = Stemmer()
        self._folded: BatchCache[str, list[Entry[str]]] = BatchCache(self._look_up_folded, limit)
        self._parts_of_speech: BatchCache[str, str] = BatchCache(
            self._look_up_pos, limit
        )  # of synsets that lack the word of a pointer

    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[str, str]:  # noqa: ARG002
        """The synsets of a phrase's base forms."""
        return match_targets(self, words)

    def senses(self, store: Store, text: str, parameters: Parameters) -> Iterator[Target]:  # noqa: ARG002
        """The synsets of a phrase's base forms, by part of speech and then as the lexicon ranks them."""
        return describe_senses(self, store, self.base, text)

    def called(self, entity: Entity, label: str) -> Entity:
        """A synset under the one of its words by which it was found."""
        return entity if normalise(entity.name) == label else entity._replace(name=label)

    def transitions(self, node: str, direction: Direction, *, words: bool = True) -> list[Transition[str]]:
        """All transitions out of a synset, or into it; without ``words`` those of ``Kind.WORD_DERIVATION`` are left out."""
        ahead = partial(self._ahead, direction)
        out, into = self._edges["out"].get(node, ahead), self._edges["in"].get(node, ahead)
        breadth = next((edge.breadth or 0 for edge in into if edge.type == "HYPERNYM"), 0)
        up, down = (
            (TransitionKind.GENERALISATION, TransitionKind.SPECIALISATION)
            if direction == "out"
            else (TransitionKind.SPECIALISATION, TransitionKind.GENERALISATION)
        )
        found: list[Transition[str]] = [(edge.other, up, edge.breadth or 0) for edge in out if edge.type == "HYPERNYM"]
        found += [(edge.other, down, breadth) for edge in into if edge.type == "HYPERNYM"]
        for edge in out if direction == "out" else into:
            if edge.type in FLAT:
                found.append((edge.other, FLAT[edge.type], 0))
        if words:
            derived = self._derived(node) if direction == "out" else self._deriving(node)
            direct = {other for other, kind, _ in found if kind is TransitionKind.DERIVATION}
            found += [(other, TransitionKind.WORD_DERIVATION, 0) for other in sorted(derived - direct)]
        return [each for each in found if each[0] != node]

    def _derived(self, node: str) -> set[str]:
        """The synsets of all words that a derivation pointer of this one leads to."""
        pointers = _pointers(self._edges["out"].get(node))

        def texts_ahead() -> list[str]:
            known = self._edges["out"].known(self._ahead("out")).values()
            return sorted({text for edges in known for text, _ in _pointers(edges)})

        entries = self._entries.all(sorted({text for text, _ in pointers}), texts_ahead)
        return {each for pointer in pointers for each in self._meant(pointer, entries)}

    def _deriving(self, node: str) -> set[str]:
        """The synsets with a derivation pointer to a word of this one, whichever of its synsets the pointer names."""
        texts = self._texts(self._names.get(node, partial(self._ahead, "in")))

        def ahead() -> list[tuple[str, list[str]]]:
            return [(each, self._texts(edges)) for each, edges in self._names.known(self._ahead("in")).items()]

        entries = self._entries.all(texts, lambda: sorted({text for _, found in ahead() for text in found}))
        siblings = {each for text in texts for each in self._meant((text, node), entries)}

        def siblings_ahead() -> list[str]:
            found = ahead()
            known = self._entries.known(sorted({text for _, others in found for text in others}))
            return sorted({each for other, others in found for text in others for each in self._meant((text, other), known)})

        edges = self._edges["in"].all(sorted(siblings), siblings_ahead)
        words = {text for text in texts if self._meant((text, node), entries)}
        return {
            edge.other
            for sibling in siblings
            for edge in edges[sibling]
            if edge.type == "DERIVATION" and normalise(edge.to_lemma or "") in words
        }

    def word(self, node: str, following: str) -> str | None:
        """The word that a derivation leads to, of several the first of the alphabet; None for another transition."""
        pointers = _pointers(self._edges["out"].get(node))
        entries = self._entries.all(sorted({text for text, _ in pointers}))
        return min((pointer[0] for pointer in pointers if following in self._meant(pointer, entries)), default=None)

    def _meant(self, pointer: Pointer, entries: Mapping[str, Entry[str] | None]) -> set[str]:
        """The synsets of a pointer's word that have the part of speech of the synset that it names."""
        text, synset = pointer
        entry = entries.get(text)
        if entry is None:
            return set()
        parts = {pos for entity, pos in entry.senses if entity == synset} or {self._parts_of_speech.get(synset)}
        return {entity for entity, pos in entry.senses if pos in parts}

    def _texts(self, named: Iterable[Edge]) -> list[str]:
        """The texts of the labels that name a synset."""
        base = label_id(self.base, "")
        return sorted({edge.other.removeprefix(base) for edge in named})

    def entries(self, names: Sequence[str]) -> dict[str, Entry[str]]:
        """The entries of labels; names that the base does not have are left out."""
        return {name: entry for name, entry in self._entries.all(names).items() if entry is not None}

    def folded_entries(self, forms: Sequence[str]) -> dict[str, list[Entry[str]]]:
        """The entries of all labels whose folded form is one of these; forms without any are left out."""
        return {form: entries for form, entries in self._folded.all(forms).items() if entries}

    def caches(self) -> dict[str, CacheInfo]:
        """The caches of this view."""
        return {
            **super().caches(),
            "store labels": self._entries.info(),
            "store names": self._names.info(),
        }

    def _look_up_pos(self, ids: Sequence[str]) -> dict[str, str]:
        nodes = self.store.nodes(ids)
        return {each: nodes.get(each, {}).get("pos") or "" for each in ids}

    def _look_up(self, names: Sequence[str]) -> dict[str, Entry[str] | None]:
        found = self.store.labels(self.base, names)
        return {name: _entry(found[name]) if name in found else None for name in names}

    def _look_up_folded(self, forms: Sequence[str]) -> dict[str, list[Entry[str]]]:
        """A label is found by the stem of its folded form, whether that is the stem of the label too or not."""
        stems = {form: self._stem(form) for form in forms}
        wanted = list(dict.fromkeys(stems.values()))
        own, folded = (self.store.labels_by_stem(self.base, wanted, folded=each) for each in (False, True))
        return {
            form: [_entry(each) for each in (*own.get(stem, ()), *folded.get(stem, ())) if fold(each.name) == form]
            for form, stem in stems.items()
        }


def _entry(stored: LabelEntry) -> Entry[str]:
    ordered = sorted(stored.senses, key=lambda sense: (-sense.uses, sense.rank, sense.entity))
    return Entry(stored.name, tuple((sense.entity, sense.pos or "") for sense in ordered), stored.inflections)


def _pointers(out: Iterable[Edge]) -> set[Pointer]:
    """The words that derivation pointers lead to, each with the synset that the pointer names."""
    return {(normalise(edge.to_lemma or ""), edge.other) for edge in out if edge.type == "DERIVATION"}
