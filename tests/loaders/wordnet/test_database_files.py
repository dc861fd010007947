"""Database files of WordNet are loaded as the schema requires, or rejected with the position of the error."""

from __future__ import annotations

import re
import shutil
import tarfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

from wayword.core.normalisation import normalise
from wayword.core.stemming import Stemmer
from wayword.graph.schema import RELATIONSHIPS
from wayword.loaders import SourceDamaged, SourceError, SourceMissing, WordNetLoader, open_wordnet
from wayword.loaders.wordnet.database_files import (
    EXCEPTION_FILES,
    MISSING_COUNT_FILE,
    MISSING_EXCEPTION_FILE,
    REQUIRED_FILES,
    UNKNOWN_SENSE_COUNT,
    VERB_FRAME,
)
from wayword.loaders.wordnet.glosses import split_gloss
from wayword.loaders.wordnet.lexicon import DUPLICATE_POINTER, SPELLING_VARIANT

from ...support.examples import share_of_examples
from ...support.mini_wordnet import EXCEPTIONS as FORMS
from ...support.mini_wordnet import LICENCE, PARTS, MiniSynset, data_line, load_rows, offsets, plain, rows, triples, write_files

ZOO = [
    MiniSynset(
        "n",
        ["animal", "Beast"],
        'a living thing; "an animal"',
        [("~", 1, 0, 0), ("~", 2, 0, 0), ("-c", 4, 0, 0)],
        uses={"animal": 3},
    ),
    MiniSynset(
        "n",
        ["dog", "Canis_familiaris"],
        'it barks; "a dog; a good one"; "dogs"',
        [("@", 0, 0, 0), ("+", 5, 1, 2)],
        5,
        {"dog": 9},
    ),
    MiniSynset("n", ["Turkey", "turkey"], "a bird", [("@", 0, 0, 0), ("%p", 3, 0, 0)], 5, {"turkey": 1}),
    MiniSynset("n", ["wing", "dog"], "a part", [("#p", 2, 0, 0)], 8, {"dog": 3}),
    MiniSynset("n", ["Rex"], "a dog", [("@i", 1, 0, 0), (";c", 0, 0, 0)], 18),
    MiniSynset("v", ["chase", "dog"], "run after", [("+", 1, 2, 1), ("$", 6, 0, 0), (">", 6, 0, 0)], 38, {"dog": 2}, 2),
    MiniSynset("v", ["follow"], "go after", [("~", 5, 0, 0), ("^", 5, 1, 1)], 38, frames=1),
    MiniSynset("a", ["live(p)"], "not dead", [("&", 8, 0, 0), ("!", 9, 1, 1)], 0),
    MiniSynset("s", ["alive(ip)"], "living", [("&", 7, 0, 0)], 0),
    MiniSynset("a", ["dead(a)"], "not live", [("!", 7, 1, 1), ("\\", 0, 1, 1)], 0),
    MiniSynset("r", ["deadly"], "as if dead", [("\\", 9, 1, 1)], 2),
]


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_files(tmp_path_factory.mktemp("zoo") / "dict", ZOO)


@pytest.fixture(scope="module")
def loader(zoo: Path) -> WordNetLoader:
    return open_wordnet(zoo, "zoo")


@pytest.fixture(scope="module")
def found(loader: WordNetLoader) -> dict[str, list[dict[str, Any]]]:
    return rows(loader)


def key(number: int) -> str:
    return f"{offsets(ZOO)[number]:08d}-{ZOO[number].pos.replace('s', 'a')}"


def find_row(found: dict[str, list[dict[str, Any]]], type: str, id: str) -> dict[str, Any]:
    (row,) = (each for each in found[type] if each["id"] == id)
    return row


def test_base_describes_its_source(loader: WordNetLoader, zoo: Path) -> None:
    assert (loader.base.id, loader.base.kind) == ("zoo", "wordnet")
    assert loader.base.source == f"WordNet 9.9 database files, {zoo.parent.name}/dict"


def test_synset_has_every_field_of_its_line(found: dict[str, list[dict[str, Any]]]) -> None:
    assert find_row(found, "Synset", f"zoo:{key(1)}") == {
        "id": f"zoo:{key(1)}",
        "base": "zoo",
        "name": "dog",
        "pos": "n",
        "lemmas": ["dog", "Canis familiaris"],
        "gloss": "it barks",
        "examples": ["a dog; a good one", "dogs"],
        "lexfile": "noun.animal",
        "ili": None,
        "hyponyms": 1,
        "descendants": 1,
    }


