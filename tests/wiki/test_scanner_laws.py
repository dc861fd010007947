"""The scanner beside the oracle, which has ``mwparserfromhell`` for a parser, on wikitext made at random."""

from __future__ import annotations

from hypothesis import given

from wayword.loaders.wiki.languages import language
from wayword.loaders.wiki.regions import Region
from wayword.loaders.wiki.scanner import Scanner
from wayword.loaders.wiki.site import site
from wayword.loaders.wiki.titles import Titles

from . import wikitexts
from .oracle_markup import read_markup
from .oracle_titles import Names

TITLES = Titles(site("enwiki"))
SCANNER = Scanner(TITLES, language("en"))
FLAGS = {region.name.lower(): int(region) for region in Region if region.name} | {"unclosed": int(Region.HIDDEN)}

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


@given(wikitexts.WELL_FORMED)
def test_links_are_those_of_the_parser(text: str) -> None:
    walked, aside = [0], [0, int(Region.PARENTHESES)]
    for regions in (walked, aside):
        assert [link for link in scanned(text) if link[2] in regions] == [link for link in parsed(text) if link[2] in regions]
    assert sorted(link[:2] for link in scanned(text)) == sorted(link[:2] for link in parsed(text))
