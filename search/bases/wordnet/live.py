"""The live view of a WordNet: phrases are looked up by their base forms, and derivations lead through words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ....core.normalisation import fold, normalise
from ....core.stemming import Stemmer
from ....graph.schema import label_id
from ...scoring.transitions import FURTHER_KINDS, TransitionClass, TransitionKind
from ..batch_cache import BatchCache
from ..live import LiveView
from ..view import CacheInfo, Entity, Entry, TargetLabel, Transition
from .morphology import match_targets
from .relations import FURTHER_RELATIONS, THESIS_RELATIONS, hierarchy_kinds, share_aside, share_below
from .senses import describe_senses

if TYPE_CHECKING:
    from ....graph.records import Direction, Edge, LabelEntry
    from ....graph.store import Store
    from ...results import Target
    from ...scoring.parameters import Parameters

Pointer = tuple[str, str]
"""A derivation pointer: the text of the word that it leads to, and the synset that it names."""


class LiveWordNet(LiveView):
    """A base of the kind ``wordnet`` as it is now."""

    has_word_derivations = True
    types = ("HYPERNYM", *THESIS_RELATIONS)

    def __init__(self, store: Store, base: str, limit: int = 100_000) -> None:
        super().__init__(store, base, limit)
        # Read only if they are followed
        self._further_edges: dict[Direction, BatchCache[str, list[Edge]]] = {
            "out": BatchCache(lambda ids: self._expand(ids, tuple(FURTHER_RELATIONS), "out"), limit),
            "in": BatchCache(lambda ids: self._expand(ids, tuple(FURTHER_RELATIONS), "in"), limit),
        }
        self._label_edges: BatchCache[str, list[Edge]] = BatchCache(lambda ids: self._expand(ids, ("SENSE",), "in"), limit)
        self._entries: BatchCache[str, Entry[str] | None] = BatchCache(self._load_entries_by_name, limit)
        self._stem = Stemmer()
        self._folded: BatchCache[str, list[Entry[str]]] = BatchCache(self._load_folded_entries, limit)
        self._opposites: BatchCache[str, Sequence[str]] = BatchCache(self._load_opposites, limit)
        self._descendants: BatchCache[str, int] = BatchCache(self._load_descendants, limit)
        # Parts of speech of synsets that a pointer names although they do not contain the word of the pointer
        self._parts_of_speech: BatchCache[str, str] = BatchCache(self._load_pos, limit)

    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[str, TargetLabel]:
        """Return the synsets of a phrase's base forms."""
        return match_targets(self, words, parameters)

    def senses(self, store: Store, text: str, parameters: Parameters) -> Iterator[Target]:  # noqa: ARG002
        """Yield the synsets of a phrase's base forms, by part of speech and then as the lexicon ranks them."""
        return describe_senses(self, store, self.base, text)

    def rename_to_label(self, entity: Entity, label: str) -> Entity:
        """Return a synset under the word by which it was found."""
        return entity if normalise(entity.name) == label else entity._replace(name=label)

    def transitions(
        self, node: str, direction: Direction, *, without: Collection[TransitionKind] = (), shares_aside: bool = True
    ) -> list[Transition[str]]:
        """Return all transitions out of a synset, or into it, without some kinds and shares that need further reading."""
        prefetch = partial(self._frontier_nodes, direction)
        out, into = self._edges["out"].get(node, prefetch), self._edges["in"].get(node, prefetch)
        leads_up = direction == "out"
        found = [(edge.other, _hierarchy_class(edge, leads_up=leads_up)) for edge in out if edge.type == "HYPERNYM"]
        found += [(edge.other, _hierarchy_class(edge, leads_up=not leads_up)) for edge in into if edge.type == "HYPERNYM"]
        for edge in out if direction == "out" else into:
            if edge.type in THESIS_RELATIONS:
                kind, _ = THESIS_RELATIONS[edge.type]
                share = share_aside(edge.to_descendants)
                found.append((edge.other, TransitionClass(kind, changes_pos=_changes_pos(edge), share=share)))
        if TransitionKind.WORD_DERIVATION not in without:
            derived = self._derivation_targets(node) if direction == "out" else self._derivation_sources(node)
            for other, transition in found:
                if transition.kind == TransitionKind.DERIVATION:
                    derived.pop(other, None)
            shares = self._shares_of_derivations(node, direction, derived) if shares_aside else {}
            found += [
                (
                    other,
                    TransitionClass(TransitionKind.WORD_DERIVATION, changes_pos=derived[other], share=shares.get(other, 1.0)),
                )
                for other in sorted(derived)
            ]
        if not set(FURTHER_KINDS).issubset(without):
            found += self._further_transitions(node, direction)
        return [each for each in found if each[0] != node]

    def _further_transitions(self, node: str, direction: Direction) -> list[Transition[str]]:
        """Return the transitions of ``FURTHER_KINDS``, each once although some relations are stored in both directions."""
        prefetch = partial(self._frontier_nodes, direction)
        found: dict[Transition[str], None] = {}
        for stored in self._further_edges:
            for edge in self._further_edges[stored].get(node, prefetch):
                kind = FURTHER_RELATIONS[edge.type][0 if stored == direction else 1]
                share = share_aside(edge.to_descendants if stored == direction else edge.from_descendants)
                if kind is not None:
                    found[edge.other, TransitionClass(kind, changes_pos=_changes_pos(edge), share=share)] = None
        return list(found)

    def _shares_of_derivations(self, node: str, direction: Direction, derived: Collection[str]) -> dict[str, float]:
        """Return the share of each derivation between words, which depends on where it leads to."""
        if direction == "in":
            return dict.fromkeys(derived, share_aside(self._descendants.get(node, partial(self._frontier_nodes, "in"))))

        def prefetch() -> list[str]:
            pointers = {
                each for edges in self._edges["out"].peek(self._frontier_nodes("out")).values() for each in _pointers(edges)
            }
            entries = self._entries.peek(sorted({text for text, _ in pointers}))
            return sorted({each for pointer in pointers for each in self._resolve(pointer, entries)})

        found = self._descendants.get_many(sorted(derived), prefetch)
        return {other: share_aside(found[other]) for other in derived}

    def _derivation_targets(self, node: str) -> dict[str, bool]:
        """Return the synsets of all words that derivation pointers of this one lead to, and whether they change the pos."""
        pointers = _pointers(self._edges["out"].get(node))

        def prefetch_texts() -> list[str]:
            cached = self._edges["out"].peek(self._frontier_nodes("out")).values()
            return sorted({text for edges in cached for text, _ in _pointers(edges)})

        entries = self._entries.get_many(sorted({text for text, _ in pointers}), prefetch_texts)
        return {each: changes_pos for pointer, changes_pos in pointers.items() for each in self._resolve(pointer, entries)}

    def _derivation_sources(self, node: str) -> dict[str, bool]:
        """Return the synsets with a derivation pointer to a word of this one, which may name any synset of that word."""
        texts = self._texts(self._label_edges.get(node, partial(self._frontier_nodes, "in")))

        def frontier_texts() -> list[tuple[str, list[str]]]:
            cached = self._label_edges.peek(self._frontier_nodes("in"))
            return [(each, self._texts(edges)) for each, edges in cached.items()]

        entries = self._entries.get_many(texts, lambda: sorted({text for _, found in frontier_texts() for text in found}))
        siblings = {each for text in texts for each in self._resolve((text, node), entries)}

        def prefetch_siblings() -> list[str]:
            found = frontier_texts()
            cached = self._entries.peek(sorted({text for _, others in found for text in others}))
            return sorted({each for other, others in found for text in others for each in self._resolve((text, other), cached)})

        edges = self._edges["in"].get_many(sorted(siblings), prefetch_siblings)
        words = {text for text in texts if self._resolve((text, node), entries)}
        return {
            edge.other: _changes_pos(edge)
            for sibling in siblings
            for edge in edges[sibling]
            if edge.type == "DERIVATION" and normalise(edge.to_lemma or "") in words
        }

    def linking_word(self, node: str, following: str) -> str | None:
        """Return the word that a derivation leads to, the alphabetically first of several; None for other transitions."""
        pointers = _pointers(self._edges["out"].get(node))
        entries = self._entries.get_many(sorted({text for text, _ in pointers}))
        return min((pointer[0] for pointer in pointers if following in self._resolve(pointer, entries)), default=None)

    def _resolve(self, pointer: Pointer, entries: Mapping[str, Entry[str] | None]) -> set[str]:
        """Return the synsets of a pointer's word that have the part of speech of the synset that the pointer names."""
        text, synset = pointer
        entry = entries.get(text)
        if entry is None:
            return set()
        parts = {pos for entity, pos in entry.senses if entity == synset} or {self._parts_of_speech.get(synset)}
        return {entity for entity, pos in entry.senses if pos in parts}

    def _texts(self, label_edges: Iterable[Edge]) -> list[str]:
        """Return the texts of the labels at these edges."""
        base = label_id(self.base, "")
        return sorted({edge.other.removeprefix(base) for edge in label_edges})

    def entries(self, names: Sequence[str]) -> dict[str, Entry[str]]:
        """Return the entries of these labels; names the base does not have are left out."""
        return {name: entry for name, entry in self._entries.get_many(names).items() if entry is not None}

    def folded_entries(self, forms: Sequence[str]) -> dict[str, list[Entry[str]]]:
        """Return the entries of all labels with one of these folded forms, by name; forms without any are left out."""
        return {form: entries for form, entries in self._folded.get_many(forms).items() if entries}

    def opposites(self, nodes: Sequence[str]) -> dict[str, Sequence[str]]:
        """Return the antonyms of each synset."""
        return self._opposites.get_many(nodes)

    def cache_info(self) -> dict[str, CacheInfo]:
        """Return the statistics of the caches of transitions and of labels."""
        return {
            **super().cache_info(),
            "store further edges out": self._further_edges["out"].info(),
            "store further edges in": self._further_edges["in"].info(),
            "store labels": self._entries.info(),
            "store names": self._label_edges.info(),
        }

    def _load_opposites(self, ids: Sequence[str]) -> dict[str, Sequence[str]]:
        near = self._with_similar(ids)
        antonyms = self._expand(sorted({each for group in near.values() for each in group}), ("ANTONYM",), "out")
        around = self._with_similar(sorted({edge.other for edges in antonyms.values() for edge in edges}))
        return {
            id: sorted({other for each in near[id] for edge in antonyms[each] for other in around[edge.other]}) for id in ids
        }

    def _with_similar(self, ids: Sequence[str]) -> dict[str, list[str]]:
        """Return each synset with those that it is similar to."""
        edges = self._expand(ids, ("SIMILAR",), "out")
        return {id: [id, *(edge.other for edge in edges[id])] for id in ids}

    def _load_pos(self, ids: Sequence[str]) -> dict[str, str]:
        nodes = self.store.nodes(ids)
        return {each: nodes.get(each, {}).get("pos") or "" for each in ids}

    def _load_descendants(self, ids: Sequence[str]) -> dict[str, int]:
        nodes = self.store.nodes(ids)
        return {each: nodes.get(each, {}).get("descendants") or 0 for each in ids}

    def _load_entries_by_name(self, names: Sequence[str]) -> dict[str, Entry[str] | None]:
        found = self.store.labels(self.base, names)
        return {name: _entry(found[name]) if name in found else None for name in names}

    def _load_folded_entries(self, forms: Sequence[str]) -> dict[str, list[Entry[str]]]:
        """Look labels up by the stem of their folded form, whether or not it is also the stem of the label itself."""
        stems = {form: self._stem(form) for form in forms}
        distinct = list(dict.fromkeys(stems.values()))
        own, folded = (self.store.labels_by_stem(self.base, distinct, folded=each) for each in (False, True))
        return {
            form: sorted(_entry(each) for each in (*own.get(stem, ()), *folded.get(stem, ())) if fold(each.name) == form)
            for form, stem in stems.items()
        }


def _entry(stored: LabelEntry) -> Entry[str]:
    ordered = sorted(stored.senses, key=lambda sense: (-sense.uses, sense.rank, sense.entity))
    senses = tuple((sense.entity, sense.pos or "") for sense in ordered)
    return Entry(stored.name, senses, stored.inflections, [(sense.rank, sense.uses) for sense in ordered].__getitem__)


def _pointers(out: Iterable[Edge]) -> dict[Pointer, bool]:
    """Return the derivation pointers among the transitions out of a synset, and whether they change the part of speech."""
    return {(normalise(edge.to_lemma or ""), edge.other): _changes_pos(edge) for edge in out if edge.type == "DERIVATION"}


def _changes_pos(edge: Edge) -> bool:
    return (edge.from_pos or "") != (edge.to_pos or "")


def _hierarchy_class(edge: Edge, *, leads_up: bool) -> TransitionClass:
    """Return the class of the transition up or down a HYPERNYM."""
    down, up = hierarchy_kinds(edge.from_pos, edge.to_pos, instance=edge.instance)
    share = share_below(edge.from_descendants, edge.to_descendants)
    return TransitionClass(up if leads_up else down, edge.breadth or 0, _changes_pos(edge), share)
