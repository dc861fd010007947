"""Open compressed files as streams of bounded size: gzip, bzip2, xz, or a zip archive of one file."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any, BinaryIO, cast

from .messages import first_line

MAX_RATIO = 100
"""How many times the size of a file its content may have; lexicons in XML, which compress best, need a twentieth."""

ALWAYS_ALLOWED = 16 << 20
"""The number of bytes that a file may have unpacked, however small it is."""

XZ_MEMORY = 256 << 20
"""The memory in bytes that xz may use; the largest of its presets needs 65 MB."""

_ERRORS = (OSError, EOFError, ValueError, RuntimeError, struct.error, zlib.error, lzma.LZMAError, zipfile.BadZipFile)
"""What the standard library raises for truncated or damaged files."""

_SIGNATURES = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\x00": "xz", b"PK\x03\x04": "zip", b"PK\x05\x06": "zip"}

ZIP_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2)
"""The methods of zip archives that are read; LZMA would reserve any memory that the file asks for."""


class UnpackingError(Exception):
    """A compressed file is damaged, cannot be unpacked, or is far larger unpacked; the message says what the file is."""


def detect_compression(start: bytes) -> str | None:
    """Return how a file is compressed that starts with these bytes, None if it is not.

    >>> detect_compression(gzip.compress(b"")), detect_compression(bz2.compress(b"dog")), detect_compression(b"BZh 0.1 0.2")
    ('gzip', 'bzip2', None)
    """
    if start.startswith(b"BZh") and start[4:10] in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"):
        return "bzip2"
    return next((kind for signature, kind in _SIGNATURES.items() if start.startswith(signature)), None)


def open_decompressed(path: Path) -> BinaryIO:
    """Open a file for reading, decompressed if it is compressed.

    Raises:
        UnpackingError: The file is damaged, or a zip archive does not have one file that can be read; while the stream is read,
            the content is ``MAX_RATIO`` times as large as the file.
        OSError: The file cannot be opened.
    """
    file = path.open("rb")
    compression = detect_compression(file.peek(10)[:10])
    if compression is None:
        return file  # a pipe could not be opened again
    file.close()
    match compression:
        case "gzip":
            stream: Any = gzip.open(path)  # noqa: SIM115 - the caller closes it
        case "bzip2":
            stream = bz2.open(path)  # noqa: SIM115
        case "xz":
            stream = XzStream(path.open("rb"))
        case _:
            stream = _open_member(path)
    limit = max(ALWAYS_ALLOWED, MAX_RATIO * path.stat().st_size)
    return cast("BinaryIO", io.BufferedReader(_Bounded(stream, limit), 1 << 16))


def _open_member(path: Path) -> Any:
    """Open the only file of a zip archive."""
    try:
        archive = zipfile.ZipFile(path)
        members = [each for each in archive.infolist() if not each.is_dir() and not _is_hidden(each.filename)]
        if len(members) != 1:
            raise UnpackingError(f"a zip archive of {len(members):,} files; unpack the one to read")
        if members[0].flag_bits & 1 or members[0].compress_type not in ZIP_METHODS:
            raise UnpackingError("a zip archive that is encrypted or compressed in an uncommon way; unpack it")
        return archive.open(members[0])
    except _ERRORS as error:
        raise _damaged(error) from error


def _damaged(error: Exception) -> UnpackingError:
    return UnpackingError(f"cut off or damaged ({first_line(error)}); get it again")


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in name.split("/"))


class _Bounded(io.RawIOBase):
    """A stream that refuses to return more than ``limit`` bytes."""

    def __init__(self, stream: Any, limit: int) -> None:
        super().__init__()
        self._stream, self._limit, self._left = stream, limit, limit

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        try:
            content = self._stream.read(len(buffer))
        except _ERRORS as error:
            raise _damaged(error) from error
        self._left -= len(content)
        if self._left < 0:
            raise UnpackingError(
                f"larger than {self._limit >> 20:,} MB unpacked, more than {MAX_RATIO} times its size; check its origin"
            )
        buffer[: len(content)] = content
        return len(content)

    def close(self) -> None:
        self._stream.close()
        super().close()


class XzStream(io.RawIOBase):
    """The content of an xz file of one or more streams. ``lzma.open`` would reserve any memory that the file asks for."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self._file = file
        self._decompressor = self._start()

    @staticmethod
    def _start() -> lzma.LZMADecompressor:
        return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY)

    def readable(self) -> bool:
        """Return True, as ``io`` requires."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Fill the buffer, at least in part unless the file ends."""
        while True:
            packed = b""
            if self._decompressor.eof:
                packed = self._decompressor.unused_data or self._file.read(1 << 16)
                packed = packed.lstrip(b"\0")  # padding between streams
                if not packed:
                    if self._file.peek(1):  # type: ignore[attr-defined] # opened with a buffer
                        continue
                    return 0
                self._decompressor = self._start()
            elif self._decompressor.needs_input:
                packed = self._file.read(1 << 16)
                if not packed:
                    raise EOFError("the xz stream ended before its end marker")
            content = self._decompressor.decompress(packed, len(buffer))
            if content:
                buffer[: len(content)] = content
                return len(content)

    def close(self) -> None:
        """Close the file too."""
        self._file.close()
        super().close()
