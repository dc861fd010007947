"""WN-LMF files are loaded as the schema requires; a malformed or hostile one is a one-line error."""

from __future__ import annotations

import gzip
import lzma
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.loaders import SourceDamaged, SourceError, SourceInvalid, WordNetLoader, open_wordnet
from wayword.loaders.wordnet import lmf
from wayword.loaders.wordnet.lexicon import DUPLICATE_POINTER, SPELLING_VARIANT

from ...support.examples import share_of_examples
from ...support.mini_wordnet import load_rows, rows, triples

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE LexicalResource SYSTEM "http://127.0.0.1:9/WN-LMF-1.3.dtd">\n'
ENTRIES = """
<LexicalEntry id="en-dog-n">
  <Lemma writtenForm="dog" partOfSpeech="n"><Pronunciation>dɒg</Pronunciation></Lemma>
  <Form writtenForm="doggen"/><Form writtenForm="Dog"/>
  <Sense id="en-dog-1" synset="en-2-n"><Count>4</Count><Count>2</Count>
    <SenseRelation relType="derivation" target="en-dog-v1"/></Sense>
  <Sense id="en-dog-2" synset="en-1-n"><SenseRelation relType="other" dc:type="agent" target="en-dog-v1"/></Sense>
  <Sense id="en-dog-3" synset="en-404-n"/>
</LexicalEntry>
<LexicalEntry id="en-Dog-n">
  <Lemma writtenForm="Dog" partOfSpeech="n"/>
  <Sense id="en-Dog-1" synset="en-2-n"/>
</LexicalEntry>
<LexicalEntry id="en-canine-n">
  <Lemma writtenForm="canine" partOfSpeech="n"/>
  <Sense id="en-canine-1" synset="en-2-n"><SenseRelation relType="exemplifies" target="en-1-n"/></Sense>
</LexicalEntry>
<LexicalEntry id="en-dog-v">
  <Lemma writtenForm="dog" partOfSpeech="v"/>
  <Sense id="en-dog-v2" n="2" synset="en-4-v"/>
  <Sense id="en-dog-v1" n="1" synset="en-3-v"><SenseRelation relType="derivation" target="en-404"/></Sense>
  <SyntacticBehaviour subcategorizationFrame="Somebody ----s something"/>
</LexicalEntry>
<LexicalEntry id="en-live-a">
  <Lemma writtenForm="live" partOfSpeech="a"/>
  <Sense id="en-live-1" synset="en-6-s" adjposition="p"/>
</LexicalEntry>
"""
SYNSETS = """
<Synset id="en-1-n" ili="i1" partOfSpeech="n" lexfile="noun.Tops">
  <Definition>a  thing
  that is</Definition><Example>one</Example><Example>two</Example>
  <SynsetRelation relType="hyponym" target="en-2-n"/>
  <SynsetRelation relType="has_domain_topic" target="en-2-n"/>
  <SynsetRelation relType="mero_part" target="en-2-n"/>
</Synset>
<Synset id="en-2-n" ili="in" partOfSpeech="n" members="en-canine-n en-dog-n en-Dog-n">
  <Definition>it barks</Definition>
  <SynsetRelation relType="hypernym" target="en-1-n"/>
  <SynsetRelation relType="domain_topic" target="en-1-n"/>
  <SynsetRelation relType="co_role" target="en-1-n"/>
  <SynsetRelation relType="hypernym" target="en-404-n"/>
</Synset>
<Synset id="en-3-v" ili="" partOfSpeech="v">
  <ILIDefinition>to follow</ILIDefinition>
  <SynsetRelation relType="similar" target="en-4-v"/>
  <SynsetRelation relType="is_caused_by" target="en-4-v"/>
  <SynsetRelation relType="similar" target="en-4-v"/>
</Synset>
<Synset id="en-4-v" ili="" partOfSpeech="v"/>
<Synset id="en-5-a" ili="" partOfSpeech="a"><SynsetRelation relType="similar" target="en-6-s"/></Synset>
<Synset id="en-6-s" ili="" partOfSpeech="s"/>
"""