def test_satellite_becomes_an_adjective_without_its_marker(found: dict[str, list[dict[str, Any]]]) -> None:
    satellite = find_row(found, "Synset", f"zoo:{key(8)}")
    assert (satellite["pos"], satellite["lemmas"]) == ("a", ["alive"])
    assert {each["name"] for each in found["Label"]} >= {"alive", "dead", "canis familiaris"}


def test_senses_of_a_label_have_ranks_and_priors(found: dict[str, list[dict[str, Any]]]) -> None:
    assert find_row(found, "Label", "zoo/dog") == {"id": "zoo/dog", "base": "zoo", "name": "dog", "uses": 14}
    senses = [each for each in found["SENSE"] if each["from"] == "zoo/dog"]
    assert [(each["to"], each["rank"], each["uses"], each["prior"]) for each in senses] == [
        (f"zoo:{key(1)}", 1, 9, 9 / 14),
        (f"zoo:{key(3)}", 2, 3, 3 / 14),
        (f"zoo:{key(5)}", 1, 2, 2 / 14),
    ]
    assert (senses[0]["lemma"], senses[0]["key"]) == ("dog", "dog%1:05:01::")


def test_senses_without_tag_counts_have_equal_priors(found: dict[str, list[dict[str, Any]]]) -> None:
    assert [each["prior"] for each in found["SENSE"] if each["from"] == "zoo/follow"] == [1.0]


def test_two_spellings_of_a_label_in_a_synset_are_one_sense(
    found: dict[str, list[dict[str, Any]]], loader: WordNetLoader
) -> None:
    assert [(each["lemma"], each["uses"], each["prior"]) for each in found["SENSE"] if each["from"] == "zoo/turkey"] == [
        ("Turkey", 1, 1.0)
    ]
    assert loader.base.left_out == {SPELLING_VARIANT: 1, VERB_FRAME: 3}


def test_every_label_has_a_stem(found: dict[str, list[dict[str, Any]]]) -> None:
    forms = {(each["from"], each["to"]) for each in found["FORM"]}
    assert {("cani familiari", "zoo/canis familiaris"), ("gees", "zoo/geese"), ("anim", "zoo/animal")} <= forms
    assert {each["id"] for each in found["Stem"]} == {stem for stem, _ in forms}
    assert {label for _, label in forms} == {each["id"] for each in found["Label"]}


def test_irregular_forms_are_linked_to_their_lemmas_even_to_unknown_ones(found: dict[str, list[dict[str, Any]]]) -> None:
    assert {(each["from"], each["to"], each["pos"]) for each in found["INFLECTION_OF"]} >= {
        ("zoo/geese", "zoo/goose", "n"),
        ("zoo/axes", "zoo/axe", "n"),
        ("zoo/axes", "zoo/axis", "n"),
        ("zoo/flew", "zoo/fly", "v"),
    }
    assert find_row(found, "Label", "zoo/goose")["uses"] == 0


def test_pointer_and_its_inverse_are_one_relationship(found: dict[str, list[dict[str, Any]]]) -> None:
    assert sorted(triples(found, "HYPERNYM")) == sorted(
        [(key(1), key(0), False), (key(2), key(0), False), (key(4), key(1), True), (key(5), key(6), False)]
    )
    assert triples(found, "PART_OF") == [(key(3), key(2))]
    assert triples(found, "IN_TOPIC") == [(key(4), key(0), None, None)]
    assert triples(found, "CAUSES") == [(key(5), key(6))]


def test_lexical_pointers_name_their_words(found: dict[str, list[dict[str, Any]]]) -> None:
    assert triples(found, "DERIVATION") == [(key(1), key(5), "dog", "dog"), (key(5), key(1), "dog", "dog")]
    assert triples(found, "ALSO") == [(key(6), key(5), "follow", "chase")]
    assert sorted(triples(found, "ANTONYM")) == sorted([(key(7), key(9), "live", "dead"), (key(9), key(7), "dead", "live")])
    assert sorted(triples(found, "PERTAINS_TO")) == sorted(
        [(key(9), key(0), "dead", "animal"), (key(10), key(9), "deadly", "dead")]
    )
    assert sorted(triples(found, "SIMILAR")) == sorted([(key(7), key(8), None, None), (key(8), key(7), None, None)])
    assert triples(found, "VERB_GROUP") == [(key(5), key(6), None, None)]


