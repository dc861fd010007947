"""Open a file of tweets in any encoding, and read it as lines of bounded length."""

from __future__ import annotations

import codecs
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from ..errors import SourceInvalid

if TYPE_CHECKING:
    from ..archives import Readable

LONGEST_LINE = 1 << 20
"""The maximum number of bytes in a line."""

LONGEST_JSON = 8 << 20
"""The maximum number of bytes in a line of JSON, which may be a whole page of tweets."""

CHUNK_SIZE = 1 << 16

LONG_ENTRY = "long_entry"
LINE_WITH_NUL = "line_with_nul"
WINDOWS_1252_LINE = "windows_1252_line"

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
CONTROLS = bytes(byte for byte in range(0x20) if byte not in b"\t\n\v\f\r")
"""Bytes that are rare in text of any encoding, and reveal binary data, which could be decoded as windows-1252."""

_SIGNATURES = {
    b"PK\x03\x04": "a zip archive",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"%PDF-": "a PDF",
    b"PAR1": "a Parquet file",
    b"\xfd7zXZ": "compressed by xz",
    b"\x28\xb5\x2f\xfd": "compressed by zstd",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a rar archive",
    b"SQLite format 3": "a database",
}
_WINDOWS_1252 = "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(256))
"""The decoding table of windows-1252, with Latin-1 for its five undefined bytes."""

WINDOWS_1252_ERRORS = "wayword-windows-1252"
"""The name of an error handler that decodes invalid UTF-8 as windows-1252."""


def _decode_as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return codecs.charmap_decode(error.object[error.start : error.end], "strict", _WINDOWS_1252)[0], error.end


codecs.register_error(WINDOWS_1252_ERRORS, _decode_as_windows_1252)


@dataclass(slots=True)
class TweetCounts:
    """Counts of what is left out or unusual while tweets are read; filled during iteration.

    - ``left_out``: entries that have, or may have, a text but cannot be used, by code
    - ``without_text``: entries without a text, which are not tweets
    - ``notes``: how often files were skipped, cut off, or read in a guessed encoding, by code

    The tweets that are read and those in ``left_out`` together are all entries with a text.
    """

    left_out: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    without_text: int = 0


class OpenedFile:
    """A file to read; ``sample`` is its first chunk, in UTF-8."""

    def __init__(self, name: str, stream: Readable) -> None:
        self.name = name
        self._start = _read_chunk(stream)
        mark = next((mark for mark in _BYTE_ORDER_MARKS if self._start.startswith(mark)), b"")
        encoding = _BYTE_ORDER_MARKS.get(mark) or _detect_utf16(self._start)
        chunks = chain([self._start[len(mark) :]], iter(lambda: stream.read(CHUNK_SIZE), b""))
        self._chunks = chunks if encoding == "utf-8" else _encode_as_utf8(chunks, encoding)
        self.sample = next(self._chunks, b"")
        self._has_mac_lines = b"\r" in self.sample and b"\n" not in self.sample

    def check(self) -> None:
        """Raise a ``SourceInvalid`` if the file is not text."""
        kind = next((kind for signature, kind in _SIGNATURES.items() if self._start.startswith(signature)), None)
        if kind is None and len(self.sample) - len(self.sample.translate(None, CONTROLS)) > len(self.sample) // 100:
            kind = "not text"
        if kind is not None:
            raise SourceInvalid(f"{self.name} is {kind}; give tweets as text, CSV, TSV or JSON, plain, .gz or in a .tar.gz")

    def chunks(self) -> Iterator[bytes]:
        """Yield the whole file, including the sample. Unless its encoding is known, bytes are unchanged and decoded by line."""
        for chunk in chain([self.sample], self._chunks):
            yield chunk.replace(b"\r", b"\n") if self._has_mac_lines else chunk


def read_lines(file: OpenedFile, counts: TweetCounts, longest: int = LONGEST_LINE) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file with their numbers, without line ends; overlong lines and those with NULs are left out."""
    for number, line in enumerate(_split(file.chunks(), longest), 1):
        if line is None:
            counts.left_out[LONG_ENTRY] += 1
        elif b"\0" in line:
            counts.left_out[LINE_WITH_NUL] += 1
        else:
            yield number, decode_line(line, counts)


def decode_line(line: bytes, counts: TweetCounts) -> str:
    r"""Decode a line as UTF-8 or, if that fails, as windows-1252.

    >>> decode_line(b"caf\xe9 \x93ok\x94", TweetCounts())
    'café “ok”'
    """
    try:
        return line.decode()
    except UnicodeDecodeError:
        counts.notes[WINDOWS_1252_LINE] += 1
        return codecs.charmap_decode(line, "strict", _WINDOWS_1252)[0]


def _split(chunks: Iterable[bytes], longest: int) -> Iterator[bytes | None]:
    """Split chunks into lines; None for an overlong line, which is never in memory as a whole."""
    parts: list[bytes] = []  # of the current line; none of them once it is too long
    size = 0
    for chunk in chunks:
        *complete, last = chunk.split(b"\n")
        for line in complete:
            yield None if size + len(line) > longest else b"".join([*parts, line])
            parts, size = [], 0
        size += len(last)
        parts = [] if size > longest else [*parts, last]
    if size:
        yield None if size > longest else b"".join(parts)


def _read_chunk(stream: Readable) -> bytes:
    """Read a full chunk unless the stream ends; one ``read`` may return less."""
    parts = []
    size = 0
    while size < CHUNK_SIZE and (part := stream.read(CHUNK_SIZE - size)):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _detect_utf16(start: bytes) -> str:
    """Return the encoding of bytes without a byte order mark: UTF-16 if most even or most odd bytes are NUL, else UTF-8.

    >>> _detect_utf16("flu".encode("utf-16-be")), _detect_utf16(b"flu")
    ('utf-16-be', 'utf-8')
    """
    half = len(start) // 2
    first, second = start[::2].count(0), start[1::2].count(0)
    if half and second > 0.4 * half and first < 0.05 * half:
        return "utf-16-le"
    if half and first > 0.4 * half and second < 0.05 * half:
        return "utf-16-be"
    return "utf-8"


def _encode_as_utf8(chunks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for chunk in chunks:
        yield decoder.decode(chunk).encode()
    yield decoder.decode(b"", final=True).encode()
