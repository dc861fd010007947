"""A view straight over a store: always current, nothing to build, every expansion asked of the engine once.

What was asked stays in bounded caches. A store that likes many questions at once is asked ahead: for the node that a search
needs now and for those that wait next in its fringe.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from threading import RLock
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..graph.phrases import normalise
from ..graph.schema import label_id
from .transitions import Kind
from .view import CacheInfo, Entity, Entry, Transition

if TYPE_CHECKING:
    from ..graph.store import Direction, Edge, Store

SYNSETS = ("HYPERNYM", "SIMILAR", "ALSO", "DERIVATION")
FLAT = {"SIMILAR": Kind.SIMILAR, "ALSO": Kind.ALSO, "DERIVATION": Kind.DERIVATION}

Word = tuple[str, str]
"""A lemma and the part of speech in which it is meant."""

K = TypeVar("K")
V = TypeVar("V")


class Lru(Generic[K, V]):
    """The latest answers of a function that answers many questions at once."""

    def __init__(self, answer: Callable[[Sequence[K]], dict[K, V]], limit: int) -> None:
        self._answer = answer
        self._known: OrderedDict[K, V] = OrderedDict()
        self._lock = RLock()
        self.limit = limit
        self.hits = self.misses = 0

    def get(self, key: K, ahead: Callable[[], Iterable[K]] = tuple) -> V:
        """The answer for a key; on a miss those ahead are asked for in the same breath."""
        return self.all([key], ahead)[key]

    def all(self, keys: Iterable[K], ahead: Callable[[], Iterable[K]] = tuple) -> dict[K, V]:
        """The answers for many keys; on a miss those ahead are asked for in the same breath."""
        with self._lock:
            found: dict[K, V] = {}
            missing: list[K] = []
            for key in dict.fromkeys(keys):
                if key in self._known:
                    self._known.move_to_end(key)
                    found[key] = self._known[key]
                else:
                    missing.append(key)
            self.hits += len(found)
            self.misses += len(missing)
            if missing:
                found.update(
                    self._learn(list(dict.fromkeys([*missing, *(each for each in ahead() if each not in self._known)])))
                )
            return found

    def known(self, keys: Iterable[K]) -> dict[K, V]:
        """The answers that are at hand; nothing is asked."""
        with self._lock:
            return {key: self._known[key] for key in keys if key in self._known}

    def _learn(self, keys: Sequence[K]) -> dict[K, V]:
        answers = self._answer(keys)
        for key in reversed(keys):
            self._known[key] = answers[key]
        while len(self._known) > max(self.limit, 1):
            self._known.popitem(last=False)
        return answers

    def info(self) -> CacheInfo:
        """How well the cache did."""
        return CacheInfo(self.hits, self.misses, self.limit, len(self._known))


class LiveView:
    """A WordNet in a store, seen as it is now; nodes are the ids of synsets."""

    def __init__(self, store: Store, base: str, limit: int = 100_000) -> None:
        self.store = store
        self.base = base
        self._frontiers: dict[Direction, Sequence[tuple[Any, ...]]] = {"out": (), "in": ()}
        self._edges: dict[Direction, Lru[str, list[Edge]]] = {
            "out": Lru(lambda ids: self._expand(ids, SYNSETS, "out"), limit),
            "in": Lru(lambda ids: self._expand(ids, SYNSETS, "in"), limit),
        }
        self._names: Lru[str, list[Edge]] = Lru(lambda ids: self._expand(ids, ("SENSE",), "in"), limit)
        self._entries: Lru[str, Entry[str] | None] = Lru(self._look_up, limit)
        self._entities: Lru[str, Entity] = Lru(self._describe, limit)

    def watch(self, direction: Direction, frontier: Sequence[tuple[Any, ...]]) -> None:
        """Take note of the heap of a search, to fetch ahead from it."""
        self._frontiers[direction] = frontier

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

    def entities(self, nodes: Sequence[str]) -> list[Entity]:
        """What people read of these nodes."""
        found = self._entities.all(nodes)
        return [found[node] for node in nodes]

    def caches(self) -> dict[str, CacheInfo]:
        """The caches of this view."""
        return {
            "store edges out": self._edges["out"].info(),
            "store edges in": self._edges["in"].info(),
            "store labels": self._entries.info(),
            "store names": self._names.info(),
        }

    def _ahead(self, direction: Direction) -> list[str]:
        if self.store.fetch <= 1:
            return []
        found: list[str] = []
        for waiting in islice(self._frontiers[direction], self.store.fetch):
            found += waiting[-1] if isinstance(waiting[-1], list) else [waiting[-1]]
        return found[: self.store.fetch]

    def _expand(self, ids: Sequence[str], types: Sequence[str], direction: Direction) -> dict[str, list[Edge]]:
        found = self.store.expand(ids, types, direction)
        return {each: found.get(each, []) for each in ids}

    def _look_up(self, names: Sequence[str]) -> dict[str, Entry[str] | None]:
        found = self.store.labels(self.base, names)
        answers: dict[str, Entry[str] | None] = dict.fromkeys(names)
        for name, entry in found.items():
            ordered = sorted(entry.senses, key=lambda sense: (-sense.uses, sense.rank, sense.entity))
            senses = tuple((sense.entity, sense.entity[-1]) for sense in ordered)
            answers[name] = Entry(name, senses, entry.inflections)
        return answers

    def _describe(self, ids: Sequence[str]) -> dict[str, Entity]:
        found = self.store.nodes(ids)
        return {each: Entity(each, found[each]["name"], found[each].get("gloss")) for each in ids}


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
