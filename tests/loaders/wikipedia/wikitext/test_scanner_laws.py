"""The fast and the reference parser read the same links, on generated wikitext and on real articles."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from wayword.loaders.wikipedia.dump.dump_file import Dump, read_pages
from wayword.loaders.wikipedia.languages import find_language
from wayword.loaders.wikipedia.site import Site, make_site
from wayword.loaders.wikipedia.wikitext.lead import read_gloss, read_openings
from wayword.loaders.wikipedia.wikitext.reference.parser import ReferenceScanner
from wayword.loaders.wikipedia.wikitext.regions import Region, Scan
from wayword.loaders.wikipedia.wikitext.scanner import ScannedPage, Scanner
from wayword.loaders.wikipedia.wikitext.titles import Titles

from ....support import wikitexts
from ....support.scanners import CheckedScanner

TITLES = Titles(make_site("enwiki"))
FAST = CheckedScanner(TITLES, find_language("en"))
REFERENCE = ReferenceScanner(TITLES, find_language("en"))

FIRST, EVERY = 20, 40
"""The number of links that are compared in each article; one article in ``EVERY`` is compared."""

Found = list[tuple[str, str, int]]


def visible_links(scan: Scan) -> Found:
    """Name, anchor and region of the links that are not hidden."""
    return [(link.title.name, link.anchor, link.region) for link in scan.links if not link.region & Region.HIDDEN]


def body_links(found: Found, allowed: Region = Region(0)) -> list[tuple[str, str]]:  # noqa: B008 - an immutable flag
    return [(name, anchor) for name, anchor, region in found if not region & ~allowed]


@given(wikitexts.WELL_FORMED)
def test_both_parsers_find_the_same_links_in_the_same_regions(text: str) -> None:
    fast, reference = FAST.scan(text), REFERENCE.scan(text)
    ours, theirs = visible_links(fast), visible_links(reference)
    assert body_links(ours) == body_links(theirs)
    assert body_links(ours, Region.PARENTHESES) == body_links(theirs, Region.PARENTHESES)
    assert sorted(link[:2] for link in ours) == sorted(link[:2] for link in theirs)
    assert sorted(fast.categories) == sorted(reference.categories)
    assert (fast.disambiguation, fast.hidden) == (reference.disambiguation, reference.hidden)
    assert REFERENCE.fallback_count == 0


@given(wikitexts.BROKEN)
def test_both_parsers_read_unclosed_markup_as_plain_text(text: str) -> None:
    ours, theirs = visible_links(FAST.scan(text)), visible_links(REFERENCE.scan(text))
    assert [name for name, _ in body_links(ours)] == [name for name, _ in body_links(theirs)]
    allowed = Region.PARENTHESES
    assert [name for name, _ in body_links(ours, allowed)] == [name for name, _ in body_links(theirs, allowed)]


@pytest.mark.slow
@pytest.mark.parametrize("file", ["schoolswiki-pages-articles-multistream.xml.bz2", "enwik8.gz", "itwiki-small-dump.xml.gz"])
def test_both_parsers_read_real_articles_alike(data: Path, file: str) -> None:
    dump = Dump(data / "wiki" / file)
    titles, language = Titles(dump.site), find_language(dump.site.language)
    fast, reference = CheckedScanner(titles, language), ReferenceScanner(titles, language)
    number, compared, different = 0, 0, Counter[str]()
    for block in dump.blocks():
        for page in read_pages(block, dump.site, Counter()):
            if page.title.namespace or page.redirect is not None:
                continue
            number += 1
            if number % EVERY == 0:
                compared += 1
                different.update(differences(dump.site, fast, fast.read(page.text), reference.read(page.text)))
    assert compared > 10
    assert reference.fallback_count == 0
    assert all(count <= compared * 0.002 + 1 for count in different.values()), different


def differences(site: Site, scanner: Scanner, one: ScannedPage, other: ScannedPage) -> set[str]:
    """The differences between two readings of a page."""
    ours, theirs = (Scan(*scanner.targets.resolve(each.links, each.regions), *each[2:4]) for each in (one, other))
    namespaces = site.namespaces
    compared: dict[str, list[Any]] = {
        "first body links": [body_links(visible_links(each))[:FIRST] for each in (ours, theirs)],
        "links": [visible_links(each) for each in (ours, theirs)],
        "categories": [sorted(each.categories) for each in (ours, theirs)],
        "marks": [each[2:] for each in (ours, theirs)],
        "gloss": [read_gloss(each.masked, namespaces) for each in (one, other)],
        "openings": [read_openings(each.masked, 2_000, namespaces) for each in (one, other)],
    }
    return {what for what, (first, second) in compared.items() if first != second}