def test_progress_ends_at_one_and_loader_can_be_reused(zoo: Path) -> None:
    loader = open_wordnet(zoo)
    assert loader.share() is None
    first = rows(loader)
    assert loader.share() == 1.0
    left_out = dict(loader.base.left_out)
    assert rows(loader) == first
    assert loader.base.left_out == left_out


# Properties of WordNets of any shape.

LEMMAS = st.sampled_from(["dog", "Dog", "big_dog", "cat", "a", "b'c", "x-ray", "S", "1900s", "u.s."])
BOTH = {"@": "~", "@i": "~i", "#m": "%m", "#s": "%s", ";r": "-r", ";u": "-u"}
ONE_WAY = {
    "&": "SIMILAR",
    "^": "ALSO",
    "+": "DERIVATION",
    "!": "ANTONYM",
    "<": "PARTICIPLE_OF",
    "=": "ATTRIBUTE",
    "*": "ENTAILS",
}


@st.composite
def wordnets(draw: st.DrawFn) -> list[MiniSynset]:
    synsets = []
    for _ in range(draw(st.integers(1, 8))):
        words = draw(st.lists(LEMMAS, min_size=1, max_size=3, unique=True))
        uses = {plain(word): draw(st.integers(0, 3)) for word in words}
        pos = draw(st.sampled_from("nvasr"))
        synsets.append(MiniSynset(pos, words, draw(st.sampled_from(["a thing", 'it; "so"', "ü | x"])), uses=uses))
    for each in synsets:
        for _ in range(draw(st.integers(0, 4))):
            target = draw(st.integers(0, len(synsets) - 1))
            symbol = draw(st.sampled_from([*BOTH, *BOTH.values(), *ONE_WAY]))
            source = draw(st.integers(0, len(each.words)))
            end = draw(st.integers(1, len(synsets[target].words))) if source else 0
            each.points.append((symbol, target, source, end))
    return synsets


@given(wordnets())
@share_of_examples(0.6)
def test_every_generated_wordnet_is_loaded_consistently(
    tmp_path_factory: pytest.TempPathFactory, synsets: list[MiniSynset]
) -> None:
    found = rows(open_wordnet(write_files(tmp_path_factory.mktemp("any"), synsets)))
    byte_offsets = offsets(synsets)
    keys = [f"{byte_offsets[number]:08d}-{each.pos.replace('s', 'a')}" for number, each in enumerate(synsets)]
    ids = {label: [each["id"] for each in found[label]] for label in ("Stem", "Label", "Synset")}
    assert [each.removeprefix("wordnet:") for each in sorted(ids["Synset"])] == sorted(keys)
    for name, known in RELATIONSHIPS.items():
        for each in found[name]:
            start, end = known.ends[0]
            assert each["from"] in ids[start]
            assert each["to"] in ids[end]
        assert len(found[name]) == len({tuple(each.values()) for each in found[name]})
    assert all(len(each) == len(set(each)) for each in ids.values())
    for each in found["Synset"]:
        assert each["hyponyms"] == sum(link["to"] == each["id"] for link in found["HYPERNYM"])
    for label in found["Label"]:
        senses = [each for each in found["SENSE"] if each["from"] == label["id"]]
        assert sum(each["uses"] for each in senses) == label["uses"]
        assert not senses or sum(each["prior"] for each in senses) == pytest.approx(1)
        for part in "nvar":
            ranked = [each for each in senses if each["to"].endswith(part)]
            assert [each["rank"] for each in ranked] == list(range(1, len(ranked) + 1))
            assert [each["uses"] for each in ranked] == sorted((each["uses"] for each in ranked), reverse=True)
    hypernyms = {
        (keys[start], keys[end]) for start, each in enumerate(synsets) for symbol, end, *_ in each.points if symbol in "@i"
    }
    hypernyms |= {
        (keys[end], keys[start]) for start, each in enumerate(synsets) for symbol, end, *_ in each.points if symbol in "~i"
    }
    assert {link[:2] for link in triples(found, "HYPERNYM")} == hypernyms
    for symbol, name in ONE_WAY.items():
        expected = {
            (keys[start], keys[end]) for start, each in enumerate(synsets) for sign, end, *_ in each.points if sign == symbol
        }
        assert {link[:2] for link in triples(found, name)} == expected


