"""Keyphrases are read from JSON, folders and archives, or rejected in one line that says where and why."""

from __future__ import annotations

import gzip
import json
import os
import re
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from wayword.core.errors import WaywordError
from wayword.evaluation.errors import KeyphrasesInvalid
from wayword.evaluation.keyphrases.keyphrase_lists import read_indexers, read_keyphrases
from wayword.loaders.errors import SourceInvalid, SourceMissing


def write_tree(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_json_has_keyphrases_with_their_forms(tmp_path: Path) -> None:
    path = tmp_path / "gold.json"
    path.write_text('\ufeff{"C-41": [["Quality of Service", "QoS"], "hybrid_system", ["qos"]], "C-42": []}', encoding="utf-8")
    assert read_keyphrases(path) == {"C-41": (("quality of service", "qos"), ("hybrid system",), ("qos",)), "C-42": ()}


def test_json_may_be_compressed(tmp_path: Path) -> None:
    path = tmp_path / "gold.json.gz"
    path.write_bytes(gzip.compress(b'{"C-41": [["QoS"]]}'))
    assert read_keyphrases(str(path)) == {"C-41": (("qos",),)}


def test_json_may_come_from_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as executor:
        writing = executor.submit(pipe.write_text, '{"C-41": ["QoS"]}')
        assert read_keyphrases(pipe) == {"C-41": (("qos",),)}
        writing.result()


def test_all_of_semeval_is_read(data: Path) -> None:
    found = read_keyphrases(data / "human" / "semeval2010" / "train.combined.json")
    assert len(found) == 144
    assert found["C-41"][2] == ("end-to-end quality of service", "service end-to-end quality")


def test_a_folder_has_a_file_for_each_document(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.key": "Game theory\r\n\r\npoker\n", "b.key": "", "a.txt": "the text", "._a.key": "hidden"})
    assert read_keyphrases(tmp_path) == {"a": (("game theory",), ("poker",)), "b": ()}


def test_indexers_are_read_from_a_folder_or_an_archive_in_natural_order(tmp_path: Path) -> None:
    tree = write_tree(
        tmp_path / "set",
        {
            "documents/7.txt": "the text",
            "teams/team10/7.key": "1164: Expert system\n5904: Cybernetics\n1164: Expert system",
            "teams/team2/7.key": "5904: Cybernetics",
            "teams/team2/10.key": "1164: Expert system (AI)",
        },
    )
    with tarfile.open(tmp_path / "set.tar.gz", "w:gz") as archive:
        archive.add(tree, "set")
    expected = {
        "7": {"team2": (("cybernetics",),), "team10": (("expert system",), ("cybernetics",))},
        "10": {"team2": (("expert system (ai)",),)},
    }
    for source in (tree, tree / "teams", tmp_path / "set.tar.gz"):
        found = read_indexers(source)
        assert found == expected
        assert list(found) == ["7", "10"]
        assert list(found["7"]) == ["team2", "team10"]


def test_a_number_in_a_tag_is_no_page_id(tmp_path: Path) -> None:
    write_tree(tmp_path, {"one/7.tags": "folksonomy\n2001: a space odyssey", "two/7.tags": "tagging"})
    assert read_indexers(tmp_path)["7"]["one"] == (("folksonomy",), ("2001: a space odyssey",))


@pytest.mark.parametrize(
    ("name", "documents"), [("wiki20", 20), ("fao30", 30), ("citeulike180", 183)], ids=["wiki20", "fao30", "citeulike180"]
)
def test_published_archives_are_read(data: Path, name: str, documents: int) -> None:
    found = read_indexers(data / "human" / "keyphrase" / f"{name}.tar.gz")
    assert len(found) == documents
    assert all(len(chosen) >= 2 and all(chosen.values()) for chosen in found.values())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "gold.json: not JSON (Expecting property name enclosed in double quotes: line 1 column 2 (char 1)); write"),
        ("[" * 100_000, "gold.json: not JSON (maximum recursion depth exceeded"),
        ("[]", "gold.json has [] instead of documents; write {ID: [[form, other form, ...], ...]}"),
        ("{}", "gold.json has no documents; write"),
        ('{"a": [["x"]], "a": []}', "gold.json: document 'a' occurs twice; give one list for each"),
        ('{"a": "x"}', "document 'a' has 'x' instead of a list of keyphrases; write [[form], ...]"),
        ('{"a": [["x"], 5]}', "document 'a': 5 is not a keyphrase; write a list of its forms"),
        ('{"a": [[]]}', "document 'a': [] is not a keyphrase"),
        ('{"a": [["x", null]]}', "document 'a': ['x', None] is not a keyphrase"),
        ('{"a": [["x", " _ "]]}', "document 'a': ' _ ' is an empty keyphrase; remove it"),
        (json.dumps({"a": ["x" * 257]}), "has more than 256 characters; correct it"),
        (r'{"a": ["x\ud800"]}', r"document 'a': 'x\ud800' is not valid text; correct it"),
    ],
    ids=lambda value: None if len(value) > 99 else value[:40],
)
def test_json_that_is_no_list_of_keyphrases_is_rejected(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "gold.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(KeyphrasesInvalid, match=re.escape(message)) as error:
        read_keyphrases(path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"notes.txt": "x"}, "has no .key or .tags files"),
        ({"one/7.key": "x", "two/7.key": "y"}, "has document 7 twice, the second time in two/7.key"),
        ({"7.key": "1: x\ny"}, "7.key:2: 'y' has no page id, but earlier lines have; add it"),
        ({"7.key": "x" * 300}, "has more than 256 characters"),
    ],
)
def test_folders_that_are_no_lists_of_keyphrases_are_rejected(tmp_path: Path, files: dict[str, str], message: str) -> None:
    with pytest.raises(KeyphrasesInvalid, match=re.escape(message)):
        read_keyphrases(write_tree(tmp_path, files))


def test_a_line_that_is_not_utf_8_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "7.key").write_bytes(b"dog\ncaf\xe9\n")
    with pytest.raises(KeyphrasesInvalid, match=r"7\.key:2: b'caf\\xe9' is not UTF-8"):
        read_keyphrases(tmp_path)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"team1/7.key": "x", "team1/8.key": "y"}, "has fewer than two indexers"),
        ({"a/team1/7.key": "x", "b/team1/7.key": "y"}, "team1 has document 7 twice; remove b/team1/7.key"),
    ],
)
def test_folders_without_several_indexers_are_rejected(tmp_path: Path, files: dict[str, str], message: str) -> None:
    with pytest.raises(KeyphrasesInvalid, match=re.escape(message)):
        read_indexers(write_tree(tmp_path, files))


def test_sources_that_are_missing_or_of_another_kind_are_rejected(tmp_path: Path) -> None:
    (tmp_path / "gold.json").write_text("{}", encoding="utf-8")
    with pytest.raises(SourceInvalid, match=r"gold\.json is neither a folder nor an archive"):
        read_indexers(tmp_path / "gold.json")
    with pytest.raises(SourceMissing, match="there is no file"):
        read_keyphrases(tmp_path / "none.json")
    (tmp_path / "broken.tar.gz").write_bytes(gzip.compress(b"x" * 2000)[:-9])
    with pytest.raises(WaywordError, match="damaged"):
        read_keyphrases(tmp_path / "broken.tar.gz")
