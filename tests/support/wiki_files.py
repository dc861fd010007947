"""Dump files in every compression, and their pages as workers read them."""

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
    """Return a page in the export format; nothing is escaped here."""
    revision = f'<revision><id>{number + 1000}</id><model>wikitext</model><text bytes="9">{text}</text></revision>'
    return f" <page>\n<title>{title}</title>{more}<id>{number}</id>{revision}</page>\n".encode()


def elements(count: int, size: int = 300) -> list[bytes]:
    """Return pages of different lengths with characters beyond ASCII."""
    return [
        element(f"Page {number}", f"text {number} é&amp;&lt;{'x' * (number * 37 % size)}", number) for number in range(count)
    ]


def join_dump(pages: Iterable[bytes]) -> bytes:
    """Return a dump as one piece of XML."""
    return HEAD + b"".join(pages) + FOOT


def multistream(pages: Sequence[bytes], each: int = 3) -> bytes:
    """Compress a dump as Wikimedia does: the head, groups of pages and the foot in separate streams."""
    groups = [b"".join(pages[first : first + each]) for first in range(0, len(pages), each)]
    return b"".join(map(bz2.compress, [HEAD, *groups, FOOT]))


def split_streams(content: bytes, size: int) -> bytes:
    """Compress in bzip2 streams that end anywhere, as pbzip2 does."""
    return b"".join(bz2.compress(content[at : at + size]) for at in range(0, len(content), size))


def members(content: bytes, size: int) -> bytes:
    """Compress as a gzip file of many members."""
    return b"".join(gzip.compress(content[at : at + size]) for at in range(0, len(content), size))


def read(path: Path, content: bytes | None = None) -> tuple[list[Page], Counter[str]]:
    """Return the pages of a dump, read block by block as workers do, and what was left out."""
    if content is not None:
        path.write_bytes(content)
    dump, left_out = Dump(path), Counter[str]()
    blocks = [pickle.loads(pickle.dumps(block)) for block in dump.blocks()]
    found = [page for block in blocks for page in read_pages(block, dump.site, left_out)]
    assert dump.share() == 1.0
    assert [page.place for page in found] == sorted({page.place for page in found})
    return found, left_out


def titles(pages: Iterable[Page]) -> list[str]:
    """Return the names of pages."""
    return [page.title.name for page in pages]
