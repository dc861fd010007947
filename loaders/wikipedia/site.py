"""What a dump says of the wiki it was made from, and what is known of its language where the dump says nothing."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from .languages import find_language, fold_name

if TYPE_CHECKING:
    from lxml import etree

MAIN, USER, PROJECT, FILE, MEDIAWIKI, CATEGORY = 0, 2, 4, 6, 8, 14
SPECIAL = -1

ALWAYS_CAPITAL = frozenset({SPECIAL, USER, USER + 1, MEDIAWIKI, MEDIAWIKI + 1})
"""Namespaces whose titles begin with a capital letter on every wiki."""

PROJECTS = {"wikipedia": "wiki", "wikimedia": "wikimedia"}
"""How a project ends a database's name, where not with its own."""

LONGEST_NAME = 100
"""Characters of the longest name of a wiki's base; every id begins with it."""

_FAMILY = re.compile(r"(.+?)wik(?:i|tionary|ibooks|inews|iquote|isource|iversity|ivoyage|imedia)")
_FILE = re.compile(r"([a-z][a-z0-9_-]*?wik(?:i|tionary|ibooks|inews|iquote|isource|iversity|ivoyage|imedia|ispecies|idata))\b")


@dataclass(frozen=True, slots=True)
class Site:
    """A wiki. ``name`` can name a base; ``namespaces`` are by folded name or alias.

    ``prefix`` is the language prefix that leads to the wiki itself; ``other_case`` are the namespaces whose case rule is not
    ``first_letter``.
    """

    name: str
    language: str
    first_letter: bool = True
    namespaces: Mapping[str, int] = field(default_factory=dict)
    prefix: str = ""
    other_case: frozenset[int] = frozenset()


def make_site(name: str, code: str = "en", first_letter: bool = True, namespaces: Iterable[tuple[str, int]] = ()) -> Site:
    """A wiki of this name and language, with the namespaces of its language and those given.

    >>> wiki = make_site("ltgwiki", "ltg")
    >>> wiki.namespaces["kategoreja"], wiki.namespaces["category"], wiki.prefix
    (14, 14, 'ltg')
    """
    name = _told_apart(name)
    numbers = dict(find_language(code).namespaces)
    numbers.update(
        (fold_name(word), number) for word, number in namespaces if word and number != MAIN
    )  # articles have no prefix
    family = _FAMILY.fullmatch(name)
    exceptions = frozenset() if first_letter else ALWAYS_CAPITAL
    return Site(name, code, first_letter, numbers, family[1].replace("_", "-") if family else "", exceptions)


def base_name(text: str) -> str:
    """A text as the name of a base can be: lower case, only letters, digits, ``_``, ``.`` and ``-``.

    >>> base_name("Schools Wikipedia")
    'schools_wikipedia'
    """
    return re.sub(r"[^a-z0-9_.-]+", "_", text.lower()).strip("_.-")[:LONGEST_NAME].rstrip("_.-")


def _told_apart(name: str) -> str:
    """The name of a wiki's base; of a wiki whose name has no letter that one can have, a name that no other wiki gets.

    >>> _told_apart("SimpleWiki"), _told_apart("ウィキ"), _told_apart("百科 2")
    ('simplewiki', 'wiki-34d83d59', 'wiki-6d07cc4e')
    """
    kept = base_name(name)
    if not name or (name.isascii() and kept) or re.search("[a-z]", kept):
        return kept or "wiki"
    return f"wiki-{hashlib.sha256(name.encode(errors='surrogatepass')).hexdigest()[:8]}"


def read_site(head: etree._Element | None, file: str) -> Site:
    """The wiki that a dump's first lines tell of: ``head`` is the root with its siteinfo, ``file`` the dump's name."""
    told = {} if head is None else {_tag(part): part for part in head.iter() if isinstance(part.tag, str)}

    def word(tag: str) -> str:
        return (told[tag].text or "").strip() if tag in told else ""

    host = _host(word("base"))
    named = word("dbname") or _database(host) or database_of(file) or word("sitename") or file.split(".")[0]
    code = (head.get(XML_LANG) if head is not None else None) or _code(host, named) or "en"
    spaces = [part for part in told["namespaces"] if isinstance(part.tag, str)] if "namespaces" in told else []
    numbers = [
        (part.text or "", int(part.get("key", ""))) for part in spaces if re.fullmatch(r"-?\d{1,9}", part.get("key", ""))
    ]
    first = word("case") != "case-sensitive"
    if "case" not in told:
        first = not any(part.get("case") == "case-sensitive" for part in spaces if part.get("key") == "0")
    if word("sitename"):
        numbers.insert(0, (word("sitename"), PROJECT))
    found = make_site(named, code, first, numbers)
    rules = {int(part.get("key")): part.get("case") for part in spaces if re.fullmatch(r"-?\d{1,9}", part.get("key", ""))}
    usual = "first-letter" if first else "case-sensitive"
    other = {number for number, rule in rules.items() if rule and rule != usual}
    other |= {number for number in found.other_case if rules.get(number) is None}
    return Site(found.name, found.language, first, found.namespaces, found.prefix, frozenset(other))


XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def _tag(part: etree._Element) -> str:
    return str(part.tag).rpartition("}")[2]


def _host(address: str) -> str:
    """The host of an address; nothing of what is no address.

    >>> _host("https://it.wikipedia.org/wiki/Pagina_principale"), _host("http://[")
    ('it.wikipedia.org', '')
    """
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _database(host: str) -> str:
    """``itwiki`` of ``it.wikipedia.org``; nothing of a host that is not Wikimedia's."""
    parts = host.split(".")
    if len(parts) < 3 or parts[-1] != "org" or not parts[-2].startswith("wik"):
        return ""
    return parts[0].replace("-", "_") + PROJECTS.get(parts[-2], parts[-2])


def database_of(file: str) -> str:
    """The database of Wikimedia's that a file is named after, nothing where it is not.

    >>> database_of("simplewiki-20260101-pages-articles.xml.bz2"), database_of("my wiki.xml")
    ('simplewiki', '')
    """
    found = _FILE.match(file.lower())
    return found[1] if found else ""


def _code(host: str, name: str) -> str:
    family = _FAMILY.fullmatch(name)
    return host.split(".")[0] if _database(host) else family[1].replace("_", "-") if family else ""
