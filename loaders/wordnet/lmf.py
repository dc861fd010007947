"""Reads a WordNet in the Global WordNet Association's XML, WN-LMF 1.0 to 1.4, such as Open English WordNet.

The XML is read in pieces and each entry is dropped when it has been taken in. No entity is expanded, no DTD and nothing from a
network or another file is read, and a document that gives nothing to take in for ``LARGEST_GAP`` bytes is refused.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from lxml import etree

from ...core.messages import quote_value
from ...graph.schema import MAX_KEY_BYTES
from ..archives import PIECE, open_unpacked, translate_errors
from ..errors import SourceDamaged, SourceInvalid, SourceRefused
from .lexicon import IntegerArray, Lexicon, Pointers, Relation

LARGEST_GAP = 4 << 20

LOST_SENSES = "senses of synsets that are missing"
LOST_RELATIONS = "relations to or from synsets or senses that are missing"
OWN_FORMS = "forms that differ from their lemma in case or accents only"
BEHAVIOURS = "syntactic behaviours"
PRONUNCIATIONS = "pronunciations"

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
"""What the relations mean that WordNet has too; any other becomes RELATED with its name."""

VERB_GROUP = Relation("VERB_GROUP")
"""``similar`` between verbs: so WN-LMF writes WordNet's verb groups, which the search must not take for similar adjectives."""

_TYPES = (
    "{https://globalwordnet.github.io/schemas/dc/}type",
    "{http://purl.org/dc/elements/1.1/}type",
    "{http://purl.org/dc/terms/}type",
)
_TAKEN = ("LexicalEntry", "Synset", "SyntacticBehaviour", "LexiconExtension")


def described(path: Path) -> str:
    """The name and version that the (first) lexicon of a file gives itself; a ``SourceError`` if there is none."""
    for element in _elements(path, "start", ("Lexicon", "LexiconExtension")):
        if element.tag == "Lexicon":
            name = element.get("label") or element.get("id") or "lexicon"
            return f"{name} {element.get('version', '')}".strip() + " (WN-LMF)"
        _refuse_extension(path, element)
    raise SourceInvalid(f"{path} has no Lexicon in it; give a WN-LMF file of a WordNet")


def read(path: Path, base: str, left_out: Counter[str]) -> Lexicon:
    """Everything in the file, or a ``SourceError``."""
    return _Reading(path, base, left_out).whole()


def _elements(path: Path, event: str, tags: tuple[str, ...]) -> Iterator[Any]:
    """The elements with these tags, as they start or end; what stands before one is gone when the next comes."""
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
            while piece := stream.read(PIECE):
                gap += len(piece)
                parser.feed(piece)
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
                        f"{path} gives no entry or synset for {LARGEST_GAP >> 20} MB; it is no lexicon, or made to do harm"
                    )
            root = parser.close()
        except etree.XMLSyntaxError as error:
            _check_entities(path, parser)
            said = " ".join(str(error.msg).split()).replace(" ,", ",")
            raise SourceDamaged(f"{path} is not well-formed XML: {said}; get it again") from error
    if root.tag != "LexicalResource":
        _refuse_root(path, root)


def _drop(element: Any, event: str) -> None:
    parent = element.getparent()
    if event == "end" and parent is not None and parent.tag != "LexicalEntry":
        element.clear()
        while element.getprevious() is not None:
            del parent[0]


def _check_document(path: Path, element: Any) -> None:
    tree = element.getroottree()
    if tree.getroot().tag != "LexicalResource":
        _refuse_root(path, tree.getroot())
    dtd = tree.docinfo.internalDTD
    entity = next(dtd.iterentities(), None) if dtd is not None else None
    if entity is not None:
        raise SourceRefused(
            f"{path} defines an entity, {quote_value(entity.name)}; no lexicon needs one, and they are not expanded: remove it"
        )


def _check_entities(path: Path, parser: Any) -> None:
    """Refuse a name that nothing defines: where there is a DTD to define it, the parser would only leave it out."""
    for said in parser.feed_error_log:
        if said.type_name.endswith("UNDECLARED_ENTITY"):
            raise SourceDamaged(
                f"{path}, line {said.line}: {' '.join(said.message.split())}; write the character itself, or &amp; for an &"
            )


def _refuse_root(path: Path, root: Any) -> NoReturn:
    raise SourceInvalid(f"{path} is no WN-LMF: its outermost element is {quote_value(root.tag)}, not LexicalResource")


def _refuse_extension(path: Path, element: Any) -> NoReturn:
    raise SourceInvalid(
        f"{path} holds an extension of another lexicon, {quote_value(element.get('id'))}; give the lexicon itself"
    )


