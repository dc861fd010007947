"""A wiki's dump: which wiki it is of, and the blocks that workers read by themselves.

A block owns the pages that begin in it, wherever they end. A page's place is where it begins among the unpacked bytes; in a
bzip2 file of many streams it is counted from the streams of its block, whose own places in the file make the high digits. So
pages and places are the same on every run and with any number of workers, and places are in the order of the dump.

Limits: a page of more than ``LARGEST_PAGE`` is skipped, as is a text of more than 10 MB (libxml2's own limit); a block of
streams that unpacks to more than ``LARGEST_BLOCK`` of pages is read no further. All of it is counted.
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

from ....core.left_out import describe_left_out
from ...archives import translate_errors
from ...errors import SourceDamaged, SourceInvalid, SourceMissing, SourceRefused
from ..site import Site, read_site
from .pages import BROKEN, Page, PageReader
from .streams import (
    CLOSING,
    CUT_OFF,
    DAMAGED,
    LARGE,
    PAGE,
    PIECE,
    Compression,
    Unpacker,
    detect_compression,
    find_streams,
    split_at_pages,
)

__all__ = ["Block", "Dump", "Page", "read_pages"]

LARGEST_HEAD = 4 << 20
GROUP = 2 << 20
"""Compressed bytes of streams that are handed on together."""

LARGEST_STREAM = 4 << 20
"""Compressed bytes of the longest stream that a worker unpacks; a longer one is unpacked here, and its pages handed on."""

LARGEST_BLOCK = 512 << 20
BITS = 24
"""Bits of a place below those of the stream's place in the file; bzip2 makes at most 2 ** 20 bytes of one."""

READ_PIECE = 1 << 20

PACKED = 4
"""How many times larger a dump is, unpacked, than it is packed; most are somewhat more."""

KINDS = (
    (b"<!doctype html", WEB := "is a web page and not a dump; download the dump again"),
    (b"<html", WEB),
    (b"<mediawiki", "is a dump without pages; give one that has them, such as pages-articles"),
    (b"<?xml", "is XML without pages; give a dump of a wiki, such as pages-articles"),
    (b"-- m", SQL := "is an SQL dump; give the pages-articles XML here, and the folder of SQL dumps as --sql"),
    (b"/*m!", SQL),
    (b"7z\xbc\xaf", "is a 7z archive; unpack it first"),
    (b"pk\x03\x04", "is a zip archive; unpack it first"),
    (b"\xfd7zxz", "is packed by xz; unpack it first"),
    (b"(\xb5/\xfd", "is packed by zstd; unpack it first"),
)
"""How files begin that people take for a dump, in lower case."""

DUMP = re.compile(rb"(?:\xef\xbb\xbf)?\s*+(?:<\?xml[^>]*+>\s*+)?<mediawiki\b")
"""How a dump begins."""

TOO_LARGE = "oversized_block"

