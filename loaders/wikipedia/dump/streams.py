"""The bytes of a dump: detect the compression and the encoding, decompress in small steps, and split at streams and at pages.

At most a piece of a few megabytes, or one page of at most ``LARGEST_PAGE`` bytes, is in memory at once, for any file.
"""

from __future__ import annotations

import bz2
import codecs
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Literal, Protocol

Compression = Literal["plain", "gzip", "bzip2"]

READ = 1 << 15
STEP = 1 << 20
PIECE = 8 << 20
"""Bytes of XML in a piece."""

LARGEST_PAGE = 32 << 20
"""Bytes of XML of the longest page; MediaWiki's own limit for a text is 2 MB."""

WINDOW = 1 << 20
BLOCK_MAGIC = b"1AY&SY"
STREAM = re.compile(rb"BZh[1-9]1AY&SY|BZh[1-9]\x17rE8P\x90")
"""The start of a bzip2 stream: its header, then a first block or the end of an empty stream."""

UTF_16_AND_32 = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"<\0\0\0", "utf-32-le"),
    (b"\0\0\0<", "utf-32-be"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
"""The beginnings of XML in these encodings, with and without a byte order mark; a longer one precedes its own beginning."""

DECLARATION = re.compile(rb"(?:\xef\xbb\xbf)?\s*+<\?xml\b[^>]*?\bencoding\s*=\s*[\"']([A-Za-z][A-Za-z0-9._-]*+)")
DECLARATION_LENGTH = 1024
"""Bytes at the start of a file that contain its XML declaration."""

PAGE_START = re.compile(rb"<page[\s>]")
PAGE_PREFIX = re.compile(rb"<(?:p(?:a(?:ge?)?)?)?\Z")
PAGE_END = b"</page>"
DUMP_END = b"</mediawiki>"
"""The end of a dump."""

TAIL_SIZE = 4096
"""Bytes at the end of a file that are searched for the end of the dump."""

_CHECKSUM_MESSAGE = re.compile("incorrect (?:data|length) check")
"""The message of zlib about a wrong checksum."""

GAP = b"<\0>"
"""Marks lost bytes, so that parts of two pages are never read as one page."""

OVERSIZED_PAGE = "oversized_page"
TRUNCATION = "truncation"
DAMAGED_STREAM = "damaged_stream"
DAMAGE_AFTER_END = "damage_after_end"


class ChecksumError(zlib.error):
    """A gzip member was decompressed to its end, and its checksum is wrong."""


class Decompressor(Protocol):
    """Decompresses one stream: the interface of ``bz2.BZ2Decompressor``."""

    @property
    def eof(self) -> bool:
        """Whether the end of the stream has been reached."""

    @property
    def needs_input(self) -> bool:
        """Whether more output needs more input."""

    @property
    def unused_data(self) -> bytes:
        """Input after the end of the stream."""

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        """Decompress more input and return at most ``max_length`` bytes."""


class GzipDecompressor:
    """One member of a gzip file, with the interface of ``bz2.BZ2Decompressor``."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(wbits=31)
        self._full = False
        self._checksum_error: zlib.error | None = None

    @property
    def eof(self) -> bool:
        """Whether the end of the member has been reached."""
        return self._member.eof

    @property
    def needs_input(self) -> bool:
        """Whether more output needs more input."""
        return not self._full and not self._member.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        """Input after the end of the member."""
        return self._member.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        """Decompress more input; return at most ``max_length`` bytes, or the whole rest of a member with a wrong checksum."""
        if self._checksum_error is not None:
            raise ChecksumError(str(self._checksum_error)) from self._checksum_error
        pending, before = self._member.unconsumed_tail + data, self._member.copy()
        try:
            output = self._member.decompress(pending, max_length)
        except zlib.error as error:
            if not _CHECKSUM_MESSAGE.search(str(error)):
                raise
            output, self._checksum_error = _recover_tail(before, pending), error
        self._full = len(output) == max_length or self._checksum_error is not None
        return output


def _recover_tail(member: zlib._Decompress, data: bytes) -> bytes:
    """Return the last bytes of a member with a wrong checksum.

    zlib discards the output of the call that reads a wrong checksum, so the input is passed in ever smaller parts.
    """
    recovered, size = b"", len(data)
    while data and size:
        trial = member.copy()
        try:
            recovered += trial.decompress(data[:size])
            member, data = trial, data[size:]
        except zlib.error:
            size //= 2
    return recovered


def detect_compression(start: bytes) -> Compression:
    """Return the compression of a file by its first bytes.

    >>> detect_compression(b"BZh91AY&SY"), detect_compression(b"<mediawiki>")
    ('bzip2', 'plain')
    """
    if start.startswith(b"\x1f\x8b"):
        return "gzip"
    return "bzip2" if start.startswith(b"BZh") else "plain"


def detect_encoding(start: bytes) -> str | None:
    """Return the encoding of XML by its first bytes, as Python names it or as its declaration does; None for UTF-8.

    >>> detect_encoding("<wiki>".encode("utf-16")), detect_encoding(b'<?xml encoding="latin-1"?>'), detect_encoding(b"<wiki>")
    ('utf-16-le', 'latin-1', None)
    """
    for beginning, encoding in UTF_16_AND_32:
        if start.startswith(beginning):
            return encoding
    match = DECLARATION.match(start)
    declared = match[1].decode().lower().replace("_", "-") if match else "utf-8"
    # A declaration that can be read as ASCII is wrong if it names one of these.
    return None if declared.startswith(("utf-8", "utf8", "utf-16", "utf-32", "us-ascii", "ascii", "ucs-")) else declared


class Unpacker:
    """The decompressed bytes of the streams that begin between ``start`` and ``stop``, in steps of at most ``STEP``.

    A damaged stream ends at the damage; in bzip2 reading continues at the next stream. With an ``encoding`` the bytes are
    decoded from it and encoded as UTF-8.

    Attributes:
        position: Where the current stream begins in the file; the end of the last one when all have been read.
        bytes_read: The position up to which the file has been read.
        tail: The last bytes that were decompressed.
        faults: Damaged streams.
        faults_after_end: Damaged streams after the end of the dump.
    """

    def __init__(
        self, path: Path, compression: Compression, start: int = 0, stop: int | None = None, encoding: str | None = None
    ) -> None:
        self._path = path
        self._compression = compression
        self._encoding = encoding
        self._stop = stop
        self.position = start
        self.bytes_read = start
        self.faults = self.faults_after_end = 0
        self.tail = b""

    def __iter__(self) -> Iterator[bytes]:
        with self._path.open("rb") as file:
            pieces = self._plain(file) if self._compression == "plain" else self._compressed(file)
            for piece in pieces if self._encoding is None else _transcode(pieces, self._encoding):
                if piece != GAP:
                    self.tail = (self.tail + piece if len(piece) < TAIL_SIZE else piece)[-TAIL_SIZE:]
                yield piece

    def _compressed(self, file: BinaryIO) -> Iterator[bytes]:
        while self._stop is None or self.position < self._stop:
            file.seek(self.position)
            try:
                yield from self._streams(file)
                return
            except (OSError, EOFError, zlib.error) as error:
                if DUMP_END in self.tail.rpartition(PAGE_END)[2] and not isinstance(error, ChecksumError):
                    self.faults_after_end += 1
                else:
                    self.faults += 1
                yield GAP
                following = next(find_streams(self._path, self.position + 1), None) if self._compression == "bzip2" else None
                if following is None:
                    self.position = max(self.position, self._path.stat().st_size)
                    return
                self.position = following

    def following_bytes(self) -> Iterator[bytes]:
        """Yield the bytes of the file after ``position``; nothing unless everything up to ``stop`` has been read."""
        if self._stop is not None and self.position >= self._stop:
            yield from Unpacker(self._path, self._compression, self.position)

    def count_faults(self, lost: Counter[str]) -> None:
        """Count damage, and truncation if the file ends directly after a page, without the end of the dump.

        Truncation within a page is counted by ``split_at_pages``.
        """
        if self.faults:
            lost[DAMAGED_STREAM] += self.faults
        if self.faults_after_end:
            lost[DAMAGE_AFTER_END] += self.faults_after_end
        _, page, rest = self.tail.rpartition(PAGE_END)
        if page and not (DUMP_END in rest or PAGE_START.search(rest)) and self.position >= self._path.stat().st_size:
            lost[TRUNCATION] += 1

    def _plain(self, file: BinaryIO) -> Iterator[bytes]:
        file.seek(self.position)
        while self._stop is None or self.position < self._stop:
            piece = file.read(STEP if self._stop is None else min(STEP, self._stop - self.position))
            if not piece:
                return
            self.position = self.bytes_read = self.position + len(piece)
            yield piece

    def _streams(self, file: BinaryIO) -> Iterator[bytes]:
        """Decompress stream after stream from the current position of the file."""
        data = b""
        while self._stop is None or self.position < self._stop:
            data = data if len(data) >= len(BLOCK_MAGIC) else data + file.read(READ)
            if not data.strip(b"\0"):
                return
            stream: Decompressor = GzipDecompressor() if self._compression == "gzip" else bz2.BZ2Decompressor()
            while not stream.eof:
                output = stream.decompress(data, STEP)
                data = b""
                self.bytes_read = file.tell()
                if output:
                    yield output
                if not stream.eof and stream.needs_input:
                    data = file.read(READ)
                    if not data:
                        raise EOFError
            data = stream.unused_data
            self.position = file.tell() - len(data)


def _transcode(pieces: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Decode pieces of bytes and encode them as UTF-8; what cannot be decoded is replaced by U+FFFD."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for piece in pieces:
        if piece == GAP:
            decoder.reset()
            yield GAP
        elif text := decoder.decode(piece):
            yield text.encode(errors="replace")
    yield decoder.decode(b"", final=True).encode(errors="replace")


def find_streams(path: Path, start: int, stop: int | None = None) -> Iterator[int]:
    """Yield where bzip2 streams begin, from ``start`` on, by their magic number.

    The index file of a multistream dump lists the same positions, but it may be missing, truncated or of another dump, so it
    would have to be checked against the magic numbers. Searching for them takes a hundredth of the time of decompression.
    """
    overlap = len(BLOCK_MAGIC) + 3
    with path.open("rb") as file:
        file.seek(start)
        window = file.read(overlap)
        while (chunk := file.read(WINDOW)) and (stop is None or start < stop):
            window += chunk
            for match in STREAM.finditer(window):
                yield start + match.start()
            start += len(window) - overlap
            window = window[-overlap:]


def split_at_pages(
    own: Iterable[bytes], following: Iterable[bytes], lost: Counter[str], piece: int
) -> Iterator[tuple[int, bytes]]:
    """Yield pieces that end with a page, each with its position; every page that begins in ``own`` is in one of them.

    ``following`` are the bytes after ``own``; they are read only if a page that begins in ``own`` ends there. Oversized and
    truncated pages are counted in ``lost``.

    Invariant: ``rest`` contains the bytes from position ``at`` on that have not been yielded, and no page ends in its first
    ``seen`` bytes.
    """
    rest, at, seen, skipping = bytearray(), 0, 0, False
    for chunk in own:
        rest += chunk
        if len(rest) < piece:
            continue
        if skipping:  # an oversized page: continue at the next page
            begin = PAGE_START.search(rest)
            length, seen, skipping = (begin.start() if begin else _length_without_tag_start(rest)), 0, begin is None
        else:
            length = _complete_length(rest, max(seen - len(PAGE_END), 0))
            if PAGE_START.search(rest, 0, length):
                yield at, bytes(memoryview(rest)[:length])
            elif not length and len(rest) > LARGEST_PAGE:
                lost[OVERSIZED_PAGE] += 1
                length, skipping = _length_without_tag_start(rest), True
            seen = len(rest) - length
        del rest[:length]
        at += length
    if skipping:
        begin = PAGE_START.search(rest)
        length = begin.start() if begin else len(rest)
        del rest[:length]
        at += length
    yield from ((at + begin, page) for begin, page in _last_pages(rest, following, lost))


def _complete_length(rest: bytearray, seen: int) -> int:
    """Return the length of the complete part: up to the last end of a page, which is searched from ``seen`` on.

    Without an end of a page, it is up to the start of the last page, since the pages before that have no end.
    """
    end = rest.rfind(PAGE_END, seen)
    if end >= 0:
        return end + len(PAGE_END)
    last = _last_page(rest)
    return _length_without_tag_start(rest) if last < 0 else last


def _length_without_tag_start(rest: bytearray) -> int:
    """Return the length without the last bytes, which may be the beginning of a tag."""
    return max(len(rest) - len(PAGE_END), 0)


def _last_page(rest: bytearray) -> int:
    """Return where the last page begins, -1 if none does."""
    at = len(rest)
    while (at := rest.rfind(b"<page", 0, at)) >= 0:
        if PAGE_START.match(rest, at):
            return at
    return -1


def _last_pages(rest: bytearray, following: Iterable[bytes], lost: Counter[str]) -> Iterator[tuple[int, bytes]]:
    """Yield the pages that end in ``rest``, then the page that only begins in it, completed from the following bytes."""
    length = rest.rfind(PAGE_END) + len(PAGE_END)
    if length >= len(PAGE_END):
        yield 0, bytes(rest[:length])
        del rest[:length]
    else:
        length = 0
    own, seen = len(rest), 0
    if not (PAGE_START.search(rest) or PAGE_PREFIX.search(rest)):
        return
    for chunk in following:
        rest += chunk
        begin = PAGE_START.search(rest) or PAGE_PREFIX.search(rest)
        if begin is None or begin.start() >= own:
            return
        end = rest.find(PAGE_END, seen)
        stop = end + len(PAGE_END) if end >= 0 else len(rest)
        next_page = PAGE_START.search(rest, max(own, seen), stop)
        if next_page:  # the page has no end, and the next one belongs to the next block
            end, stop = 0, next_page.start()
        if end >= 0:
            yield length, bytes(memoryview(rest)[:stop])
            return
        if len(rest) - begin.start() > LARGEST_PAGE:
            lost[OVERSIZED_PAGE] += 1
            return
        seen = _length_without_tag_start(rest)
    if PAGE_START.search(rest):
        lost[TRUNCATION] += 1
