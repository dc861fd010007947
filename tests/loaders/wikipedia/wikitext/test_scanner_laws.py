"""The scanner beside the oracle, whose parser is ``mwparserfromhell``: on wikitext made at random, and on real articles."""

from __future__ import annotations

import bz2
import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from lxml import etree

from wayword.loaders.wikipedia.languages import find_language
from wayword.loaders.wikipedia.site import make_site
from wayword.loaders.wikipedia.wikitext.regions import Region
from wayword.loaders.wikipedia.wikitext.scanner import Scanner
from wayword.loaders.wikipedia.wikitext.titles import Titles

from ....oracles.wiki_markup import read_markup
from ....oracles.wiki_titles import Names
from ....support import wikitexts

TITLES = Titles(make_site("enwiki"))
SCANNER = Scanner(TITLES, find_language("en"))
FLAGS = {region.name.lower(): int(region) for region in Region if region.name} | {"unclosed": int(Region.BOX)}
WALKED, ASIDE = (0,), (0, int(Region.PARENTHESES))

FIRST, EVERY = 20, 40
"""How many links of an article are compared, and which share of the articles: one of so many."""

Found = list[tuple[str, str, int]]


def scanned(text: str) -> Found:
    return [(link.title.name, link.anchor, link.region) for link in SCANNER.scan(text).links if not link.region & Region.HIDDEN]


def parsed(text: str) -> Found:
    found = []
    for link in read_markup(text, Names()).links:
        title = TITLES.parse(link.target)
        region = sum({FLAGS[name] for name in link.regions})
        if title is not None and not region & Region.HIDDEN:
            found.append((title.name, link.anchor, region))
    return found


def walked(found: Found, regions: tuple[int, ...] = WALKED) -> list[tuple[str, str]]:
    return [(name, anchor) for name, anchor, region in found if region in regions]


@given(wikitexts.WELL_FORMED)
def test_links_and_what_they_stand_in_are_those_of_the_parser(text: str) -> None:
    ours, theirs = scanned(text), parsed(text)
    assert walked(ours) == walked(theirs)
    assert walked(ours, ASIDE) == walked(theirs, ASIDE)
    assert sorted(link[:2] for link in ours) == sorted(link[:2] for link in theirs)


@given(wikitexts.BROKEN)
def test_marks_that_nothing_closes_are_plain_text_as_for_the_parser(text: str) -> None:
    ours, theirs = scanned(text), parsed(text)
    assert [name for name, _ in walked(ours)] == [name for name, _ in walked(theirs)]
    assert [name for name, _ in walked(ours, ASIDE)] == [name for name, _ in walked(theirs, ASIDE)]


def articles(file: Path) -> Iterator[tuple[str, str]]:
    """One of every so many articles of a dump."""
    title = text = ""
    number = 0
    with bz2.open(file) if file.suffix == ".bz2" else gzip.open(file) as stream:
        for _, element in etree.iterparse(stream, recover=True):
            tag = etree.QName(element).localname
            if tag == "title":
                title = element.text or ""
            elif tag == "text":
                text = element.text or ""
            elif tag == "page":
                element.clear()
                if ":" not in title and not re.match(r"\s*#redirect", text, re.IGNORECASE):
                    number += 1
                    if number % EVERY == 0:
                        yield title, text


@pytest.mark.slow
@pytest.mark.parametrize("file", ["schoolswiki-pages-articles-multistream.xml.bz2", "enwik8.gz"])
def test_first_links_of_real_articles_are_those_of_the_parser(data: Path, file: str) -> None:
    compared, different = 0, []
    for title, text in articles(data / "wiki" / file):
        compared += 1
        if walked(scanned(text))[:FIRST] != walked(parsed(text))[:FIRST]:
            different.append(title)
    assert compared > 100
    assert len(different) <= compared * 0.002 + 1, different
