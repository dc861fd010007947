"""The fast parser: it reads a page's wikitext once and returns every link with its regions.

Everything that is not running text is masked first (``masking``). Then one regular expression finds the tokens of the rest. An
ordinary link is one token. A label that contains a link, a caption, an element and a parenthesis take effect only when they
close (``page_state``), so one that never closes is plain text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ..languages import fold_name
from ..site import FILE
from .headings import is_hatnote, parse_heading
from .masking import VERBATIM, mask, mask_linkless
from .page_state import PageState
from .raw_links import link_columns
from .regions import Link, Region, Scan
from .targets import FREE_SCHEMES, NO_LINK, SCHEMES, RawLink, Targets, is_empty_label, plain_target
from .titles import Titles

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..languages import Language
    from .raw_links import RawLinks

__all__ = ["Link", "Region", "Scan", "Scanner"]

CACHED_HEADINGS = 1 << 10
MAX_CACHED_HEADING = 60
"""Number and characters of the headings in the cache."""

_FREE_SCHEMES = "|".join(f"(?<={scheme}:)" for scheme in FREE_SCHEMES)
_BRACKET_SCHEMES = "|".join(SCHEMES)
_TARGET = r"[^\[\]{}|<>\n\x02\x03]*+"
_WORDS = r"[^\[\]\n\x03]*+"
_LABEL = r"[^\[\]]*+(?:(?:\[(?!\[)|\](?!\])|\](?=\]\](?!\])))[^\[\]]*+)*+"
_OPENING = r"\#0*+(?:40|65288)|\#[xX]0*+(?:28|[fF][fF]08)|lpar"
_CLOSING = r"\#0*+(?:41|65289)|\#[xX]0*+(?:29|[fF][fF]09)|rpar"
_URL_PATTERN = r"""[^\s\[\]<>"]*+"""

_WHOLE = rf"({_TARGET}) (?:\|({_LABEL}))? \]\] ((?:TRAIL)?)"
_TOKENS = rf"""
  \[\[ (?: ({_TARGET}) (?:\|({_WORDS}))? \]\] ((?:TRAIL)?)    # 1 2 3: a link whose label can be used as it is
         | {_WHOLE}                                          # 4 5 6: any other
         | ({_TARGET}) \|                                    # 7: one with a link in its label, or never closed
         | \[ ({_TARGET}) (?:\|([^\[\]]*+))? \]\] ((?=\]))   # 8 9 10: one in brackets
         | )
| \](\])                                                     # 11
| \( (?: [^()\[\]<&:\n（）]*+ \) | () ) | \)()                # 12 13: parentheses; a pair around plain text is skipped
| （() | ）() | & (?: ({_OPENING}) | ({_CLOSING}) ) ;           # 14 15, 16 17: other parentheses
| <(/?)([a-zA-Z][a-zA-Z0-9]*+)([^<>]*+)>                     # 18 19 20: a tag
| \[ (?: (?ai:(?:{_BRACKET_SCHEMES}):(?://)?) | // ) {_URL_PATTERN}       # a URL in brackets
| : (?ai:{_FREE_SCHEMES}) // ({_URL_PATTERN})                             # 21: a URL without brackets
"""
"""Each alternative begins with a fixed character, so that the engine can skip to the next possible token."""

_LINK, _COMPLEX, _LABEL_START, _IN_BRACKETS, _LABEL_END, _TAG, _URL = 3, 6, 7, 10, 11, 20, 21
_OPENINGS, _CLOSINGS = (12, 14, 16), (13, 15, 17)
_SWITCH = re.compile(r"__\w+?__")
_PUNCTUATION = ",;.:!?)"
_HIDDEN = int(Region.HIDDEN)


class PageFacts(NamedTuple):
    """A page without its links: its marks and its masked text (see ``ScannedPage``)."""

    disambiguation: bool
    hidden: bool
    masked: str


class ScannedPage(NamedTuple):
    """A page with its unresolved links.

    Attributes:
        links: The links in reading order.
        regions: The regions of each link, as flags of ``Region``.
        disambiguation: Whether the page is marked as a disambiguation page.
        hidden: Whether the page is marked as a hidden category.
        masked: The text in which fillers replace what is not running text; it begins with an extra line break.
    """

    links: list[RawLink]
    regions: list[int]
    disambiguation: bool
    hidden: bool
    masked: str

    def facts(self) -> PageFacts:
        """Return everything but the links."""
        return PageFacts(*self[2:])


class Scanner:
    """Scans the pages of one wiki.

    >>> from wayword.loaders.wikipedia.site import make_site
    >>> from wayword.loaders.wikipedia.languages import find_language
    >>> scanner = Scanner(Titles(make_site("enwiki")), find_language("en"))
    >>> scan = scanner.scan("A '''dog''' ([[Latin]]: canis) is an [[animal]]. {{main|[[Wolf]]}} [[Category:Dogs|*]]")
    >>> [(link.title.name, link.anchor, Region(link.region).name) for link in scan.links]
    [('Latin', 'Latin', 'PARENTHESES'), ('Animal', 'animal', None), ('Wolf', 'Wolf', 'HIDDEN')]
    >>> scan.categories
    ['Dogs']
    """

    fallback_count = 0
    """The number of pages that a subclass could not read, so that this class read them."""

    def __init__(self, titles: Titles, language: Language) -> None:
        self._language, self._titles = language, titles
        self.targets = Targets(titles)
        self._section = lru_cache(CACHED_HEADINGS)(self._read_section)
        self._trail = language.trail
        trail = language.trail.pattern
        self._tokens = re.compile(_TOKENS.replace("TRAIL", trail), re.VERBOSE)
        self._links = re.compile(r"\[\[ (?: " + _WHOLE.replace("TRAIL", trail) + "|)", re.VERBOSE)

    def scan(self, text: str) -> Scan:
        """Read a page and resolve its links."""
        page = self.read(text)
        return Scan(*self.targets.resolve(page.links, page.regions), page.disambiguation, page.hidden)

    def read(self, text: str) -> ScannedPage:
        """Read a page without resolving its links, which is faster for many pages together."""
        source = "\n" + text
        result = mask(source)
        body, language = result.text, self._language
        page = PageState(source, body, result.hidden, result.unclosed)
        if "[[" in source:
            self._read_tokens(page)
            self._enter(page, len(source))
        names = {fold_name(name) for name in result.templates}
        return ScannedPage(page.links, page.regions(), *classify_page(language, names, body if "__" in body else ""), body)

    def read_all(self, texts: Sequence[str]) -> tuple[list[PageFacts], RawLinks]:
        """Read several pages: their facts, and all their links as columns."""
        pages = list(map(self.read, texts))
        return [page.facts() for page in pages], link_columns(enumerate(pages))

    def _read_tokens(self, page: PageState) -> None:
        """Handle every token of the masked text: ordinary links here, for speed, and others in ``_handle_token``."""
        add: Callable[[Any], None] = page.links.append
        start = valid_until = 0
        for token in self._tokens.finditer(page.body):
            kind = token.lastindex
            if kind == _LINK:
                start = token.start()
                if start >= valid_until:
                    self._enter(page, start)
                    valid_until = page.valid_until
                add(token.group(1, 2, 3))
            elif kind:
                page.latest = max(page.latest, start)
                self._handle_token(page, token, kind)
                start, valid_until = page.latest, page.valid_until

    def _add_link(self, page: PageState, target: str, label: str | None, trail: str, label_start: int) -> None:
        """Add a link whose label may contain fillers to be restored."""
        if label and "\n" in label and self.targets[target].namespace != NO_LINK and not is_empty_label(label):
            page.parentheses.skip(label_start, label_start + len(label))
        page.links.append(restore_verbatim(target, label, trail, page.source, label_start))

    def _enter(self, page: PageState, position: int) -> None:
        """Handle what comes before a link: headings, masked parts, and the beginning of its line, which may be a hatnote."""
        body, hatnote = page.body, page.hatnote if position < page.hatnote else 0
        while page.line <= position:
            start, end = page.line, body.find("\n", page.line)
            line = body[start : end if end >= 0 else len(body)]
            if line.startswith("="):
                page.begin_section(*(self._section(line) if len(line) < MAX_CACHED_HEADING else self._read_section(line)))
            elif position < start + len(line) and is_hatnote(line, self._language):
                hatnote = start + len(line)
            page.next_line()
        while page.hidden < position:
            self._read_hidden(page, *page.next_hidden())
        page.enter(position, hatnote)

    def _read_section(self, line: str) -> tuple[int, bool]:
        """Return the level of a heading (0 if the line is not one) and whether it begins an appendix."""
        heading = parse_heading(line)
        return (heading[0], fold_name(heading[1]) in self._language.appendix) if heading else (0, False)

    def _read_hidden(self, page: PageState, start: int, end: int) -> None:
        """Add the links of a masked part."""
        page.begin_run(_HIDDEN)
        text = page.source[start:end]
        for token in self._links.finditer(mask_linkless(text)):
            if token[3] is not None:
                page.links.append(restore_verbatim(token[1], token[2], token[3], text, token.start(2)))

    def _handle_token(self, page: PageState, token: re.Match[str], kind: int) -> None:
        """Handle a token that is not an ordinary link."""
        position, end = token.span()
        if kind == _COMPLEX:
            self._enter_link(page, position)
            self._add_link(page, token[4], token[5], token[6], token.start(5))
        elif kind in _OPENINGS:
            page.parentheses.open(position, len(page.links))
        elif kind in _CLOSINGS:
            page.parentheses.close(position, len(page.links))
        elif kind == _TAG:
            page.handle_tag(position, bool(token[18]), token[19], token[20])
        elif kind == _LABEL_START:
            page.open_label(position, end, token[7], self._shows_file(token[7]))
        elif kind == _LABEL_END:
            self._close_label(page, position, end)
        elif kind == _IN_BRACKETS:
            self._enter_link(page, position)
            self._add_link(page, token[8], token[9], "", token.start(9))
            page.mark_bracketed()
        elif "(" not in token[_URL]:  # then a ")" at its end does not belong to the URL
            for back in range(len(token[_URL].rstrip(_PUNCTUATION)), len(token[_URL])):
                if token[_URL][back] == ")":
                    page.parentheses.close(token.start(_URL) + back, len(page.links))

    def _shows_file(self, target: str) -> bool:
        """Whether a link to a target shows a file."""
        plain = plain_target(target)
        title = self._titles.parse(plain)
        return title is not None and title.namespace == FILE and plain[0] != ":"

    def _enter_link(self, page: PageState, position: int) -> None:
        """Enter the regions of a link at this position."""
        page.latest = position
        if position >= page.valid_until:
            self._enter(page, position)

    def _close_label(self, page: PageState, position: int, end: int) -> None:
        """End a label; add its link if the label contained no other link."""
        label = page.close_label(end)
        if label:
            self._enter_link(page, label.position)
            trail = self._trail.match(page.body, end)
            self._add_link(page, label.target, page.body[label.end : position], trail[0] if trail else "", label.end)


def restore_verbatim(target: str, label: str | None, trail: str, source: str, label_start: int) -> RawLink:
    """Return a link with its verbatim fillers replaced by the source, in which its label begins at ``label_start``."""
    if label:
        if label[-1] == "]" and "[" not in label:  # of "]]]" the first bracket belongs to the label if one was opened there
            label, trail = label[:-1], ""
        if VERBATIM in label:
            text = source[label_start : label_start + len(label)]
            label = "".join(original if letter == VERBATIM else letter for letter, original in zip(label, text, strict=True))
    return target, label, trail


def classify_page(language: Language, templates: set[str], body: str) -> tuple[bool, bool]:
    """Whether a page is marked as a disambiguation page and as a hidden category, by its templates or by a switch."""
    switches = set(_SWITCH.findall(body))
    return (
        not (templates.isdisjoint(language.disambiguation) and switches.isdisjoint(language.disambiguation_switches)),
        not (templates.isdisjoint(language.hidden_category) and switches.isdisjoint(language.hidden_switches)),
    )
