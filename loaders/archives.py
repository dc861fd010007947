"""Read files from directories and archives, with limits that stop archive bombs.

Nothing is unpacked to disk. The files of a folder are selected by their base names, and those of an archive are read into
memory. A single document, which can be larger, is read as a stream. Links and directories in archives are ignored.
"""

from __future__ import annotations

import bz2
import contextlib
import functools
import gzip
import io
import itertools
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Generator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Protocol, cast

from ..core.compression import ALWAYS_ALLOWED, MAX_RATIO, ZIP_METHODS, XzStream
from ..core.messages import quote_value
from .errors import SourceDamaged, SourceError, SourceInvalid, SourceMissing, SourceRefused

LARGEST_FILE = 256 << 20
LARGEST_FOLDER = 512 << 20
LARGEST_STREAM = 1 << 30
MOST_MEMBERS = 10_000
LONGEST_NAME = 4_096
"""The maximum length of a member's name, that of a path in Linux."""

LARGEST_HEADER = 1 << 20
"""The maximum size in bytes of the headers of a tar member, which include long names."""

CHUNK_SIZE = 1 << 16
ZIP = b"PK\x03\x04"

READ_ERRORS = (
    EOFError,
    gzip.BadGzipFile,
    zlib.error,
    lzma.LZMAError,
    tarfile.TarError,
    zipfile.BadZipFile,
    NotImplementedError,
)
"""Exceptions that the standard library raises for truncated or damaged files."""


@dataclass(frozen=True)
class Folder:
    """Files by name, on disk or in memory; ``name`` appears in messages and as the source of the base."""

    name: str
    files: Mapping[str, Path | bytes]

    def open(self, file: str) -> BinaryIO:
        """Open a file, or raise a ``SourceMissing`` that names it."""
        content = self.files.get(file)
        if content is None:
            raise SourceMissing(
                f"{self.name} has no file {file}; a WordNet folder has data.* and index.* for noun, verb, adj, adv: "
                "get a complete copy"
            )
        if isinstance(content, bytes):
            return io.BytesIO(content)
        with translate_errors(content):
            return content.open("rb")


@dataclass(frozen=True)
class Document:
    """A file on disk, or a member of an archive, compressed or not."""

    path: Path
    member: str | None = None

    def __str__(self) -> str:
        return str(self.path) if self.member is None else f"{self.path}/{self.member}"

    @contextlib.contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the decompressed content; errors while it is read become a ``SourceError``."""
        with translate_errors(self):
            if self.member is None:
                with open_unpacked(self.path) as stream:
                    yield stream
                return
            with contextlib.closing(_members(self.path)) as members:
                content = next((content for name, _, content in members if name == self.member), None)
                if content is None:
                    raise SourceMissing(f"{self} is no longer there; check the path")
                with content() as stream:
                    yield _decompress(stream, str(self), self.path.stat().st_size)

    def read_beginning(self) -> bytes:
        """Return the first bytes of the decompressed content."""
        with self.open() as stream:
            return stream.read(CHUNK_SIZE)


class BoundedStream(io.RawIOBase):
    """A binary stream that raises a ``SourceRefused`` after ``LARGEST_STREAM`` bytes, or many times those of its file.

    Args:
        stream: The decompressed content.
        source: The file that it is read from, which is closed with it: decompressors leave that to others.
        name: The name of the file in messages.
        size: The size of the file.
    """

    def __init__(self, stream: BinaryIO, source: BinaryIO, name: str, size: int) -> None:
        super().__init__()
        self._stream = stream
        self._source = source
        self._name = name
        self._limit = min(LARGEST_STREAM, max(ALWAYS_ALLOWED, MAX_RATIO * size))
        self._position = 0

    def readable(self) -> bool:
        """Return True, as ``io`` requires."""
        return True

    def read(self, size: int | None = -1) -> bytes:
        """Read at most ``size`` bytes, and never more than one beyond the limit."""
        remaining = self._limit - self._position + 1
        content = self._stream.read(remaining if size is None or size < 0 else min(size, remaining))
        self._position += len(content)
        if self._position > self._limit:
            raise SourceRefused(
                f"{self._name} has more than {self._limit >> 20} MB unpacked, too much for its size; check its origin"
            )
        return content

    def close(self) -> None:
        """Close the content and its file too."""
        self._stream.close()
        self._source.close()
        super().close()


@contextlib.contextmanager
def translate_errors(path: Path | Document) -> Iterator[None]:
    """Translate errors of reading a file into a ``SourceError`` with the file's name and the fix."""
    try:
        yield
    except SourceError:
        raise
    except READ_ERRORS as error:
        raise _damaged(path, error) from error
    except FileNotFoundError as error:
        raise SourceMissing(f"there is no file {path}; check the path") from error
    except OSError as error:
        if error.errno is None:  # of the decompressor of bzip2, not of the operating system
            raise _damaged(path, error) from error
        raise SourceInvalid(f"{path} cannot be read: {error.strerror or error}; check the path and its permissions") from error