def lexicon(content: str, id: str = "en") -> str:
    return f'<Lexicon id="{id}" label="Mini" language="en" email="a@b.c" license="none" version="1.2">{content}</Lexicon>\n'


def document(*lexicons: str, head: str = HEAD) -> str:
    resource = '<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">\n'
    return f"{head}{resource}{''.join(lexicons)}</LexicalResource>\n"


WHOLE = document(lexicon(ENTRIES + SYNSETS))


def write_lmf(tmp_path: Path, text: str, name: str = "mini.xml") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


@pytest.fixture(scope="module")
def loader(tmp_path_factory: pytest.TempPathFactory) -> WordNetLoader:
    return open_wordnet(write_lmf(tmp_path_factory.mktemp("lmf"), WHOLE))


@pytest.fixture(scope="module")
def found(loader: WordNetLoader) -> dict[str, list[dict[str, Any]]]:
    return rows(loader)


def test_base_describes_its_source(loader: WordNetLoader) -> None:
    assert loader.base.source == "Mini 1.2 (WN-LMF), mini.xml"


def test_synsets_have_every_field_of_the_file(found: dict[str, list[dict[str, Any]]]) -> None:
    synsets = {each["id"]: each for each in found["Synset"]}
    assert sorted(synsets) == [f"wordnet:{key}" for key in ("1-n", "2-n", "3-v", "4-v", "5-a", "6-a")]
    assert synsets["wordnet:1-n"] == {
        "id": "wordnet:1-n",
        "base": "wordnet",
        "name": "dog",
        "pos": "n",
        "lemmas": ["dog"],
        "gloss": "a thing that is",
        "examples": ["one", "two"],
        "lexfile": "noun.Tops",
        "ili": "i1",
        "hyponyms": 1,
    }
    assert synsets["wordnet:2-n"]["lemmas"] == ["canine", "dog", "Dog"]
    assert (synsets["wordnet:2-n"]["ili"], synsets["wordnet:2-n"]["lexfile"]) == (None, None)
    assert (synsets["wordnet:3-v"]["gloss"], synsets["wordnet:6-a"]["pos"]) == ("to follow", "a")
    assert (synsets["wordnet:5-a"]["name"], synsets["wordnet:5-a"]["lemmas"]) == ("5-a", [])


def test_senses_have_counts_ranks_and_keys(found: dict[str, list[dict[str, Any]]]) -> None:
    assert sorted(triples(found, "SENSE")) == [
        ("wordnet/canine", "2-n", 0, 1.0, 1, "canine", "en-canine-1"),
        ("wordnet/dog", "1-n", 0, 0.0, 2, "dog", "en-dog-2"),
        ("wordnet/dog", "2-n", 6, 1.0, 1, "dog", "en-dog-1"),
        ("wordnet/dog", "3-v", 0, 0.0, 1, "dog", "en-dog-v1"),
        ("wordnet/dog", "4-v", 0, 0.0, 2, "dog", "en-dog-v2"),
        ("wordnet/live", "6-a", 0, 1.0, 1, "live", "en-live-1"),
    ]
    assert triples(found, "INFLECTION_OF") == [("wordnet/doggen", "wordnet/dog", "n")]


def test_relations_are_mapped_to_those_of_wordnet(found: dict[str, list[dict[str, Any]]]) -> None:
    assert triples(found, "HYPERNYM") == [("2-n", "1-n", False)]
    assert triples(found, "IN_TOPIC") == [("2-n", "1-n", None, None)]
    assert triples(found, "PART_OF") == [("2-n", "1-n")]
    assert triples(found, "CAUSES") == [("4-v", "3-v")]
    assert triples(found, "DERIVATION") == [("2-n", "3-v", "dog", "dog")]
    assert triples(found, "IN_USAGE") == [("2-n", "1-n", "canine", None)]
    assert triples(found, "SIMILAR") == [("5-a", "6-a", None, None)]
    assert triples(found, "VERB_GROUP") == [("3-v", "4-v", None, None)]
    assert sorted(triples(found, "RELATED")) == [("1-n", "3-v", "agent", "dog", "dog"), ("2-n", "1-n", "co_role", None, None)]


