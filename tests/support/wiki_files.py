"""Dumps as files of every form, and their pages as read back by workers."""

from __future__ import annotations

import bz2
import gzip
import pickle
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from wayword.loaders.wikipedia.dump.dump_file import Dump, Page, read_pages

HEAD = (
    b'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">\n<siteinfo><dbname>testwiki'
    b'</dbname><case>first-letter</case><namespaces><namespace key="0" /><namespace key="14">Category</namespace></namespaces>'
    b"</siteinfo>\n"
)
FOOT = b"</mediawiki>\n"


def element(title: str, text: str, number: int = 1, more: str = "<ns>0</ns>") -> bytes:
    """A page as the export writes it; nothing is escaped here."""
    revision = f'<revision><id>{number + 1000}</id><model>wikitext</model><text bytes="9">{text}</text></revision>'
    return f" <page>\n<title>{title}</title>{more}<id>{number}</id>{revision}</page>\n".encode()


def elements(count: int, size: int = 300) -> list[bytes]:
    """Pages of different lengths, some with letters beyond ASCII."""
    return [
        element(f"Page {number}", f"text {number} é&amp;&lt;{'x' * (number * 37 % size)}", number) for number in range(count)
    ]


def whole(pages: Iterable[bytes]) -> bytes:
    """A dump as one piece of XML."""
    return HEAD + b"".join(pages) + FOOT


def multistream(pages: Sequence[bytes], each: int = 3) -> bytes:
    """A dump as Wikimedia packs it: the head, some pages at a time, and the foot in streams of their own."""
    groups = [b"".join(pages[first : first + each]) for first in range(0, len(pages), each)]
    return b"".join(map(bz2.compress, [HEAD, *groups, FOOT]))


def parted(content: bytes, size: int) -> bytes:
    """Streams of bzip2 that end anywhere, as pbzip2 makes them."""
    return b"".join(bz2.compress(content[at : at + size]) for at in range(0, len(content), size))


def members(content: bytes, size: int) -> bytes:
    """A gzip file of many members."""
    return b"".join(gzip.compress(content[at : at + size]) for at in range(0, len(content), size))


def read(path: Path, content: bytes | None = None) -> tuple[list[Page], Counter[str]]:
    """The pages of a dump, block by block as workers get them, and what was left out."""
    if content is not None:
        path.write_bytes(content)
    dump, left_out = Dump(path), Counter[str]()
    blocks = [pickle.loads(pickle.dumps(block)) for block in dump.blocks()]
    found = [page for block in blocks for page in read_pages(block, dump.site, left_out)]
    assert dump.share() == 1.0
    assert [page.place for page in found] == sorted({page.place for page in found})
    return found, left_out


def titles(pages: Iterable[Page]) -> list[str]:
    """Their names."""
    return [page.title.name for page in pages]