# Errors name the file, the line and the value.


@pytest.mark.parametrize("file", REQUIRED_FILES)
def test_missing_file_is_named(tmp_path: Path, file: str) -> None:
    folder = write_files(tmp_path / "dict", ZOO)
    (folder / file).unlink()
    with pytest.raises(SourceMissing, match=re.escape(f"dict has no file {file};")):
        open_wordnet(folder)


def test_wordnet_without_irregular_forms_can_be_loaded(tmp_path: Path) -> None:
    loader = open_wordnet(write_files(tmp_path, ZOO, exceptions=None))
    assert rows(loader)["INFLECTION_OF"] == []
    assert loader.base.left_out == {MISSING_EXCEPTION_FILE: 4, SPELLING_VARIANT: 1, VERB_FRAME: 3}


@pytest.mark.parametrize("file", EXCEPTION_FILES)
def test_one_missing_list_of_irregular_forms_is_an_error(tmp_path: Path, file: str) -> None:
    folder = write_files(tmp_path, ZOO)
    (folder / file).unlink()
    with pytest.raises(SourceMissing, match=re.escape(f"has no file {file}")):
        rows(open_wordnet(folder))


def test_lexnames_file_replaces_the_default_names(tmp_path: Path) -> None:
    folder = write_files(tmp_path, ZOO)
    (folder / "lexnames").write_text("".join(f"{number:02d}\tmine.{number}\t1\n" for number in range(45)), encoding="utf-8")
    assert {each["lexfile"] for each in rows(open_wordnet(folder))["Synset"]} == {f"mine.{each.lexfile}" for each in ZOO}


def replace_text(folder: Path, file: str, old: str, new: str) -> Path:
    text = (folder / file).read_bytes().decode()
    assert old in text
    (folder / file).write_bytes(text.replace(old, new, 1).encode())
    return folder


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("data.noun", " 05 n 02 dog", " 05 n 03 dog", "line 4: '0.*' is not a synset: "),
        ("data.noun", " 05 n 02 dog", " 05 n zz dog", "line 4: '0.*' is not a synset: invalid literal .*'zz'"),
        ("data.noun", " 05 n 02 dog", " 99 n 02 dog", "line 4: '0.*' is not a synset: "),
        ("data.noun", " 05 n 02 dog", " 05 v 02 dog", "line 4: .* its part of speech is 'v'"),
        ("data.noun", " | it barks", " ! it barks", "line 4: "),
        ("data.noun", "it barks", "it bar", "line 5: synset 0.* starts at byte "),
        ("data.noun", " @ ", " ? ", r"line 4: .*: '\?' is unknown"),
        ("data.verb", " 0201 ", " 0301 ", "line 3: a pointer names word 3 of a synset that has fewer"),
        ("index.noun", "dog n 2 1 @ 2 0 ", "dog n 3 1 @ 2 0 ", "line 6: 'dog n 3.*' is not a lemma"),
        ("index.noun", "dog n ", "cow n ", "line 6: synset 0.* of data.noun does not have the lemma 'cow'"),
        ("index.noun", f"{offsets(ZOO)[4]:08d}", "00000009", "synset '00000009', which data.noun does not have"),
        ("index.sense", "dog%1:05:01:: ", "cow%1:05:01:: ", "index.sense does not have 'dog' with synset 0"),
        ("index.sense", "dog%1:05:01:: ", "dog%7:05:01:: ", "index.sense, line 8: 'dog%7.* is not a sense key"),
        ("index.sense", " 1 9\n", " 1 -9\n", "'dog%1.* is not a sense key, an offset, a sense number and a tag count"),
        ("index.sense", " 1 9\n", f" 1 {10**20}\n", "'dog%1.* is not a sense key, an offset, a sense number and a tag count"),
        ("data.noun", f" ~ {offsets(ZOO)[1]:08d} ", f" ~ {10**20} ", "line 3: .* is not a synset: "),
        ("index.sense", "dog%1", "d\0g%1", "index.sense, line 8: it is not text: it has a NUL character"),
        ("index.sense", " 1 9\n", " 1 many\n", "'dog%1.* is not a sense key, an offset, a sense number and a tag count"),
        ("noun.exc", "geese goose", "geese", "noun.exc, line 1: 'geese' is not an irregular form and its lemmas"),
    ],
)
def test_malformed_line_is_named(tmp_path: Path, file: str, old: str, new: str, message: str) -> None:
    folder = write_files(tmp_path / "dict", ZOO)
    replace_text(folder, file, old, new)
    with pytest.raises(SourceDamaged, match=message) as caught:
        rows(open_wordnet(folder))
    assert str(folder) in str(caught.value)
    assert str(caught.value).endswith("get a complete, unchanged copy")
    assert "\n" not in str(caught.value)


