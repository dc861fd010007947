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
from xml.sax.saxutils import quoteattr

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
        "descendants": 1,
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


def entry(id: str, word: str, *synsets: str, pos: str = "n", **attributes: str) -> str:
    """An entry whose senses have the ids ``id-1``, ``id-2``, ..."""
    senses = "".join(f"<Sense id={quoteattr(f'{id}-{n}')} synset={quoteattr(each)}/>" for n, each in enumerate(synsets, 1))
    more = "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())
    lemma = f'<Lemma writtenForm={quoteattr(word)} partOfSpeech="{pos}"/>'
    return f"<LexicalEntry id={quoteattr(id)}{more}>{lemma}{senses}</LexicalEntry>"


def synset(id: str, pos: str = "n", content: str = "", **attributes: str) -> str:
    more = "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())
    return f'<Synset id={quoteattr(id)} partOfSpeech="{pos}"{more}>{content}</Synset>'


XML_NAMES = st.text(st.characters(codec="utf-8", categories=("L", "M", "N"), include_characters="-._:"), min_size=1, max_size=6)


@given(
    st.lists(
        st.one_of(XML_NAMES, XML_NAMES.map("en-{}".format), st.sampled_from(["en-", "-s", "en-1-s", "1-a", "1"])),
        unique=True,
        min_size=1,
    )
)
@share_of_examples(1.5)
def test_ids_of_synsets_can_be_any_text(tmp_path_factory: pytest.TempPathFactory, ids: list[str]) -> None:
    """Nothing is read from an id: each synset is stored and has its word, its part of speech and its hypernym."""
    parts = ["nvasrctpxu"[number % 10] for number in range(len(ids))]
    entries = [
        entry(f"e{number}", f"word{number}", id, pos=pos) for number, (id, pos) in enumerate(zip(ids, parts, strict=True))
    ]
    up = f'<SynsetRelation relType="hypernym" target={quoteattr(ids[0])}/>'
    synsets = [synset(id, pos, up) for id, pos in zip(ids, parts, strict=True)]
    path = tmp_path_factory.mktemp("ids") / "a.xml"
    found = rows(open_wordnet(write_lmf(path.parent, document(lexicon("".join([*entries, *synsets]))))))
    stored = {each["id"]: each for each in found["Synset"]}
    words = {each["from"]: stored[each["to"]] for each in found["SENSE"]}
    assert [words[f"wordnet/word{number}"]["lemmas"] for number in range(len(ids))] == [
        [f"word{number}"] for number in range(len(ids))
    ]
    assert [words[f"wordnet/word{number}"]["pos"] for number in range(len(ids))] == [pos.replace("s", "a") for pos in parts]
    assert {each["to"] for each in found["HYPERNYM"]} == {words["wordnet/word0"]["id"]}
    assert len(stored) == len(found["HYPERNYM"]) == len(ids)


def test_ids_are_shortened_only_if_they_stay_distinct(tmp_path: Path) -> None:
    def ids(*given: tuple[str, str]) -> list[str]:
        text = document(lexicon("".join(synset(id, pos) for id, pos in given)))
        return [each["id"] for each in rows(open_wordnet(write_lmf(tmp_path, text)))["Synset"]]

    assert ids(("en-1-n", "n"), ("en-2-s", "s"), ("x-3", "s")) == ["wordnet:1-n", "wordnet:2-a", "wordnet:x-3"]
    assert ids(("en-2-s", "s"), ("en-2-a", "a")) == ["wordnet:en-2-s", "wordnet:en-2-a"]
    assert ids(("en-1", "n"), ("1", "n")) == ["wordnet:en-1", "wordnet:1"]
    assert ids(("en-", "n")) == ["wordnet:en-"]


def test_entries_may_come_after_synsets(tmp_path: Path, found: dict[str, list[dict[str, Any]]]) -> None:
    assert rows(open_wordnet(write_lmf(tmp_path, document(lexicon(SYNSETS + ENTRIES))))) == found


def test_part_of_speech_of_a_synset_is_that_of_its_words_if_it_has_none_itself(tmp_path: Path) -> None:
    text = WHOLE.replace('id="en-3-v" ili="" partOfSpeech="v"', 'id="en-3-v" ili=""')
    changed = rows(open_wordnet(write_lmf(tmp_path, text)))
    assert [each["pos"] for each in changed["Synset"] if each["id"] == "wordnet:3-v"] == ["v"]
    assert triples(changed, "VERB_GROUP") == [("3-v", "4-v", None, None)]
    with pytest.raises(SourceDamaged, match=r"line 2: Synset 'en-1' has no part of speech, and no word with one"):
        rows(open_wordnet(write_lmf(tmp_path, document(lexicon('<Synset id="en-1"/>'), head=""))))


def test_members_of_a_synset_may_be_entries_or_senses(tmp_path: Path) -> None:
    for members in ("en-canine-n en-dog-n en-Dog-n", "en-canine-1 en-dog-1 en-Dog-1"):
        text = WHOLE.replace("en-canine-n en-dog-n en-Dog-n", members)
        found = rows(open_wordnet(write_lmf(tmp_path, text)))
        assert [each["lemmas"] for each in found["Synset"] if each["id"] == "wordnet:2-n"] == [["canine", "dog", "Dog"]]