def _damaged(path: Path | Document, error: Exception) -> SourceDamaged:
    return SourceDamaged(f"{path} is cut off or damaged ({error or type(error).__name__}); get it again")


def open_directory(path: Path, names: Collection[str]) -> Folder:
    """Open the files of these names in a directory, or else in a ``dict`` directory inside it; there may be none."""
    with translate_errors(path):
        folders = [folder for folder in (path, path / "dict") if any((folder / name).is_file() for name in names)]
        files = {name: folder / name for folder in folders[:1] for name in names if (folder / name).is_file()}
        for file in files.values():
            _check_size(str(file), file.stat().st_size)
    return Folder(str(path), files)


def list_documents(path: Path) -> list[Document]:
    """Return the files of a directory and of its subdirectories, sorted by path."""
    with translate_errors(path):
        entries = sorted(path.iterdir())
        files = [entry for entry in entries if entry.is_file()]
        nested = [entry for folder in entries if folder.is_dir() for entry in sorted(folder.iterdir()) if entry.is_file()]
    if len(files) + len(nested) > MOST_MEMBERS:
        raise SourceRefused(f"{path} has more than {MOST_MEMBERS} files; give the folder of one WordNet")
    return [Document(file) for file in (*files, *nested)]


def open_unpacked(path: Path) -> BinaryIO:
    """Open a file, decompressed if its first bytes are those of gzip, bzip2 or xz."""
    with translate_errors(path):
        return _decompress(path.open("rb"), str(path), path.stat().st_size)


def read_beginning(path: Path) -> bytes:
    """Read the first 512 bytes of a file, without decompression."""
    with translate_errors(path), path.open("rb") as file:
        return file.read(512)


def _decompress(stream: BinaryIO, name: str, size: int) -> BinaryIO:
    """Return a content, decompressed if it is that of gzip, bzip2 or xz; ``size`` is that of its file or archive."""
    buffered = io.BufferedReader(stream)  # type: ignore[type-var]
    start = buffered.peek(6)
    open_content = next((opener for signature, opener in _DECOMPRESSORS.items() if start.startswith(signature)), None)
    unpacked = open_content(buffered) if open_content else buffered  # type: ignore[arg-type]
    return BoundedStream(unpacked, buffered, name, size)  # type: ignore[return-value]


