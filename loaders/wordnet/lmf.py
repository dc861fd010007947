"""Read WordNets in the Global WordNet Association's XML, WN-LMF 1.0 to 1.4, such as Open English WordNet.

The XML is parsed incrementally, and each element is dropped once it has been processed. Entities are not expanded, and DTDs,
other files and the network are not read. A document without an entry or synset in ``LARGEST_GAP`` bytes is rejected.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from lxml import etree

from ...core.arrays import IntArray
from ...core.messages import quote_value
from ...graph.schema import MAX_KEY_BYTES
from ..archives import CHUNK_SIZE, open_unpacked, translate_errors
from ..errors import SourceDamaged, SourceInvalid, SourceRefused
from .lexicon import Lexicon, Pointers, Relation

LARGEST_GAP = 4 << 20

DANGLING_SENSE = "dangling_sense"
DANGLING_RELATION = "dangling_relation"
FORM_LIKE_LEMMA = "form_like_lemma"
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
_TAGS = ("LexicalEntry", "Synset", "SyntacticBehaviour", "LexiconExtension")


def describe(path: Path) -> str:
    """Return the name and version of the first lexicon in a file, or raise a ``SourceError``."""
    for element in _elements(path, "start", ("Lexicon", "LexiconExtension")):
        if element.tag == "Lexicon":
            name = element.get("label") or element.get("id") or "lexicon"
            return f"{name} {element.get('version', '')}".strip() + " (WN-LMF)"
        _refuse_extension(path, element)
    raise SourceInvalid(f"{path} has no Lexicon; give a WN-LMF file of a WordNet")


def read(path: Path, base: str, left_out: Counter[str]) -> Lexicon:
    """Read the whole file, or raise a ``SourceError``."""
    return _Reader(path, base, left_out).read()


def _elements(path: Path, event: str, tags: tuple[str, ...]) -> Iterator[Any]:
    """Yield the elements with these tags as they start or end; each is dropped from the tree before the next one is yielded."""
    parser = etree.XMLPullParser(
        events=(event,),
        tag=tags,
        load_dtd=False,
        no_network=True,
        resolve_entities=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    gap, checked = 0, False
    with translate_errors(path), open_unpacked(path) as stream:
        try:
            while chunk := stream.read(CHUNK_SIZE):
                gap += len(chunk)
                parser.feed(chunk)
                _check_entities(path, parser)
                for _, element in parser.read_events():
                    if not checked:
                        _check_document(path, element)
                        checked = True
                    gap = 0
                    yield element
                    _drop(element, event)
                if gap > LARGEST_GAP:
                    raise SourceRefused(
                        f"{path} has no entry or synset in {LARGEST_GAP >> 20} MB, so it is not a lexicon; check its origin"
                    )
            root = parser.close()
        except etree.XMLSyntaxError as error:
            _check_entities(path, parser)
            reason = " ".join(str(error.msg).split()).replace(" ,", ",")
            raise SourceDamaged(f"{path} is not well-formed XML: {reason}; get it again") from error
    if root.tag != "LexicalResource":
        _refuse_root(path, root)


def _drop(element: Any, event: str) -> None:
    """Empty an element that has ended and delete what precedes it, unless it is part of an entry that has not ended."""
    parent = element.getparent()
    if event == "end" and parent is not None and parent.tag != "LexicalEntry":
        element.clear()
        while element.getprevious() is not None:
            del parent[0]


def _check_document(path: Path, element: Any) -> None:
    """Raise if the root element is wrong, or the document defines entities."""
    tree = element.getroottree()
    if tree.getroot().tag != "LexicalResource":
        _refuse_root(path, tree.getroot())
    dtd = tree.docinfo.internalDTD
    entity = next(dtd.iterentities(), None) if dtd is not None else None
    if entity is not None:
        raise SourceRefused(f"{path} defines the entity {quote_value(entity.name)}, and entities are not expanded; remove it")


def _check_entities(path: Path, parser: Any) -> None:
    """Raise for an undefined entity, which the parser silently drops if the document has a DTD that might define it."""
    for entry in parser.feed_error_log:
        if entry.type_name.endswith("UNDECLARED_ENTITY"):
            raise SourceDamaged(
                f"{path}, line {entry.line}: {' '.join(entry.message.split())}; write the character itself, or &amp; for an &"
            )


def _refuse_root(path: Path, root: Any) -> NoReturn:
    raise SourceInvalid(
        f"{path} is not WN-LMF: its outermost element is {quote_value(root.tag)}; give a file with LexicalResource"
    )


def _refuse_extension(path: Path, element: Any) -> NoReturn:
    raise SourceInvalid(
        f"{path} has {quote_value(element.get('id'))}, an extension of another lexicon; give the lexicon itself"
    )


class _Reader:
    """One pass over a file.

    Entries come before synsets, so senses and the targets of relations are stored by id, and resolved after the last synset.
    The number of a sense is also the number of its word in the lexicon.
    """

    def __init__(self, path: Path, base: str, left_out: Counter[str]) -> None:
        self._path = path
        self._left_out = left_out
        self._longest = MAX_KEY_BYTES - len(base) - 1  # a stored id is the base, a separator and this id
        self._lexicon = Lexicon(base, left_out)
        self._container: Any = None
        self._prefixes: list[str] = []
        self._in_synsets = False
        self._entries: dict[str, str] = {}  # entry id -> written form of its lemma
        self._pos: dict[str, str] = {}  # synset id -> part of speech of its first word
        self._lemmas: dict[str, list[str]] = {}  # synset id -> its lemmas, in the order of the entries
        self._synsets: dict[str, int] = {}
        self._keys: set[str] = set()
        self._senses: dict[str, int] = {}
        self._sense_synsets: list[str] = []  # by sense: its synset id
        self._labels = array("i")
        self._uses = array("q")
        self._codes: dict[Relation, int] = {}
        # relation code, number of the source, id of the target
        self._synset_relations: tuple[array[int], array[int], list[str]] = (array("H"), array("i"), [])
        self._sense_relations: tuple[array[int], array[int], list[str]] = (array("H"), array("i"), [])

    def read(self) -> Lexicon:
        for element in _elements(self._path, "end", _TAGS):
            container = element.getparent()
            if container is not self._container and not self._begin_lexicon(element, container):
                continue
            if element.tag == "LexicalEntry":
                self._add_entry(element)
            elif element.tag == "Synset":
                self._in_synsets = True
                self._add_synset(element)
            else:
                self._left_out[SYNTACTIC_BEHAVIOUR] += 1
        if not self._prefixes:
            raise SourceInvalid(f"{self._path} has no Lexicon with entries or synsets; give a WN-LMF file of a WordNet")
        self._resolve_senses()
        self._lexicon.pointers = self._resolve_relations()
        return self._lexicon

    def _refuse(self, element: Any, problem: str) -> NoReturn:
        line = element.sourceline
        where = f", line {line}" if line and line < 65535 else ""  # lxml does not count beyond that
        raise SourceDamaged(
            f"{self._path}{where}: {element.tag} {quote_value(element.get('id') or '')} {problem}; get a correct copy"
        )

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

    def _begin_lexicon(self, element: Any, container: Any) -> bool:
        """Begin the lexicon of an element, and return whether the element is to be processed.

        Ids of the first lexicon are stored without its prefix, those of further lexicons with theirs.
        """
        if element.tag == "LexiconExtension" or (container is not None and container.tag == "LexiconExtension"):
            _refuse_extension(self._path, element if container.tag != "LexiconExtension" else container)
        if element.tag == "SyntacticBehaviour":
            return False  # part of an entry, with which it is counted
        if container is None or container.tag != "Lexicon":
            self._refuse(element, "is not in a Lexicon")
        self._container, self._in_synsets = container, False
        self._prefixes.append(f"{self._require(container, 'id', container)}-")
        return True

    def _add_entry(self, entry: Any) -> None:
        if self._in_synsets:
            self._refuse(entry, "comes after the synsets of its lexicon, against WN-LMF")
        key, lemma = self._require(entry, "id", entry), entry.find("Lemma")
        written = self._require(lemma, "writtenForm", entry)
        pos = self._require(lemma, "partOfSpeech", entry)
        if key in self._entries:
            self._refuse(entry, "occurs twice")
        self._entries[key] = written
        label = self._lexicon.label(written)
        senses = []
        for child in entry:
            if child.tag == "Sense":
                senses.append(child)
            elif child.tag == "Form":
                self._add_form(child, label, "a" if pos == "s" else pos)
            elif child.tag == "SyntacticBehaviour":
                self._left_out[SYNTACTIC_BEHAVIOUR] += 1
            elif child.tag == "Lemma":
                for _ in child.iterfind("Pronunciation"):
                    self._left_out[PRONUNCIATION] += 1
        if any("n" in sense.attrib for sense in senses):
            senses.sort(key=self._rank)
        for sense in senses:
            self._add_sense(sense, entry, label, written, pos)

    def _rank(self, sense: Any) -> int:
        return self._parse_number(sense, "number", sense.get("n", "0"))

    def _parse_number(self, sense: Any, name: str, text: str) -> int:
        if not text.isdecimal() or len(text) > 12:
            self._refuse(sense, f"has the {name} {quote_value(text)}")
        return int(text)

    def _add_form(self, form: Any, label: int | None, pos: str) -> None:
        inflected = self._lexicon.label(self._require(form, "writtenForm", form))
        if inflected == label:
            self._left_out[FORM_LIKE_LEMMA] += 1
        elif inflected is not None and label is not None:
            self._lexicon.inflections[inflected, label, pos] = None

    def _add_sense(self, sense: Any, entry: Any, label: int | None, written: str, pos: str) -> None:
        key, synset = self._require(sense, "id", entry), self._require(sense, "synset", entry)
        number = len(self._sense_synsets)
        if self._senses.setdefault(key, number) != number:
            self._refuse(sense, "occurs twice")
        uses = 0
        for child in sense:
            if child.tag == "SenseRelation":
                self._add_relation(self._sense_relations, child, number, pos)
            elif child.tag == "Count":
                uses += self._parse_number(sense, "count", (child.text or "").strip())
        self._sense_synsets.append(synset)
        self._labels.append(-1 if label is None else label)
        self._uses.append(uses)
        self._lexicon.words.append(written)
        self._lemmas.setdefault(synset, []).append(written)
        self._pos.setdefault(synset, pos)

    def _add_relation(self, table: tuple[array[int], array[int], list[str]], child: Any, start: int, pos: str) -> None:
        name = self._require(child, "relType", child)
        if name == "other":
            name = next((child.get(attribute) for attribute in _TYPES if child.get(attribute)), name)
        relation = RELATIONS.get(name) or Relation("RELATED", kind=name)
        if name == "similar" and pos == "v":
            relation = VERB_GROUP
        table[0].append(self._codes.setdefault(relation, len(self._codes)))
        table[1].append(start)
        table[2].append(self._require(child, "target", child))

    def _add_synset(self, synset: Any) -> None:
        full = self._require(synset, "id", synset)
        pos = synset.get("partOfSpeech") or self._pos.get(full)  # if missing, that of its words
        self._pos.pop(full, None)
        if pos is None:
            self._refuse(synset, "has no part of speech, and no word with one")
        if len(pos) != 1 or not pos.isascii():
            self._refuse(synset, f"has the part of speech {quote_value(pos)}")
        key = full.removeprefix(self._prefixes[0])
        if pos == "s":
            pos, key = "a", f"{key[:-2]}-a" if key.endswith("-s") else key
        if not key:
            self._refuse(synset, "has no more than the id of its lexicon as id")
        number = self._lexicon.synsets.count
        if full in self._synsets or key in self._keys:
            self._refuse(synset, "occurs twice")
        self._synsets[full] = number
        self._keys.add(key)
        texts: dict[str, list[str]] = {"Definition": [], "Example": [], "ILIDefinition": []}
        for child in synset:
            if child.tag == "SynsetRelation":
                self._add_relation(self._synset_relations, child, number, pos)
            elif child.tag in texts:
                texts[child.tag].append(" ".join("".join(child.itertext()).split()))
        lemmas = self._lemmas.pop(full, [])
        members = [self._entries[entry] for entry in synset.get("members", "").split() if entry in self._entries]
        if len(lemmas) > 1 and members:
            lemmas = [
                *dict.fromkeys(lemma for lemma in members if lemma in lemmas),
                *(lemma for lemma in lemmas if lemma not in members),
            ]
        ili = synset.get("ili")
        self._lexicon.synsets.add(
            key,
            pos,
            list(dict.fromkeys(lemmas)),
            "; ".join(texts["Definition"] or texts["ILIDefinition"]),
            texts["Example"],
            synset.get("lexfile") or synset.get(_TYPES[0]) or synset.get(_TYPES[1]),
            ili if ili and ili != "in" else None,
        )

    def _resolve_senses(self) -> None:
        lexicon = self._lexicon
        synsets = (self._synsets.get(synset, -1) for synset in self._sense_synsets)
        for word, (key, label, synset, uses) in enumerate(zip(self._senses, self._labels, synsets, self._uses, strict=True)):
            if synset < 0:
                self._left_out[DANGLING_SENSE] += 1
            elif label >= 0:
                lexicon.senses.add(label, synset, word, uses, key)

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
        if not resolved.all():
            self._left_out[DANGLING_RELATION] += len(resolved) - int(resolved.sum())
        return Pointers(tuple(self._codes), *(column[resolved] for column in columns))


def _numbers(values: Any) -> IntArray:
    return np.asarray(values, np.int64)
