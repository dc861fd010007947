"""MediaWiki's normal form of titles, and the names in a dump's head: plain and slow."""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass, field
from urllib.parse import unquote

FILE, CATEGORY = 6, 14

CANONICAL = {
    "media": -2,
    "special": -1,
    "talk": 1,
    "user": 2,
    "user talk": 3,
    "project": 4,
    "project talk": 5,
    "file": FILE,
    "image": FILE,
    "file talk": 7,
    "image talk": 7,
    "mediawiki": 8,
    "mediawiki talk": 9,
    "template": 10,
    "template talk": 11,
    "help": 12,
    "help talk": 13,
    "category": CATEGORY,
    "category talk": 15,
}
"""The English names that every wiki understands."""

BLANKS = re.compile("[ _\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\t\r\n]+")
MARKS = re.compile("[\u200e\u200f\u202a-\u202e]")


@dataclass
class Names:
    """The names in a dump's siteinfo: of its database and its namespaces, and the case rule."""

    site: str = "wiki"
    language: str = "en"
    first_letter: bool = True
    namespaces: dict[str, int] = field(default_factory=lambda: dict(CANONICAL))

    def add(self, name: str, number: int) -> None:
        self.namespaces[self.spaced(name).casefold()] = number

    @staticmethod
    def spaced(text: str) -> str:
        """Fold underscores and Unicode blanks to one space, and remove direction marks."""
        return BLANKS.sub(" ", MARKS.sub("", text)).strip()

    def capital(self, name: str) -> str:
        """Capitalise the first letter, if the wiki does so and its capital is one letter."""
        if not self.first_letter or not name or len(name[0].upper()) != 1:
            return name
        return name[0].upper() + name[1:]

    def parse(self, raw: str) -> tuple[int, str]:
        """Namespace and name of a link's target or of a page's title; an empty name leads nowhere."""
        text = html.unescape(raw)
        text = unquote(text, errors="replace")
        text = text.split("#", 1)[0]
        text = unicodedata.normalize("NFC", self.spaced(text))
        if text.startswith(":"):
            text = text[1:].strip()
        prefix, colon, rest = text.partition(":")
        number = self.namespaces.get(prefix.strip().casefold()) if colon else None
        if number is None:
            return 0, self.capital(text)
        return number, self.capital(rest.strip())