_DECOMPRESSORS: Mapping[bytes, Callable[[io.BufferedReader], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lambda stream: io.BufferedReader(XzStream(stream)),
}
"""What decompresses a stream, by the first bytes of the format."""


def is_folder(path: Path) -> bool:
    """Return whether a path leads to a folder; a name that no file can have is an error, as in reading."""
    with translate_errors(path):
        return path.is_dir()


def is_archive(path: Path) -> bool:
    """Return whether a file is a zip file or a tar file, which may be compressed."""
    if path.exists() and not path.is_file():  # what is read from a pipe is gone
        return False
    if read_beginning(path).startswith(ZIP):
        return True
    with translate_errors(path), open_unpacked(path) as stream:
        try:
            tarfile.TarInfo.frombuf(stream.read(tarfile.BLOCKSIZE), "utf-8", "surrogateescape")
        except tarfile.HeaderError:  # no checksum; the oldest tar files have nothing else by which to know them
            return False
    return True


def _members(path: Path) -> Generator[tuple[str, int, Callable[[], BinaryIO]]]:
    """Yield the regular files of an archive: name, size, and a function that opens the content until the next one."""
    is_zip = read_beginning(path).startswith(ZIP)
    with translate_errors(path), contextlib.closing(_zip_members(path) if is_zip else _tar_members(path)) as members:
        yield from members


def _tar_members(path: Path) -> Generator[tuple[str, int, Callable[[], BinaryIO]]]:
    with open_unpacked(path) as stream, contextlib.closing(read_tar(stream, str(path))) as members:
        for count, (member, content) in enumerate(members):
            _check_count(path, count)
            yield member.name, member.size, content
        while stream.read(CHUNK_SIZE):  # read on to the checksum, which follows the last member
            continue


def read_tar(stream: Readable, name: str) -> Generator[tuple[tarfile.TarInfo, Callable[[], BinaryIO]]]:
    """Yield the regular members of a tar file, each with a function that opens the content until the next one.

    The file is read once and in bounded memory, however long the names are that it announces.
    """
    budgeted = _BudgetedStream(stream, name)
    with contextlib.closing(tarfile.open(fileobj=cast("BinaryIO", budgeted), mode="r|")) as archive:
        while (member := archive.next()) is not None:
            if len(member.name) > LONGEST_NAME:
                raise _long_name(name)
            budgeted.budget = member.size + LARGEST_HEADER
            if member.isreg() and not member.issparse():
                yield member, functools.partial(archive.extractfile, member)  # type: ignore[misc]
            archive.members.clear()  # type: ignore[attr-defined] # it would grow with every member, as would the headers
            archive.pax_headers.clear()  # type: ignore[attr-defined]


class Readable(Protocol):
    """A binary stream that can be read once."""

    def read(self, size: int, /) -> bytes:
        """Return the next bytes, none at the end."""


class _BudgetedStream:
    """A stream for ``tarfile``, which reads headers of any length into memory, that returns at most ``budget`` bytes."""

    def __init__(self, stream: Readable, name: str) -> None:
        self._stream, self._name = stream, name
        self.budget = LARGEST_HEADER

    def read(self, size: int, /) -> bytes:
        """Return the next bytes, or raise a ``SourceRefused`` if the budget is spent."""
        content = self._stream.read(size)
        self.budget -= len(content)
        if self.budget < 0:
            raise _long_name(self._name)
        return content


def _long_name(name: str) -> SourceRefused:
    return SourceRefused(f"{name} has a member with a name of more than {LONGEST_NAME:,} characters; check its origin")


def _zip_members(path: Path) -> Generator[tuple[str, int, Callable[[], BinaryIO]]]:
    with zipfile.ZipFile(path) as archive:
        for count, member in enumerate(archive.infolist()):
            _check_count(path, count)
            if not member.is_dir():
                yield member.filename, member.file_size, functools.partial(_open_zip_member, path, archive, member)


def _check_count(path: Path, count: int) -> None:
    if count == MOST_MEMBERS:
        raise SourceRefused(f"{path} has more than {MOST_MEMBERS} members; give an archive with fewer")


def _open_zip_member(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> BinaryIO:
    if member.flag_bits & 1:
        raise SourceInvalid(f"{path} is encrypted; give an archive without a password")
    if member.compress_type not in ZIP_METHODS:
        raise SourceInvalid(f"{path} is compressed in an uncommon way; unpack it")
    if member.file_size > max(ALWAYS_ALLOWED, MAX_RATIO * path.stat().st_size):
        raise SourceRefused(f"{path} has {member.file_size >> 20} MB unpacked, too much for its size; check its origin")
    return archive.open(member)  # type: ignore[return-value]


def open_archive(path: Path, names: Collection[str]) -> Folder:
    """Read the named members of a tar file, plain or compressed, or of a zip file into memory; there may be none."""
    files: dict[str, bytes] = {}
    with translate_errors(path), contextlib.closing(_members(path)) as members:
        for member, size, content in members:
            name = PurePosixPath(member).name
            if name in names:
                _check_size(f"{quote_value(member)} in {path}", size)
                with content() as stream:
                    _add(files, name, stream.read(LARGEST_FILE), path)
    return Folder(str(path), files)


def read_files(path: Path, suffixes: Collection[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the files with these suffixes in a folder, at any depth, or in an archive: relative path and content.

    Hidden files are skipped: archives made on a Mac have one beside each file.
    """
    total = 0
    if not is_folder(path) and not is_archive(path):
        raise SourceInvalid(f"{path} is neither a folder nor an archive; give one with {' or '.join(suffixes)} files")
    for name, size, content in _folder_files(path) if path.is_dir() else _members(path):
        member = PurePosixPath(name)
        if member.suffix not in suffixes or member.name.startswith("."):
            continue
        total += size
        if total > LARGEST_FOLDER:
            raise SourceRefused(f"{path} has more than {LARGEST_FOLDER >> 20} MB of {member.suffix} files; check its origin")
        with translate_errors(path / name), content() as stream:
            read = stream.read(size)
        yield name, read


def _folder_files(path: Path) -> Iterator[tuple[str, int, Callable[[], BinaryIO]]]:
    with translate_errors(path):
        found = list(itertools.islice(path.rglob("*"), MOST_MEMBERS + 1))
        if len(found) > MOST_MEMBERS:
            raise SourceRefused(f"{path} has more than {MOST_MEMBERS} files; give a folder with fewer")
        for file in sorted(found):
            if file.is_file():
                yield file.relative_to(path).as_posix(), file.stat().st_size, functools.partial(_open_file, file)


def _open_file(path: Path) -> BinaryIO:
    return path.open("rb")


def list_members(path: Path, is_wanted: Callable[[bytes], bool]) -> list[Document]:
    """Return the members of an archive whose first bytes, decompressed, pass a test."""
    found = []
    for member, _, content in _members(path):
        with content() as stream, contextlib.suppress(*READ_ERRORS):  # a damaged member is not what is looked for
            if is_wanted(_decompress(stream, member, path.stat().st_size).read(CHUNK_SIZE)):
                found.append(Document(path, member))
    return found


def _add(files: dict[str, bytes], name: str, content: bytes, path: Path) -> None:
    if name in files:
        raise SourceInvalid(f"{path} has more than one file {name}; give an archive of one WordNet `dict` directory")
    files[name] = content
    if sum(map(len, files.values())) > LARGEST_FOLDER:
        raise SourceRefused(
            f"{path} has more than {LARGEST_FOLDER >> 20} MB unpacked, and no WordNet is so large; check its origin"
        )


def _check_size(name: str, size: int) -> None:
    if size > LARGEST_FILE:
        raise SourceRefused(f"{name} has {size >> 20} MB, more than any file of a WordNet; check its origin")
