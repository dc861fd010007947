"""Read the pages of a dump's XML with lxml: many pages as one document, or one by one if that is not well-formed.

Only the malformed pages themselves are lost. Pages have no document type, so there are no entities to expand.
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
from .streams import PAGE_END, PAGE_START

RUN = 1 << 16
"""Bytes of pages that are parsed as one document; fastest when they fit into the processor's cache."""

LARGEST_NAMESPACE = 1 << 31
WIKITEXT = frozenset({"", "wikitext"})

MALFORMED_PAGE = "malformed_page"
REPAIRED_PAGE = "repaired_page"
UNTITLED_PAGE = "untitled_page"
EMPTY_PAGE = "empty_page"
OTHER_CONTENT_MODEL = "other_content_model"

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class Page(NamedTuple):
    """A page. ``place`` is its position in the dump; ``redirect`` is the unparsed target of a redirect."""

    place: int
    id: int
    title: Title
    redirect: str | None
    revision: int
    text: str


class PageReader:
    """Reads the pages of one wiki; ``left_out`` counts the pages that it leaves out."""

    def __init__(self, site: Site, left_out: Counter[str]) -> None:
        words = "|".join(map(re.escape, sorted(find_language(site.language).redirects)))
        self._redirect_pattern = re.compile(
            rf"\s*(?:{words})\s*+:?\s*+\[\[([^\[\]|\n]{{1,1000}})(?:\|[^\]\n]*)?\]\]", re.IGNORECASE
        )
        self._titles = Titles(site)
        self._left_out = left_out
        self._parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True, collect_ids=False
        )

    def pages(self, place: int, piece: bytes) -> Iterator[Page]:
        """Yield the pages of a piece whose first byte is at ``place``."""
        run: list[tuple[int, int]] = []
        for begin, end in self._spans(piece):
            run.append((begin, end))
            if end - run[0][0] >= RUN:
                yield from self._read_run(place, piece, run)
                run.clear()
        if run:
            yield from self._read_run(place, piece, run)

    def _spans(self, piece: bytes) -> Iterator[tuple[int, int]]:
        """Yield where pages begin and end; a page that has no end before the next page is counted as malformed."""
        begins = [match.start() for match in PAGE_START.finditer(piece)]
        begins.append(len(piece))
        for begin, following in pairwise(begins):
            end = piece.rfind(PAGE_END, begin, following)
            if end < 0:
                self._left_out[MALFORMED_PAGE] += 1
            else:
                yield begin, end + len(PAGE_END)

    def _read_run(self, place: int, piece: bytes, run: Sequence[tuple[int, int]]) -> Iterator[Page]:
        """Yield the pages of one document, or parse each by itself if it is not well-formed."""
        document = self._parse(piece[run[0][0] : run[-1][1]])
        if document is not None and len(document) == len(run):
            for (begin, _), element in zip(run, document, strict=True):
                if page := self._read_page(place + begin, element):
                    yield page
            return
        for begin, end in run:
            repaired = self._repair(piece[begin : piece.find(PAGE_END, begin, end) + len(PAGE_END)])
            if repaired is not None and (page := self._read_page(place + begin, repaired)):
                yield page

    def _parse(self, pages: bytes) -> etree._Element | None:
        try:
            return etree.fromstring(b"<pages>" + pages + b"</pages>", self._parser)
        except etree.XMLSyntaxError:
            return None

    def _repair(self, page: bytes) -> etree._Element | None:
        """Parse one page, if necessary without characters that XML forbids; None if it is still malformed."""
        root = self._parse(page)
        if root is None:
            text = page.decode("utf-8", "replace")
            repaired = _FORBIDDEN.sub("", text).encode()
            root = None if repaired == page else self._parse(repaired)
            self._left_out[MALFORMED_PAGE if root is None else REPAIRED_PAGE] += 1
        return None if root is None or len(root) != 1 else root[0]

    def _read_page(self, place: int, element: etree._Element) -> Page | None:
        title = namespace = number = target = None
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
                target = part.get("title")
            elif tag == "revision":
                revision = part
        namespace_number = None if namespace is None else _parse_number(namespace)
        page_title = (
            self._titles.parse_page(title, namespace_number) if title and (namespace_number or 0) < LARGEST_NAMESPACE else None
        )
        if page_title is None:
            self._left_out[UNTITLED_PAGE] += 1
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
            self._left_out[OTHER_CONTENT_MODEL] += 1
            return None
        text = "" if content is None else content.text or ""
        if not text and (content is None or content.get("deleted") or content.get("bytes", "0") != "0"):
            self._left_out[EMPTY_PAGE] += 1
            return None
        if target is None and (match := self._redirect_pattern.match(text)):
            target = match[1]
        return Page(place, _parse_number(number), page_title, target, _parse_number(version), text)


def _parse_number(text: str | None) -> int:
    """Return a number of a dump, 0 if there is none."""
    try:
        return int(text[:18]) if text else 0
    except ValueError:
        return 0
