"""Read files from directories and archives, with limits that stop archive bombs.

Nothing is unpacked to disk. The requested members of an archive are selected by their base names and read into memory; links,
directories and all other members are ignored.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from ..core.messages import quote_value
from .errors import SourceDamaged, SourceError, SourceInvalid, SourceMissing, SourceRefused

LARGEST_FILE = 256 << 20
LARGEST_FOLDER = 512 << 20
LARGEST_STREAM = 1 << 30
MOST_MEMBERS = 10_000
CHUNK_SIZE = 1 << 16

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
                f"{self.name} has no file {file}; a WordNet folder has data.* and index.* for noun, verb, adj, adv, and "
                "index.sense: get a complete copy"
            )
        if isinstance(content, bytes):
            return io.BytesIO(content)
        with translate_errors(content):
            return content.open("rb")


class BoundedStream(io.RawIOBase):
    """A binary stream that raises a ``SourceRefused`` after ``LARGEST_STREAM`` bytes."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        super().__init__()
        self._stream = stream
        self._name = name
        self._limit = LARGEST_STREAM
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
                f"{self._name} has more than {self._limit >> 20} MB unpacked, and no lexicon is so large; check its origin"
            )
        return content

    def close(self) -> None:
        """Close the wrapped stream too."""
        self._stream.close()
        super().close()


@contextlib.contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Translate errors of reading a file into a ``SourceError`` with the file's name and the fix."""
    try:
        yield
    except SourceError:
        raise
    except READ_ERRORS as error:
        raise SourceDamaged(f"{path} is cut off or damaged ({error or type(error).__name__}); get it again") from error
    except FileNotFoundError as error:
        raise SourceMissing(f"there is no file {path}; check the path") from error
    except OSError as error:
        raise SourceInvalid(f"{path} cannot be read: {error.strerror or error}; check the path and its permissions") from error


def open_directory(path: Path, names: Collection[str]) -> Folder:
    """Open the files of these names in a directory, or in a ``dict`` directory inside it."""
    with translate_errors(path):
        folders = [folder for folder in (path, path / "dict") if any((folder / name).is_file() for name in names)]
        if not folders:
            raise SourceMissing(f"{path} has no WordNet files (data.noun and so on); give the `dict` directory of a WordNet")
        files = {name: folders[0] / name for name in names if (folders[0] / name).is_file()}
        for file in files.values():
            _check_size(str(file), file.stat().st_size)
    return Folder(str(path), files)


def open_unpacked(path: Path) -> BinaryIO:
    """Open a file, decompressed if its first bytes are those of gzip or xz."""
    with translate_errors(path):
        start = read_beginning(path)
        if start.startswith(b"\x1f\x8b"):
            stream: BinaryIO = gzip.open(path)  # type: ignore[assignment]  # noqa: SIM115 - the caller closes it
        elif start.startswith(b"\xfd7zXZ\x00"):
            stream = lzma.open(path)  # type: ignore[assignment]  # noqa: SIM115
        else:
            stream = path.open("rb")
    return BoundedStream(stream, str(path))  # type: ignore[return-value]


def read_beginning(path: Path) -> bytes:
    """Read the first 512 bytes of a file, without decompression."""
    with translate_errors(path), path.open("rb") as file:
        return file.read(512)


def open_tar(path: Path, names: Collection[str]) -> Folder:
    """Read the named members of a tar file, plain or compressed, into memory."""
    files: dict[str, bytes] = {}
    with translate_errors(path), open_unpacked(path) as stream, tarfile.open(fileobj=stream, mode="r|") as archive:
        for count, member in enumerate(archive):
            if count == MOST_MEMBERS:
                raise SourceRefused(
                    f"{path} has more than {MOST_MEMBERS} members; give an archive of one WordNet `dict` directory"
                )
            name = PurePosixPath(member.name).name
            content = archive.extractfile(member) if member.isreg() and name in names else None
            if content is not None:
                _check_size(f"{quote_value(member.name)} in {path}", member.size)
                _add(files, name, content.read(), path)
        while stream.read(CHUNK_SIZE):  # read on to the checksum, which follows the last member
            continue
    return _make_folder(path, files)


def open_zip(path: Path, names: Collection[str]) -> Folder:
    """Read the named members of a zip file into memory."""
    files: dict[str, bytes] = {}
    with translate_errors(path), zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            name = PurePosixPath(member.filename).name
            if name in names:
                _check_size(f"{quote_value(member.filename)} in {path}", member.file_size)
                if member.flag_bits & 1:
                    raise SourceInvalid(f"{path} is encrypted; give an archive without a password")
                with archive.open(member) as content:
                    _add(files, name, content.read(LARGEST_FILE), path)
    return _make_folder(path, files)


def _add(files: dict[str, bytes], name: str, content: bytes, path: Path) -> None:
    if name in files:
        raise SourceInvalid(f"{path} has more than one file {name}; give an archive of one WordNet `dict` directory")
    files[name] = content
    if sum(map(len, files.values())) > LARGEST_FOLDER:
        raise SourceRefused(
            f"{path} has more than {LARGEST_FOLDER >> 20} MB unpacked, and no WordNet is so large; check its origin"
        )


def _make_folder(path: Path, files: dict[str, bytes]) -> Folder:
    if not files:
        raise SourceMissing(f"{path} has no WordNet files (data.noun and so on); give an archive of a WordNet `dict` directory")
    return Folder(str(path), files)


def _check_size(name: str, size: int) -> None:
    if size > LARGEST_FILE:
        raise SourceRefused(f"{name} has {size >> 20} MB, more than any file of a WordNet; check its origin")