def test_dangling_pointer_is_named(tmp_path: Path) -> None:
    folder = write_files(tmp_path, ZOO)
    here = f"{offsets(ZOO)[7]:08d}"
    replace_text(folder, "data.adj", f"& {here} a", "& 00000007 a")
    with pytest.raises(SourceDamaged, match=r"data.adj, line 4: a pointer leads to 00000007 in data.adj, which does not exist"):
        rows(open_wordnet(folder))


def test_lemma_missing_from_the_index_is_named(tmp_path: Path) -> None:
    folder = write_files(tmp_path, ZOO)
    lines = (folder / "index.noun").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "index.noun").write_text("".join(lines[:-1]), encoding="utf-8")
    with pytest.raises(SourceDamaged, match=r"index.noun: it lacks 'wing', a lemma of synset 0"):
        rows(open_wordnet(folder))


def test_sense_missing_from_every_index_is_named(tmp_path: Path) -> None:
    folder = write_files(tmp_path, ZOO)
    with (folder / "index.sense").open("a", encoding="utf-8") as file:
        file.write("zebra%1:05:00:: 00000100 1 0\n")
    with pytest.raises(SourceDamaged, match=r"index.sense: it lists 'zebra' for synset 00000100"):
        rows(open_wordnet(folder))


def test_file_with_converted_line_endings_is_rejected(tmp_path: Path) -> None:
    folder = write_files(tmp_path, ZOO)
    (folder / "data.noun").write_bytes((folder / "data.noun").read_bytes().replace(b"\n", b"\r\n"))
    with pytest.raises(SourceDamaged, match="starts at byte"):
        rows(open_wordnet(folder))


@pytest.mark.parametrize("file", [*REQUIRED_FILES, "noun.exc"])
def test_line_that_is_not_utf8_is_named(tmp_path: Path, file: str) -> None:
    folder = write_files(tmp_path, ZOO)
    content = (folder / file).read_bytes()
    (folder / file).write_bytes(content[:-4] + b"\xff\xfe\n")
    with pytest.raises(SourceDamaged, match=rf"{re.escape(file)}, line \d+: it is not text"):
        rows(open_wordnet(folder))


@pytest.mark.parametrize("file", [*REQUIRED_FILES, "noun.exc", "verb.exc"])
def test_truncated_file_is_rejected(tmp_path: Path, file: str) -> None:
    folder = write_files(tmp_path, ZOO)
    content = (folder / file).read_bytes()
    shared = len(LICENCE) if file.startswith(("data", "index.n", "index.v", "index.a")) else 0
    for end in range(0, len(content), 7):
        whole_lines = content[:end].endswith(b"\n") and end > shared
        if whole_lines and file.endswith(".exc"):
            continue
        (folder / file).write_bytes(content[:end])
        with pytest.raises(SourceError):
            rows(open_wordnet(folder))


@given(st.data())
@share_of_examples(1.5)
def test_random_damage_is_rejected_or_harmless(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder = write_files(tmp_path_factory.mktemp("damaged"), ZOO)
    file = folder / data.draw(st.sampled_from([*REQUIRED_FILES, *EXCEPTION_FILES]))
    content = bytearray(file.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(content) - 1))
        content[start : start + data.draw(st.integers(0, 6))] = data.draw(st.binary(max_size=6))
        if not content:
            break
    file.write_bytes(content)
    found, problem = load_rows(folder)
    assert "\n" not in problem
    assert problem or len(found["Synset"]) == len(ZOO)


# Glosses and stems.


