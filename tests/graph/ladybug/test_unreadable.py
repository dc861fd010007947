"""What is at the path of an embedded store and cannot be read: it is told in one line, with a next step, and left alone."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from wayword.graph import open_store
from wayword.graph.errors import StoreError, StoreMissing, StoreUnreadable
from wayword.graph.ladybug import reader
from wayword.graph.ladybug.store import EmbeddedStore

from ...support import ROOT
from ...support.graphs import animals, base, beside

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "content", [b"", b"LBU", b"something else entirely", b"\x00" * 8192, b"KUZU'\x00\x00\x00" + b"\x00" * 8192]
)
def test_a_file_of_something_else_is_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with EmbeddedStore(path) as store:
        with pytest.raises(StoreUnreadable, match="something else"):
            store.bases()
        with pytest.raises(StoreUnreadable, match="something else"):
            store.replace_base(base(), animals())
    assert path.read_bytes() == content
    assert beside(path) == [path.name]


def test_a_folder_is_no_store(path: Path) -> None:
    path.mkdir()
    with EmbeddedStore(path) as store:
        for call in (store.bases, lambda: store.replace_base(base(), animals())):
            with pytest.raises(StoreUnreadable, match="folder"):
                call()
    assert path.is_dir()


def test_a_newer_format_is_told(path: Path) -> None:
    EmbeddedStore(path).replace_base(base(), animals())
    content = bytearray(path.read_bytes())
    content[4:8] = (9_999).to_bytes(4, "little")
    path.write_bytes(content)
    with EmbeddedStore(path) as store:
        for call in (store.bases, lambda: store.replace_base(base(), animals())):
            with pytest.raises(StoreUnreadable, match=r"format 9999.*upgrade"):
                call()
    assert path.read_bytes() == content


def test_a_file_cut_off_is_told(path: Path) -> None:
    EmbeddedStore(path).replace_base(base(), animals())
    content = path.read_bytes()[: path.stat().st_size // 2]
    path.write_bytes(content)
    with EmbeddedStore(path) as store, pytest.raises(StoreUnreadable):
        store.bases()
    assert path.read_bytes() == content


def test_a_database_of_somebody_else_is_left_alone(path: Path) -> None:
    import ladybug

    with ladybug.Database(path) as database, ladybug.Connection(database) as connection:
        connection.execute("CREATE NODE TABLE Mine(id STRING, PRIMARY KEY (id))")
    content = path.read_bytes()
    with EmbeddedStore(path) as store:
        for call in (store.bases, lambda: store.replace_base(base(), animals())):
            with pytest.raises(StoreUnreadable, match="no store of wayword"):
                call()
    assert path.read_bytes() == content


def test_a_store_of_another_schema_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    EmbeddedStore(path).replace_base(base(), animals())
    monkeypatch.setattr("wayword.graph.ladybug.reader.fingerprint", lambda: "another")
    with EmbeddedStore(path) as store, pytest.raises(StoreUnreadable, match="another version of wayword"):
        store.bases()


def test_errors_are_one_line(path: Path) -> None:
    path.write_text("x")
    with EmbeddedStore(path) as store, pytest.raises(StoreError) as caught:
        store.revision()
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


# Reads everything there is to read, and says of each way how it ended: no word, or the error.
READ = """
import sys
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.graph.errors import StoreError
from tests.support.graphs import animals, base

store = EmbeddedStore(sys.argv[1])
ways = {
    "bases": store.bases,
    "counts": store.counts,
    "labels": lambda: store.labels("wordnet", ["dog", "canine"]),
    "expand": lambda: store.edges(["wordnet:1-n", "dog"], ["HYPERNYM", "FORM"], "out"),
    "stream": lambda: [batch.to_pylist() for batch in store.stream_nodes("Synset")],
    "load": lambda: store.replace_base(base("other"), animals("other")),
}
for name, way in ways.items():
    try:
        way()
    except StoreError as error:
        print(name, repr(str(error)))
