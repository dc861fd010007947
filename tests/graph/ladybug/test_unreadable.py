"""Files that are not readable stores: each raises an error of one line with advice, and is left alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wayword.graph import open_store
from wayword.graph.errors import StoreError, StoreMissing, StoreUnreadable
from wayword.graph.ladybug.errors import translate_errors
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.graph.schema import RELATIONSHIPS

from ...support import ROOT
from ...support.graphs import animals, base, remove_digest, sibling_files

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "content", [b"", b"LBU", b"something else entirely", b"\x00" * 8192, b"KUZU'\x00\x00\x00" + b"\x00" * 8192]
)
def test_a_file_that_is_not_a_store_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with EmbeddedStore(path) as store:
        with pytest.raises(StoreUnreadable, match="not a wayword store"):
            store.bases()
        with pytest.raises(StoreUnreadable, match="not a wayword store"):
            store.replace_base(base(), animals())
    assert path.read_bytes() == content
    assert sibling_files(path) == [path.name]


def test_a_folder_is_refused_and_left_alone(path: Path) -> None:
    path.mkdir()
    with EmbeddedStore(path) as store:
        for call in (store.bases, lambda: store.replace_base(base(), animals())):
            with pytest.raises(StoreUnreadable, match="folder"):
                call()
    assert path.is_dir()


def test_a_newer_storage_format_asks_for_an_upgrade(path: Path) -> None:
    EmbeddedStore(path).replace_base(base(), animals())
    remove_digest(path)
    content = bytearray(path.read_bytes())
    content[4:8] = (9_999).to_bytes(4, "little")
    path.write_bytes(content)
    with EmbeddedStore(path) as store:
        for call in (store.bases, lambda: store.replace_base(base(), animals())):
            with pytest.raises(StoreUnreadable, match=r"format 9999.*upgrade"):
                call()
    assert path.read_bytes() == content


def test_a_truncated_file_is_refused_and_left_alone(path: Path) -> None:
    EmbeddedStore(path).replace_base(base(), animals())
    content = path.read_bytes()[: path.stat().st_size // 2]
    path.write_bytes(content)
    with EmbeddedStore(path) as store, pytest.raises(StoreUnreadable):
        store.bases()
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    import ladybug

    with ladybug.Database(path) as database, ladybug.Connection(database) as connection:
        connection.execute("CREATE NODE TABLE Mine(id STRING, PRIMARY KEY (id))")
    content = path.read_bytes()
    with EmbeddedStore(path) as store:
        for call in (store.bases, lambda: store.replace_base(base(), animals())):
            with pytest.raises(StoreUnreadable, match="not a wayword store"):
                call()
    assert path.read_bytes() == content


def test_a_store_of_another_schema_is_refused_with_the_advice_to_load_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:  # a relationship type has had another name once
        old = {name.replace("LINKS_IN_PARENTHESES", "LINKS_ASIDE"): each for name, each in RELATIONSHIPS.items()}
        patch.setattr("wayword.graph.ladybug.ddl.RELATIONSHIPS", old)
        patch.setattr("wayword.graph.ladybug.load.RELATIONSHIPS", old)
        EmbeddedStore(path).replace_base(base(), animals())
    with EmbeddedStore(path) as store:
        for call in (store.bases, lambda: store.replace_base(base(), animals()), lambda: store.cypher("RETURN 1")):
            with pytest.raises(StoreUnreadable, match=r"another version of wayword.*load its bases again") as caught:
                call()
            assert "\n" not in str(caught.value)


def test_errors_are_one_line_and_name_the_path(path: Path) -> None:
    path.write_text("x")
    with EmbeddedStore(path) as store, pytest.raises(StoreError) as caught:
        store.revision()
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError("std::bad_alloc"), "too little memory, or the file is damaged"),
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
def test_any_error_of_the_engine_becomes_a_store_error_of_one_line(path: Path, error: Exception, message: str) -> None:
    with pytest.raises(StoreError, match=message) as caught, translate_errors(path):
        raise error
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


def test_damaged_metadata_of_a_base_is_reported(path: Path) -> None:
    EmbeddedStore(path).replace_base(base(left=1), animals())
    content = path.read_bytes()
    assert content.count(b'{"left": 1}') == 1
    path.write_bytes(content.replace(b'{"left": 1}', b'{"left": !}'))
    with EmbeddedStore(path) as store:
        for read in (store.bases, store.counts, lambda: store.replace_base(base("other"), animals("other"))):
            with pytest.raises(StoreUnreadable, match=r"is damaged .*delete it and load again"):
                read()


@pytest.mark.parametrize("address", ["x" * 5_000, "a\0b", f"/{'y/' * 3_000}z"], ids=lambda text: repr(text[:10]))
def test_an_impossible_path_is_reported(address: str) -> None:
    with pytest.raises(StoreUnreadable, match="cannot reach the store") as caught, EmbeddedStore(address) as store:
        store.bases()
    assert len(str(caught.value)) < 600
    with pytest.raises(StoreUnreadable, match="cannot reach the store"), EmbeddedStore(address) as store:
        store.replace_base(base(), animals())


def test_a_relative_path_in_a_deleted_folder_is_reported(tmp_path: Path) -> None:
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
    assert run.stdout == "cannot reach the store graph: No such file or directory; use an absolute path\n"


def test_a_path_without_search_permission_is_reported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(*_: object, **__: object) -> os.stat_result:
        raise PermissionError(13, "Permission denied")

    with EmbeddedStore(path) as store:
        monkeypatch.setattr(Path, "stat", deny)
        for call in (store.bases, store.signature, lambda: store.cypher("RETURN 1")):
            with pytest.raises(StoreUnreadable, match=r"Permission denied; choose a readable path"):
                call()


@pytest.mark.parametrize("address", ["http://localhost:7687", "neo4j+x://h", "file:///graph", "s3://bucket/graph", "C://graph"])
def test_an_unknown_scheme_is_refused(address: str) -> None:
    with pytest.raises(
        StoreUnreadable, match=rf"{address.partition('//')[0].replace('+', '.')}// is not a scheme.* bolt://.*neo4j\+ssc://"
    ):
        open_store(address)


@pytest.mark.parametrize("address", ["BOLT://localhost:7687", "Bolt+S://localhost", "neo4j://localhost"])
def test_schemes_are_case_insensitive(address: str) -> None:
    with open_store(address) as store:
        assert type(store).__name__ == "ServerStore"
        assert store.address == address.lower()


def test_an_empty_address_is_refused() -> None:
    with pytest.raises(StoreUnreadable, match=r"is empty; give a path, or a URL that begins with bolt://"):
        open_store("")


def test_a_path_may_look_like_a_url(tmp_path: Path) -> None:
    (tmp_path / "http:").mkdir()
    for address in (tmp_path / "http:" / "graph", f"{tmp_path}/http://graph"):
        with open_store(address) as store, pytest.raises(StoreMissing):
            store.bases()
