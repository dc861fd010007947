"""The file of a wiki's dump: the description of the wiki, and blocks of pages that workers read independently.

A block contains the pages that begin in it, wherever they end. A page's *place* is its position in the decompressed bytes. In a
bzip2 file of many streams it is the position within the block, with the block's position in the file as the high bits. A file
that is not in UTF-8 is decoded as a whole, and positions are those in UTF-8. So pages and places are the same on every run and
with any number of workers, and places are in the order of the dump.

Limits: pages of more than ``LARGEST_PAGE`` bytes and texts of more than 10 MB (libxml2's limit) are skipped. If a block of
streams decompresses to more than ``LARGEST_BLOCK`` bytes, its rest is skipped. Everything that is skipped is counted.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from lxml import etree

from ....core.errors import hint
from ....core.left_out import describe_left_out
from ...archives import translate_errors
from ...errors import SourceDamaged, SourceInvalid, SourceMissing, SourceRefused
from ..site import Site, read_site
from .pages import MALFORMED_PAGE, Page, PageReader
from .streams import (
    DAMAGED_STREAM,
    DECLARATION_LENGTH,
    DUMP_END,
    OVERSIZED_PAGE,
    PAGE_START,
    PIECE,
    TRUNCATION,
    Compression,
    Unpacker,
    detect_compression,
    detect_encoding,
    find_streams,
    split_at_pages,
)

__all__ = ["Block", "Dump", "Page", "read_pages"]

LARGEST_HEAD = 4 << 20
GROUP = 2 << 20
"""Compressed bytes of streams in one block."""

LARGEST_STREAM = 4 << 20
"""Compressed bytes of the longest stream that a worker decompresses; longer ones are decompressed in this process."""

LARGEST_BLOCK = 512 << 20
PLACE_BITS = 24
"""Low bits of a place, below the block's position in the file; bzip2 decompresses a byte to at most 2 ** 20 bytes."""

READ_PIECE = 1 << 20

FILE_KINDS = (
    (b"<!doctype html", WEB := "is a web page, not a dump; download the dump again"),
    (b"<html", WEB),
    (b"<mediawiki", "is a dump without pages; give one with pages, such as pages-articles"),
    (b"<?xml", "is XML without pages; give a dump of a wiki, such as pages-articles"),
    (b"-- m", SQL := "is an SQL dump; give the pages-articles XML instead"),
    (b"/*m!", SQL),
    (b"7z\xbc\xaf", "is a 7z archive; unpack it first"),
    (b"pk\x03\x04", "is a zip archive; unpack it first"),
    (b"\xfd7zxz", "is compressed with xz; decompress it first"),
    (b"(\xb5/\xfd", "is compressed with zstd; decompress it first"),
)
"""The beginnings, in lower case, of files that are mistaken for a dump."""

DUMP_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*+(?:<\?xml[^>]*+>\s*+)?<mediawiki\b")
"""The beginning of a dump."""

OVERSIZED_BLOCK = "oversized_block"