def test_omissions_are_counted_by_code(found: dict[str, list[dict[str, Any]]], loader: WordNetLoader) -> None:
    assert found
    assert loader.base.left_out == {
        lmf.DANGLING_SENSE: 1,
        lmf.DANGLING_RELATION: 2,
        lmf.FORM_LIKE_LEMMA: 1,
        SPELLING_VARIANT: 1,
        DUPLICATE_POINTER: 1,
        lmf.PRONUNCIATION: 1,
        lmf.SYNTACTIC_BEHAVIOUR: 1,
    }


@pytest.mark.parametrize(
    ("name", "pack"), [("a.xml", bytes), ("a.xml.gz", gzip.compress), ("a.xml.xz", lzma.compress), ("b", gzip.compress)]
)
def test_compression_is_detected_by_content(
    tmp_path: Path, found: dict[str, list[dict[str, Any]]], name: str, pack: Any
) -> None:
    (tmp_path / name).write_bytes(pack(WHOLE.encode()))
    assert rows(open_wordnet(tmp_path / name)) == found


def test_declared_encoding_is_used(tmp_path: Path, found: dict[str, list[dict[str, Any]]]) -> None:
    (tmp_path / "a.xml").write_bytes(WHOLE.replace("UTF-8", "UTF-16").encode("utf-16"))
    assert rows(open_wordnet(tmp_path / "a.xml")) == found


def test_two_lexicons_are_merged(tmp_path: Path) -> None:
    second = ENTRIES + SYNSETS
    text = document(lexicon(ENTRIES + SYNSETS), lexicon(second.replace('"en-', '"fr-').replace(" en-", " fr-"), "fr"))
    found = rows(open_wordnet(write_lmf(tmp_path, text)))
    assert {each["id"] for each in found["Synset"]} >= {"wordnet:1-n", "wordnet:fr-1-n"}
    assert len(found["Synset"]) == 12
    assert [each["to"] for each in found["SENSE"] if each["from"] == "wordnet/canine"] == ["wordnet:2-n", "wordnet:fr-2-n"]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (WHOLE[: len(WHOLE) // 2], SourceDamaged, r"not well-formed XML: .*line \d+"),
        (WHOLE.replace("</Sense>", "</Sens>", 1), SourceDamaged, r"not well-formed XML: .*mismatch.* line 8"),
        (document(), SourceInvalid, "has no Lexicon;"),
        (document(lexicon("")), SourceInvalid, "has no Lexicon with entries or synsets"),
        (document().replace("LexicalResource", "html"), SourceInvalid, "its outermost element is 'html'"),
        (
            document(lexicon("").replace("Lexicon", "LexiconExtension")),
            SourceInvalid,
            "has 'en', an extension of another lexicon",
        ),
        (document(lexicon("<Synset/>")), SourceDamaged, "Synset '' lacks id"),
        (document(lexicon('<LexicalEntry id="x"/>')), SourceDamaged, "LexicalEntry 'x' has no Lemma"),
        (WHOLE.replace(' partOfSpeech="v"', "", 1), SourceDamaged, "LexicalEntry 'en-dog-v' lacks partOfSpeech"),
        (WHOLE.replace(' relType="exemplifies"', ""), SourceDamaged, "SenseRelation '' lacks relType"),
        (WHOLE.replace("<Count>4", "<Count>four"), SourceDamaged, "line 8: Sense 'en-dog-1' has the count 'four'"),
        (WHOLE.replace("<Count>4", "<Count>" + "9" * 5000), SourceDamaged, "Sense 'en-dog-1' has the count '9999"),
        (WHOLE.replace('n="2"', 'n="-"'), SourceDamaged, "Sense 'en-dog-v2' has the number '-'"),
        (WHOLE.replace('"en-dog-2"', '"en-dog-1"'), SourceDamaged, "Sense 'en-dog-1' occurs twice"),
        (WHOLE.replace('id="en-Dog-n"', 'id="en-dog-n"'), SourceDamaged, "LexicalEntry 'en-dog-n' occurs twice"),
        (WHOLE.replace('id="en-2-n"', 'id="en-1-n"'), SourceDamaged, "Synset 'en-1-n' occurs twice"),
        (
            WHOLE.replace('Synset id="en-1-n" ili="i1" partOfSpeech="n"', 'Synset id="en-1-n" partOfSpeech="noun"'),
            SourceDamaged,
            "'noun'",
        ),
        (document(lexicon(ENTRIES), SYNSETS), SourceDamaged, "Synset 'en-1-n' is not in a Lexicon"),
        (document(lexicon(ENTRIES), lexicon(ENTRIES)), SourceDamaged, "LexicalEntry 'en-dog-n' occurs twice"),
    ],
)
def test_invalid_file_is_a_one_line_error(tmp_path: Path, text: str, error: type[SourceError], message: str) -> None:
    path = write_lmf(tmp_path, text)
    with pytest.raises(error, match=message) as caught:
        rows(open_wordnet(path))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


