"""A parsed WordNet as columns: what both formats are read into, and what rows of the graph are made from.

Priors, breadths and targets of pointers need the whole lexicon, so it is held, but as flat columns and without an object for
each synset, sense or pointer.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...core.normalization import normalise
from ...graph.schema import entity_id

CHUNK = 10_000
"""How many rows a batch has at most."""

LARGEST_COUNT = 10**12
"""A tag count above this is a mistake; sums of smaller ones are exact."""

FOLDED = "lemmas spelt like another lemma of their synset but for case or accents"
NAMELESS = "lemmas that are nothing but marks and white space"
TWICE = "pointers printed twice"

IntegerArray = npt.NDArray[np.int64]


class Relation(NamedTuple):
    """What a printed pointer means in the graph: a type, whether it is printed from the general end, and what else is said."""

    type: str
    reverse: bool = False
    instance: bool = False
    kind: str | None = None


@dataclass(slots=True)
class Pointers:
    """One entry a printed pointer: which relation, between which synsets, between which of their words (-1: between none)."""

    relations: Sequence[Relation]
    relation: IntegerArray
    start: IntegerArray
    end: IntegerArray
    start_word: IntegerArray
    end_word: IntegerArray


@dataclass(slots=True)
class SynsetColumns:
    """The Synset rows but for their breadth, in Arrow batches of ``CHUNK`` rows."""

    base: str
    count: int = 0
    batches: list[pa.RecordBatch] = field(default_factory=list)
    parts_of_speech: bytearray = field(default_factory=bytearray)
    _keys: list[str] = field(default_factory=list)
    _names: list[str] = field(default_factory=list)
    _lemmas: list[list[str]] = field(default_factory=list)
    _glosses: list[str] = field(default_factory=list)
    _examples: list[list[str]] = field(default_factory=list)
    _files: list[str | None] = field(default_factory=list)
    _ilis: list[str | None] = field(default_factory=list)
    _parts: list[str] = field(default_factory=list)

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
        """Take one synset; its number is the count of those before it."""
        self._keys.append(entity_id(self.base, key))
        self._names.append(lemmas[0] if lemmas else key)
        self._parts.append(pos)
        self._lemmas.append(lemmas)
        self._glosses.append(gloss)
        self._examples.append(examples)
        self._files.append(lexfile)
        self._ilis.append(ili)
        self.parts_of_speech.append(ord(pos))
        self.count += 1
        if len(self._keys) == CHUNK:
            self.flush()

    def flush(self) -> None:
        """Turn what is still in lists into a batch."""
        if not self._keys:
            return
        text, texts = pa.string(), pa.list_(pa.string())
        columns = {
            "id": pa.array(self._keys, text),
            "base": pa.array([self.base] * len(self._keys), text),
            "name": pa.array(self._names, text),
            "pos": pa.array(self._parts, text),
            "lemmas": pa.array(self._lemmas, texts),
            "gloss": pa.array(self._glosses, text),
            "examples": pa.array(self._examples, texts),
            "lexfile": pa.array(self._files, text),
            "ili": pa.array(self._ilis, text),
        }
        self.batches.append(pa.RecordBatch.from_pydict(columns))
        for each in (self._keys, self._names, self._parts, self._glosses, self._files, self._ilis):
            each.clear()
        self._lemmas.clear()
        self._examples.clear()


@dataclass(slots=True)
class SenseColumns:
    """One entry a sense, in the order of the source: label, synset and word by number, tag count, key."""

    label: array[int] = field(default_factory=lambda: array("i"))
    synset: array[int] = field(default_factory=lambda: array("i"))
    word: array[int] = field(default_factory=lambda: array("i"))
    uses: array[int] = field(default_factory=lambda: array("q"))
    key: list[str] = field(default_factory=list)

    def add(self, label: int, synset: int, word: int, uses: int, key: str) -> None:
        """Take one sense; those of one label and part of speech come in the order of their ranks."""
        self.label.append(label)
        self.synset.append(synset)
        self.word.append(word)
        self.uses.append(uses)
        self.key.append(key)


@dataclass(slots=True)
class Lexicon:
    """All that one source says. ``words`` are written forms; senses and pointers name them by number."""

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
        """The number of the label that a written form is found under; None (and counted) if nothing is left of it."""
        name = normalise(written)
        if not name:
            self.left_out[NAMELESS] += 1
            return None
        return self.labels.setdefault(name, len(self.labels))

    def inflect(self, form: str, lemma: str, pos: str) -> None:
        """Take an irregular form and the lemma it is a form of."""
        inflected, plain = self.label(form), self.label(lemma)
        if inflected is not None and plain is not None:
            self.inflections[inflected, plain, pos] = None