def test_entries_of_one_index_are_ranked_together(tmp_path: Path) -> None:
    entries = entry("a", "Foo Bar", "1", index="foo_bar") + entry("b", "foo bar", "1", "2", index="foo_bar")
    text = entries.replace('"a-1"', '"a-1" n="3"').replace('"b-1"', '"b-1" n="2"').replace('"b-2"', '"b-2" n="1"')
    found = rows(open_wordnet(write_lmf(tmp_path, document(lexicon(text + synset("1") + synset("2"))))))
    assert [(each["to"], each["rank"], each["key"]) for each in found["SENSE"]] == [
        ("wordnet:2", 1, "b-2"),
        ("wordnet:1", 2, "b-1"),
    ]


EXTENSION = """<LexiconExtension id="more" label="More" language="en" email="a@b.c" license="none" version="1">
<Extends {reference}="en" version="{version}"/>
<ExternalLexicalEntry id="en-dog-n"><ExternalLemma/><Form writtenForm="doggo"/>
  <ExternalSense id="en-dog-1"><SenseRelation relType="antonym" target="more-cat-1"/><Count>3</Count></ExternalSense>
  <Sense id="more-dog-1" synset="more-1"/></ExternalLexicalEntry>
<ExternalLexicalEntry id="en-404"/>
<LexicalEntry id="more-cat"><Lemma writtenForm="cat" partOfSpeech="n"/><Sense id="more-cat-1" synset="en-1-n"/></LexicalEntry>
<ExternalSynset id="en-1-n"><Definition>more</Definition><SynsetRelation relType="hypernym" target="more-1"/></ExternalSynset>
<Synset id="more-1" ili="" partOfSpeech="n"/>
</LexiconExtension>
"""


@pytest.mark.parametrize("reference", ["id", "ref"])
def test_extension_is_added_to_its_lexicon(tmp_path: Path, reference: str) -> None:
    extension = EXTENSION.format(reference=reference, version="1.2")
    loader = open_wordnet(write_lmf(tmp_path, document(lexicon(ENTRIES + SYNSETS), extension)))
    found = rows(loader)
    assert {each["id"]: each["lemmas"] for each in found["Synset"]}["wordnet:1-n"] == ["dog", "cat"]
    assert sorted(triples(found, "HYPERNYM")) == [("1-n", "more-1", False), ("2-n", "1-n", False)]
    assert triples(found, "ANTONYM") == [("2-n", "1-n", "dog", "cat")]
    assert ("wordnet/dog", "more-1", 0, 0.0, 3, "dog", "more-dog-1") in triples(found, "SENSE")
    assert ("wordnet/dog", "2-n", 9, 1.0, 1, "dog", "en-dog-1") in triples(found, "SENSE")
    assert ("wordnet/doggo", "wordnet/dog", "n") in triples(found, "INFLECTION_OF")
    assert (loader.base.left_out[lmf.EXTERNAL_TEXT], loader.base.left_out[lmf.DANGLING_EXTERNAL]) == (1, 1)


@pytest.mark.parametrize(
    "extension",
    [
        EXTENSION.format(reference="id", version="2"),
        EXTENSION.format(reference="id", version="1.2").replace('id="en" version', 'id="fr" version'),
        '<LexiconExtension id="more"><Extends ref="fr" version="1"/></LexiconExtension>',
        '<LexiconExtension id="more"/>',
    ],
)
@pytest.mark.parametrize("place", [0, 1])
def test_extension_of_a_lexicon_that_the_file_lacks_is_left_out_and_counted(
    tmp_path: Path, found: dict[str, list[dict[str, Any]]], extension: str, place: int
) -> None:
    parts = [lexicon(ENTRIES + SYNSETS)]
    parts.insert(place, extension)
    loader = open_wordnet(write_lmf(tmp_path, document(*parts)))
    assert loader.base.source == "Mini 1.2 (WN-LMF), mini.xml"
    assert rows(loader) == found
    assert loader.base.left_out[lmf.LEXICON_EXTENSION] == 1


@pytest.mark.parametrize(
    ("languages", "expected"),
    [(["en"], "en"), (["fra"], "fr"), (["EN_gb"], "en-gb"), (["de", "de"], "de"), (["en", "sv"], "mul"), ([""], "und")],
)
def test_language_of_the_lexicons_is_that_of_the_base(tmp_path: Path, languages: list[str], expected: str) -> None:
    parts = [lexicon(synset(f"s{number}"), f"l{number}") for number in range(len(languages))]
    texts = [part.replace('language="en"', f'language="{each}"') for part, each in zip(parts, languages, strict=True)]
    assert open_wordnet(write_lmf(tmp_path, document(*texts))).base.language == expected


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
        (WHOLE.replace('partOfSpeech="v"', 'partOfSpeech="動"', 1), SourceDamaged, "'en-dog-v' has the part of speech '動'"),
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
