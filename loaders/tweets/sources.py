"""Where files of tweets lie: on disk, in folders, in archives that are read member by member, at standard input."""

from __future__ import annotations

import bz2
import gzip
import os
import sys
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple, Protocol, cast

from ..archives import translate_errors
from ..errors import SourceInvalid, SourceMissing, SourceRefused

SUFFIXES = (".txt", ".csv", ".tsv", ".tab", ".json", ".jsonl", ".ndjson", ".gz", ".tgz", ".bz2", ".tar")
ALONE = "_text.txt"
"""How the names of files end beside which only labels lie."""

HEADER = 1 << 20
"""Bytes of a tar file that may come before a member, its long name and its other properties."""

BLOCK = 512


class Stream(Protocol):
    """What can be read, once."""

    def read(self, size: int, /) -> bytes:
        """The next bytes, none at the end."""


class TweetFile(NamedTuple):
    """A file of a source that may hold tweets; ``alone`` if the source is nothing but this file."""

    name: str
    stream: Stream
    alone: bool


class Chained:
    """A stream of which the beginning has been read."""

    def __init__(self, start: bytes, stream: Stream) -> None:
        self._start, self._stream = start, stream

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes."""
        if self._start:
            wanted = len(self._start) if size < 0 else size
            found, self._start = self._start[:wanted], self._start[wanted:]
            return found
        return self._stream.read(size)


class Guarded:
    """The stream below a tar file, that gives only so much until it is told to give more."""

    def __init__(self, stream: Stream, name: str) -> None:
        self._stream, self._name = stream, name
        self.left = HEADER

    def read(self, size: int, /) -> bytes:
        """The next bytes."""
        found = self._stream.read(size)
        self.left -= len(found)
        if self.left < 0:
            raise SourceRefused(f"{self._name} has a member with a name of more than {HEADER >> 20} MB; check where it is from")
        return found


def check_source(source: Path | str) -> None:
    """Say at once that a source is not there."""
    with translate_errors(Path(source)):
        there = str(source) == "-" or Path(source).exists()
    if not there:
        raise SourceMissing(f"there is no file or folder {str(source)!r}; check the path")


def find_files(source: Path | str) -> Iterator[TweetFile]:
    """The files of a source that may hold tweets, each to be read before the next is asked for."""
    if str(source) == "-":
        stream, is_tar = _unpacked(sys.stdin.buffer)
        if is_tar:
            raise SourceInvalid("standard input is an archive; give its path instead")
        yield TweetFile("standard input", stream, alone=True)
        return
    path = Path(source)
    if not path.is_dir():
        yield from _of_file(path, alone=True)
        return
    found = list(_inside(path))
    if not found:
        raise SourceInvalid(f"{path} holds no files of tweets ({', '.join(SUFFIXES[:6])}, .gz); give the folder that does")
    for each in found:
        yield from _of_file(each, alone=False)


def _inside(folder: Path) -> Iterator[Path]:
    """The files of a folder and of the folders in it, in the order of their names."""
    paths = [Path(above, name) for above, _, names in os.walk(folder, onerror=_refuse) for name in names]
    relative = sorted(path.relative_to(folder).as_posix() for path in paths if path.is_file())
    yield from (folder / name for name in _wanted(relative))


def _refuse(error: OSError) -> None:
    """A folder that cannot be read is not one that holds nothing."""
    raise error


def _wanted(names: Iterable[str]) -> list[str]:
    """Those names that files of tweets have."""
    seen = [name for name in names if name.lower().endswith(SUFFIXES) and not _hidden(name)]
    return [name for name in seen if name.endswith(ALONE)] or seen


def _hidden(name: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) and part != ".." for part in PurePosixPath(name).parts)


def _of_file(path: Path, *, alone: bool) -> Iterator[TweetFile]:
    with path.open("rb") as file:
        stream, is_tar = _unpacked(file)
        if not is_tar:
            yield TweetFile(str(path), stream, alone)
            return
        file.seek(0)
        members = set(_wanted(member.name for member, _ in _members(file, str(path))))
        if not members and alone:
            raise SourceInvalid(f"{path} holds no files of tweets ({', '.join(SUFFIXES[:6])}); give an archive that does")
        file.seek(0)
        for member, content in _members(file, str(path)):
            if member.name in members:
                name = f"{path}/{member.name}"
                yield TweetFile(name, _unpacked(content)[0], alone=False)


def _members(file: BinaryIO, name: str) -> Iterator[tuple[tarfile.TarInfo, Stream]]:
    """The regular files of an archive, which is read from its beginning to its end."""
    guarded = Guarded(_unpacked(file)[0], name)
    with closing(tarfile.open(fileobj=cast(BinaryIO, guarded), mode="r|")) as archive:
        while (member := archive.next()) is not None:
            guarded.left = member.size + HEADER
            content = archive.extractfile(member) if member.isreg() and not member.issparse() else None
            if content is not None:
                yield member, content
            archive.members.clear()  # type: ignore[attr-defined] # of which it would keep all


def _unpacked(stream: Stream) -> tuple[Stream, bool]:
    """The bytes of a file without compression, and whether they are a tar file."""
    start = _first(stream)
    whole: Stream = Chained(start, stream)
    if start.startswith((b"\x1f\x8b", b"BZh")):
        file = cast(BinaryIO, whole)
        opened: Stream = gzip.GzipFile(fileobj=file) if start[0] == 0x1F else bz2.BZ2File(file)
        start = _first(opened)
        whole = Chained(start, opened)
    return whole, start[257:262] == b"ustar"


def _first(stream: Stream) -> bytes:
    """The first block of a stream."""
    found = b""
    while len(found) < BLOCK and (piece := stream.read(BLOCK - len(found))):
        found += piece
    return found
