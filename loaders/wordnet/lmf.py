"""Read WordNets in the Global WordNet Association's XML, WN-LMF 1.0 to 1.4, such as Open English WordNet."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ...core.arrays import IntArray
from ...core.messages import quote_value
from ...graph.schema import MAX_KEY_BYTES
from ..archives import Document
from ..errors import SourceDamaged, SourceInvalid
from .lexicon import REPORT_EVERY, Lexicon, Pointers, Relation
from .lmf_document import CONTENT, ENTRIES, LEXICONS, LexiconHeader, read_elements

DANGLING_SENSE = "dangling_sense"
DANGLING_RELATION = "dangling_relation"
FORM_LIKE_LEMMA = "form_like_lemma"
LEXICON_EXTENSION = "lexicon_extension"
DANGLING_EXTERNAL = "dangling_external"
EXTERNAL_TEXT = "external_text"
SYNTACTIC_BEHAVIOUR = "syntactic_behaviour"
PRONUNCIATION = "pronunciation"

RELATIONS = {
    "hypernym": Relation("HYPERNYM"),
    "instance_hypernym": Relation("HYPERNYM", instance=True),
    "hyponym": Relation("HYPERNYM", reverse=True),
    "instance_hyponym": Relation("HYPERNYM", reverse=True, instance=True),
    "similar": Relation("SIMILAR"),
    "also": Relation("ALSO"),
    "derivation": Relation("DERIVATION"),
    "antonym": Relation("ANTONYM"),
    "pertainym": Relation("PERTAINS_TO"),
    "participle": Relation("PARTICIPLE_OF"),
    "attribute": Relation("ATTRIBUTE"),
    "entails": Relation("ENTAILS"),
    "is_entailed_by": Relation("ENTAILS", reverse=True),
    "causes": Relation("CAUSES"),
    "is_caused_by": Relation("CAUSES", reverse=True),
    "holo_part": Relation("PART_OF"),
    "mero_part": Relation("PART_OF", reverse=True),
    "holo_member": Relation("MEMBER_OF"),
    "mero_member": Relation("MEMBER_OF", reverse=True),
    "holo_substance": Relation("SUBSTANCE_OF"),
    "mero_substance": Relation("SUBSTANCE_OF", reverse=True),
    "domain_topic": Relation("IN_TOPIC"),
    "has_domain_topic": Relation("IN_TOPIC", reverse=True),
    "domain_region": Relation("IN_REGION"),
    "has_domain_region": Relation("IN_REGION", reverse=True),
    "exemplifies": Relation("IN_USAGE"),
    "is_exemplified_by": Relation("IN_USAGE", reverse=True),
}
"""The relations that correspond to WordNet's; any other becomes RELATED with its name as ``kind``."""

VERB_GROUP = Relation("VERB_GROUP")
"""The relation ``similar`` between verbs, by which WN-LMF represents WordNet's verb groups."""

_TYPES = (
    "{https://globalwordnet.github.io/schemas/dc/}type",
    "{http://purl.org/dc/elements/1.1/}type",
    "{http://purl.org/dc/terms/}type",
)


def read(
    document: Document, headers: Sequence[LexiconHeader], base: str, left_out: Counter[str], report: Callable[[int], None]
) -> Lexicon:
    """Read the whole file, or raise a ``SourceError``."""
    return _Reader(document, headers, base, left_out).read(report)


class _Entry(NamedTuple):
    """An entry: the written form and the part of speech of its lemma, and the number of its label, if it has one."""

    written: str
    pos: str
    label: int | None


