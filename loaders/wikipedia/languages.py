"""Language data: names of namespaces, redirect words, link trails, and the conventions of each Wikipedia.

``language_words.json`` contains the words of MediaWiki's message files: namespaces with their aliases, redirects,
double-underscore words, link trails. ``conventions.toml`` and ``collected_conventions.json`` contain the conventions of
authors: names of templates, headings, hatnotes. The conventions of English apply in addition to each language's own. Each file
names its sources; programs in ``tools`` write those in JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    data, conventions = _words(), _conventions()
    code = code.lower().replace("_", "-")
    chain = list(_fallbacks(data["codes"].get(code, code), data["languages"]))
    own_words = [data["languages"][each] for each in chain if each in data["languages"]]
    own_conventions = [table for each in dict.fromkeys([*chain, ENGLISH]) for table in conventions.get(each, ())]

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
        namespaces=_namespaces(chain, data["languages"]),
        disambiguation=fold_all("disambiguation"),
        disambiguation_switches=switches("disambiguation", DISAMBIGUATION),
        disambiguation_brackets=fold_all("brackets"),
        hidden_category=fold_all("hidden"),
        hidden_switches=switches("hidden", HIDDEN),
        hatnote_starts=pattern("starts"),
        hatnote_italic_starts=pattern("italic_starts"),
        hatnote_italic_words=pattern("italic_words"),
        appendix=fold_all("appendix") | frozenset(fold_name(word) for table in own_words for word in table.get("appendix", ())),
    )


def _namespaces(chain: Sequence[str], languages: Mapping[str, Mapping[str, Any]]) -> Mapping[str, int]:
    """Return the folded names of namespaces and their numbers, by the rules of MediaWiki.

    Aliases are inherited from every fallback, the names of a namespace from the first that has one. The names in the language's
    variants are understood too; so are those of fallbacks that write the same language in another script. Names in English come
    first, then aliases, then the names of variants, then the language's own.
    """
    chain = [*chain, ENGLISH]
    own = chain[0].partition("-")[0]
    variants = [*languages.get(chain[0], {}).get("variants", ()), *(code for code in chain if code.partition("-")[0] == own)]
    of_variants = [_names(list(_fallbacks(code, languages)), languages) for code in dict.fromkeys(variants)]
    aliases = [languages.get(code, {}).get("aliases", {}) for code in chain]
    namespaces: dict[str, int] = {}
    for names in (languages[ENGLISH]["names"], *aliases, *of_variants, _names(chain, languages)):
        for name, number in names.items():
            namespaces.setdefault(fold_name(name), number)
    return namespaces


def _names(chain: Iterable[str], languages: Mapping[str, Mapping[str, Any]]) -> Mapping[str, int]:
    """Return the names of namespaces, each from the first language in the chain that has one for its number."""
    names: dict[str, int] = {}
    for code in chain:
        named = set(names.values())
        names |= {name: number for name, number in languages.get(code, {}).get("names", {}).items() if number not in named}
    return names


def _fallbacks(code: str, languages: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield a language and its fallbacks in MediaWiki; an unknown code is shortened at its last hyphen."""
    while code not in languages and "-" in code:
        code = code.rpartition("-")[0]
    yield code
    yield from languages.get(code, {}).get("after", ())


@cache
def find_aliases(database: str) -> Mapping[str, int]:
    """Return the folded names that a wiki of Wikimedia configured for its namespaces, with their numbers.

    >>> find_aliases("eswiki")
    {'cat': 14}
    """
    return {fold_name(name): number for name, number in _read_toml().get("aliases", {}).get(database, {}).items()}


@cache
def _conventions() -> Mapping[str, list[Mapping[str, Any]]]:
    """Return the tables of each language, by MediaWiki's code."""
    codes = _words()["codes"]
    tables: dict[str, list[Mapping[str, Any]]] = {}
    for source in (_read_toml(), _read_json("collected_conventions.json")["languages"]):
        for code, table in source.items():
            tables.setdefault(codes.get(code, code), []).append(table)
    return tables


@cache
def _words() -> Mapping[str, Any]:
    return _read_json("language_words.json")


def _read_json(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(files(__package__ or "").joinpath(name).read_text(encoding="utf-8"))
    return data


@cache
def _read_toml() -> Mapping[str, Any]:
    import tomllib

    return tomllib.loads(files(__package__ or "").joinpath("conventions.toml").read_text(encoding="utf-8"))
