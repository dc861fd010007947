"""A parsed WordNet as columns: the readers of both formats fill it, and graph batches are made from it.

Priors, hyponym counts and the targets of pointers need the whole lexicon, so it is stored in memory, but as flat columns
instead of an object for each synset, sense or pointer.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import pyarrow as pa

from ...core.arrays import IntArray
from ...core.normalisation import normalise
from ...graph.schema import entity_id

REPORT_EVERY = 2_000
"""Lines or elements after which a reader reports their number."""

BATCH_SIZE = 10_000
"""The maximum number of rows in a batch."""

LARGEST_COUNT = 10**12
"""The maximum tag count; a higher one is treated as damage. Sums of tag counts up to it are exact."""

SPELLING_VARIANT = "spelling_variant"
EMPTY_LEMMA = "empty_lemma"
DUPLICATE_POINTER = "duplicate_pointer"


class Relation(NamedTuple):
    """The relationship that a pointer becomes: its type and properties, and whether the pointer has the opposite direction."""

    type: str
    reverse: bool = False
    instance: bool = False
    kind: str | None = None


@dataclass(slots=True)
class Pointers:
    """The pointers of a source as columns: an index into ``relations``, synset numbers, and word numbers (-1: whole synset)."""

    relations: Sequence[Relation]
    relation: IntArray
    start: IntArray
    end: IntArray
    start_word: IntArray
    end_word: IntArray


@dataclass(slots=True)
class SynsetColumns:
    """The Synset rows: what can still change until the end as lists by synset number, the rest in Arrow batches."""

    base: str
    keys: list[str] = field(default_factory=list)
    lemmas: list[list[str]] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    """The names of synsets that are not named by their first word or their key."""
    parts_of_speech: bytearray = field(default_factory=bytearray)
    batches: list[pa.RecordBatch] = field(default_factory=list)
    _glosses: list[str] = field(default_factory=list)
    _examples: list[list[str]] = field(default_factory=list)
    _files: list[str | None] = field(default_factory=list)
    _ilis: list[str | None] = field(default_factory=list)

    @property
    def count(self) -> int:
        """The number of synsets."""
        return len(self.keys)

    def add(
        self,
        key: str,
        pos: str,
        lemmas: list[str],
        gloss: str,
        examples: list[str],
        lexfile: str | None,
        ili: str | None = None,
    ) -> None:
        """Append a synset; its number is the number of synsets before it."""
        self.keys.append(key)
        self.lemmas.append(lemmas)
        self.parts_of_speech.append(ord(pos))
        self._glosses.append(gloss)
        self._examples.append(examples)
        self._files.append(lexfile)
        self._ilis.append(ili)
        if len(self._glosses) == BATCH_SIZE:
            self._flush()

    def rows(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows without their hyponym counts, ``BATCH_SIZE`` at a time; a synset without words is named by its key."""
        self._flush()
        names = [words[0] if words else key for words, key in zip(self.lemmas, self.keys, strict=True)]
        for number, name in self.names.items():
            names[number] = name
        text, start = pa.string(), 0
        for rest in self.batches:
            end = start + rest.num_rows
            keys = self.keys[start:end]
            columns = {
                "id": pa.array([entity_id(self.base, key) for key in keys], text),
                "base": pa.repeat(self.base, len(keys)),
                "name": pa.array(names[start:end], text),
                "pos": pa.array(list(self.parts_of_speech[start:end].decode("latin-1")), text),
                "lemmas": pa.array(self.lemmas[start:end], pa.list_(text)),
            }
            yield pa.RecordBatch.from_pydict({**columns, **dict(zip(rest.schema.names, rest.columns, strict=True))})
            start = end

    def ilis(self) -> Iterator[str | None]:
        """Yield the ILI of each synset."""
        self._flush()
        for batch in self.batches:
            yield from batch["ili"].to_pylist()

    def _flush(self) -> None:
        """Turn the synsets since the last batch into a batch."""
        if not self._glosses:
            return
        text, texts = pa.string(), pa.list_(pa.string())
        columns = {
            "gloss": pa.array(self._glosses, text),
            "examples": pa.array(self._examples, texts),
            "lexfile": pa.array(self._files, text),
            "ili": pa.array(self._ilis, text),
        }
        self.batches.append(pa.RecordBatch.from_pydict(columns))
        for column in (self._glosses, self._examples, self._files, self._ilis):
            column.clear()


@dataclass(slots=True)
class SenseColumns:
    """The senses as columns, in the order of the source: label, synset and word numbers, tag count, key."""

    label: array[int] = field(default_factory=lambda: array("i"))
    synset: array[int] = field(default_factory=lambda: array("i"))
    word: array[int] = field(default_factory=lambda: array("i"))
    uses: array[int] = field(default_factory=lambda: array("q"))
    key: list[str] = field(default_factory=list)

    def add(self, label: int, synset: int, word: int, uses: int, key: str) -> None:
        """Append a sense; those of one label and part of speech must come in the order of their ranks."""
        self.label.append(label)
        self.synset.append(synset)
        self.word.append(word)
        self.uses.append(uses)
        self.key.append(key)


@dataclass(slots=True)
class Lexicon:
    """The content of one source. ``words`` are the written forms; senses and pointers refer to them by number."""

    base: str
    left_out: Counter[str]
    synsets: SynsetColumns = field(init=False)
    words: list[str] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    senses: SenseColumns = field(default_factory=SenseColumns)
    inflections: dict[tuple[int, int, str], None] = field(default_factory=dict)
    pointers: Pointers | None = None

    def __post_init__(self) -> None:
        self.synsets = SynsetColumns(self.base)

    def label(self, written: str) -> int | None:
        """Return the number of a written form's label; count the form and return None if its normalised form is empty."""
        name = normalise(written)
        if not name:
            self.left_out[EMPTY_LEMMA] += 1
            return None
        return self.labels.setdefault(name, len(self.labels))

    def inflect(self, form: str, lemma: str, pos: str) -> None:
        """Add an irregular form of a lemma."""
        form_label, lemma_label = self.label(form), self.label(lemma)
        if form_label is not None and lemma_label is not None:
            self.inflections[form_label, lemma_label, pos] = None
