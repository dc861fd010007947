"""Reads an article's wikitext once and yields every link with what it stands in.

What is no running text is filled first (``blanks``); then one regular expression finds what matters in the rest. An ordinary
link is one match. A label with a link in it, a caption, an element or a parenthesis is settled when it closes (``page``), so
that whatever never closes is plain text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ..languages import fold_name
from ..site import FILE
from .headings import is_hatnote, parse_heading
from .masking import VERBATIM, mask, mask_dead
from .page_state import PageState
from .raw_links import link_columns
from .regions import Link, Region, Scan
from .targets import FREE_SCHEMES, NOWHERE, SCHEMES, Targets, WrittenLink, is_empty_label, plain_target
from .titles import Titles

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..languages import Language
    from .raw_links import RawLinks

__all__ = ["Link", "Region", "Scan", "Scanner"]

CACHED = 1 << 10
LONGEST_CACHED = 60
"""Headings that are remembered, and characters that one may have."""

_FREE = "|".join(f"(?<={scheme}:)" for scheme in FREE_SCHEMES)
_BRACKETABLE = "|".join(SCHEMES)
_TARGET = r"[^\[\]{}|<>\n\x02\x03]*+"
_WORDS = r"[^\[\]\n\x03]*+"
_LABEL = r"[^\[\]]*+(?:(?:\[(?!\[)|\](?!\])|\](?=\]\](?!\])))[^\[\]]*+)*+"
_OPENING = r"\#0*+(?:40|65288)|\#[xX]0*+(?:28|[fF][fF]08)|lpar"
_CLOSING = r"\#0*+(?:41|65289)|\#[xX]0*+(?:29|[fF][fF]09)|rpar"
_ADDRESS = r"""[^\s\[\]<>"]*+"""

_WHOLE = rf"({_TARGET}) (?:\|({_LABEL}))? \]\] ((?:TRAIL)?)"
_TOKENS = rf"""
  \[\[ (?: ({_TARGET}) (?:\|({_WORDS}))? \]\] ((?:TRAIL)?)    # 1 2 3: a link with nothing in its label to be mended
         | {_WHOLE}                                          # 4 5 6: any other
         | ({_TARGET}) \|                                    # 7: one with others in its label, or never closed
         | \[ ({_TARGET}) (?:\|([^\[\]]*+))? \]\] ((?=\]))   # 8 9 10: one in brackets
         | )
| \](\])                                                     # 11
| \( (?: [^()\[\]<&:\n（）]*+ \) | () ) | \)()                # 12 13: parentheses, but for pairs with nothing that matters
| （() | ）() | & (?: ({_OPENING}) | ({_CLOSING}) ) ;           # 14 15, 16 17: other parentheses
| <(/?)([a-zA-Z][a-zA-Z0-9]*+)([^<>]*+)>                     # 18 19 20: a tag
| \[ (?: (?i:(?:{_BRACKETABLE}):(?://)?) | // ) {_ADDRESS}       # an address in brackets
| : (?i:{_FREE}) // ({_ADDRESS})                             # 21: one without
"""
"""Each alternative begins with a character of its own, so that the engine can skip to the next of them."""

_LINK, _ODD, _OPENED, _BRACKETED, _CLOSED, _TAG, _ADDRESSED = 3, 6, 7, 10, 11, 20, 21
_OPENINGS, _CLOSINGS = (12, 14, 16), (13, 15, 17)
_SWITCH = re.compile(r"__\w+?__")
_PUNCTUATION = ",;.:!?)"
_HIDDEN = int(Region.HIDDEN)


class PageMarks(NamedTuple):
    """What a page's wikitext says but for its links: whether it marks itself, and what of it is text (see ``ScannedPage``)."""

    disambiguation: bool
    hidden: bool
    filled: str


class ScannedPage(NamedTuple):
    """What a page's wikitext says, with its links as they are written; ``filled`` is the text with all filled that is no text.

    It begins with a line break of its own.
    """

    links: list[WrittenLink]
    regions: list[int]
    disambiguation: bool
    hidden: bool
    filled: str

    def sight(self) -> PageMarks:
        """All but the links."""
        return PageMarks(*self[2:])


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

    given_up = 0
    """Pages that a subclass has left to this class."""

    def __init__(self, titles: Titles, language: Language) -> None:
        self._language, self._titles = language, titles
        self.targets = Targets(titles)
        self._section = lru_cache(CACHED)(self._read_section)
        self._trail = language.trail
        trail = language.trail.pattern
        self._tokens = re.compile(_TOKENS.replace("TRAIL", trail), re.VERBOSE)
        self._links = re.compile(r"\[\[ (?: " + _WHOLE.replace("TRAIL", trail) + "|)", re.VERBOSE)

    def scan(self, text: str) -> Scan:
        """The links of a page, in reading order, and what else its wikitext says of it."""
        found = self.read(text)
        return Scan(*self.targets.links(found.links, found.regions), found.disambiguation, found.hidden)

    def read(self, text: str) -> ScannedPage:
        """The same with links as they are written: where they lead is better worked out for many pages together."""
        source = "\n" + text
        filled = mask(source)
        body, language = filled.text, self._language
        page = PageState(source, body, filled.hidden, filled.unclosed)
        if "[[" in source:
            self._read(page)
            self._arrive(page, len(source))
        names = {fold_name(name) for name in filled.templates}
        return ScannedPage(page.links, page.regions(), *find_marks(language, names, body if "__" in body else ""), body)

    def read_all(self, texts: Sequence[str]) -> tuple[list[PageMarks], RawLinks]:
        """What the pages with these texts say, and their links as columns."""
        found = list(map(self.read, texts))
        return [each.sight() for each in found], link_columns(enumerate(found))

    def _read(self, page: PageState) -> None:
        """Take every token of what is not filled; an ordinary link right here, all else by a call."""
        add: Callable[[Any], None] = page.links.append
        start = ahead = 0
        for token in self._tokens.finditer(page.body):
            kind = token.lastindex
            if kind == _LINK:
                start = token.start()
                if start >= ahead:
                    self._arrive(page, start)
                    ahead = page.ahead
                add(token.group(1, 2, 3))
            elif kind:
                page.latest = max(page.latest, start)
                self._mark(page, token, kind)
                start, ahead = page.latest, page.ahead

    def _add(self, page: PageState, target: str, label: str | None, trail: str, labelled: int) -> None:
        """Add a link in whose label something may have to be mended."""
        if label and "\n" in label and self.targets[target].namespace != NOWHERE and not is_empty_label(label):
            page.parentheses.skip(labelled, labelled + len(label))
        page.links.append(mend_link(target, label, trail, page.source, labelled))

    def _arrive(self, page: PageState, place: int) -> None:
        """Take what comes before a link and matters to it: headings, what is filled, and whether its line is a hatnote."""
        body, hatnote = page.body, page.hatnote if place < page.hatnote else 0
        while page.line <= place:
            start, end = page.line, body.find("\n", page.line)
            line = body[start : end if end >= 0 else len(body)]
            if line.startswith("="):
                page.begin_section(*(self._section(line) if len(line) < LONGEST_CACHED else self._read_section(line)))
            elif place < start + len(line) and is_hatnote(line, self._language):
                hatnote = start + len(line)
            page.next_line()
        while page.hidden < place:
            self._read_hidden(page, *page.next_hidden())
        page.arrive(place, hatnote)

    def _read_section(self, line: str) -> tuple[int, bool]:
        """The level of a heading, and whether an appendix begins; the level is 0 if it is none."""
        found = parse_heading(line)
        return (found[0], fold_name(found[1]) in self._language.appendix) if found else (0, False)

    def _read_hidden(self, page: PageState, start: int, end: int) -> None:
        """Take the links of what is filled."""
        page.begin(_HIDDEN)
        text = page.source[start:end]
        for token in self._links.finditer(mask_dead(text)):
            if token[3] is not None:
                page.links.append(mend_link(token[1], token[2], token[3], text, token.start(2)))

    def _mark(self, page: PageState, token: re.Match[str], kind: int) -> None:
        """Take what is not an ordinary link."""
        place, end = token.span()
        if kind == _ODD:
            self._reach(page, place)
            self._add(page, token[4], token[5], token[6], token.start(5))
        elif kind in _OPENINGS:
            page.parentheses.open(place, len(page.links))
        elif kind in _CLOSINGS:
            page.parentheses.close(place, len(page.links))
        elif kind == _TAG:
            page.tag(place, bool(token[18]), token[19], token[20])
        elif kind == _OPENED:
            target = plain_target(token[7])
            title = self._titles.parse(target)
            page.begin_label(place, end, token[7], title is not None and title.namespace == FILE and target[0] != ":")
        elif kind == _CLOSED:
            self._close(page, place, end)
        elif kind == _BRACKETED:
            self._reach(page, place)
            self._add(page, token[8], token[9], "", token.start(9))
            page.set_in_brackets()
        elif "(" not in token[_ADDRESSED]:  # then closing ones at its end are not part of it
            for back in range(len(token[_ADDRESSED].rstrip(_PUNCTUATION)), len(token[_ADDRESSED])):
                if token[_ADDRESSED][back] == ")":
                    page.parentheses.close(token.start(_ADDRESSED) + back, len(page.links))

    def _reach(self, page: PageState, place: int) -> None:
        """Be at a link."""
        page.latest = place
        if place >= page.ahead:
            self._arrive(page, place)

    def _close(self, page: PageState, place: int, end: int) -> None:
        """Take a link of which only now is known that its label held none."""
        label = page.end_label(end)
        if label:
            self._reach(page, label.place)
            trail = self._trail.match(page.body, end)
            self._add(page, label.target, page.body[label.end : place], trail[0] if trail else "", label.end)


def mend_link(target: str, label: str | None, trail: str, source: str, labelled: int) -> WrittenLink:
    """A link with its label, which begins at a place of the source, as that was meant."""
    if label:
        if label[-1] == "]" and "[" not in label:  # of three that close the first is the label's if it opened one
            label, trail = label[:-1], ""
        if VERBATIM in label:
            text = source[labelled : labelled + len(label)]
            label = "".join(written if kept == VERBATIM else kept for kept, written in zip(label, text, strict=True))
    return target, label, trail


def find_marks(language: Language, templates: set[str], body: str) -> tuple[bool, bool]:
    """Whether a page marks itself as one for disambiguation, and as a hidden category: by its templates, or by a switch."""
    switches = set(_SWITCH.findall(body))
    return (
        not (templates.isdisjoint(language.disambiguation) and switches.isdisjoint(language.disambiguation_switches)),
        not (templates.isdisjoint(language.hidden_category) and switches.isdisjoint(language.hidden_switches)),
    )