"""


def test_a_damaged_file_says_so_and_what_to_do(path: Path) -> None:
    """Whatever the engine raises where bytes were changed. (A file that makes it crash cannot be told from one without a store
    of ours in time; the few of those are passed over.)"""
    EmbeddedStore(path).replace_base(base(), animals())
    whole = path.read_bytes()
    used = [place for place, byte in enumerate(whole) if byte and place >= 8]
    chance = random.Random(3)
    told = crashed = 0
    for _ in range(12):
        content = bytearray(whole)
        for place in chance.choices(used, k=8):
            content[place] ^= chance.randrange(1, 256)
        path.write_bytes(content)
        command = [sys.executable, "-c", READ, str(path)]
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
        if run.returncode < 0:
            crashed += 1
            continue
        assert run.returncode == 0, run.stderr
        for line in run.stdout.splitlines():
            assert "delete it and load again" in line or "no store of wayword" in line, line
            assert "\\n" not in line
            assert len(line) < 600
            told += 1
    assert told >= 12
    assert crashed <= 4


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError("std::bad_alloc"), "too little memory, or it is damaged"),
        (
            RuntimeError("Storage exception: Unknown\n compression"),
            r"is damaged: delete it and load again \(Storage exception: Unk",
        ),
        (UnicodeDecodeError("utf-8", b"x", 0, 1, "no"), "is damaged"),
        (OverflowError(), "is damaged"),
        (RuntimeError("x" * 60_000), "is damaged"),
        (
            RuntimeError("Buffer manager exception: Mmap for size 8796093022208 failed."),
            "too little memory .*give the process more",
        ),
        (RuntimeError("IO exception: Could not set lock on file : /x"), "close other programs"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_whatever_the_engine_raises_becomes_one_line(path: Path, error: Exception, said: str) -> None:
    with pytest.raises(StoreError, match=said) as caught, reader.translate_errors(path):
        raise error
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


def test_a_base_whose_facts_are_damaged_is_told(path: Path) -> None:
    EmbeddedStore(path).replace_base(base(left=1), animals())
    content = path.read_bytes()
    assert content.count(b'{"left": 1}') == 1
    path.write_bytes(content.replace(b'{"left": 1}', b'{"left": !}'))
    with EmbeddedStore(path) as store:
        for read in (store.bases, store.counts, lambda: store.replace_base(base("other"), animals("other"))):
            with pytest.raises(StoreUnreadable, match="is damaged: delete it and load again"):
                read()


@pytest.mark.parametrize("address", ["x" * 5_000, "a\0b", f"/{'y/' * 3_000}z"], ids=lambda text: repr(text[:10]))
def test_what_can_be_no_path_is_told(address: str) -> None:
    with pytest.raises(StoreUnreadable, match="cannot reach the store") as caught, EmbeddedStore(address) as store:
        store.bases()
    assert len(str(caught.value)) < 600
    with pytest.raises(StoreUnreadable, match="cannot reach the store"), EmbeddedStore(address) as store:
        store.replace_base(base(), animals())


def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    script = """
import os, sys
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.graph.errors import StoreUnreadable
os.mkdir(sys.argv[1])
os.chdir(sys.argv[1])
os.rmdir(sys.argv[1])
try:
    EmbeddedStore("graph").bases()
except StoreUnreadable as error:
    print(error)
"""
    command = [sys.executable, "-c", script, str(tmp_path / "gone")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, cwd=ROOT)
    assert run.stdout == "cannot reach the store graph: No such file or directory; give its whole path\n"


def test_a_path_that_may_not_be_searched_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> os.stat_result:
        raise PermissionError(13, "Permission denied")

    with EmbeddedStore(path) as store:
        monkeypatch.setattr(Path, "stat", forbidden)
        for call in (store.bases, store.signature, lambda: store.cypher("RETURN 1")):
            with pytest.raises(StoreUnreadable, match=r"Permission denied; choose a path that you may read"):
                call()


@pytest.mark.parametrize("address", ["http://localhost:7687", "neo4j+x://h", "file:///graph", "s3://bucket/graph", "C://graph"])
def test_an_unknown_scheme_is_no_path(address: str) -> None:
    with pytest.raises(
        StoreUnreadable, match=rf"{address.partition('//')[0].replace('+', '.')}// is no scheme.* bolt://.*neo4j\+ssc://"
    ):
        open_store(address)


@pytest.mark.parametrize("address", ["BOLT://localhost:7687", "Bolt+S://localhost", "neo4j://localhost"])
def test_a_scheme_is_one_in_any_case(address: str) -> None:
    with open_store(address) as store:
        assert type(store).__name__ == "ServerStore"
        assert store.address == address.lower()


def test_an_empty_address_is_told() -> None:
    with pytest.raises(StoreUnreadable, match=r"is empty; give the path of a file, or bolt://"):
        open_store("")


def test_a_path_may_look_odd(tmp_path: Path) -> None:
    (tmp_path / "http:").mkdir()
    for address in (tmp_path / "http:" / "graph", f"{tmp_path}/http://graph"):
        with open_store(address) as store, pytest.raises(StoreMissing):
            store.bases()
