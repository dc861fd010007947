"""Files of a folder or an archive are read alike, within limits."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path

import pytest

from wayword.loaders import archives
from wayword.loaders.archives import read_files
from wayword.loaders.errors import SourceMissing, SourceRefused

FILES = {"b/2.key": b"two", "a/1.key": b"one", "a/._1.key": b"hidden", "a/1.txt": b"text", "3.tags": b""}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in FILES.items():
        path = tmp_path / "set" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path / "set"


def test_folders_and_archives_have_the_same_files(folder: Path, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "set.tar.gz", "w:gz") as tar:
        tar.add(folder, "")
    with zipfile.ZipFile(tmp_path / "set.zip", "w") as pack:
        for name, content in FILES.items():
            pack.writestr(name, content)
    expected = [("3.tags", b""), ("a/1.key", b"one"), ("b/2.key", b"two")]
    assert list(read_files(folder, (".key", ".tags"))) == expected
    assert sorted(read_files(tmp_path / "set.tar.gz", (".key", ".tags"))) == expected
    assert sorted(read_files(tmp_path / "set.zip", (".key", ".tags"))) == expected


def test_folders_with_too_many_files_or_too_much_content_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LARGEST_FOLDER", 5)
    with pytest.raises(SourceRefused, match=r"of \.key files; check its origin"):
        list(read_files(folder, (".key",)))
    monkeypatch.setattr(archives, "MOST_MEMBERS", 3)
    with pytest.raises(SourceRefused, match="has more than 3 files; give a folder with fewer"):
        list(read_files(folder, (".key",)))


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(SourceMissing, match="there is no file"):
        list(read_files(tmp_path / "none", (".key",)))