LOSSES = (BROKEN, LARGE, CUT_OFF, DAMAGED, TOO_LARGE)
"""What is left out because the file is not as its makers wrote it, or beyond all measure."""


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a dump: its bytes (``data``), or where in the file it lies (``offset``, ``length``).

    ``place`` is that of its first byte; ``lost`` are counts of what was lost before this block came about.
    """

    place: int
    path: str = ""
    how: Compression = "plain"
    offset: int = 0
    length: int = 0
    data: bytes = b""
    lost: tuple[tuple[str, int], ...] = ()


class Dump:
    """A pages-articles dump: XML, plain or packed by gzip or bzip2, of one stream or of many.

    ``site`` is the wiki, ``size`` the bytes on disk, ``share`` how much of them has been handed on.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        with translate_errors(self.path):
            self._check()
            self.size = self.path.stat().st_size
            with self.path.open("rb") as file:
                self.how = detect_compression(file.read(512))
            head = self._head()
        self.site: Site = read_site(_siteinfo(head), self.path.name)
        self._done = 0

    def share(self) -> float:
        """How much of the file has been handed on as blocks, 0 to 1."""
        return min(1.0, self._done / self.size) if self.size else 0.0

    def unpacked(self) -> int:
        """About how many bytes of XML the file holds."""
        return self.size if self.how == "plain" else self.size * PACKED

    def blocks(self) -> Iterator[Block]:
        """The blocks of the dump, in order; each call begins anew."""
        self._done = 0
        with translate_errors(self.path):
            if self.how == "plain":
                yield from self._pieces()
            elif self.how == "gzip":
                yield from self._unpacked(Unpacker(self.path, "gzip"))
            else:
                yield from self._streams()
        self._done = self.size

    def _pieces(self) -> Iterator[Block]:
        for offset in range(0, self.size, PIECE):
            self._done = min(offset + PIECE, self.size)
            yield Block(offset, str(self.path), "plain", offset, self._done - offset)

    def _streams(self) -> Iterator[Block]:
        """Groups of short streams for workers to unpack; a long stream is unpacked here."""
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
                yield Block(begin << BITS, str(self.path), "bzip2", begin, end - begin)
            else:
                unpacker = Unpacker(self.path, "bzip2", begin, begin + 1)
                yield from self._unpacked(unpacker, begin << BITS)
                end = unpacker.position
            begin = end

    def _unpacked(self, unpacker: Unpacker, place: int = 0) -> Iterator[Block]:
        lost: Counter[str] = Counter()
        for begin, piece in split_at_pages(unpacker, unpacker.following(), lost, PIECE):
            self._done = unpacker.taken
            yield Block(place + begin, data=piece)
        unpacker.tell(lost)
        if lost:
            yield Block(place, lost=tuple(lost.items()))

    def _check(self) -> None:
        if not self.path.exists():
            raise SourceMissing(f"there is no file {str(self.path)!r}; check the path")
        if self.path.is_dir():
            raise SourceInvalid(
                f"{self.path} is a folder; give the file of the dump in it, pages-articles.xml, .xml.bz2 or .xml.gz"
            )
        if not self.path.is_file():
            raise SourceInvalid(f"{self.path} is no file that can be read twice; save the dump to a file first")

    def _head(self) -> bytes:
        """What stands before the first page."""
        unpacker = Unpacker(self.path, self.how)
        found = bytearray()
        for step in unpacker:
            found += step
            page = PAGE.search(found)
            if page:
                return _head_of(bytes(found[: page.start()]), self.path)
            if len(found) > LARGEST_HEAD:
                break
        begun = DUMP.match(found) is not None and CLOSING not in found
        if begun and len(found) > LARGEST_HEAD:
            raise SourceRefused(f"{self.path} has no page in its first {LARGEST_HEAD >> 20} MB; check where it is from")
        if begun or unpacker.faults:
            raise SourceDamaged(f"{self.path} is cut off or damaged before its first page; get it again")
        raise SourceInvalid(f"{self.path} {dump_description(bytes(found[:1024]))}")


def read_pages(block: Block, site: Site, left_out: Counter[str]) -> Iterator[Page]:
    """The pages of a block, in order; what is left out is counted by reason. It runs wherever the file can be read."""
    left_out.update(dict(block.lost))
    reader = PageReader(site, left_out)
    if not block.path:
        yield from reader.pages(block.place, block.data)
        return
    path, given = Path(block.path), 0
    with translate_errors(path):
        unpacker = Unpacker(path, block.how, block.offset, block.offset + block.length)
        for begin, piece in split_at_pages(unpacker, unpacker.following(), left_out, READ_PIECE):
            yield from reader.pages(block.place + begin, piece)
            given += len(piece)
            if given > LARGEST_BLOCK:
                left_out[TOO_LARGE] += 1
                break
        unpacker.tell(left_out)


def check_articles(path: Path, pages: int, articles: int, left_out: Mapping[str, int]) -> None:
    """Refuse a dump without articles where they may be what could not be read: its base would be empty.

    Some wikis have none, as new ones; of those something else can be read, and nothing is damaged.
    """
    lost = {reason: left_out[reason] for reason in (LOSSES if pages else left_out) if left_out.get(reason)}
    if articles or not lost:
        return
    reasons = ", ".join(describe_left_out(code, count) for code, count in lost.items())
    raise SourceDamaged(f"{path} has no readable article ({reasons}); download the wiki's pages-articles again")


def _head_of(head: bytes, path: Path) -> bytes:
    """The head of a dump, if nothing in it could do harm."""
    if re.search(rb"<!\s*(?:DOCTYPE|ENTITY)", head, re.IGNORECASE):
        raise SourceRefused(f"{path} has a document type before its first page, and no dump has one; check where it is from")
    return head


def _siteinfo(head: bytes) -> etree._Element | None:
    """The root of a dump with its siteinfo, as far as it can be read."""
    head = head.removeprefix(codecs.BOM_UTF8).strip()
    if not head:
        return None
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, load_dtd=False)
    try:
        return etree.fromstring(head + b"</mediawiki>", parser)
    except etree.XMLSyntaxError:
        return None


def dump_description(start: bytes) -> str:
    """What a file without pages is by its beginning, and what to do.

    >>> dump_description(b"<!DOCTYPE html><html>")
    'is a web page and not a dump; download the dump again'
    """
    text = start.removeprefix(codecs.BOM_UTF8).lstrip().lower()
    for beginning, what in KINDS:
        if text.startswith(beginning):
            return what
    if not text:
        return "is empty; download the dump again"
    if re.match(rb"\d+:\d+:", text):
        return "is the index of a multistream dump; give the dump itself, the .xml.bz2 beside it"
    return "is no dump of a wiki; give the pages-articles XML, plain, .bz2 or .gz"