@pytest.mark.parametrize(
    ("gloss", "definition", "examples"),
    [
        ("a thing", "a thing", []),
        ("a; b  ", "a; b", []),
        ('a; "x"; "y"', "a", ["x", "y"]),
        ('a; "x; y"', "a", ["x; y"]),
        ('a;  "x";', "a", ["x"]),
        ('a: "x"', "a", ["x"]),
        ('a; "x" "y"', "a", ["x", "y"]),
        ('a; "x"- Mark Twain; "y"', "a", ['"x"- Mark Twain', "y"]),
        ('a; "x"; (`b\' is archaic)', "a; (`b' is archaic)", ["x"]),
        ('a; "b" is a British term; "x"', 'a; "b" is a British term', ["x"]),
        ('as in "b and c"; "x"', 'as in "b and c"', ["x"]),
        ('a; "x', 'a; "x', []),
        ("", "", []),
    ],
)
def test_gloss_is_split_into_definition_and_examples(gloss: str, definition: str, examples: list[str]) -> None:
    assert split_gloss(gloss) == (definition, examples)


@given(st.text(alphabet='ab ;"-:(A'))
def test_splitting_a_gloss_loses_no_words(gloss: str) -> None:
    definition, examples = split_gloss(gloss)
    words = Counter(re.sub("[^abA]", "", definition + "".join(examples)))
    assert words == Counter(re.sub("[^abA]", "", gloss))


@given(st.text(alphabet="aeioustnrlmdgcyz'-", min_size=1))
def test_stems_equal_those_of_the_original_porter_algorithm(word: str) -> None:
    porter = PorterStemmer(mode=PorterStemmer.ORIGINAL_ALGORITHM)
    assert Stemmer()(word) == (porter.stem(word) or word)
    assert Stemmer()(f"{word} dogs") == f"{porter.stem(word) or word} dog"


# The real WordNets, compared with a count of their lines that shares no code with the loader.

ARCHIVES = [("wordnet31_nltk_dict.tar.gz", 117_791), ("wordnet30_nltk_dict.tar.gz", 117_659)]


def count_rows(folder: Path) -> dict[str, int]:
    """Count the synsets, index entries and distinct hypernym and derivation pointers in the files."""
    synsets, senses, ups, derived = 0, 0, set(), set()
    for part, name in PARTS.items():
        for line in (folder / f"data.{name}").read_text(encoding="utf-8").splitlines():
            if not line.startswith("  "):
                synsets += 1
                offset = line[:8]
                for symbol, target, pos, words in re.findall(r" (@i?|~i?|\+) (\d{8}) ([nvasr]) (....)", line.split(" | ")[0]):
                    here, there = (offset, part), (target, pos.replace("s", "a"))
                    if symbol == "+":
                        derived.add((here, there, words))
                    else:
                        ups.add((here, there) if symbol[0] == "@" else (there, here))
        for line in (folder / f"index.{name}").read_text(encoding="utf-8").splitlines():
            senses += 0 if line.startswith("  ") else int(line.split()[2])
    return {"Synset": synsets, "SENSE": senses, "HYPERNYM": len(ups), "DERIVATION": len(derived)}


@pytest.mark.slow
@pytest.mark.parametrize(("archive", "synsets"), ARCHIVES)
def test_real_wordnet_is_loaded_completely(data: Path, tmp_path: Path, archive: str, synsets: int) -> None:
    import tarfile

    with tarfile.open(data / "wordnet" / archive) as packed:
        packed.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    loader = open_wordnet(data / "wordnet" / archive)
    found = rows(loader)
    assert {name: len(found[name]) for name in ("Synset", "SENSE", "HYPERNYM", "DERIVATION")} == count_rows(folder)
    assert len(found["Synset"]) == synsets
    assert sum(each["hyponyms"] for each in found["Synset"]) == len(found["HYPERNYM"])
    exceptions = {
        tuple(line.split()) for file in folder.glob("*.exc") for line in file.read_text(encoding="utf-8").splitlines()
    }
    assert {(each["from"][8:], each["to"][8:]) for each in found["INFLECTION_OF"]} == {
        (normalise(form), normalise(lemma)) for form, *lemmas in exceptions for lemma in lemmas
    }
    (dog,) = (each for each in found["Synset"] if each["lemmas"] == ["dog", "domestic dog", "Canis familiaris"])
    assert (dog["lexfile"], dog["examples"]) == ("noun.animal", ["the dog barked all night"])
    senses = [each for each in found["SENSE"] if each["from"] == "wordnet/dog" and each["to"].endswith("-n")]
    assert (senses[0]["to"], senses[0]["rank"], senses[0]["uses"]) == (dog["id"], 1, 42)
    assert set(loader.base.left_out) == {SPELLING_VARIANT, DUPLICATE_POINTER, VERB_FRAME}


