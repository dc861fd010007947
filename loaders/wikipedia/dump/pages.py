"""Pages out of the XML of a dump, by lxml: the whole run of pages at once where it is well-formed, else page by page.

A page that is no XML costs only itself. No document type can stand before a page here, so there are no entities to expand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from lxml import etree

from ..languages import find_language
from ..site import Site
from ..wikitext.titles import Title, Titles
from .streams import END, PAGE

RUN = 1 << 16
"""Bytes of pages that are parsed as one document: small enough for the processor's cache, which makes it fastest."""

LARGEST_NAMESPACE = 1 << 31
WIKITEXT = frozenset({"", "wikitext"})

BROKEN = "malformed_page"
MENDED = "repaired_page"
NO_TITLE = "untitled_page"
NO_TEXT = "empty_page"
OTHER_MODEL = "other_content_model"

_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class Page(NamedTuple):
    """One page: its place in the dump, what it is called, where it redirects to (as written) and its wikitext."""

    place: int
    id: int
    title: Title
    redirect: str | None
    revision: int
    text: str


class PageReader:
    """Reads the pages of one wiki; ``left_out`` counts what is not given, by reason."""

    def __init__(self, site: Site, left_out: Counter[str]) -> None:
        words = "|".join(map(re.escape, sorted(find_language(site.language).redirects)))
        self._redirect = re.compile(rf"\s*(?:{words})\s*+:?\s*+\[\[([^\[\]|\n]{{1,1000}})(?:\|[^\]\n]*)?\]\]", re.IGNORECASE)
        self._titles = Titles(site)
        self._left_out = left_out
        self._parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True, collect_ids=False
        )

    def pages(self, place: int, piece: bytes) -> Iterator[Page]:
        """The pages of a piece whose first byte is at ``place``."""
        run: list[tuple[int, int]] = []
        for begin, end in self._spans(piece):
            run.append((begin, end))
            if end - run[0][0] >= RUN:
                yield from self._run(place, piece, run)
                run.clear()
        if run:
            yield from self._run(place, piece, run)

    def _spans(self, piece: bytes) -> Iterator[tuple[int, int]]:
        """Where pages begin and end; what begins and does not end before the next begins is counted."""
        begins = [found.start() for found in PAGE.finditer(piece)]
        begins.append(len(piece))
        for begin, following in pairwise(begins):
            end = piece.rfind(END, begin, following)
            if end < 0:
                self._left_out[BROKEN] += 1
            else:
                yield begin, end + len(END)

    def _run(self, place: int, piece: bytes, run: Sequence[tuple[int, int]]) -> Iterator[Page]:
        """The pages of one document, or each by itself if it is none."""
        found = self._parsed(piece[run[0][0] : run[-1][1]])
        if found is not None and len(found) == len(run):
            for (begin, _), element in zip(run, found, strict=True):
                if page := self._page(place + begin, element):
                    yield page
            return
        for begin, end in run:
            mended = self._mended(piece[begin : piece.find(END, begin, end) + len(END)])
            if mended is not None and (page := self._page(place + begin, mended)):
                yield page

    def _parsed(self, pages: bytes) -> etree._Element | None:
        try:
            return etree.fromstring(b"<pages>" + pages + b"</pages>", self._parser)
        except etree.XMLSyntaxError:
            return None

    def _mended(self, page: bytes) -> etree._Element | None:
        """The element of one page, if need be without characters that no XML may have; None if it is no XML all the same."""
        found = self._parsed(page)
        if found is None:
            text = page.decode("utf-8", "replace")
            mended = _NO_TEXT.sub("", text).encode()
            found = None if mended == page else self._parsed(mended)
            self._left_out[BROKEN if found is None else MENDED] += 1
        return None if found is None or len(found) != 1 else found[0]

    def _page(self, place: int, element: etree._Element) -> Page | None:
        title = namespace = number = aim = None
        revision = None
        for part in element:
            tag = part.tag
            if tag == "title":
                title = part.text
            elif tag == "ns":
                namespace = part.text
            elif tag == "id":
                number = part.text
            elif tag == "redirect":
                aim = part.get("title")
            elif tag == "revision":
                revision = part
        space = None if namespace is None else _number(namespace)
        known = self._titles.page(title, space) if title and (space or 0) < LARGEST_NAMESPACE else None
        if known is None:
            self._left_out[NO_TITLE] += 1
            return None
        version = model = content = None
        for part in () if revision is None else revision:
            tag = part.tag
            if tag == "text":
                content = part
            elif tag == "id":
                version = part.text
            elif tag == "model":
                model = part.text
        if model and model not in WIKITEXT:
            self._left_out[OTHER_MODEL] += 1
            return None
        text = "" if content is None else content.text or ""
        if not text and (content is None or content.get("deleted") or content.get("bytes", "0") != "0"):
            self._left_out[NO_TEXT] += 1
            return None
        if aim is None and (found := self._redirect.match(text)):
            aim = found[1]
        return Page(place, _number(number), known, aim, _number(version), text)


def _number(text: str | None) -> int:
    """A number of a dump; 0 where there is none."""
    try:
        return int(text[:18]) if text else 0
    except ValueError:
        return 0
