"""The dumps of real wikis that the parts about Wikipedia are measured on, in the forms that they and their peers can read."""

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
    """Schools Wikipedia as plain XML."""
    return _unpacked(setting, "schoolswiki.xml", setting.file(SCHOOLS))


def enwik8(setting: Setting) -> Path:
    """The first 100 MB of English Wikipedia of 2006 as plain XML, cut off in the middle of a page as it comes."""
    return _unpacked(setting, "enwik8.xml", setting.file(ENWIK8))


def enwik8_closed(setting: Setting) -> Path:
    """The same in today's form: with the number of its namespace at each page, closed behind the last whole one."""
    target = setting.folder / "enwik8-closed.xml"
    if not target.exists():
        target.write_bytes(closed(enwik8(setting).read_bytes()))
    return target


def packed(plain: Path) -> Path:
    """The same dump packed by bzip2, in one stream."""
    target = plain.with_name(f"{plain.name}.bz2")
    if not target.exists():
        with plain.open("rb") as source, bz2.open(target, "wb") as written:
            shutil.copyfileobj(source, written, 1 << 20)
    return target


def closed(dump: bytes) -> bytes:
    r"""A dump of export 0.3 as a later one would be, without the page in whose middle it ends.

    >>> head = b'<namespaces>\n<namespace key="14">Category</namespace>\n</namespaces>\n'
    >>> pages = b"<page>\n<title>Category:A</title>\n</page>\n<page>\n<ti"
    >>> print(closed(head + pages).decode().partition("</namespaces>\n")[2])
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


def _unpacked(setting: Setting, name: str, source: Path) -> Path:
    target = setting.folder / name
    if not target.exists():
        with (gzip.open if source.suffix == ".gz" else bz2.open)(source) as opened, target.open("wb") as written:
            shutil.copyfileobj(opened, written, 1 << 20)
    return target
