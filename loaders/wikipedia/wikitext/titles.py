"""Titles as MediaWiki writes them: what a link's target or a page's title becomes before anything is compared.

The steps and their order are MediaWiki's (its ``splitTitleString``): references decoded, direction marks off, blanks folded,
a leading colon cut, namespace and interwiki prefixes taken off, the section cut, what is not allowed refused, the first letter
raised where the wiki says so.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from html.entities import html5
from importlib.resources import files
from string import ascii_lowercase
from typing import NamedTuple
from urllib.parse import unquote

from ..languages import fold_name
from ..site import MAIN, SPECIAL, Site

LONGEST = 255
"""Bytes of the longest title, without its namespace."""

LONGEST_SPECIAL = 512
LONGEST_WRITTEN = 1024
"""Characters beyond which a target cannot be a title, whatever its prefixes."""

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9(),.'! -]*(?<! )")
"""Titles that are as they should be but for their first letter and doubled blanks."""

_BLANKS = re.compile("[ _\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_MARKS = re.compile("[\u200e\u200f\u202a-\u202e]+")
_REFERENCE = re.compile(r"&(?:#([0-9]{1,9})|#[xX]([0-9A-Fa-f]{1,8})|([A-Za-z0-9]+));")
_ILLEGAL = re.compile(
    r"[\x00-\x1f\x7f#<>\[\]{|}\ufffd\ud800-\udfff]|%[0-9A-Fa-f]{2}|&(?:[A-Za-z0-9\x80-\U0010ffff]+|#[0-9]+|#x[0-9A-Fa-f]+);"
)
_RELATIVE = re.compile(r"(?:^|/)\.\.?(?:/|$)")
_TURKIC = frozenset({"tr", "az", "kaa"})
_GEORGIAN = re.compile("[\u10d0-\u10ff]")


class Title(NamedTuple):
    """A page's place among the titles of a wiki: the number of its namespace, and its name without the prefix."""

    namespace: int
    name: str


@cache
def interwiki_prefixes() -> frozenset[str]:
    """Prefixes that lead out of a wiki: languages, sister projects and the other places of Wikimedia's interwiki map."""
    return frozenset(files(__package__ or "").joinpath("interwiki.txt").read_text(encoding="utf-8").split())


