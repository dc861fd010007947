"""Output replaces a file at once, and never a store or a database."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from wayword.core.atomic_files import STORE_SIGNATURE, FileError, atomic_write, check_writable


def _write_store(path: Path) -> None:
    path.write_bytes(STORE_SIGNATURE + b"and more")


def _write_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE runs (id)")


@pytest.mark.parametrize("create", [_write_store, _write_database])
def test_a_store_or_a_database_is_never_overwritten(tmp_path: Path, create: Callable[[Path], None]) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    create(path)
    link.symlink_to(path)
    content = path.read_bytes()
    for each in (path, link):
        with pytest.raises(FileError, match="which writing would destroy"):
            check_writable(each)
        with pytest.raises(FileError, match="which writing would destroy"), atomic_write(each):
            pass
    assert path.read_bytes() == content


@pytest.mark.parametrize("create", [_write_store, _write_database])
def test_one_that_is_created_during_the_work_is_not_overwritten_either(tmp_path: Path, create: Callable[[Path], None]) -> None:
    path = tmp_path / "file"

    def write() -> None:
        with atomic_write(path) as target:
            target.write(b"rows")
            create(path)

    with pytest.raises(FileError, match="which writing would destroy"):
        write()
    assert path.read_bytes()[:4] != b"rows"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