def test_word_too_long_to_store_is_rejected_with_its_line(tmp_path: Path) -> None:
    folder = write_files(
        tmp_path / "dict",
        [
            MiniSynset("n", ["d" * 4_100]),
            MiniSynset("v", ["run"], frames=1),
            MiniSynset("a", ["big"]),
            MiniSynset("r", ["far"]),
        ],
    )
    with pytest.raises(SourceDamaged, match=r"data.noun, line 3: .* its word 'ddd.*' has 4100 bytes, too many to store"):
        rows(open_wordnet(folder))


def test_generated_wordnet_has_correct_offsets(zoo: Path) -> None:
    for part, name in PARTS.items():
        content = (zoo / f"data.{name}").read_bytes()
        for number, each in enumerate(ZOO):
            if each.pos.replace("s", "a") == part:
                line = data_line(ZOO, number, offsets(ZOO)).encode()
                assert content[offsets(ZOO)[number] :].startswith(line)
    assert (zoo / "noun.exc").read_text(encoding="utf-8").split("\n")[0] == FORMS["n"][0]


def without_sense_index(folder: Path, path: Path, make_counts: Callable[[str, str, str], str] | None, name: str = "") -> Path:
    """Copy a folder, with its tag counts in another file or nowhere."""
    shutil.copytree(folder, path)
    senses = [line.split() for line in (path / "index.sense").read_text(encoding="utf-8").splitlines()]
    (path / "index.sense").unlink()
    if make_counts is not None:
        lines = [make_counts(key, number, count) + "\n" for key, _, number, count in senses if int(count)]
        (path / name).write_text("".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "make_counts"),
    [
        ("cntlist.rev", lambda key, number, count: f"{key} {number} {count}"),
        ("cntlist", lambda key, number, count: f"{count} {key} {number}"),
    ],
)
def test_tag_counts_are_read_from_other_files_if_there_is_no_index_sense(
    zoo: Path, tmp_path: Path, found: dict[str, list[dict[str, Any]]], name: str, make_counts: Callable[[str, str, str], str]
) -> None:
    folder = without_sense_index(zoo, tmp_path / "dict", make_counts, name)
    (folder / name).write_text(
        (folder / name).read_text(encoding="utf-8") + make_counts("gone%1:03:00::", "1", "7") + "\n", encoding="utf-8"
    )
    loader = open_wordnet(folder, "zoo")
    assert rows(loader) == found
    assert loader.base.left_out[UNKNOWN_SENSE_COUNT] == 1


def test_senses_are_ranked_by_the_index_if_there_are_no_tag_counts(
    zoo: Path, tmp_path: Path, found: dict[str, list[dict[str, Any]]]
) -> None:
    loader = open_wordnet(without_sense_index(zoo, tmp_path / "dict", None), "zoo")
    changed = rows(loader)
    ranks = [(each["from"], each["to"], each["rank"]) for each in found["SENSE"]]
    assert [(each["from"], each["to"], each["rank"]) for each in changed["SENSE"]] == ranks
    assert {each["uses"] for each in changed["SENSE"]} == {0}
    assert loader.base.left_out[MISSING_COUNT_FILE] == 1


def test_malformed_tag_count_is_rejected_with_its_line(zoo: Path, tmp_path: Path) -> None:
    folder = without_sense_index(zoo, tmp_path / "dict", lambda key, number, count: f"{key} {number} many", "cntlist.rev")
    with pytest.raises(
        SourceDamaged, match=r"cntlist.rev, line 1: '.* many' is not a sense key, a sense number and a tag count"
    ):
        rows(open_wordnet(folder))


@pytest.mark.slow
def test_wordnet_is_the_same_without_index_sense(data: Path, tmp_path: Path) -> None:
    """Sense keys are made from the data files, and cntlist.rev has the counts of index.sense, as in Debian's package."""
    with tarfile.open(data / "wordnet" / "wordnet30_nltk_dict.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    folder = next(tmp_path.rglob("index.sense")).parent
    before = rows(open_wordnet(folder))
    (folder / "index.sense").unlink()
    assert rows(open_wordnet(folder)) == before