class Titles:
    """Reads titles of one wiki.

    >>> from wayword.loaders.wikipedia.site import make_site
    >>> titles = Titles(make_site("enwiki"))
    >>> titles.parse("dog_breed#Size"), titles.parse(":Category: mammals"), titles.parse("caf%C3%A9 &amp; bar")
    (Title(namespace=0, name='Dog breed'), Title(namespace=14, name='Mammals'), Title(namespace=0, name='Café & bar'))
    >>> titles.parse("#Size"), titles.parse("de:Hund"), titles.parse("a|b")
    (None, None, None)
    """

    def __init__(self, site: Site) -> None:
        self.site = site
        self._namespaces = site.namespaces
        self._own = site.prefix
        self._turkic = site.language in _TURKIC
        self.capitals = {letter: raised for letter in ascii_lowercase if (raised := self._raised(letter, MAIN)) != letter}
        self._elsewhere = interwiki_prefixes() - self._namespaces.keys() - {self._own}

    def __reduce__(self) -> tuple[type[Titles], tuple[Site]]:
        return Titles, (self.site,)

    def parse(self, raw: str) -> Title | None:
        """Where a link's target leads; None for a section only, another wiki, and what is no title. A leading colon is cut."""
        name = self.simple(raw)
        return self.other(raw) if name is None else Title(MAIN, name)

    def other(self, raw: str) -> Title | None:
        """The same for what is not simple."""
        prefix, colon, _ = raw.partition(":")
        return None if colon and prefix in self._elsewhere else self._read(raw)

    def simple(self, raw: str) -> str | None:
        """The article's name of which only the first letter may have to be raised, as most are written; None for any other."""
        if len(raw) > LONGEST or not _PLAIN.fullmatch(raw) or "  " in raw:
            return None
        raised = self.capitals.get(raw[0])
        return raised + raw[1:] if raised else raw

    def page(self, raw: str, namespace: int | None = None) -> Title | None:
        """The title of a page, whose namespace the dump says (or else its prefix); None if it is none.

        A prefix that names another namespace than the dump says makes it none: no link leads to such a page, and what does lead
        there would be taken for it.
        """
        if not namespace and (name := self.simple(raw)) is not None:
            return Title(MAIN, name)
        if len(raw) > LONGEST_WRITTEN:
            return None
        text = _tidied(raw)
        prefix, colon, rest = text.partition(":")
        found = self._namespaces.get(fold_name(prefix)) if colon else None
        if namespace is None:
            return self._made(text, MAIN) if found is None else self._made(rest.strip(), found)
        if found not in (None, namespace):
            return None
        return self._made(rest.strip() or text if namespace else text, namespace)

    def _read(self, raw: str) -> Title | None:
        text = decode_title(raw)
        if text is None:
            return None
        text = _tidied(text.partition("#")[0]).removeprefix(":").lstrip(" ")
        if not text or len(text) > LONGEST_WRITTEN:
            return None
        while True:
            prefix, colon, rest = text.partition(":")
            prefix = prefix.rstrip(" ") if colon else ""
            if not prefix:
                return self._made(text, MAIN)
            key = fold_name(prefix)
            namespace = self._namespaces.get(key)
            if namespace is not None:
                return self._made(rest.strip(" "), namespace)
            if key != self._own:
                return None if key in interwiki_prefixes() else self._made(text, MAIN)
            text = rest.strip(" ").removeprefix(":").lstrip(" ")

    def _made(self, name: str, namespace: int) -> Title | None:
        """A title of its parts, if MediaWiki would have it."""
        if not name or name[0] == ":" or _ILLEGAL.search(name) or "~~~" in name:
            return None
        if "." in name and _RELATIVE.search(name):
            return None
        longest = LONGEST_SPECIAL if namespace == SPECIAL else LONGEST
        if len(name) > longest or len(name.encode()) > longest:
            return None
        return Title(namespace, self._raised(name, namespace))

    def _raised(self, name: str, namespace: int) -> str:
        first = name[0]
        if first.isupper() or self.site.first_letter == (namespace in self.site.other_case):
            return name
        return self._capital(first) + name[1:]

    def _capital(self, letter: str) -> str:
        """One letter in upper case; a letter that would become two, or a Georgian one, stays as it is."""
        if letter == "i" and self._turkic:
            return "İ"
        if _GEORGIAN.match(letter):
            return letter
        for raised in (letter.upper(), letter.title()):
            if len(raised) == 1:
                return raised
        return letter


def decode_title(raw: str) -> str | None:
    r"""A target with ``%XX`` and then character references read; None if that is no text.

    >>> decode_title("R%26D"), decode_title("&#65;&eacute;&nbsp;&unknown;"), decode_title("%FF")
    ('R&D', 'Aé\xa0&unknown;', None)
    """
    if "%" in raw:
        try:
            raw = unquote(raw, errors="strict")
        except UnicodeDecodeError:
            return None
    return _REFERENCE.sub(_character, raw) if "&" in raw else raw


def _character(reference: re.Match[str]) -> str:
    decimal, hexadecimal, name = reference.groups()
    if name:
        return html5.get(f"{name};", reference[0])
    number = int(decimal) if decimal else int(hexadecimal, 16)
    return "\ufffd" if number > 0x10FFFF or 0xD800 <= number < 0xE000 else chr(number)


def _tidied(text: str) -> str:
    """Canonical composition, no direction marks, every run of blanks and underscores one blank, none at the ends."""
    if not text.isascii():
        text = _MARKS.sub("", unicodedata.normalize("NFC", text))
    return _BLANKS.sub(" ", text).strip(" ")
