"""Turn a lexicon into batches of graph rows of bounded size: nodes first, then relationships."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ...core.arrays import BoolArray, IntArray
from ...core.stemming import Stemmer
from ...graph.records import Batch
from ...graph.schema import RELATIONSHIPS, entity_id, label_id
from .descendants import count_descendants
from .expansion import Expansion, expand
from .lexicon import BATCH_SIZE, DUPLICATE_POINTER, SPELLING_VARIANT, Lexicon, Pointers

SYNSETS = ("Synset", "Synset")


@dataclass(slots=True)
class Links:
    """The distinct relationships of one type as columns: synset numbers, word numbers (-1: none), index into the relations."""

    start: IntArray
    end: IntArray
    start_word: IntArray
    end_word: IntArray
    relation: IntArray

    def columns(self) -> list[IntArray]:
        """Return all columns in their order."""
        return [self.start, self.end, self.start_word, self.end_word, self.relation]


class GraphBatches:
    """The batches of one lexicon, with the relations of an expansion; ``total`` is the number of their rows."""

    def __init__(self, lexicon: Lexicon, expansion: Expansion | None = None) -> None:
        self._lexicon = lexicon
        self._senses, self._ranks = _rank_senses(lexicon)
        self._links = dict(_merge_pointers(lexicon.pointers, lexicon)) if lexicon.pointers else {}
        if expansion is not None:
            self._expand(expansion)
        stem = Stemmer()
        stems: dict[str, int] = {}
        self._stem_of = np.fromiter((stems.setdefault(stem(name), len(stems)) for name in lexicon.labels), np.int64)
        self._folds = [
            (stems.setdefault(folded, len(stems)), label)
            for label, name in enumerate(lexicon.labels)
            if (folded := stem.stem_folded(name)) is not None
        ]
        self._stems = pa.array(list(stems), pa.string())
        self._labels = pa.array([label_id(lexicon.base, name) for name in lexicon.labels], pa.string())
        self._synset_ids = pa.array([entity_id(lexicon.base, key) for key in lexicon.synsets.keys], pa.string())
        nodes = len(stems) + len(lexicon.labels) + lexicon.synsets.count
        links = sum(len(columns.start) for columns in self._links.values())
        self.total = nodes + len(self._stem_of) + len(self._folds) + len(self._senses) + len(lexicon.inflections) + links

    def __iter__(self) -> Iterator[Batch]:
        yield from _slice("Stem", {"id": self._stems})
        yield from self._label_nodes()
        yield from self._synset_nodes()
        yield from _slice("FORM", {"from": self._stems.take(self._stem_of), "to": self._labels}, ("Stem", "Label"))
        folds = [pa.array([row[column] for row in self._folds], pa.int64()) for column in (0, 1)]
        yield from _slice("FOLDS", {"from": self._stems.take(folds[0]), "to": self._labels.take(folds[1])}, ("Stem", "Label"))
        yield from self._sense_rows()
        yield from self._inflection_rows()
        yield from self._pointer_rows()

    def _expand(self, expansion: Expansion) -> None:
        """Add the relations of an expansion that the lexicon does not have itself."""
        pointers = self._lexicon.pointers
        assert pointers is not None  # noqa: S101 - readers set it
        codes = {relation: code for code, relation in enumerate(pointers.relations)}
        for relation, start, end in expand(self._lexicon, expansion):
            code = np.full(len(start), codes.setdefault(relation, len(codes)))
            without = np.full(len(start), -1)
            added = Links(start, end, without, without, code)
            own = self._links.get(relation.type)
            columns = (
                [np.concatenate(pair) for pair in zip(own.columns(), added.columns(), strict=True)] if own else added.columns()
            )
            first = _distinct(columns if relation.kind is not None else columns[:4])
            self._links[relation.type] = Links(*(column[first] for column in columns))
        pointers.relations = tuple(codes)

    def _uses(self) -> IntArray:
        """Return the sum of tag counts of each label."""
        senses = self._lexicon.senses
        uses = np.zeros(len(self._labels), np.int64)
        np.add.at(uses, _numbers(senses.label)[self._senses], _numbers(senses.uses)[self._senses])
        return uses

    def _label_nodes(self) -> Iterator[Batch]:
        names = pa.array(list(self._lexicon.labels), pa.string())
        base = pa.repeat(self._lexicon.base, len(names))
        yield from _slice("Label", {"id": self._labels, "base": base, "name": names, "uses": pa.array(self._uses())})

    def _synset_nodes(self) -> Iterator[Batch]:
        hypernyms = self._links.get("HYPERNYM")
        starts, ends = (np.zeros(0, np.int64),) * 2 if hypernyms is None else (hypernyms.start, hypernyms.end)
        size = self._lexicon.synsets.count
        columns = {
            "hyponyms": pa.array(np.bincount(ends, minlength=size), pa.int64()),
            "descendants": pa.array(count_descendants(starts, ends, size), pa.int64()),
        }
        start = 0
        for rows in self._lexicon.synsets.rows():
            for name, values in columns.items():
                rows = rows.append_column(name, values.slice(start, rows.num_rows))
            yield Batch("Synset", rows)
            start += rows.num_rows

    def _sense_rows(self) -> Iterator[Batch]:
        """Yield the SENSE rows; a prior is the share of the label's tag counts, or uniform if it has none."""
        senses, selected = self._lexicon.senses, self._senses
        label, uses = _numbers(senses.label)[selected], _numbers(senses.uses)[selected]
        sense_counts = np.bincount(label, minlength=len(self._labels))
        total = self._uses()[label]
        prior = np.where(total > 0, uses / np.maximum(total, 1), 1 / sense_counts[label])
        columns = {
            "from": self._labels.take(label),
            "to": self._synset_ids.take(_numbers(senses.synset)[selected]),
            "uses": pa.array(uses),
            "prior": pa.array(prior),
            "rank": pa.array(self._ranks),
            "lemma": pa.array(self._lexicon.words, pa.string()).take(_numbers(senses.word)[selected]),
            "key": pa.array(senses.key, pa.string()).take(selected),
        }
        yield from _slice("SENSE", columns, ("Label", "Synset"))

    def _inflection_rows(self) -> Iterator[Batch]:
        forms = list(self._lexicon.inflections)
        columns = {
            "from": self._labels.take(pa.array([row[0] for row in forms], pa.int64())),
            "to": self._labels.take(pa.array([row[1] for row in forms], pa.int64())),
            "pos": pa.array([row[2] for row in forms], pa.string()),
        }
        yield from _slice("INFLECTION_OF", columns, ("Label", "Label"))

    def _pointer_rows(self) -> Iterator[Batch]:
        ids = self._synset_ids
        words = pa.array(self._lexicon.words, pa.string())
        for name, links in self._links.items():
            columns = {"from": ids.take(links.start), "to": ids.take(links.end)}
            for property in RELATIONSHIPS[name].properties:
                columns[property] = self._property(property, links, words)
            yield from _slice(name, columns, SYNSETS)

    def _property(self, name: str, links: Links, words: pa.Array) -> pa.Array:
        assert self._lexicon.pointers is not None  # noqa: S101 - links are made from pointers
        relations = self._lexicon.pointers.relations
        if name == "instance":
            return pa.array(np.array([relation.instance for relation in relations])[links.relation])
        if name == "kind":
            return pa.array([relation.kind for relation in relations], pa.string()).take(links.relation)
        numbers = links.start_word if name == "from_lemma" else links.end_word
        return words.take(pa.array(numbers, mask=numbers < 0))


