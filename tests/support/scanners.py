"""Both scanners of wikitext in one, so that every test of the plain one also compares the one in C with it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wayword.core.native_code import load_native
from wayword.loaders.wikipedia.languages import Language
from wayword.loaders.wikipedia.wikitext.native_scanner import NativeScanner
from wayword.loaders.wikipedia.wikitext.scanner import ScannedPage, Scanner
from wayword.loaders.wikipedia.wikitext.titles import Titles

NATIVE = load_native("scanner of wikitext")

_FILLERS, _BREAKS = re.compile("[\x01-\x03]+"), re.compile("\n+")


class CheckedScanner(Scanner):
    """A plain scanner that checks that the one in C reads every page alike, if there is one."""

    def __init__(self, titles: Titles, language: Language) -> None:
        super().__init__(titles, language)
        self.native = NativeScanner(titles, language, NATIVE) if NATIVE else None

    def read(self, text: str) -> ScannedPage:
        page = super().read(text)
        assert self.native is None or comparable(self.native.read(text)) == comparable(page), text
        return page


def comparable(page: ScannedPage) -> list[object]:
    """Return what both scanners read alike. Runs of fillers are shortened, as their lengths are in bytes or in characters."""
    links = [tuple(None if text is None else _FILLERS.sub("\x02", text) for text in link) for link in page.links]
    return [links, *page[1:4], _BREAKS.sub("\n", _FILLERS.sub("\x02", page.masked))]


def read_together(scanner: Scanner, texts: Sequence[str]) -> list[ScannedPage]:
    """Return the pages that a scanner reads together."""
    facts, links = scanner.read_all(texts)
    for column in links[2:]:
        column.validate(full=True)
    pages = [ScannedPage([], [], *each) for each in facts]
    columns = (links.target.to_pylist(), links.label.to_pylist(), links.trail.to_pylist())
    for page, region, *link in zip(links.page.tolist(), links.region.tolist(), *columns, strict=True):
        pages[page].links.append(tuple(link))
        pages[page].regions.append(region)
    return pages
