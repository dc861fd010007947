"""The dumps of real wikis for the benchmarks, in formats that wayword and its peers can read."""

from __future__ import annotations

import bz2
import gzip
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .setting import Setting

SCHOOLS = "wiki/schoolswiki-pages-articles-multistream.xml.bz2"
ENWIK8 = "wiki/enwik8.gz"

_END = b"</page>\n"
_CLOSING = b"</mediawiki>\n"


def schools(setting: Setting) -> Path:
    """Return Schools Wikipedia as plain XML."""
    return _decompress(setting, "schoolswiki.xml", setting.file(SCHOOLS))


def enwik8(setting: Setting) -> Path:
    """Return the first 100 MB of the English Wikipedia of 2006 as plain XML; it ends in the middle of a page."""
    return _decompress(setting, "enwik8.xml", setting.file(ENWIK8))


def enwik8_closed(setting: Setting) -> Path:
    """Return the same in today's format: with namespace numbers, and closed after the last complete page."""
    target = setting.folder / "enwik8-closed.xml"
    if not target.exists():
        target.write_bytes(complete_dump(enwik8(setting).read_bytes()))
    return target


def compress(plain: Path) -> Path:
    """Return the dump compressed by bzip2, in one stream."""
    target = plain.with_name(f"{plain.name}.bz2")
    if not target.exists():
        with plain.open("rb") as source, bz2.open(target, "wb") as written:
            shutil.copyfileobj(source, written, 1 << 20)
    return target


def complete_dump(dump: bytes) -> bytes:
    r"""Return a dump of export format 0.3 in a later format, without its incomplete last page.

    >>> head = b'<namespaces>\n<namespace key="14">Category</namespace>\n</namespaces>\n'
    >>> pages = b"<page>\n<title>Category:A</title>\n</page>\n<page>\n<ti"
    >>> print(complete_dump(head + pages).decode().partition("</namespaces>\n")[2])
    <page>
    <title>Category:A</title>
    <ns>14</ns>
    </page>
    </mediawiki>
    <BLANKLINE>
    """
    head, end = dump[: dump.find(b"<page>")], dump.rfind(_END) + len(_END)
    spaces = {name: key for key, name in re.findall(rb'<namespace key="(-?\d+)"[^>/]*>([^<]+)</namespace>', head)}

    def numbered(title: re.Match[bytes]) -> bytes:
        number = spaces.get(title[1].partition(b":")[0], b"0") if b":" in title[1] else b"0"
        return b"%s<ns>%s</ns>\n" % (title[0], number)

    return re.sub(rb"(?m)^ *<title>([^<]*)</title>\n", numbered, dump[:end]) + _CLOSING


def _decompress(setting: Setting, name: str, source: Path) -> Path:
    target = setting.folder / name
    if not target.exists():
        with (gzip.open if source.suffix == ".gz" else bz2.open)(source) as opened, target.open("wb") as written:
            shutil.copyfileobj(opened, written, 1 << 20)
    return target
