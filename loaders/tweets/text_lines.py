"""The beginning of a file of tweets, and its lines: whatever their encoding, none longer than ``LONGEST_LINE``."""

from __future__ import annotations

import codecs
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from ..errors import SourceInvalid

if TYPE_CHECKING:
    from .sources import Stream

LONGEST_LINE = 1 << 20
"""Bytes of a line; of JSON, of which a line may hold a page of tweets, ``LONGEST_JSON``."""

LONGEST_JSON = 8 << 20
PIECE = 1 << 16

NO_TEXT = "entries without text"
TOO_LONG = "lines and entries that are too long"
WITH_NUL = "lines with NUL characters"
WESTERN = "lines read as windows-1252"

_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
CONTROLS = bytes(each for each in range(0x20) if each not in b"\t\n\v\f\r")
"""What text has hardly any of, whatever its encoding: noise is not taken for windows-1252."""

_OTHER = {
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
_WESTERN = "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(256))
"""windows-1252, with Latin-1 for the five bytes that it leaves undefined."""

WINDOWS = "wayword-windows-1252"
"""What decoders are told so that they read bytes that are not UTF-8 as that."""


def _as_windows(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return codecs.charmap_decode(error.object[error.start : error.end], "strict", _WESTERN)[0], error.end


codecs.register_error(WINDOWS, _as_windows)


@dataclass(frozen=True)
class Counts:
    """What was not read, and what was read with doubt, by what it is."""

    left_out: Counter[str]
    notes: Counter[str]


class OpenedFile:
    """A file that is about to be read: its name, its first bytes in UTF-8, and all its pieces, these among them."""

    def __init__(self, name: str, stream: Stream) -> None:
        self.name = name
        raw = _filled(stream)
        self._mark = next((mark for mark in _MARKS if raw.startswith(mark)), b"")
        self._encoding = _MARKS.get(self._mark) or _by_nuls(raw)
        self._raw = raw
        pieces = chain([raw[len(self._mark) :]], iter(lambda: stream.read(PIECE), b""))
        self._pieces = pieces if self._encoding == "utf-8" else _in_utf8(pieces, self._encoding)
        self.sample = next(self._pieces, b"")
        self._old = b"\r" in self.sample and b"\n" not in self.sample

    def check(self) -> None:
        """Refuse what is no text at all."""
        what = next((kind for mark, kind in _OTHER.items() if self._raw.startswith(mark)), None)
        if what is None and len(self.sample) - len(self.sample.translate(None, CONTROLS)) > len(self.sample) // 100:
            what = "not text"
        if what is not None:
            raise SourceInvalid(f"{self.name} is {what}; give tweets as text, CSV, TSV or JSON, plain, .gz or in a .tar.gz")

    def pieces(self) -> Iterator[bytes]:
        """All of the file, in UTF-8 unless its encoding has to be seen line by line."""
        for piece in chain([self.sample], self._pieces):
            yield piece.replace(b"\r", b"\n") if self._old else piece


def read_lines(start: OpenedFile, counts: Counts, longest: int = LONGEST_LINE) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers, without their ends; too long ones and those with NULs are counted."""
    for number, line in enumerate(_split(start.pieces(), longest), 1):
        if line is None:
            counts.left_out[TOO_LONG] += 1
        elif b"\0" in line:
            counts.left_out[WITH_NUL] += 1
        else:
            yield number, text_of(line, counts)


def text_of(line: bytes, counts: Counts) -> str:
    r"""A line that is UTF-8, or else windows-1252.

    >>> text_of(b"caf\xe9 \x93ok\x94", Counts(Counter(), Counter()))
    'café “ok”'
    """
    try:
        return line.decode()
    except UnicodeDecodeError:
        counts.notes[WESTERN] += 1
        return codecs.charmap_decode(line, "strict", _WESTERN)[0]


def _split(pieces: Iterable[bytes], longest: int) -> Iterator[bytes | None]:
    """Lines; None for one that is too long, of which no more is held than that."""
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        *ended, last = piece.split(b"\n")
        for each in ended:
            yield None if size + len(each) > longest else b"".join([*held, each])
            held, size = [], 0
        size += len(last)
        held = [] if size > longest else [*held, last]
    if size:
        yield None if size > longest else b"".join(held)


def _filled(stream: Stream) -> bytes:
    found = []
    size = 0
    while size < PIECE and (piece := stream.read(PIECE - size)):
        found.append(piece)
        size += len(piece)
    return b"".join(found)


def _by_nuls(raw: bytes) -> str:
    """The encoding of bytes without a mark: where every other one is NUL, it is UTF-16.

    >>> _by_nuls("flu".encode("utf-16-be")), _by_nuls(b"flu")
    ('utf-16-be', 'utf-8')
    """
    half = len(raw) // 2
    first, second = raw[::2].count(0), raw[1::2].count(0)
    if half and second > 0.4 * half and first < 0.05 * half:
        return "utf-16-le"
    if half and first > 0.4 * half and second < 0.05 * half:
        return "utf-16-be"
    return "utf-8"


def _in_utf8(pieces: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for piece in pieces:
        yield decoder.decode(piece).encode()
    yield decoder.decode(b"", final=True).encode()
