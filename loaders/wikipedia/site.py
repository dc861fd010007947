"""The wiki of a dump: its name, language and namespaces, from the dump's head or else from its language."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from .languages import find_aliases, find_language, fold_name

if TYPE_CHECKING:
    from lxml import etree

MAIN, USER, PROJECT, FILE, MEDIAWIKI, CATEGORY = 0, 2, 4, 6, 8, 14
SPECIAL = -1
OTHER_WIKI = -3
"""In place of a namespace: the prefix is that of another wiki, unless this wiki has a page whose title begins so."""

ALWAYS_CAPITAL = frozenset({SPECIAL, USER, USER + 1, MEDIAWIKI, MEDIAWIKI + 1})
"""Namespaces whose titles begin with a capital letter on every wiki."""

PROJECTS = {"wikipedia": "wiki", "wikimedia": "wikimedia"}
"""The endings of database names, for projects whose databases do not end with the project's name."""

LONGEST_NAME = 100
"""Characters of the longest name of a base; every id begins with it."""

_FAMILY = re.compile(r"(.+?)wik(?:i|tionary|ibooks|inews|iquote|isource|iversity|ivoyage|imedia)")
_FILE = re.compile(r"([a-z][a-z0-9_-]*?wik(?:i|tionary|ibooks|inews|iquote|isource|iversity|ivoyage|imedia|ispecies|idata))\b")


@dataclass(frozen=True, slots=True)
class Site:
    """A wiki.

    Attributes:
        name: The database name, normalised so that it can name a base.
        language: The language code.
        first_letter: Whether titles begin with a capital letter.
        namespaces: The numbers of namespaces by folded name or alias.
        prefix: The interwiki prefix of the wiki itself.
        other_case: The namespaces with the opposite of ``first_letter``.
    """

    name: str
    language: str
    first_letter: bool = True
    namespaces: Mapping[str, int] = field(default_factory=dict)
    prefix: str = ""
    other_case: frozenset[int] = frozenset()


def make_site(name: str, code: str = "en", first_letter: bool = True, namespaces: Iterable[tuple[str, int]] = ()) -> Site:
    """Make a wiki with the namespaces of its language and the given ones.

    >>> wiki = make_site("ltgwiki", "ltg")
    >>> wiki.namespaces["kategoreja"], wiki.namespaces["category"], wiki.prefix
    (14, 14, 'ltg')
    """
    name = _unique_name(name)
    numbers = {**find_language(code).namespaces, **find_aliases(name)}
    numbers.update(
        (fold_name(word), number) for word, number in namespaces if word and number != MAIN
    )  # articles have no prefix
    family = _FAMILY.fullmatch(name)
    exceptions = frozenset() if first_letter else ALWAYS_CAPITAL
    return Site(name, code, first_letter, numbers, family[1].replace("_", "-") if family else "", exceptions)


def base_name(text: str) -> str:
    """Turn a text into a name of a base: lower case, only letters, digits, ``_``, ``.`` and ``-``.

    >>> base_name("Schools Wikipedia")
    'schools_wikipedia'
    """
    return re.sub(r"[^a-z0-9_.-]+", "_", text.lower()).strip("_.-")[:LONGEST_NAME].rstrip("_.-")


def _unique_name(name: str) -> str:
    """Return the name of a wiki's base; a name without usable letters becomes a hash, so that two wikis never share one.

    >>> _unique_name("SimpleWiki"), _unique_name("ウィキ"), _unique_name("百科 2")
    ('simplewiki', 'wiki-34d83d59', 'wiki-6d07cc4e')
    """
    normalised = base_name(name)
    if not name or (name.isascii() and normalised) or re.search("[a-z]", normalised):
        return normalised or "wiki"
    return f"wiki-{hashlib.sha256(name.encode(errors='surrogatepass')).hexdigest()[:8]}"


def read_site(head: etree._Element | None, file: str) -> Site:
    """Return the wiki of a dump: ``head`` is the root element with its siteinfo, ``file`` the name of the dump file."""
    elements = {} if head is None else {_tag(part): part for part in head.iter() if isinstance(part.tag, str)}

    def text_of(tag: str) -> str:
        return (elements[tag].text or "").strip() if tag in elements else ""

    host = _host(text_of("base"))
    name = text_of("dbname") or _database(host) or database_of(file) or text_of("sitename") or file.split(".")[0]
    code = (head.get(XML_LANG) if head is not None else None) or _language_code(host, name) or "en"
    namespaces = [part for part in elements["namespaces"] if isinstance(part.tag, str)] if "namespaces" in elements else []
    numbers = [
        (part.text or "", int(part.get("key", ""))) for part in namespaces if re.fullmatch(r"-?\d{1,9}", part.get("key", ""))
    ]
    first = text_of("case") != "case-sensitive"
    if "case" not in elements:
        first = not any(part.get("case") == "case-sensitive" for part in namespaces if part.get("key") == "0")
    if text_of("sitename"):
        numbers.insert(0, (text_of("sitename"), PROJECT))
    site = make_site(name, code, first, numbers)
    rules = {int(part.get("key")): part.get("case") for part in namespaces if re.fullmatch(r"-?\d{1,9}", part.get("key", ""))}
    default_rule = "first-letter" if first else "case-sensitive"
    other = {number for number, rule in rules.items() if rule and rule != default_rule}
    other |= {number for number in site.other_case if rules.get(number) is None}
    return Site(site.name, site.language, first, site.namespaces, site.prefix, frozenset(other))


XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def _tag(part: etree._Element) -> str:
    return str(part.tag).rpartition("}")[2]


def _host(address: str) -> str:
    """Return the host of a URL, empty if it is invalid.

    >>> _host("https://it.wikipedia.org/wiki/Pagina_principale"), _host("http://[")
    ('it.wikipedia.org', '')
    """
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _database(host: str) -> str:
    """Return ``itwiki`` for ``it.wikipedia.org``, empty for a host that is not Wikimedia's."""
    parts = host.split(".")
    if len(parts) < 3 or parts[-1] != "org" or not parts[-2].startswith("wik"):
        return ""
    return parts[0].replace("-", "_") + PROJECTS.get(parts[-2], parts[-2])


def database_of(file: str) -> str:
    """Return the Wikimedia database in the name of a file, or an empty text.

    >>> database_of("simplewiki-20260101-pages-articles.xml.bz2"), database_of("my wiki.xml")
    ('simplewiki', '')
    """
    match = _FILE.match(file.lower())
    return match[1] if match else ""


def _language_code(host: str, name: str) -> str:
    family = _FAMILY.fullmatch(name)
    return host.split(".")[0] if _database(host) else family[1].replace("_", "-") if family else ""