def _rank_senses(lexicon: Lexicon) -> tuple[IntArray, IntArray]:
    """Return the senses by label, part of speech and rank, without duplicates after the first, and their ranks."""
    label, synset = _numbers(lexicon.senses.label), _numbers(lexicon.senses.synset)
    _, first = np.unique(label * max(lexicon.synsets.count, 1) + synset, return_index=True)
    if len(first) < len(label):
        lexicon.left_out[SPELLING_VARIANT] += len(label) - len(first)
    first.sort()
    pos = np.frombuffer(bytes(lexicon.synsets.parts_of_speech), np.uint8).astype(np.int64)[synset[first]]
    group = label[first] * 256 + pos
    order = np.argsort(group, kind="stable")
    ordered = group[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    sizes = np.diff(starts, append=len(ordered))
    ranks = np.arange(len(ordered)) - np.repeat(starts, sizes) + 1
    return first[order], ranks


def _merge_pointers(pointers: Pointers, lexicon: Lexicon) -> Iterator[tuple[str, Links]]:
    """Yield the relationships of each type that occurs; a pointer and its inverse become one relationship."""
    for name in RELATIONSHIPS:
        codes = [number for number, relation in enumerate(pointers.relations) if relation.type == name]
        rows = np.flatnonzero(np.isin(pointers.relation, codes))
        if not len(rows):
            continue
        relation = pointers.relation[rows]
        reverse = np.array([relation.reverse for relation in pointers.relations])[relation]
        start, end = _swap(pointers.start[rows], pointers.end[rows], reverse)
        start_word, end_word = _swap(pointers.start_word[rows], pointers.end_word[rows], reverse)
        if "from_lemma" not in RELATIONSHIPS[name].properties:
            start_word, end_word = np.full_like(start, -1), np.full_like(end, -1)
        columns = [start, end, start_word, end_word]
        duplicates = len(relation) - len(_distinct([*columns, relation]))
        if duplicates:
            lexicon.left_out[DUPLICATE_POINTER] += duplicates
        kinds = {relation.kind for relation in (pointers.relations[code] for code in codes)}
        first = _distinct([*columns, relation] if len(kinds) > 1 else columns)
        yield name, Links(start[first], end[first], start_word[first], end_word[first], relation[first])


def _swap(start: IntArray, end: IntArray, reverse: BoolArray) -> tuple[IntArray, IntArray]:
    return np.where(reverse, end, start), np.where(reverse, start, end)


def _distinct(columns: list[IntArray]) -> IntArray:
    """Return the indices of the distinct rows, sorted by the columns in turn; for equal rows the first index."""
    order = np.lexsort(columns[::-1])
    changed = np.ones(len(order), bool)
    if len(order):
        changed[1:] = np.any([np.diff(column[order]) != 0 for column in columns], axis=0)
    distinct: IntArray = order[changed]
    return distinct


def _numbers(values: Any) -> IntArray:
    return np.asarray(values, np.int64)


def _slice(type: str, columns: Mapping[str, pa.Array], ends: tuple[str, str] | None = None) -> Iterator[Batch]:
    rows = pa.RecordBatch.from_pydict(dict(columns))
    for start in range(0, rows.num_rows, BATCH_SIZE):
        yield Batch(type, rows.slice(start, BATCH_SIZE), ends)