LAUGHS = "".join(f'<!ENTITY l{number} "{f"&l{number - 1};" * 10}">' for number in range(1, 10))


@pytest.mark.parametrize(
    "entities",
    [
        '<!ENTITY l0 "ha">',
        f'<!ENTITY l0 "ha">{LAUGHS}',
        '<!ENTITY l0 SYSTEM "file:SECRET">',
        '<!ENTITY % p SYSTEM "file:SECRET"> %p;',
    ],
)
@pytest.mark.parametrize("place", ["text", "attribute"])
def test_entities_are_rejected(tmp_path: Path, entities: str, place: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text('<!ENTITY l0 "the secret">', encoding="utf-8")
    head = f"<!DOCTYPE LexicalResource [{entities.replace('SECRET', str(secret))}]>"
    name = "l9" if "l9" in entities else "l0"
    old, new = ("it barks", f"&{name};") if place == "text" else ('label="Mini"', f'label="&{name};"')
    with pytest.raises(SourceError) as caught:
        rows(open_wordnet(write_lmf(tmp_path, WHOLE.replace(HEAD, head).replace(old, new))))
    assert "secret" not in str(caught.value).replace(str(secret), "")


FLOODS = {
    "entities": ("<!DOCTYPE LexicalResource [", '<!ENTITY a{n} "x">'),
    "comments": ("", "<!-- {n} -->"),
    "elements": ('<LexicalResource><Lexicon id="a">', "<Other{n}/>"),
    "one entry": ('<LexicalResource><Lexicon id="a"><LexicalEntry id="e">', '<Form writtenForm="{n}"/>'),
    "text": ('<LexicalResource><Lexicon id="a"><Synset id="s">', "words "),
    "nesting": ('<LexicalResource><Lexicon id="a">', "<a>"),
}

MEASURE = """
import resource, sys
from wayword.loaders import SourceError, open_wordnet
from wayword.loaders.wordnet.lmf import read
from wayword.loaders.wordnet.graph_batches import GraphBatches
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    for batch in open_wordnet(sys.argv[1]).batches():
        pass
except SourceError as error:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, error)
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", FLOODS)
def test_oversized_document_is_rejected_with_little_memory(tmp_path: Path, kind: str) -> None:
    head, drop = FLOODS[kind]
    path = tmp_path / "flood.xml.gz"
    piece = "".join(drop.format(n=number) for number in range(100_000)).encode()
    path.write_bytes(gzip.compress(head.encode()) + gzip.compress(piece) * (100_000_000 // len(piece)))
    ran = subprocess.run([sys.executable, "-c", MEASURE, str(path)], capture_output=True, text=True, check=True)
    growth, message = ran.stdout.split(" ", 1)
    assert int(growth) < 150_000, message
    assert str(path) in message


@given(st.data())
@share_of_examples(1.5)
def test_random_damage_is_rejected_or_harmless(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    content = bytearray(WHOLE.encode())
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(content) - 1))
        content[start : start + data.draw(st.integers(0, 6))] = data.draw(st.binary(max_size=6))
    path = tmp_path_factory.mktemp("damaged") / "a.xml"
    path.write_bytes(content)
    found, problem = load_rows(path)
    assert "\n" not in problem
    assert problem or found["Synset"]


@pytest.mark.slow
def test_open_english_wordnet_is_loaded_completely(data: Path) -> None:
    path = data / "wordnet" / "oewn-git-d94538a-lmf.xml.gz"
    loader = open_wordnet(path, "oewn")
    found = rows(loader)
    with gzip.open(path, "rt", encoding="utf-8") as file:
        text = file.read()
    relations = Counter(re.findall(r'relType="(\w+)"', text))
    assert len(found["Synset"]) == text.count("<Synset ") == 107_525
    assert len(found["SENSE"]) + loader.base.left_out[SPELLING_VARIANT] == text.count("<Sense ")
    assert len(found["HYPERNYM"]) == relations["hypernym"]
    assert len(found["IN_USAGE"]) == relations["exemplifies"]
    assert len(found["IN_TOPIC"]) == relations["domain_topic"]
    assert len(found["PART_OF"]) == relations["mero_part"]
    assert len(found["DERIVATION"]) == relations["derivation"]
    assert len(found["SIMILAR"]) + len(found["VERB_GROUP"]) == relations["similar"]
    assert len(found["RELATED"]) == relations["other"]
    assert sum(each["hyponyms"] for each in found["Synset"]) == len(found["HYPERNYM"])
    (dog,) = (each for each in found["Synset"] if "Canis familiaris" in each["lemmas"] and each["name"] == "dog")
    assert (dog["lexfile"], dog["pos"]) == ("noun.animal", "n")


@pytest.mark.parametrize("head", [HEAD, '<?xml version="1.0"?>\n'], ids=["dtd", "none"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("it barks", "it &foo; barks"),
        ('writtenForm="canine"', 'writtenForm="can&foo;ine"'),
        ("it barks", "it &foo;&bar; barks"),
    ],
)
def test_undefined_entity_is_rejected_with_its_line(tmp_path: Path, head: str, old: str, new: str) -> None:
    """If the document has a DTD, the parser itself only drops the reference."""
    text = document(lexicon(ENTRIES + SYNSETS), head=head).replace(old, new)
    line = text[: text.index("&foo;")].count("\n") + 1
    with pytest.raises(SourceDamaged, match=rf"mini.xml, line {line}: Entity 'foo' not defined; write the character itself"):
        rows(open_wordnet(write_lmf(tmp_path, text)))


def test_predefined_entities_are_decoded(tmp_path: Path) -> None:
    found = rows(open_wordnet(write_lmf(tmp_path, WHOLE.replace("it barks", "it &lt;&#98;&amp;&quot;arks"))))
    assert [each["gloss"] for each in found["Synset"] if each["id"] == "wordnet:2-n"] == ['it <b&"arks']


@pytest.mark.parametrize(
    ("old", "of"), [('writtenForm="canine"', "LexicalEntry 'en-canine-n'"), ('id="en-3-v"', "Synset"), ('"doggen"', "Form")]
)
def test_name_too_long_to_store_is_rejected_with_its_line(tmp_path: Path, old: str, of: str) -> None:
    text = document(lexicon(ENTRIES + SYNSETS))
    line = text[: text.index(old)].count("\n") + 1
    long = text.replace(old, old[:-1] + "\u00e9" * 2_100 + '"')
    with pytest.raises(SourceDamaged, match=rf"mini.xml, line \d+: {of}.* of 42\d\d bytes") as caught:
        rows(open_wordnet(write_lmf(tmp_path, long)))
    assert abs(int(str(caught.value).split("line ")[1].split(":")[0]) - line) <= 1
    assert len(str(caught.value)) < 500
