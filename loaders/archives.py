"""The files of a WordNet folder, from a directory or out of an archive, and streams that end where a hostile file would not.

Nothing is ever unpacked to disk: of an archive the wanted members are read into memory, found by their base names; links,
directories and everything else in it are passed over.
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
PIECE = 1 << 16

BROKEN = (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile, NotImplementedError)
"""What the readers of the standard library raise for files that are cut off or changed."""


@dataclass(frozen=True)
class Folder:
    """Files by name. ``name`` is what messages and the base call it."""

    name: str
    files: Mapping[str, Path | bytes]

    def open(self, file: str) -> BinaryIO:
        """The bytes of a file; a ``SourceMissing`` names it if it is not there."""
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

    def size(self, file: str) -> int:
        """How many bytes a file has, 0 if there is none."""
        content = self.files.get(file, b"")
        return len(content) if isinstance(content, bytes) else content.stat().st_size


class BoundedStream(io.RawIOBase):
    """A stream that refuses to give more than ``LARGEST_STREAM`` bytes."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        super().__init__()
        self._stream = stream
        self._name = name
        self._limit = LARGEST_STREAM
        self.taken = 0

    def readable(self) -> bool:
        """True: reading is all it can do."""
        return True

    def read(self, size: int | None = -1) -> bytes:
        """The next bytes, at most ``size`` and never much more than the limit."""
        left = self._limit - self.taken + 1
        found = self._stream.read(left if size is None or size < 0 else min(size, left))
        self.taken += len(found)
        if self.taken > self._limit:
            raise SourceRefused(
                f"{self._name} holds more than {self._limit >> 20} MB unpacked; no lexicon does: check where it is from"
            )
        return found

    def close(self) -> None:
        """Close the stream below too."""
        self._stream.close()
        super().close()


@contextlib.contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Whatever goes wrong with reading a file, said with the file's name and what to do."""
    try:
        yield
    except SourceError:
        raise
    except BROKEN as error:
        raise SourceDamaged(f"{path} is cut off or damaged ({error or type(error).__name__}); get it again") from error
    except FileNotFoundError as error:
        raise SourceMissing(f"there is no file {path}; check the path") from error
    except OSError as error:
        raise SourceInvalid(f"{path} cannot be read: {error.strerror or error}; check the path and its permissions") from error


def open_directory(path: Path, wanted: Collection[str]) -> Folder:
    """The wanted files of a directory, or of a ``dict`` directory in it."""
    with translate_errors(path):
        places = [place for place in (path, path / "dict") if any((place / name).is_file() for name in wanted)]
        if not places:
            raise SourceMissing(f"{path} holds no WordNet files (data.noun and so on); give the `dict` directory of a WordNet")
        found = {name: places[0] / name for name in wanted if (places[0] / name).is_file()}
        for file in found.values():
            _check_size(str(file), file.stat().st_size)
    return Folder(str(path), found)


def open_unpacked(path: Path) -> BinaryIO:
    """The bytes of a file, decompressed if its first bytes say gzip or xz."""
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
    """The first bytes of a file, as they lie on disk."""
    with translate_errors(path), path.open("rb") as file:
        return file.read(512)


def open_tar(path: Path, wanted: Collection[str]) -> Folder:
    """The wanted members of a tar file, plain or compressed, in memory."""
    found: dict[str, bytes] = {}
    with translate_errors(path), open_unpacked(path) as stream, tarfile.open(fileobj=stream, mode="r|") as archive:
        for count, member in enumerate(archive):
            if count == MOST_MEMBERS:
                raise SourceRefused(
                    f"{path} has more than {MOST_MEMBERS} members; give an archive of one WordNet `dict` directory"
                )
            name = PurePosixPath(member.name).name
            content = archive.extractfile(member) if member.isreg() and name in wanted else None
            if content is not None:
                _check_size(f"{quote_value(member.name)} in {path}", member.size)
                _keep(found, name, content.read(), path)
        while stream.read(PIECE):  # the sums that tell damage come after the last member
            continue
    return _archive(path, found)


def open_zip(path: Path, wanted: Collection[str], inside: str = "") -> Folder:
    """The wanted members of a zip file, in memory."""
    found: dict[str, bytes] = {}
    with translate_errors(path), zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            name = PurePosixPath(member.filename).name
            if name in wanted and member.filename.startswith(inside):
                _check_size(f"{quote_value(member.filename)} in {path}", member.file_size)
                if member.flag_bits & 1:
                    raise SourceInvalid(f"{path} is encrypted; give an archive without a password")
                with archive.open(member) as content:
                    _keep(found, name, content.read(LARGEST_FILE), path)
    return _archive(path, found)


def _keep(found: dict[str, bytes], name: str, content: bytes, path: Path) -> None:
    if name in found:
        raise SourceInvalid(f"{path} has more than one file {name}; give an archive of one WordNet `dict` directory")
    found[name] = content
    if sum(map(len, found.values())) > LARGEST_FOLDER:
        raise SourceRefused(
            f"{path} holds more than {LARGEST_FOLDER >> 20} MB unpacked; no WordNet does: check where it is from"
        )


def _archive(path: Path, found: dict[str, bytes]) -> Folder:
    if not found:
        raise SourceMissing(
            f"{path} holds no WordNet files (data.noun and so on); give an archive of a WordNet `dict` directory"
        )
    return Folder(str(path), found)


def _check_size(name: str, size: int) -> None:
    if size > LARGEST_FILE:
        raise SourceRefused(f"{name} has {size >> 20} MB; no file of a WordNet is larger than {LARGEST_FILE >> 20} MB")