class _Reading:
    """One pass over a file. Senses are numbered as the words of the lexicon; targets stay ids until everything is known."""

    def __init__(self, path: Path, base: str, left_out: Counter[str]) -> None:
        self._path = path
        self._left_out = left_out
        self._longest = MAX_KEY_BYTES - len(base) - 1  # an id is the name of the base, a mark and this
        self._lexicon = Lexicon(base, left_out)
        self._container: Any = None
        self._prefixes: list[str] = []
        self._in_synsets = False
        self._entries: dict[str, str] = {}  # entry -> written form of its lemma
        self._pos: dict[str, str] = {}  # synset -> part of speech of its first word
        self._lemmas: dict[str, list[str]] = {}  # synset -> its lemmas, in the order of the entries
        self._synsets: dict[str, int] = {}
        self._keys: set[str] = set()
        self._senses: dict[str, int] = {}
        self._meant: list[str] = []  # by sense: its synset
        self._labels = array("i")
        self._uses = array("q")
        self._codes: dict[Relation, int] = {}
        self._of_synsets: tuple[array[int], array[int], list[str]] = (array("H"), array("i"), [])
        self._of_senses: tuple[array[int], array[int], list[str]] = (array("H"), array("i"), [])

    def whole(self) -> Lexicon:
        for element in _elements(self._path, "end", _TAKEN):
            container = element.getparent()
            if container is not self._container and not self._begin(element, container):
                continue
            if element.tag == "LexicalEntry":
                self._entry(element)
            elif element.tag == "Synset":
                self._in_synsets = True
                self._synset(element)
            else:
                self._left_out[BEHAVIOURS] += 1
        if not self._prefixes:
            raise SourceInvalid(f"{self._path} has no Lexicon with entries or synsets in it; give a WN-LMF file of a WordNet")
        self._take_senses()
        self._lexicon.pointers = self._pointers()
        return self._lexicon

    def _refuse(self, element: Any, what: str) -> NoReturn:
        line = element.sourceline
        where = f", line {line}" if line and line < 65535 else ""  # lxml counts no further
        raise SourceDamaged(
            f"{self._path}{where}: {element.tag} {quote_value(element.get('id') or '')} {what}; get a correct copy"
        )

    def _needed(self, element: Any, name: str, owner: Any) -> str:
        value: str | None = element.get(name) if element is not None else None
        if not value:
            self._refuse(owner, f"lacks {name}" if element is not None else "has no Lemma")
        if len(value) > self._longest // 4 and len(value.encode()) > self._longest:
            self._refuse(
                owner, f"has the {name} {quote_value(value)} of {len(value.encode())} bytes, and {self._longest} are the most"
            )
        return value

    def _begin(self, element: Any, container: Any) -> bool:
        """Whether another lexicon begins: ids of the first lose its prefix, those of further ones keep theirs."""
        if element.tag == "LexiconExtension" or (container is not None and container.tag == "LexiconExtension"):
            _refuse_extension(self._path, element if container.tag != "LexiconExtension" else container)
        if element.tag == "SyntacticBehaviour":
            return False  # of an entry: it is counted with it
        if container is None or container.tag != "Lexicon":
            self._refuse(element, "is not in a Lexicon")
        self._container, self._in_synsets = container, False
        self._prefixes.append(f"{self._needed(container, 'id', container)}-")
        return True

    def _entry(self, entry: Any) -> None:
        if self._in_synsets:
            self._refuse(entry, "comes after the synsets of its lexicon, which WN-LMF does not allow")
        key, lemma = self._needed(entry, "id", entry), entry.find("Lemma")
        written = self._needed(lemma, "writtenForm", entry)
        pos = self._needed(lemma, "partOfSpeech", entry)
        if key in self._entries:
            self._refuse(entry, "is there twice")
        self._entries[key] = written
        label = self._lexicon.label(written)
        senses = []
        for child in entry:
            if child.tag == "Sense":
                senses.append(child)
            elif child.tag == "Form":
                self._form(child, label, "a" if pos == "s" else pos)
            elif child.tag == "SyntacticBehaviour":
                self._left_out[BEHAVIOURS] += 1
            elif child.tag == "Lemma":
                for _ in child.iterfind("Pronunciation"):
                    self._left_out[PRONUNCIATIONS] += 1
        if any("n" in sense.attrib for sense in senses):
            senses.sort(key=self._place)
        for sense in senses:
            self._sense(sense, entry, label, written, pos)

    def _place(self, sense: Any) -> int:
        return self._number(sense, "number", sense.get("n", "0"))

    def _number(self, sense: Any, what: str, text: str) -> int:
        if not text.isdecimal() or len(text) > 12:
            self._refuse(sense, f"has the {what} {quote_value(text)}")
        return int(text)

    def _form(self, form: Any, label: int | None, pos: str) -> None:
        inflected = self._lexicon.label(self._needed(form, "writtenForm", form))
        if inflected == label:
            self._left_out[OWN_FORMS] += 1
        elif inflected is not None and label is not None:
            self._lexicon.inflections[inflected, label, pos] = None

    def _sense(self, sense: Any, entry: Any, label: int | None, written: str, pos: str) -> None:
        key, synset = self._needed(sense, "id", entry), self._needed(sense, "synset", entry)
        number = len(self._meant)
        if self._senses.setdefault(key, number) != number:
            self._refuse(sense, "is there twice")
        uses = 0
        for child in sense:
            if child.tag == "SenseRelation":
                self._related(self._of_senses, child, number, pos)
            elif child.tag == "Count":
                uses += self._number(sense, "count", (child.text or "").strip())
        self._meant.append(synset)
        self._labels.append(-1 if label is None else label)
        self._uses.append(uses)
        self._lexicon.words.append(written)
        self._lemmas.setdefault(synset, []).append(written)
        self._pos.setdefault(synset, pos)

    def _related(self, table: tuple[array[int], array[int], list[str]], child: Any, start: int, pos: str) -> None:
        name = self._needed(child, "relType", child)
        if name == "other":
            name = next((child.get(each) for each in _TYPES if child.get(each)), name)
        relation = RELATIONS.get(name) or Relation("RELATED", kind=name)
        if name == "similar" and pos == "v":
            relation = VERB_GROUP
        table[0].append(self._codes.setdefault(relation, len(self._codes)))
        table[1].append(start)
        table[2].append(self._needed(child, "target", child))

    def _synset(self, synset: Any) -> None:
        full = self._needed(synset, "id", synset)
        pos = synset.get("partOfSpeech") or self._pos.get(full)  # where the synset does not say, its words do
        self._pos.pop(full, None)
        if pos is None:
            self._refuse(synset, "has no part of speech, nor has it words that have one")
        if len(pos) != 1 or not pos.isascii():
            self._refuse(synset, f"has the part of speech {quote_value(pos)}")
        key = full.removeprefix(self._prefixes[0])
        if pos == "s":
            pos, key = "a", f"{key[:-2]}-a" if key.endswith("-s") else key
        if not key:
            self._refuse(synset, "is nothing but the id of its lexicon")
        number = self._lexicon.synsets.count
        if full in self._synsets or key in self._keys:
            self._refuse(synset, "is there twice")
        self._synsets[full] = number
        self._keys.add(key)
        said: dict[str, list[str]] = {"Definition": [], "Example": [], "ILIDefinition": []}
        for child in synset:
            if child.tag == "SynsetRelation":
                self._related(self._of_synsets, child, number, pos)
            elif child.tag in said:
                said[child.tag].append(" ".join("".join(child.itertext()).split()))
        lemmas = self._lemmas.pop(full, [])
        members = [self._entries[entry] for entry in synset.get("members", "").split() if entry in self._entries]
        if len(lemmas) > 1 and members:
            lemmas = [
                *dict.fromkeys(each for each in members if each in lemmas),
                *(each for each in lemmas if each not in members),
            ]
        ili = synset.get("ili")
        self._lexicon.synsets.add(
            key,
            pos,
            list(dict.fromkeys(lemmas)),
            "; ".join(said["Definition"] or said["ILIDefinition"]),
            said["Example"],
            synset.get("lexfile") or synset.get(_TYPES[0]) or synset.get(_TYPES[1]),
            ili if ili and ili != "in" else None,
        )

    def _take_senses(self) -> None:
        lexicon = self._lexicon
        synsets = (self._synsets.get(each, -1) for each in self._meant)
        for word, (key, label, synset, uses) in enumerate(zip(self._senses, self._labels, synsets, self._uses, strict=True)):
            if synset < 0:
                self._left_out[LOST_SENSES] += 1
            elif label >= 0:
                lexicon.senses.add(label, synset, word, uses, key)

    def _pointers(self) -> Pointers:
        codes, starts, targets = self._of_synsets
        ends = _numbers([self._synsets.get(target, -1) for target in targets])
        meant = _numbers([self._synsets.get(each, -1) for each in self._meant] or [-1])
        sense_codes, start_words, sense_targets = self._of_senses
        end_words = _numbers([self._senses.get(target, -1) for target in sense_targets])
        named = _numbers([self._synsets.get(target, -1) for target in sense_targets])
        columns = [
            np.concatenate([_numbers(codes), _numbers(sense_codes)]),
            np.concatenate([_numbers(starts), meant[_numbers(start_words)]]),
            np.concatenate([ends, np.where(end_words >= 0, meant[end_words], named)]),
            np.concatenate([np.full(len(codes), -1), _numbers(start_words)]),
            np.concatenate([np.full(len(codes), -1), end_words]),
        ]
        kept = (columns[1] >= 0) & (columns[2] >= 0)
        if not kept.all():
            self._left_out[LOST_RELATIONS] += len(kept) - int(kept.sum())
        return Pointers(tuple(self._codes), *(column[kept] for column in columns))


def _numbers(values: Any) -> IntegerArray:
    return np.asarray(values, np.int64)