class _Reader:
    """One pass over a file.

    Everything may refer to what comes later, so references are stored by id and resolved at the end. The number of a sense is
    also the number of its word in the lexicon. An extension is added to its lexicon if the file has that; else it is left out.
    """

    def __init__(self, document: Document, headers: Sequence[LexiconHeader], base: str, left_out: Counter[str]) -> None:
        self._document = document
        self._lexicons = {(header.id, header.version) for header in headers}
        self._prefix = f"{headers[0].id}-"
        self._left_out = left_out
        self._longest = MAX_KEY_BYTES - len(base) - 1  # a stored id is the base, a separator and this id
        self._lexicon = Lexicon(base, left_out)
        self._container: Any = None
        self._is_skipped = False
        self._entries: dict[str, _Entry] = {}
        self._synsets: dict[str, int] = {}
        self._satellites: set[int] = set()
        self._members: dict[int, str] = {}  # by synset: the ids of its entries or senses in their order
        self._without_pos: dict[int, int] = {}  # by synset: its line
        self._senses: dict[str, int] = {}
        self._sense_synsets: list[str] = []  # by sense: its synset id
        self._sense_parts: list[str] = []  # by sense: the part of speech of its entry
        self._labels = array("i")
        self._uses = array("q")
        self._ranks = array("q")
        self._indexes: dict[int, str] = {}  # by sense: the index of its entry, if it has one
        self._codes: dict[Relation, int] = {}
        # relation code, number of the source, id of the target
        self._synset_relations: tuple[array[int], array[int], list[str]] = (array("H"), array("i"), [])
        self._sense_relations: tuple[array[int], array[int], list[str]] = (array("H"), array("i"), [])

    def read(self, report: Callable[[int], None]) -> Lexicon:
        for count, (_, element) in enumerate(read_elements(self._document, ("end",), ("LexiconExtension", *CONTENT)), start=1):
            if count % REPORT_EVERY == 0:
                report(count)
            container = element if element.tag == "LexiconExtension" else element.getparent()
            if container is not None and container.tag in ENTRIES:
                continue  # a syntactic behaviour, which is counted with its entry
            if container is not self._container:
                self._begin_lexicon(element, container)
            if self._is_skipped:
                continue
            if element.tag == "LexicalEntry":
                self._add_entry(element)
            elif element.tag == "ExternalLexicalEntry":
                self._extend_entry(element)
            elif element.tag == "Synset":
                self._add_synset(element)
            elif element.tag == "ExternalSynset":
                self._extend_synset(element)
            elif element.tag == "SyntacticBehaviour":
                self._left_out[SYNTACTIC_BEHAVIOUR] += 1
        if not (self._entries or self._synsets):
            raise SourceInvalid(f"{self._document} has no Lexicon with entries or synsets; give a WN-LMF file of a WordNet")
        self._resolve_senses()
        self._resolve_synsets()
        self._lexicon.pointers = self._resolve_relations()
        return self._lexicon

    def _refuse(self, element: Any, problem: str) -> NoReturn:
        self._refuse_at(element.sourceline, f"{element.tag} {quote_value(element.get('id') or '')} {problem}")

    def _refuse_at(self, line: int | None, problem: str) -> NoReturn:
        where = f", line {line}" if line and line < 65535 else ""  # lxml does not count beyond that
        raise SourceDamaged(f"{self._document}{where}: {problem}; get a correct copy")

    def _require(self, element: Any, name: str, owner: Any) -> str:
        """Return an attribute; raise if it is missing or too long to store. Messages name the ``owner``."""
        value: str | None = element.get(name) if element is not None else None
        if not value:
            self._refuse(owner, f"lacks {name}" if element is not None else "has no Lemma")
        if len(value) > self._longest // 4 and len(value.encode()) > self._longest:
            self._refuse(
                owner, f"has the {name} {quote_value(value)} of {len(value.encode())} bytes, more than {self._longest}"
            )
        return value

    def _require_pos(self, element: Any, owner: Any) -> str:
        pos = self._require(element, "partOfSpeech", owner)
        if len(pos) != 1 or not pos.isascii() or not pos.isalnum():
            self._refuse(owner, f"has the part of speech {quote_value(pos)}")
        return pos

    def _begin_lexicon(self, element: Any, container: Any) -> None:
        """Begin the lexicon or the extension of an element."""
        if container is None or container.tag not in LEXICONS:
            self._refuse(element, "is not in a Lexicon")
        self._container, self._is_skipped = container, False
        if container.tag == "LexiconExtension":
            extended = container.find("Extends")
            reference = None if extended is None else (extended.get("ref") or extended.get("id"), extended.get("version"))
            self._is_skipped = reference not in self._lexicons
            self._left_out[LEXICON_EXTENSION] += self._is_skipped
        else:
            self._require(container, "id", container)

    def _add_entry(self, element: Any) -> None:
        key, lemma = self._require(element, "id", element), element.find("Lemma")
        written = self._require(lemma, "writtenForm", element)
        entry = _Entry(written, self._require_pos(lemma, element), self._lexicon.label(written))
        if key in self._entries:
            self._refuse(element, "occurs twice")
        self._entries[key] = entry
        self._add_content(element, entry)

    def _extend_entry(self, element: Any) -> None:
        """Add what an extension has about an entry of its lexicon."""
        entry = self._entries.get(self._require(element, "id", element))
        if entry is None:
            self._left_out[DANGLING_EXTERNAL] += 1
        else:
            self._add_content(element, entry)

    def _add_content(self, element: Any, entry: _Entry) -> None:
        """Add the forms and senses of an entry."""
        senses = []
        for child in element:
            if child.tag == "Sense":
                senses.append(child)
            elif child.tag == "ExternalSense":
                self._extend_sense(child, element)
            elif child.tag == "Form":
                self._add_form(child, entry)
            elif child.tag == "SyntacticBehaviour":
                self._left_out[SYNTACTIC_BEHAVIOUR] += 1
            pronunciations = sum(1 for _ in child.iterfind("Pronunciation"))
            if pronunciations:
                self._left_out[PRONUNCIATION] += pronunciations
        ranks = [self._parse_number(sense, "number", sense.get("n") or str(place)) for place, sense in enumerate(senses, 1)]
        for rank, sense in sorted(zip(ranks, senses, strict=True), key=lambda each: each[0]):
            if element.get("index"):
                self._indexes[len(self._sense_synsets)] = element.get("index")
            self._ranks.append(rank)
            self._add_sense(sense, element, entry)

    def _parse_number(self, sense: Any, name: str, text: str) -> int:
        if not text.isdecimal() or len(text) > 12:
            self._refuse(sense, f"has the {name} {quote_value(text)}")
        return int(text)

    def _add_form(self, form: Any, entry: _Entry) -> None:
        inflected = self._lexicon.label(self._require(form, "writtenForm", form))
        if inflected == entry.label:
            self._left_out[FORM_LIKE_LEMMA] += 1
        elif inflected is not None and entry.label is not None:
            self._lexicon.inflections[inflected, entry.label, "a" if entry.pos == "s" else entry.pos] = None

    def _add_sense(self, sense: Any, element: Any, entry: _Entry) -> None:
        key, synset = self._require(sense, "id", element), self._require(sense, "synset", element)
        number = len(self._sense_synsets)
        if self._senses.setdefault(key, number) != number:
            self._refuse(sense, "occurs twice")
        self._sense_synsets.append(synset)
        self._sense_parts.append(entry.pos)
        self._labels.append(-1 if entry.label is None else entry.label)
        self._uses.append(0)
        self._lexicon.words.append(entry.written)
        self._add_sense_content(sense, number)

    def _extend_sense(self, sense: Any, element: Any) -> None:
        """Add what an extension has about a sense of its lexicon."""
        number = self._senses.get(self._require(sense, "id", element))
        if number is None:
            self._left_out[DANGLING_EXTERNAL] += 1
        else:
            self._add_sense_content(sense, number)

    def _add_sense_content(self, sense: Any, number: int) -> None:
        for child in sense:
            if child.tag == "SenseRelation":
                self._add_relation(self._sense_relations, child, number)
            elif child.tag == "Count":
                self._uses[number] += self._parse_number(sense, "count", (child.text or "").strip())

    def _add_relation(self, table: tuple[array[int], array[int], list[str]], child: Any, start: int) -> None:
        name = self._require(child, "relType", child)
        if name == "other":
            name = next((child.get(attribute) for attribute in _TYPES if child.get(attribute)), name)
        relation = RELATIONS.get(name) or Relation("RELATED", kind=name)
        table[0].append(self._codes.setdefault(relation, len(self._codes)))
        table[1].append(start)
        table[2].append(self._require(child, "target", child))

    def _add_synset(self, synset: Any) -> None:
        key, number = self._require(synset, "id", synset), self._lexicon.synsets.count
        if key in self._synsets:
            self._refuse(synset, "occurs twice")
        self._synsets[key] = number
        pos = self._require_pos(synset, synset) if synset.get("partOfSpeech") else ""
        if not pos:
            self._without_pos[number] = synset.sourceline
        if pos == "s":
            self._satellites.add(number)
        if synset.get("members"):
            self._members[number] = synset.get("members")
        texts: dict[str, list[str]] = {"Definition": [], "Example": [], "ILIDefinition": []}
        for child in synset:
            if child.tag == "SynsetRelation":
                self._add_relation(self._synset_relations, child, number)
            elif child.tag in texts:
                texts[child.tag].append(_text(child))
        ili = synset.get("ili")
        self._lexicon.synsets.add(
            key,
            "a" if pos == "s" else pos or " ",
            [],
            "; ".join(texts["Definition"] or texts["ILIDefinition"]),
            texts["Example"],
            synset.get("lexfile") or synset.get(_TYPES[0]) or synset.get(_TYPES[1]),
            ili if ili and ili != "in" else None,
        )

    def _extend_synset(self, synset: Any) -> None:
        """Add the relations that an extension has of a synset of its lexicon."""
        number = self._synsets.get(self._require(synset, "id", synset))
        if number is None:
            self._left_out[DANGLING_EXTERNAL] += 1
            return
        for child in synset:
            if child.tag == "SynsetRelation":
                self._add_relation(self._synset_relations, child, number)
            elif child.tag in ("Definition", "Example"):
                self._left_out[EXTERNAL_TEXT] += 1

    def _resolve_senses(self) -> None:
        """Add the senses in the order of their entries; entries of one index are ranked together."""
        lexicon = self._lexicon
        order = list(range(len(self._sense_synsets)))
        if self._indexes:  # without one, the index of an entry is its written form
            groups: dict[tuple[str, str], list[int]] = {}
            for word, written in enumerate(lexicon.words):
                groups.setdefault((self._indexes.get(word, written), self._sense_parts[word]), []).append(word)
            for senses in groups.values():
                for place, word in zip(senses, sorted(senses, key=self._ranks.__getitem__), strict=True):
                    order[place] = word
        keys = list(self._senses)
        for word in order:
            synset = self._synsets.get(self._sense_synsets[word], -1)
            if synset < 0:
                self._left_out[DANGLING_SENSE] += 1
            elif self._labels[word] >= 0:
                lexicon.senses.add(self._labels[word], synset, word, self._uses[word], keys[word])

    def _resolve_synsets(self) -> None:
        """Give the synsets their words, the parts of speech that they lack, and their keys."""
        synsets, words = self._lexicon.synsets, self._lexicon.words
        for word, id in enumerate(self._sense_synsets):
            number = self._synsets.get(id)
            if number is not None:
                synsets.lemmas[number].append(words[word])
                if synsets.parts_of_speech[number] == ord(" "):
                    synsets.parts_of_speech[number] = ord(self._sense_parts[word].replace("s", "a"))
        missing = synsets.parts_of_speech.find(b" ")
        if missing >= 0:
            key = quote_value(synsets.keys[missing])
            self._refuse_at(self._without_pos[missing], f"Synset {key} has no part of speech, and no word with one")
        for number, lemmas in enumerate(synsets.lemmas):
            if len(lemmas) > 1:
                members = map(self._word, self._members.get(number, "").split())
                synsets.lemmas[number] = list(dict.fromkeys([*(each for each in members if each in lemmas), *lemmas]))
        keys = [self._shorten(number, key) for number, key in enumerate(synsets.keys)]
        if "" not in keys and len(set(keys)) == len(keys):
            synsets.keys = keys

    def _word(self, id: str) -> str:
        """Return the written form of an entry or of a sense, or an empty text."""
        if id in self._entries:
            return self._entries[id].written
        return self._lexicon.words[self._senses[id]] if id in self._senses else ""

    def _shorten(self, number: int, key: str) -> str:
        """Return the id of a synset as in the database files: without its lexicon, and with ``-a`` for satellites."""
        key = key.removeprefix(self._prefix)
        return f"{key[:-2]}-a" if number in self._satellites and key.endswith("-s") else key

    def _resolve_relations(self) -> Pointers:
        codes, starts, targets = self._synset_relations
        ends = _numbers([self._synsets.get(target, -1) for target in targets])
        sense_synsets = _numbers([self._synsets.get(synset, -1) for synset in self._sense_synsets] or [-1])
        sense_codes, start_words, sense_targets = self._sense_relations
        end_words = _numbers([self._senses.get(target, -1) for target in sense_targets])
        end_synsets = _numbers([self._synsets.get(target, -1) for target in sense_targets])  # a sense may point to a synset
        columns = [
            np.concatenate([_numbers(codes), _numbers(sense_codes)]),
            np.concatenate([_numbers(starts), sense_synsets[_numbers(start_words)]]),
            np.concatenate([ends, np.where(end_words >= 0, sense_synsets[end_words], end_synsets)]),
            np.concatenate([np.full(len(codes), -1), _numbers(start_words)]),
            np.concatenate([np.full(len(codes), -1), end_words]),
        ]
        resolved = (columns[1] >= 0) & (columns[2] >= 0)
        parts = np.frombuffer(bytes(self._lexicon.synsets.parts_of_speech) + b" ", np.uint8)
        similar, group = (self._codes.setdefault(each, len(self._codes)) for each in (RELATIONS["similar"], VERB_GROUP))
        columns[0] = np.where((columns[0] == similar) & (parts[columns[1]] == ord("v")), group, columns[0])
        if not resolved.all():
            self._left_out[DANGLING_RELATION] += len(resolved) - int(resolved.sum())
        return Pointers(tuple(self._codes), *(column[resolved] for column in columns))


def _numbers(values: Any) -> IntArray:
    return np.asarray(values, np.int64)


def _text(element: Any) -> str:
    """Return the text of an element in one line."""
    return " ".join("".join(element.itertext()).split())
