"""What is open at a place of a page while it is read, and what that makes of the links so far.

Captions, boxes and pairs of parentheses are noted when they close, as ranges of links; what is still open at the end of the
page was plain text.
"""

from __future__ import annotations

import re
import sys
from collections import deque
from itertools import pairwise
from typing import NamedTuple

from .headings import SPECIAL
from .parentheses import Parentheses, Range, State
from .regions import Region
from .targets import WrittenLink

DEEPEST = 1_000
"""Labels and boxes open at once; of more, those that opened first are plain text."""

BLOCK_TAGS = (
    *("div", "p", "center", "blockquote", "ul", "ol", "li", "dl", "dt", "dd", "pre", "hr", "poem"),
    *("h1", "h2", "h3", "h4", "h5", "h6"),
)
"""Tags that end a block."""

BLOCKS = re.compile("|".join(BLOCK_TAGS))

BOXES = re.compile(
    "infobox|navbox|navframe|vertical-navbox|sidebar|hatnote|dablink|rellink|thumb|toc|toccolours|metadata|references"
    "|references-small|reflist|gallery|navigation"
)
"""Classes and ids of elements that are set apart from the running text."""

_ATTRIBUTE = re.compile(r"""\b(?:class|id)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"']++))""", re.IGNORECASE)


_APPENDIX, _HATNOTE, _BOX = int(Region.APPENDIX), int(Region.HATNOTE), int(Region.BOX)
_NOWHERE: Range = (sys.maxsize, sys.maxsize)


class Label(NamedTuple):
    """A link whose label has begun, and what stood before it."""

    place: int
    end: int
    target: str
    shows_file: bool
    links: int
    parentheses: State


class PageState:
    """The reading of one page.

    ``source`` is its text and ``body`` the same filled; ``hidden`` is the place of the next piece that is filled, ``line`` that
    of the next line that may be a heading or a hatnote, ``latest`` that of the last link of any kind. ``region`` is what links
    stand in now, as far as that is known before something closes, and ``ahead`` how far that holds.
    """

    def __init__(self, source: str, body: str, hidden: list[Range], unclosed: int) -> None:
        self.source = source
        self.body = body
        self.links: list[WrittenLink] = []
        self.parentheses = Parentheses(body)
        self.region = 0
        self.latest = self.hatnote = self.ahead = 0
        self._unclosed = unclosed
        self._waiting = iter(hidden)
        self._coming: Range = (0, 0)
        self.next_hidden()
        self._lines = SPECIAL.finditer(body)
        self.next_line()
        self._level = 0
        self._labels: deque[Label] = deque(maxlen=DEEPEST)
        self._boxes: dict[str, deque[list[int]]] = {}
        self._runs: list[tuple[int, int]] = [(0, 0)]
        self._captions: list[Range] = []
        self._boxed: list[Range] = []
        self._bracketed: list[Range] = []

    def next_hidden(self) -> Range:
        """Take the next piece of what is filled."""
        coming = self._coming
        self._coming = next(self._waiting, _NOWHERE)
        self.hidden = self._coming[0]
        return coming

    def next_line(self) -> None:
        """Go on to the next line that may be a heading or a hatnote."""
        found = next(self._lines, None)
        self.line = found.end() if found else sys.maxsize

    def begin_section(self, level: int, appendix: bool) -> None:
        """A heading stands here, if its level is not 0."""
        if level and (not self._level or level <= self._level):
            self._level = level if appendix else 0

    def arrive(self, place: int, hatnote: int) -> None:
        """All is seen to that comes before the next link, which stands in a hatnote that ends there, or in none (0)."""
        self.hatnote = hatnote
        closed = place < self._unclosed
        self.begin((_APPENDIX if self._level else 0) | (_HATNOTE if hatnote else 0) | (0 if closed else _BOX))
        self.ahead = min(self.hidden, self.line, hatnote or sys.maxsize, self._unclosed if closed else sys.maxsize)

    def begin(self, region: int) -> None:
        """The links from here on stand in this."""
        self.region = region
        self._runs.append((len(self.links), region))

    def set_in_brackets(self) -> None:
        """The last link stands in brackets of its own."""
        self._bracketed.append((len(self.links) - 1, len(self.links)))

    def begin_label(self, place: int, end: int, target: str, shows_file: bool) -> None:
        """A label begins that is not only text."""
        self._labels.append(Label(place, end, target, shows_file, len(self.links), self.parentheses.state(place)))

    def end_label(self, end: int) -> Label | None:
        """A label ends; what began with it if it is a link, and not text with a link in it, nor a file with its caption."""
        if not self._labels:
            return None
        label = self._labels.pop()
        if self.latest > label.place and not label.shows_file:
            self.parentheses.give_up(label.parentheses)
            return None
        self.parentheses.restore(label.parentheses, end)
        if not label.shows_file:
            return label
        if len(self.links) > label.links:
            self._captions.append((label.links, len(self.links)))
        self.latest = label.place
        return None

    def tag(self, place: int, closing: bool, name: str, attributes: str) -> None:
        """A tag stands here."""
        name = name.lower()
        if BLOCKS.fullmatch(name):
            self.parentheses.end_block(place)
        boxes = self._boxes.get(name)
        if closing:
            if boxes:
                boxes[-1][0] -= 1
                if not boxes[-1][0]:
                    _, links = boxes.pop()
                    if len(self.links) > links:
                        self._boxed.append((links, len(self.links)))
        elif "=" in attributes and is_box(attributes) and not attributes.endswith("/"):
            self._boxes.setdefault(name, deque(maxlen=DEEPEST)).append([1, len(self.links)])
        elif boxes and not attributes.endswith("/"):
            boxes[-1][0] += 1

    def regions(self) -> list[int]:
        """What each link stands in, now that all has closed that ever will."""
        found: list[int] = []
        for (begin, region), (end, _) in pairwise([*self._runs, (len(self.links), 0)]):
            found += [region] * (end - begin)
        for ranges, region in (
            (self.parentheses.ranges, Region.PARENTHESES),
            (self._captions, Region.CAPTION),
            (self._boxed, Region.BOX),
            (self._bracketed, Region.BRACKETED),
        ):
            if ranges:
                _mark(found, ranges, int(region))
        return found


def _mark(regions: list[int], ranges: list[Range], flag: int) -> None:
    """Mark the links in ranges that come in the order of their ends; none is looked at twice."""
    lowest = len(regions)
    for start, end in reversed(ranges):
        for place in range(start, min(end, lowest)):
            regions[place] |= flag
        lowest = min(lowest, start)


def is_box(attributes: str) -> bool:
    """Whether the attributes of an element have a class or id that sets it apart from the running text."""
    words = (word for found in _ATTRIBUTE.findall(attributes) for word in "".join(found).lower().split())
    return any(BOXES.fullmatch(word) for word in words)
