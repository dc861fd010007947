"""Small dumps for tests: pages in MediaWiki's export format, and the tables of a loaded base as plain values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from wayword.graph.store import Store

NAMESPACES: Mapping[int, str] = {0: "", 4: "Wikipedia", 6: "File", 8: "MediaWiki", 10: "Template", 14: "Category"}

_REDIRECT = re.compile(r"#REDIRECT \[\[(.*?)\]\]")


def dump(pages: Mapping[str, str] | Iterable[tuple[str, str]], name: str = "testwiki", code: str = "en") -> str:
    """Return a dump of these pages, given as titles and wikitext; ids count from 1."""
    spaces = "".join(
        f'<namespace key="{number}" case="first-letter"' + (f">{word}</namespace>" if word else " />")
        for number, word in NAMESPACES.items()
    )
    siteinfo = f"<siteinfo><dbname>{name}</dbname><case>first-letter</case><namespaces>{spaces}</namespaces></siteinfo>"
    start = f'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="{code}">\n {siteinfo}\n'
    items = pages.items() if isinstance(pages, Mapping) else pages
    return start + "".join(page(title, text, number) for number, (title, text) in enumerate(items, start=1)) + "</mediawiki>\n"


def page(title: str, text: str, number: int) -> str:
    """Return a page in the export format, with the element of its redirect."""
    words = {word: key for key, word in NAMESPACES.items()}
    target = _REDIRECT.match(text)
    parts = [
        f"<title>{escape(title)}</title>",
        f"<ns>{words.get(title.partition(':')[0], 0) if ':' in title else 0}</ns>",
        f"<id>{number}</id>",
        f"<redirect title={quoteattr(target[1])} />" if target else "",
        f"<revision><id>{number}</id><model>wikitext</model><format>text/x-wiki</format>",
        f'<text xml:space="preserve">{escape(text)}</text></revision>',
    ]
    return f" <page>{''.join(parts)}</page>\n"


def nodes(store: Store, label: str, base: str | None = None) -> list[dict[str, Any]]:
    """The nodes of a label, without empty properties."""
    rows = [row for batch in store.stream_nodes(label, base) for row in batch.to_pylist()]
    return sorted(rows, key=lambda row: row["id"])


def names(store: Store, label: str, base: str | None = None) -> list[str]:
    """The names of a label's nodes."""
    return [row["name"] for row in nodes(store, label, base)]


def edges(store: Store, type: str, base: str | None = None) -> list[tuple[Any, ...]]:
    """The relationships of a type as tuples: the ends without the name of the base, and the properties that are not null."""
    found = []
    for batch in store.stream_edges(type, base):
        for row in batch.to_pylist():
            ends = [re.split("[:/]", row.pop(end), maxsplit=1)[-1] for end in ("from", "to")]
            found.append((*ends, *(value for value in row.values() if value is not None)))
    return sorted(found, key=lambda edge: tuple(map(str, edge)))
