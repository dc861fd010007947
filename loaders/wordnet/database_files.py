"""Read WordNet's database files: index.*, data.*, *.exc, index.sense and lexnames.

The formats are documented in the manual pages wndb(5WN), senseidx(5WN) and cntlist(5WN). Tag counts come from index.sense, or
where that is missing from cntlist.rev or cntlist, which repeat them; sense keys can be made from the data files. A WordNet is
loaded completely or not at all: a line that violates its format or contradicts another file is an error, which names the file
and the line.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NoReturn

import numpy as np

from ...core.arrays import IntArray
from ...core.messages import quote_value
from ...graph.schema import MAX_KEY_BYTES
from ..archives import Folder
from ..errors import SourceDamaged, SourceMissing
from .glosses import split_gloss
from .lexicon import LARGEST_COUNT, REPORT_EVERY, Lexicon, Pointers, Relation

PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
EXCEPTION_FILES = tuple(f"{part}.exc" for part in PARTS)
REQUIRED_FILES = (*(f"data.{part}" for part in PARTS), *(f"index.{part}" for part in PARTS))
COUNT_FILES = {"index.sense": (0, 3), "cntlist.rev": (0, 2), "cntlist": (1, 0)}
"""The files of tag counts, the first that exists is read: the columns of the sense key and of the tag count."""
FILE_NAMES = frozenset((*REQUIRED_FILES, *COUNT_FILES, *EXCEPTION_FILES, "lexnames"))

MISSING_EXCEPTION_FILE = "missing_exception_file"
MISSING_COUNT_FILE = "missing_count_file"
UNKNOWN_SENSE_COUNT = "unknown_sense_count"
VERB_FRAME = "verb_frame"

LEXNAMES = (  # noqa: SIM905 - a list of 45 literals is no easier to read
    "adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body noun.cognition "
    "noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive noun.object noun.person "
    "noun.phenomenon noun.plant noun.possession noun.process noun.quantity noun.relation noun.shape noun.state noun.substance "
    "noun.time verb.body verb.change verb.cognition verb.communication verb.competition verb.consumption verb.contact "
    "verb.creation verb.emotion verb.motion verb.perception verb.possession verb.social verb.stative verb.weather adj.ppl"
).split()
"""The lexicographer files of every WordNet since 2.1, by number."""

SYMBOLS = {
    "@": Relation("HYPERNYM"),
    "@i": Relation("HYPERNYM", instance=True),
    "~": Relation("HYPERNYM", reverse=True),
    "~i": Relation("HYPERNYM", reverse=True, instance=True),
    "&": Relation("SIMILAR"),
    "^": Relation("ALSO"),
    "+": Relation("DERIVATION"),
    "!": Relation("ANTONYM"),
    "\\": Relation("PERTAINS_TO"),
    "<": Relation("PARTICIPLE_OF"),
    "$": Relation("VERB_GROUP"),
    "=": Relation("ATTRIBUTE"),
    "*": Relation("ENTAILS"),
    ">": Relation("CAUSES"),
    "#p": Relation("PART_OF"),
    "%p": Relation("PART_OF", reverse=True),
    "#m": Relation("MEMBER_OF"),
    "%m": Relation("MEMBER_OF", reverse=True),
    "#s": Relation("SUBSTANCE_OF"),
    "%s": Relation("SUBSTANCE_OF", reverse=True),
    ";c": Relation("IN_TOPIC"),
    "-c": Relation("IN_TOPIC", reverse=True),
    ";r": Relation("IN_REGION"),
    "-r": Relation("IN_REGION", reverse=True),
    ";u": Relation("IN_USAGE"),
    "-u": Relation("IN_USAGE", reverse=True),
}

_CODES = {symbol: number for number, symbol in enumerate(SYMBOLS)}
_LETTERS = {"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}
_SENSE_TYPES = {"1": 0, "2": 1, "3": 2, "4": 3, "5": 2}
_SENSE_TYPE_OF = {"n": "1", "v": "2", "a": "3", "r": "4", "s": "5"}
_WORD_NUMBERS = {f"{number:04x}": number for number in range(1 << 16)}
_MARKERS = ("(a)", "(p)", "(ip)")
_MARKER = re.compile(r"\((?:a|p|ip)\)")

VERSION = re.compile(rb"WordNet (\d+(?:\.\d+)?) Copyright")


def describe(folder: Folder) -> str:
    """Return the format of a folder, with the version of WordNet if its licence names one.

    >>> describe(Folder("mine", {"data.noun": b"  1 WordNet 3.1 Copyright 2011 by Princeton University."}))
    'WordNet 3.1 database files'
    """
    with folder.open("data.noun") as file:
        version = VERSION.search(file.read(4096))
    return f"WordNet {version[1].decode()} database files" if version else "WordNet database files"


def read(folder: Folder, base: str, left_out: Counter[str], report: Callable[[int], None]) -> Lexicon:
    """Read the whole folder, or raise a ``SourceError``."""
    for name in REQUIRED_FILES:
        folder.open(name).close()
    return _Reader(folder, base, left_out, report).read()


class _Reader:
    """One pass over the files of a folder; ``_file`` and ``_line`` are the current position, for messages.

    The words of all synsets are numbered in the order of the data files: those of synset ``n`` are
    ``_first_words[n]:_first_words[n + 1]``. Pointers are collected with the offsets of their targets, and resolved once all
    data files have been read. An offset and its part of speech are stored in one integer: ``offset * 4 + code``.
    """

    def __init__(self, folder: Folder, base: str, left_out: Counter[str], report: Callable[[int], None]) -> None:
        self._folder = folder
        self._report, self._lines_read = report, 0
        self._left_out = left_out
        self._lexicon = Lexicon(base, left_out)
        self._file = ""
        self._line = 0
        self._numbers: list[dict[str, int]] = [{} for _ in PARTS]  # by part of speech: offset -> number of the synset
        self._first_words = array("i", [0])
        self._lowered: list[str] = []  # the words in lower case, as in the index files
        self._lex_ids = bytearray()  # by word: what distinguishes it in its lexicographer file
        self._types: list[tuple[str, str]] = []  # by synset: its type, with ``s`` for satellites, and its lexicographer file
        self._data_files: list[
            tuple[str, int]
        ] = []  # name of the file, and the number to add to n + 1 for the line of synset n
        self._relation = array("B")
        self._start = array("i")
        self._target = array("q")
        self._words = array("i")

    def read(self) -> Lexicon:
        lexnames = self._read_lexnames()
        for code, part in enumerate(PARTS):
            self._read_data(code, part, lexnames)
        self._lexicon.pointers = self._resolve_pointers()
        counts = next((name for name in COUNT_FILES if name in self._folder.files), None)
        keys = self._read_sense_index() if counts == "index.sense" else self._make_sense_index(self._read_counts(counts))
        indexed = bytearray(len(self._lowered))  # by word: whether an index file lists it
        for code, part in enumerate(PARTS):
            self._read_index(code, part, keys[code], indexed)
        self._check_indexed(indexed)
        extra = next((entry for lemma_keys in keys for entry in lemma_keys), None)
        if extra is not None:
            self._refuse(
                f"it lists {quote_value(extra[8:])} for synset {extra[:8]}, but no index file does", file="index.sense", line=0
            )
        self._read_exceptions()
        return self._lexicon

    def _refuse(self, problem: str, file: str | None = None, line: int | None = None) -> NoReturn:
        line = self._line if line is None else line
        where = f"{self._folder.name}: {file or self._file}" + (f", line {line}" if line else "")
        raise SourceDamaged(f"{where}: {problem}; get a complete, unchanged copy")

    def _lines(self, file: str) -> Iterator[str]:
        """Yield the lines after the licence of a file; ``_line`` is the number of the current one."""
        self._file, self._line = file, 0
        text = ""
        with self._folder.open(file) as lines:
            for raw in lines:
                self._line += 1
                self._lines_read += 1
                if self._lines_read % REPORT_EVERY == 0:
                    self._report(self._lines_read)
                try:
                    text = raw.decode()
                except UnicodeDecodeError as error:
                    self._refuse(f"it is not text: {quote_value(raw[error.start : error.start + 8])}")
                if "\0" in text:
                    self._refuse("it is not text: it has a NUL character")
                if not text.startswith("  "):
                    yield text
        if text and not text.endswith("\n"):
            self._refuse(f"it is cut off in the line {quote_value(text)}")
        if not self._line:
            self._refuse("it is empty")

    def _read_lexnames(self) -> list[str]:
        if "lexnames" not in self._folder.files:
            return LEXNAMES
        names: dict[int, str] = {}
        for line in self._lines("lexnames"):
            fields = line.split()
            if len(fields) < 2 or not fields[0].isdecimal():
                self._refuse(f"{quote_value(line)} is not a number and the name of a lexicographer file")
            names[int(fields[0])] = fields[1]
        if sorted(names) != list(range(len(names))):
            self._refuse("the numbers of the lexicographer files have gaps", line=0)
        return [names[number] for number in range(len(names))]

    def _read_data(self, code: int, part: str, lexnames: list[str]) -> None:
        """Read the synsets of a data file; each must start at the byte offset in its first field."""
        position, first, numbers = 0, True, self._numbers[code]
        with self._folder.open(f"data.{part}") as file:
            licence = 0
            for raw in file:
                if not raw.startswith(b"  "):
                    break
                position += len(raw)
                licence += 1
        self._data_files.append((f"data.{part}", licence - self._lexicon.synsets.count))
        for line in self._lines(f"data.{part}"):
            if first and self._line != licence + 1:
                self._refuse("its licence is not at its beginning")
            first = False
            try:
                self._add_synset(line, code, part, lexnames)
            except (ValueError, IndexError, KeyError, OverflowError) as error:
                reason = f"{error} is unknown" if isinstance(error, KeyError) else error
                self._refuse(f"{quote_value(line.rstrip())} is not a synset: {reason}")
            offset = line[:8]
            if offset != f"{position:08d}":
                self._refuse(f"synset {offset} starts at byte {position}, not at that offset")
            numbers[offset] = self._lexicon.synsets.count - 1
            position += len(line) if line.isascii() else len(line.encode())

    def _add_synset(self, line: str, code: int, part: str, lexnames: list[str]) -> None:
        """Parse ``offset file type word_count (word id)... pointer_count (symbol offset type words)... [frames] | gloss``."""
        head, bar, gloss = line.partition(" | ")
        fields = head.split()
        lexicon, letter = self._lexicon, PARTS[part]
        words_end = 4 + 2 * int(fields[3], 16)
        pointers_start = words_end + 1
        pointers_end = pointers_start + 4 * int(fields[words_end])
        frames = 0
        if len(fields) != pointers_end:
            frames = int(fields[pointers_end]) if letter == "v" else -1
            if len(fields) != pointers_end + 1 + 3 * frames:
                raise ValueError("its counts do not match its fields")
        if _LETTERS[fields[2]] != code:
            raise ValueError(f"its part of speech is {quote_value(fields[2])}")
        if len(fields[0]) != 8 or not bar or words_end == 4:
            raise ValueError("it lacks an offset of eight digits, words or a gloss")
        lemmas = []
        for word in fields[4:words_end:2]:
            if word[-1] == ")" and word.endswith(_MARKERS):
                word = word[: word.rindex("(")]
            if len(word.encode()) > MAX_KEY_BYTES - len(lexicon.base) - 1:
                raise ValueError(f"its word {quote_value(word)} has {len(word.encode())} bytes, too many to store")
            lemmas.append(word.replace("_", " "))
            self._lowered.append(word.lower())
        self._lex_ids.extend([int(number, 16) for number in fields[5:words_end:2]])
        self._types.append((fields[2], fields[1]))
        if pointers_end > pointers_start:
            targets = fields[pointers_start + 1 : pointers_end : 4]
            letters = fields[pointers_start + 2 : pointers_end : 4]
            self._relation.extend([_CODES[symbol] for symbol in fields[pointers_start:pointers_end:4]])
            self._target.extend([int(target) * 4 + _LETTERS[letter] for target, letter in zip(targets, letters, strict=True)])
            self._words.extend([_WORD_NUMBERS[word.lower()] for word in fields[pointers_start + 3 : pointers_end : 4]])
            self._start.extend([lexicon.synsets.count] * len(targets))
        definition, examples = split_gloss(gloss)
        lexicon.synsets.add(f"{fields[0]}-{letter}", letter, lemmas, definition, examples, lexnames[int(fields[1])])
        lexicon.words += lemmas
        self._first_words.append(len(lexicon.words))
        if frames:
            self._left_out[VERB_FRAME] += frames

    def _resolve_pointers(self) -> Pointers:
        """Replace the offsets of targets by synset numbers, and word numbers within synsets by numbers among all words."""
        known = [int(offset) * 4 + code for code, numbers in enumerate(self._numbers) for offset in numbers]
        targets, starts = np.array(self._target, np.int64), np.array(self._start, np.int64)
        offsets = np.array(known, np.int64)
        order = np.argsort(offsets)
        positions = np.minimum(np.searchsorted(offsets[order], targets), len(offsets) - 1)
        ends = order[positions] if len(offsets) else positions
        missing = np.flatnonzero(offsets[ends] != targets) if len(offsets) else np.zeros(0, np.int64)
        if len(missing):
            target = int(targets[missing[0]])
            self._refuse_pointer(
                int(starts[missing[0]]), f"leads to {target // 4:08d} in data.{[*PARTS][target % 4]}, which does not exist"
            )
        words = np.array(self._words, np.int64)
        return Pointers(
            tuple(SYMBOLS.values()),
            np.array(self._relation, np.int64),
            starts,
            ends,
            self._number_words(starts, words >> 8, starts),  # four hex digits: source word, target word
            self._number_words(ends, words & 255, starts),
        )

    def _number_words(self, synsets: IntArray, word: IntArray, starts: IntArray) -> IntArray:
        """Return the number among all words of each pointer's word, -1 for pointers of whole synsets."""
        firsts = np.array(self._first_words, np.int64)
        wrong = np.flatnonzero(word > np.diff(firsts)[synsets])
        if len(wrong):
            self._refuse_pointer(int(starts[wrong[0]]), f"names word {int(word[wrong[0]])} of a synset that has fewer")
        return np.where(word > 0, firsts[synsets] + word - 1, -1)

    def _refuse_pointer(self, synset: int, problem: str) -> NoReturn:
        counts = np.cumsum([len(numbers) for numbers in self._numbers])
        file, before = self._data_files[int(np.searchsorted(counts, synset, side="right"))]
        self._refuse(f"a pointer {problem}", file, before + synset + 1)

    def _read_sense_index(self) -> list[dict[str, tuple[str, int]]]:
        """Return for each part of speech a map from offset and lemma to sense key and tag count."""
        keys: list[dict[str, tuple[str, int]]] = [{} for _ in PARTS]
        for line in self._lines("index.sense"):
            try:
                key, offset, _, count = line.split()
                lemma, _, kind = key.rpartition("%")
                uses = int(count)
                if not 0 <= uses <= LARGEST_COUNT:
                    raise ValueError
                keys[_SENSE_TYPES[kind[0]]][offset + lemma] = (key, uses)
            except (ValueError, IndexError, KeyError):
                self._refuse(f"{quote_value(line.rstrip())} is not a sense key, an offset, a sense number and a tag count")
        return keys

    def _read_counts(self, file: str | None) -> dict[str, int]:
        """Return the tag counts of a file by sense key."""
        if file is None:
            self._left_out[MISSING_COUNT_FILE] += 1
            return {}
        counts: dict[str, int] = {}
        key_column, uses_column = COUNT_FILES[file]
        for line in self._lines(file):
            fields = line.split()
            try:
                uses = int(fields[uses_column])
                if len(fields) != 3 or not 0 <= uses <= LARGEST_COUNT:
                    raise ValueError
                counts[_MARKER.sub("", fields[key_column])] = uses
            except (ValueError, IndexError):
                self._refuse(f"{quote_value(line.rstrip())} is not a sense key, a sense number and a tag count")
        return counts

    def _make_sense_index(self, counts: dict[str, int]) -> list[dict[str, tuple[str, int]]]:
        """Return what ``_read_sense_index`` does, with sense keys made from the data files as in senseidx(5WN)."""
        pointers, firsts = self._lexicon.pointers, self._first_words
        assert pointers is not None  # noqa: S101 - resolved before
        heads: dict[int, int] = {}
        for row in np.flatnonzero(pointers.relation == _CODES["&"]).tolist():
            heads.setdefault(int(pointers.start[row]), firsts[int(pointers.end[row])])
        keys: list[dict[str, tuple[str, int]]] = [{} for _ in PARTS]
        for code, numbers in enumerate(self._numbers):
            for offset, synset in numbers.items():
                letter, file = self._types[synset]
                head = heads.get(synset) if letter == "s" else None
                ending = ":" if head is None else f"{self._lowered[head]}:{self._lex_ids[head]:02d}"
                for word in range(firsts[synset], firsts[synset + 1]):
                    lemma = self._lowered[word]
                    key = f"{lemma}%{_SENSE_TYPE_OF[letter]}:{file}:{self._lex_ids[word]:02d}:{ending}"
                    keys[code].setdefault(offset + lemma, (key, counts.pop(key, 0)))
        if counts:  # WordNet's own lists have some of senses that were removed
            self._left_out[UNKNOWN_SENSE_COUNT] += len(counts)
        return keys

    def _read_index(self, code: int, part: str, keys: dict[str, tuple[str, int]], indexed: bytearray) -> None:
        """Add the senses of an index file, and remove each from ``keys``."""
        lexicon, numbers, firsts = self._lexicon, self._numbers[code], self._first_words
        for line in self._lines(f"index.{part}"):
            fields = line.split()
            try:
                lemma, offsets = fields[0], fields[6 + int(fields[3]) :]
                if fields[1] != PARTS[part] or int(fields[2]) != len(offsets) or not offsets:
                    raise ValueError
            except (ValueError, IndexError):
                self._refuse(f"{quote_value(line.rstrip())} is not a lemma with its counts and offsets")
            label = lexicon.label(lemma)
            for offset in offsets:
                synset = numbers.get(offset)
                if synset is None:
                    self._refuse(f"{quote_value(lemma)} is in synset {quote_value(offset)}, which data.{part} does not have")
                try:
                    word = self._lowered.index(lemma, firsts[synset], firsts[synset + 1])
                except ValueError:
                    self._refuse(f"synset {offset} of data.{part} does not have the lemma {quote_value(lemma)}")
                indexed[word] = 1
                sense = keys.pop(offset + lemma, None)
                if sense is None:
                    self._refuse(f"index.sense does not have {quote_value(lemma)} with synset {offset}")
                if label is not None:
                    lexicon.senses.add(label, synset, word, sense[1], sense[0])

    def _check_indexed(self, indexed: bytearray) -> None:
        """Raise if a word of a synset is in no index file, unless it is a second spelling of one that is."""
        word = indexed.find(0)
        while word >= 0:
            synset = bisect_right(self._first_words, word) - 1
            first = self._lowered.index(self._lowered[word], self._first_words[synset])
            if not indexed[first]:
                code = next(code for code, numbers in enumerate(self._numbers) if synset in numbers.values())
                part = [*PARTS][code]
                offset = next(offset for offset, number in self._numbers[code].items() if number == synset)
                self._refuse(f"it lacks {quote_value(self._lowered[word])}, a lemma of synset {offset}", f"index.{part}", 0)
            label = self._lexicon.label(self._lowered[word])
            if label is not None:  # a duplicate sense, which is counted when duplicates are dropped
                self._lexicon.senses.add(label, synset, word, 0, "")
            word = indexed.find(0, word + 1)

    def _read_exceptions(self) -> None:
        missing = [name for name in EXCEPTION_FILES if name not in self._folder.files]
        if len(missing) == len(EXCEPTION_FILES):
            self._left_out[MISSING_EXCEPTION_FILE] += len(missing)
            return
        if missing:
            raise SourceMissing(
                f"{self._folder.name} has no file {missing[0]}, although it has other *.exc files; get a complete copy"
            )
        for part, letter in PARTS.items():
            for line in self._lines(f"{part}.exc"):
                fields = line.split()
                if len(fields) < 2:
                    self._refuse(f"{quote_value(line.rstrip())} is not an irregular form and its lemmas")
                for lemma in fields[1:]:
                    self._lexicon.inflect(fields[0], lemma, letter)
