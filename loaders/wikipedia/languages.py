"""Language data: names of namespaces, redirect words, link trails, and the conventions of each Wikipedia.

``language_words.json`` contains the words of MediaWiki's message files: namespaces with their aliases, redirects,
double-underscore words, link trails. ``conventions.toml`` contains the conventions of authors: names of templates, headings,
hatnotes. The conventions of English apply in addition to each language's own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

ENGLISH = "en"
TRAIL = "[a-z]+"
"""The default link trail of MediaWiki."""

REDIRECT = "#REDIRECT"
HIDDEN = "__HIDDENCAT__"
DISAMBIGUATION = "__DISAMBIG__"
NO_MATCH = r"(?!)"


@dataclass(frozen=True, slots=True)
class Language:
    """The data of a language; use ``dataclasses.replace`` to change it.

    Names of templates, headings and brackets are folded (see ``fold_name``). Redirect words and switches, which are enclosed in
    double underscores, are spelt as in MediaWiki. ``hatnote_starts`` matches the beginning of an indented or italic line,
    ``hatnote_italic_starts`` of an italic line; ``hatnote_italic_words`` is searched in an italic line.
    """

    code: str
    trail: re.Pattern[str]
    redirects: frozenset[str]
    namespaces: Mapping[str, int]
    disambiguation: frozenset[str]
    disambiguation_switches: frozenset[str]
    disambiguation_brackets: frozenset[str]
    hidden_category: frozenset[str]
    hidden_switches: frozenset[str]
    hatnote_starts: re.Pattern[str]
    hatnote_italic_starts: re.Pattern[str]
    hatnote_italic_words: re.Pattern[str]
    appendix: frozenset[str]


def fold_name(name: str) -> str:
    """Fold a name of a namespace or template for comparison: case folded, with single spaces for underscores.

    >>> fold_name(" User__talk "), fold_name("Kategorie")
    ('user talk', 'kategorie')
    """
    return " ".join(name.replace("_", " ").split()).casefold()


@cache
def find_language(code: str) -> Language:
    """Return the data of a language by its code in MediaWiki, ISO 639 or a Wikipedia's host; that of English if unknown.

    >>> german = find_language("de")
    >>> german.namespaces["kategorie"], german.namespaces["category"], german.trail.match("n und")[0]
    (14, 14, 'n')
    >>> "begriffsklärung" in german.disambiguation, "disambig" in german.disambiguation, find_language("xx").trail.pattern
    (True, True, '[a-z]+')
    """
    code = code.lower().replace("_", "-")
    words, conventions = _words(), _conventions()
    chain = list(dict.fromkeys(_fallbacks(code, words)))
    own_words = [words[code] for code in chain if code in words]
    own_conventions = [conventions[code] for code in dict.fromkeys([*chain, ENGLISH]) if code in conventions]

    def fold_all(key: str) -> frozenset[str]:
        return frozenset(fold_name(word) for table in own_conventions for word in table.get(key, ()))

    def pattern(key: str) -> re.Pattern[str]:
        return re.compile("|".join(f"(?:{table[key]})" for table in own_conventions if key in table) or NO_MATCH, re.IGNORECASE)

    def switches(key: str, universal: str) -> frozenset[str]:
        return frozenset([universal, *(word for table in own_words for word in table.get(key, ()))])

    return Language(
        code=code,
        trail=re.compile(next((table["trail"] for table in own_words if "trail" in table), TRAIL)),
        redirects=frozenset([REDIRECT, *(word for table in own_words for word in table.get("redirect", ()))]),
        namespaces=_namespaces([*chain, ENGLISH], words),
        disambiguation=fold_all("disambiguation"),
        disambiguation_switches=switches("disambiguation", DISAMBIGUATION),
        disambiguation_brackets=fold_all("brackets"),
        hidden_category=fold_all("hidden"),
        hidden_switches=switches("hidden", HIDDEN),
        hatnote_starts=pattern("starts"),
        hatnote_italic_starts=pattern("italic_starts"),
        hatnote_italic_words=pattern("italic_words"),
        appendix=fold_all("appendix"),
    )


def _namespaces(chain: Iterable[str], words: Mapping[str, Mapping[str, Any]]) -> Mapping[str, int]:
    """Return the folded names of namespaces and their numbers: those of the language, its variants and English.

    A fallback language adds names only for namespaces that have none yet.
    """
    namespaces: dict[str, int] = {}
    own = ""
    for code in chain:
        numbers = set(namespaces.values())
        own = own or (code.partition("-")[0] if "namespaces" in words.get(code, {}) else "")
        for name, number in words.get(code, {}).get("namespaces", {}).items():
            if number not in numbers or code.partition("-")[0] == own or code == ENGLISH:
                namespaces.setdefault(fold_name(name), number)
    return namespaces


def _fallbacks(code: str, words: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield a language and its fallbacks in MediaWiki; an unknown code is shortened at its last hyphen."""
    if code not in words and "-" in code:
        yield from _fallbacks(code.rpartition("-")[0], words)
        return
    yield code
    for fallback in words.get(code, {}).get("after", ()):
        yield fallback
        yield from (further for further in words.get(fallback, {}).get("after", ()))


@cache
def _words() -> Mapping[str, Mapping[str, Any]]:
    data: dict[str, dict[str, Any]] = json.loads(
        files(__package__ or "").joinpath("language_words.json").read_text(encoding="utf-8")
    )
    return data


@cache
def _conventions() -> Mapping[str, Mapping[str, Any]]:
    import tomllib

    return tomllib.loads(files(__package__ or "").joinpath("conventions.toml").read_text(encoding="utf-8"))
