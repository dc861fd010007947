"""What a wiki's language decides: words of namespaces and redirects, its link trail, and what its writers are used to.

``language_words.json`` has the words of MediaWiki's own message files (namespaces with their aliases, redirects,
double-underscore words, link trails), ``conventions.toml`` what no software fixes: names of templates, headings, hatnotes.
English holds beside each language.
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
"""What MediaWiki glues to a link where a language says nothing of its own."""

REDIRECT = "#REDIRECT"
HIDDEN = "__HIDDENCAT__"
DISAMBIGUATION = "__DISAMBIG__"
NEVER = r"(?!)"


@dataclass(frozen=True, slots=True)
class Language:
    """What is known of a language; ``dataclasses.replace`` changes a list.

    Names of templates, headings and brackets are folded (see ``fold_name``); redirect words and switches, which are enclosed in
    double underscores, are as MediaWiki writes them. ``hatnote_starts`` matches the beginning of an indented or italic line,
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
    """A name as names of namespaces and templates are compared: case folded, with single blanks for underscores.

    >>> fold_name(" User__talk "), fold_name("Kategorie")
    ('user talk', 'kategorie')
    """
    return " ".join(name.replace("_", " ").split()).casefold()


@cache
def find_language(code: str) -> Language:
    """What is known of a language by its code (of MediaWiki, ISO 639, or a Wikipedia's host); English beside it, or alone.

    >>> german = find_language("de")
    >>> german.namespaces["kategorie"], german.namespaces["category"], german.trail.match("n und")[0]
    (14, 14, 'n')
    >>> "begriffsklärung" in german.disambiguation, "disambig" in german.disambiguation, find_language("xx").trail.pattern
    (True, True, '[a-z]+')
    """
    code = code.lower().replace("_", "-")
    words, customs = _words(), _customs()
    chain = list(dict.fromkeys(_chain(code, words)))
    known = [words[each] for each in chain if each in words]
    used = [customs[each] for each in dict.fromkeys([*chain, ENGLISH]) if each in customs]

    def of(key: str) -> frozenset[str]:
        return frozenset(fold_name(word) for one in used for word in one.get(key, ()))

    def pattern(key: str) -> re.Pattern[str]:
        return re.compile("|".join(f"(?:{one[key]})" for one in used if key in one) or NEVER, re.IGNORECASE)

    def switches(key: str, universal: str) -> frozenset[str]:
        return frozenset([universal, *(word for one in known for word in one.get(key, ()))])

    return Language(
        code=code,
        trail=re.compile(next((one["trail"] for one in known if "trail" in one), TRAIL)),
        redirects=frozenset([REDIRECT, *(word for one in known for word in one.get("redirect", ()))]),
        namespaces=_namespaces([*chain, ENGLISH], words),
        disambiguation=of("disambiguation"),
        disambiguation_switches=switches("disambiguation", DISAMBIGUATION),
        disambiguation_brackets=of("brackets"),
        hidden_category=of("hidden"),
        hidden_switches=switches("hidden", HIDDEN),
        hatnote_starts=pattern("starts"),
        hatnote_italic_starts=pattern("italic_starts"),
        hatnote_italic_words=pattern("italic_words"),
        appendix=of("appendix"),
    )


def _namespaces(chain: Iterable[str], words: Mapping[str, Mapping[str, Any]]) -> Mapping[str, int]:
    """Folded names and their numbers, as MediaWiki knows them: those of the language and its variants, and English.

    Of another language that it falls back to, only the names of namespaces that have had none until then.
    """
    found: dict[str, int] = {}
    own = ""
    for code in chain:
        named = set(found.values())
        own = own or (code.partition("-")[0] if "namespaces" in words.get(code, {}) else "")
        for name, number in words.get(code, {}).get("namespaces", {}).items():
            if number not in named or code.partition("-")[0] == own or code == ENGLISH:
                found.setdefault(fold_name(name), number)
    return found


def _chain(code: str, words: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """A language and those that MediaWiki falls back to; of a code that is unknown, what it begins with."""
    if code not in words and "-" in code:
        yield from _chain(code.rpartition("-")[0], words)
        return
    yield code
    for each in words.get(code, {}).get("after", ()):
        yield each
        yield from (further for further in words.get(each, {}).get("after", ()))


@cache
def _words() -> Mapping[str, Mapping[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(
        files(__package__ or "").joinpath("language_words.json").read_text(encoding="utf-8")
    )
    return found


@cache
def _customs() -> Mapping[str, Mapping[str, Any]]:
    import tomllib

    return tomllib.loads(files(__package__ or "").joinpath("conventions.toml").read_text(encoding="utf-8"))
