"""Find the files of tweets in a source: a file, a folder, an archive (read member by member), or standard input."""

from __future__ import annotations

import bz2
import gzip
import os
import sys
import tarfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple, cast

from ..archives import Readable, read_tar, translate_errors
from ..errors import SourceInvalid, SourceMissing, SourceRefused

SUFFIXES = (".txt", ".csv", ".tsv", ".tab", ".json", ".jsonl", ".ndjson", ".gz", ".tgz", ".bz2", ".tar")
TEXT_SUFFIX = "_text.txt"
"""The end of file names in benchmarks that store texts and labels in separate files."""

MOST_FILES = 200_000
"""The maximum number of files in a folder, of any kind; a year of tweets in a file for every five minutes has half of it."""

LONGEST_NAMES = 32 << 20
"""The maximum length of the names of all members of an archive."""

BLOCK_SIZE = 512


class TweetFile(NamedTuple):
    """A file that may have tweets; ``is_source`` unless it was found in a folder or an archive."""

    name: str
    stream: Readable
    is_source: bool


class RewoundStream:
    """A stream whose start has already been read, and which returns it again."""

    def __init__(self, start: bytes, stream: Readable) -> None:
        self._start, self._stream = start, stream

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes."""
        if self._start:
            end = len(self._start) if size < 0 else size
            content, self._start = self._start[:end], self._start[end:]
            return content
        return self._stream.read(size)


def check_source(source: Path | str) -> None:
    """Raise a ``SourceError`` if a source does not exist, or is a folder that cannot be one of tweets."""
    path = Path(source)
    with translate_errors(path):
        if str(source) == "-":
            return
        if not path.exists():
            raise SourceMissing(f"there is no file or folder {str(source)!r}; check the path")
        if path.is_dir() and path.resolve().parent == path.resolve():
            raise SourceRefused(f"{path} is the whole file system; give a folder of tweets")


def list_files(source: Path | str) -> list[Path]:
    """Return the files that are read for a source on disk."""
    check_source(source)
    path = Path(source)
    with translate_errors(path):
        return _walk(path) if path.is_dir() else [path]


def find_files(source: Path | str) -> Iterator[TweetFile]:
    """Yield the files of a source that may have tweets; each must be read before the next one is requested."""
    if str(source) == "-":
        stream, is_tar = _unpack(sys.stdin.buffer)
        if is_tar:
            raise SourceInvalid("standard input is an archive; give its path instead")
        yield TweetFile("standard input", stream, is_source=True)
        return
    path = Path(source)
    if not path.is_dir():
        yield from _open_file(path, is_source=True)
        return
    files = _walk(path)
    if not files:
        raise SourceInvalid(f"{path} has no files of tweets ({', '.join(SUFFIXES[:6])}, .gz); give a folder that has some")
    for file in files:
        yield from _open_file(file, is_source=False)


def _walk(folder: Path) -> list[Path]:
    """Return the files of tweets in a folder and its subfolders, sorted by relative path."""
    relative: list[str] = []
    for parent, folders, names in os.walk(folder, onerror=_raise):
        relative += (Path(parent, name).relative_to(folder).as_posix() for name in names)
        if len(relative) + len(folders) > MOST_FILES:
            raise SourceRefused(f"{folder} has more than {MOST_FILES:,} files; give a folder of only tweets")
    selected = [folder / name for name in _select_names(sorted(relative))]
    return [path for path in selected if path.is_file()]


def _raise(error: OSError) -> None:
    """Report an unreadable folder, which ``os.walk`` would skip."""
    raise error


def _select_names(names: Iterable[str]) -> list[str]:
    """Return the names that belong to files of tweets."""
    selected = [name for name in names if name.lower().endswith(SUFFIXES) and not _is_hidden(name)]
    return [name for name in selected if name.endswith(TEXT_SUFFIX)] or selected


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) and part != ".." for part in PurePosixPath(name).parts)


def _open_file(path: Path, *, is_source: bool) -> Iterator[TweetFile]:
    with path.open("rb") as file:
        stream, is_tar = _unpack(file)
        if not is_tar:
            yield TweetFile(str(path), stream, is_source)
            return
        file.seek(0)
        members = set(_select_names(_check_names(_members(file, str(path)), path)))
        if not members and is_source:
            raise SourceInvalid(f"{path} has no files of tweets ({', '.join(SUFFIXES[:6])}); give an archive that has some")
        file.seek(0)
        for member, content in _members(file, str(path)):
            if member.name in members:
                name = f"{path}/{member.name}"
                yield TweetFile(name, _unpack(content())[0], is_source=False)


def _members(file: BinaryIO, name: str) -> Iterator[tuple[tarfile.TarInfo, Callable[[], BinaryIO]]]:
    """Yield the regular files of an archive, which is read sequentially."""
    return read_tar(_unpack(file)[0], name)


def _check_names(members: Iterable[tuple[tarfile.TarInfo, object]], path: Path) -> Iterator[str]:
    """Yield the names of the members of an archive, or raise a ``SourceRefused`` if there are too many to remember."""
    length = 0
    for count, (member, _) in enumerate(members):
        length += len(member.name)
        if count == MOST_FILES or length > LONGEST_NAMES:
            raise SourceRefused(f"{path} has more than {count:,} files; give an archive of only tweets")
        yield member.name


def _unpack(stream: Readable) -> tuple[Readable, bool]:
    """Return a stream without its compression, and whether it is a tar file."""
    start = _read_block(stream)
    plain: Readable = RewoundStream(start, stream)
    if start.startswith((b"\x1f\x8b", b"BZh")):
        file = cast(BinaryIO, plain)
        unpacked: Readable = gzip.GzipFile(fileobj=file) if start[0] == 0x1F else bz2.BZ2File(file)
        start = _read_block(unpacked)
        plain = RewoundStream(start, unpacked)
    return plain, start[257:262] == b"ustar"


def _read_block(stream: Readable) -> bytes:
    """Read a full block unless the stream ends."""
    block = b""
    while len(block) < BLOCK_SIZE and (part := stream.read(BLOCK_SIZE - len(block))):
        block += part
    return block