LOSSES = (MALFORMED_PAGE, OVERSIZED_PAGE, TRUNCATION, DAMAGED_STREAM, OVERSIZED_BLOCK)
"""Codes of pages and bytes that are left out because the file is damaged or exceeds a limit."""


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a dump: its bytes (``data``), or where they are in the file (``offset``, ``length``).

    ``place`` is that of its first byte; ``lost`` counts what was left out while the block was made.
    """

    place: int
    path: str = ""
    compression: Compression = "plain"
    offset: int = 0
    length: int = 0
    data: bytes = b""
    lost: tuple[tuple[str, int], ...] = ()


class Dump:
    """A pages-articles dump: XML in any encoding, plain or compressed with gzip or bzip2 (one stream or many).

    ``site`` is the wiki, ``size`` the bytes on disk.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        with translate_errors(self.path):
            self._check()
            self.size = self.path.stat().st_size
            with self.path.open("rb") as file:
                self.compression = detect_compression(file.read(512))
            self._encoding = self._detect_encoding()
            head = self._read_head()
        self.site: Site = read_site(_parse_siteinfo(head), self.path.name)
        self._done = 0

    def share(self) -> float:
        """Return the share of the file that has been yielded as blocks, 0 to 1."""
        return min(1.0, self._done / self.size) if self.size else 0.0

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks of the dump from the beginning, in order."""
        self._done = 0
        with translate_errors(self.path):
            if self._encoding is not None:
                yield from self._decompressed_blocks(Unpacker(self.path, self.compression, encoding=self._encoding))
            elif self.compression == "plain":
                yield from self._plain_blocks()
            elif self.compression == "gzip":
                yield from self._decompressed_blocks(Unpacker(self.path, "gzip"))
            else:
                yield from self._stream_blocks()
        self._done = self.size

    def _plain_blocks(self) -> Iterator[Block]:
        for offset in range(0, self.size, PIECE):
            self._done = min(offset + PIECE, self.size)
            yield Block(offset, str(self.path), "plain", offset, self._done - offset)

    def _stream_blocks(self) -> Iterator[Block]:
        """Yield groups of short streams for workers to decompress; a long stream is decompressed here."""
        begin = 0
        while begin < self.size:
            end, stop = begin, min(self.size, begin + GROUP + LARGEST_STREAM)
            for border in chain(find_streams(self.path, begin + 1, stop), [self.size] if stop == self.size else []):
                if border - end > LARGEST_STREAM:
                    break
                end = border
                if end - begin >= GROUP:
                    break
            if end > begin:
                self._done = end
                yield Block(begin << PLACE_BITS, str(self.path), "bzip2", begin, end - begin)
            else:
                unpacker = Unpacker(self.path, "bzip2", begin, begin + 1)
                yield from self._decompressed_blocks(unpacker, begin << PLACE_BITS)
                end = unpacker.position
            begin = end

    def _decompressed_blocks(self, unpacker: Unpacker, place: int = 0) -> Iterator[Block]:
        lost: Counter[str] = Counter()
        for begin, piece in split_at_pages(unpacker, unpacker.following_bytes(), lost, PIECE):
            self._done = unpacker.bytes_read
            yield Block(place + begin, data=piece)
        unpacker.count_faults(lost)
        if lost:
            yield Block(place, lost=tuple(lost.items()))

    def _check(self) -> None:
        if not self.path.exists():
            raise SourceMissing(f"there is no file {str(self.path)!r}; check the path")
        if self.path.is_dir():
            raise SourceInvalid(f"{self.path} is a folder; give the dump file in it, pages-articles.xml, .xml.bz2 or .xml.gz")
        if not self.path.is_file():
            raise SourceInvalid(f"{self.path} is not a regular file; save the dump to a file first")

    def _detect_encoding(self) -> str | None:
        """Return the encoding of the dump, None for UTF-8."""
        start = b""
        for step in Unpacker(self.path, self.compression):
            start += step
            if len(start) >= DECLARATION_LENGTH:
                break
        encoding = detect_encoding(start)
        try:
            "".encode(encoding or "utf-8")
        except LookupError:
            raise SourceInvalid(f"{self.path} is in the encoding {encoding!r}, which is unknown; convert it to UTF-8") from None
        return encoding

    def _read_head(self) -> bytes:
        """Return the bytes before the first page."""
        unpacker = Unpacker(self.path, self.compression, encoding=self._encoding)
        head = bytearray()
        for step in unpacker:
            head += step
            page = PAGE_START.search(head)
            if page:
                return _check_head(bytes(head[: page.start()]), self.path)
            if len(head) > LARGEST_HEAD:
                break
        is_dump = DUMP_START.match(head) is not None and DUMP_END not in head
        if is_dump and len(head) > LARGEST_HEAD:
            raise SourceRefused(f"{self.path} has no page in its first {LARGEST_HEAD >> 20} MB; check where it is from")
        if is_dump or unpacker.faults:
            raise SourceDamaged(f"{self.path} is truncated or damaged before its first page; download it again")
        description = dump_description(bytes(head[:1024]))
        hints = [hint("set", option="sql", what="the folder of SQL dumps")] if description == SQL else []
        raise SourceInvalid(f"{self.path} {description}", *hints)


def read_pages(block: Block, site: Site, left_out: Counter[str]) -> Iterator[Page]:
    """Yield the pages of a block, in order, and count what is left out. Any process that can read the file may call it."""
    left_out.update(dict(block.lost))
    reader = PageReader(site, left_out)
    if not block.path:
        yield from reader.pages(block.place, block.data)
        return
    path, size = Path(block.path), 0
    with translate_errors(path):
        unpacker = Unpacker(path, block.compression, block.offset, block.offset + block.length)
        for begin, piece in split_at_pages(unpacker, unpacker.following_bytes(), left_out, READ_PIECE):
            yield from reader.pages(block.place + begin, piece)
            size += len(piece)
            if size > LARGEST_BLOCK:
                left_out[OVERSIZED_BLOCK] += 1
                break
        unpacker.count_faults(left_out)


def check_articles(path: Path, pages: int, articles: int, left_out: Mapping[str, int]) -> None:
    """Raise ``SourceDamaged`` if no article was read and some pages were lost: the base would be empty.

    A new wiki may have no articles; then its other pages are readable, and nothing is lost.
    """
    lost = {reason: left_out[reason] for reason in (LOSSES if pages else left_out) if left_out.get(reason)}
    if articles or not lost:
        return
    reasons = ", ".join(describe_left_out(code, count) for code, count in lost.items())
    raise SourceDamaged(f"{path} has no readable article ({reasons}); download the wiki's pages-articles again")


def _check_head(head: bytes, path: Path) -> bytes:
    """Return the head of a dump; raise ``SourceRefused`` if it has a document type."""
    if re.search(rb"<!\s*(?:DOCTYPE|ENTITY)", head, re.IGNORECASE):
        raise SourceRefused(f"{path} has a document type, which no dump has; check where it is from")
    return head


def _parse_siteinfo(head: bytes) -> etree._Element | None:
    """Return the root element of a dump with its siteinfo; None if it cannot be parsed.

    The XML declaration is dropped, because the head is in UTF-8 now, whatever the declaration says.
    """
    head = re.sub(rb"\A\s*+<\?xml[^>]*+>", b"", head.removeprefix(codecs.BOM_UTF8)).strip()
    if not head:
        return None
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, load_dtd=False)
    try:
        return etree.fromstring(head + b"</mediawiki>", parser)
    except etree.XMLSyntaxError:
        return None


def dump_description(start: bytes) -> str:
    """Describe a file without pages by its beginning, with advice.

    >>> dump_description(b"<!DOCTYPE html><html>")
    'is a web page, not a dump; download the dump again'
    """
    text = start.removeprefix(codecs.BOM_UTF8).lstrip().lower()
    for beginning, description in FILE_KINDS:
        if text.startswith(beginning):
            return description
    if not text:
        return "is empty; download the dump again"
    if re.match(rb"\d+:\d+:", text):
        return "is the index of a multistream dump; give the dump itself, the .xml.bz2 beside it"
    return "is not a dump of a wiki; give the pages-articles XML, plain, .bz2 or .gz"
