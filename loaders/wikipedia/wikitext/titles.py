"""Normalise the targets of links and the titles of pages as MediaWiki does.

The steps and their order are those of MediaWiki's ``splitTitleString``: decode character references, remove direction marks,
fold blanks, remove a leading colon, split off namespace and interwiki prefixes, remove the section, reject illegal titles,
capitalise the first letter if the wiki does so.
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
from ..site import MAIN, OTHER_WIKI, SPECIAL, Site

MAX_LENGTH = 255
"""Bytes of the longest title without its namespace."""

MAX_SPECIAL_LENGTH = 512
MAX_RAW_LENGTH = 1024
"""Characters of the longest target that can be a title with its prefixes."""

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9(),.'! -]*(?<! )")
"""Titles in normal form except for the case of the first letter and repeated spaces."""

_BLANKS = re.compile("[ _\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_DIRECTION_MARKS = re.compile("[\u200e\u200f\u202a-\u202e]+")
_REFERENCE = re.compile(r"&(?:#([0-9]{1,9})|#[xX]([0-9A-Fa-f]{1,8})|([A-Za-z0-9]+));")
_ILLEGAL = re.compile(
    r"[\x00-\x1f\x7f#<>\[\]{|}\ufffd\ud800-\udfff]|%[0-9A-Fa-f]{2}|&(?:[A-Za-z0-9\x80-\U0010ffff]+|#[0-9]+|#x[0-9A-Fa-f]+);"
)
_RELATIVE = re.compile(r"(?:^|/)\.\.?(?:/|$)")
_TURKIC = frozenset({"tr", "az", "kaa"})
_GEORGIAN = re.compile("[\u10d0-\u10ff]")


class Title(NamedTuple):
    """A normalised title: the number of its namespace, and the name without the prefix."""

    namespace: int
    name: str


@cache
def interwiki_prefixes() -> frozenset[str]:
    """Return the prefixes of other wikis: languages, sister projects and the rest of Wikimedia's interwiki map."""
    return frozenset(files(__package__ or "").joinpath("interwiki.txt").read_text(encoding="utf-8").split())


class Titles:
    """Parses the titles of one wiki.

    >>> from wayword.loaders.wikipedia.site import make_site
    >>> titles = Titles(make_site("enwiki"))
    >>> titles.parse("dog_breed#Size"), titles.parse(":Category: mammals"), titles.parse("caf%C3%A9 &amp; bar")
    (Title(namespace=0, name='Dog breed'), Title(namespace=14, name='Mammals'), Title(namespace=0, name='Café & bar'))
    >>> titles.parse("#Size"), titles.parse("a|b"), titles.parse("de:Hund")
    (None, None, Title(namespace=-3, name='De:Hund'))
    """

    def __init__(self, site: Site) -> None:
        self.site = site
        self._namespaces = site.namespaces
        self._own_prefix = site.prefix
        self._turkic = site.language in _TURKIC
        self.capitals = {letter: upper for letter in ascii_lowercase if (upper := self._capitalise(letter, MAIN)) != letter}

    def __reduce__(self) -> tuple[type[Titles], tuple[Site]]:
        return Titles, (self.site,)

    def parse(self, raw: str) -> Title | None:
        """Parse the target of a link; None for a section and an illegal title. A leading colon is removed.

        The namespace is ``OTHER_WIKI`` if the prefix is that of another wiki. Then the name is the whole title, because this
        wiki may have a page of that title: the prefixes are those of Wikimedia, and other wikis need not have them.
        """
        name = self.parse_simple(raw)
        return self.parse_other(raw) if name is None else Title(MAIN, name)

    def parse_simple(self, raw: str) -> str | None:
        """Return the article's name for a target that needs at most a capital letter, as most do; None for any other."""
        if len(raw) > MAX_LENGTH or not _PLAIN.fullmatch(raw) or "  " in raw:
            return None
        upper = self.capitals.get(raw[0])
        return upper + raw[1:] if upper else raw

    def parse_page(self, raw: str, namespace: int | None = None) -> Title | None:
        """Parse the title of a page; ``namespace`` is that of the dump (None: that of the prefix).

        A title whose prefix contradicts the namespace of the dump is illegal: no link can lead to such a page, but links to the
        page that the title seems to name would be resolved to it.
        """
        if not namespace and (name := self.parse_simple(raw)) is not None:
            return Title(MAIN, name)
        if len(raw) > MAX_RAW_LENGTH:
            return None
        text = _normalise_blanks(raw)
        prefix, colon, rest = text.partition(":")
        prefix_namespace = self._namespaces.get(fold_name(prefix)) if colon else None
        if namespace is None:
            return (
                self._make_title(text, MAIN) if prefix_namespace is None else self._make_title(rest.strip(), prefix_namespace)
            )
        if prefix_namespace not in (None, namespace):
            return None
        return self._make_title(rest.strip() or text if namespace else text, namespace)

    def parse_other(self, raw: str) -> Title | None:
        """Parse a target that ``parse_simple`` does not."""
        text = decode_title(raw)
        if text is None:
            return None
        text = _normalise_blanks(text.partition("#")[0]).removeprefix(":").lstrip(" ")
        if not text or len(text) > MAX_RAW_LENGTH:
            return None
        while True:
            prefix, colon, rest = text.partition(":")
            prefix = prefix.rstrip(" ") if colon else ""
            if not prefix:
                return self._make_title(text, MAIN)
            key = fold_name(prefix)
            namespace = self._namespaces.get(key)
            if namespace is not None:
                return self._make_title(rest.strip(" "), namespace)
            if key != self._own_prefix:
                title = self._make_title(text, MAIN)
                return title._replace(namespace=OTHER_WIKI) if title and key in interwiki_prefixes() else title
            text = rest.strip(" ").removeprefix(":").lstrip(" ")

    def _make_title(self, name: str, namespace: int) -> Title | None:
        """Return a title from its parts, None if it is illegal."""
        if not name or name[0] == ":" or _ILLEGAL.search(name) or "~~~" in name:
            return None
        if "." in name and _RELATIVE.search(name):
            return None
        limit = MAX_SPECIAL_LENGTH if namespace == SPECIAL else MAX_LENGTH
        if len(name) > limit or len(name.encode()) > limit:
            return None
        return Title(namespace, self._capitalise(name, namespace))

    def _capitalise(self, name: str, namespace: int) -> str:
        first = name[0]
        if first.isupper() or self.site.first_letter == (namespace in self.site.other_case):
            return name
        return self._upper(first) + name[1:]

    def _upper(self, letter: str) -> str:
        """Return a letter in upper case, or unchanged if it would become two letters or is Georgian."""
        if letter == "i" and self._turkic:
            return "İ"
        if _GEORGIAN.match(letter):
            return letter
        for upper in (letter.upper(), letter.title()):
            if len(upper) == 1:
                return upper
        return letter


def decode_title(raw: str) -> str | None:
    r"""Decode ``%XX`` and then character references; None if the bytes are not UTF-8.

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


def _normalise_blanks(text: str) -> str:
    """Return NFC text without direction marks, with one space for each run of blanks and underscores, none at the ends."""
    if not text.isascii():
        text = _DIRECTION_MARKS.sub("", unicodedata.normalize("NFC", text))
    return _BLANKS.sub(" ", text).strip(" ")
