"""What is open at a place of a page while it is read, and what that makes of the links so far.

Captions, boxes and pairs of parentheses are noted when they close, as ranges of links; what is still open at the end of the page
was plain text.
"""

from __future__ import annotations

import re
import sys
from collections import deque
from typing import NamedTuple

from .lines import SPECIAL
from .parentheses import Parentheses, Range, State
from .regions import Link, Region

DEEPEST = 1_000
"""Labels and boxes open at once; of more, those that opened first are plain text."""

BLOCKS = frozenset(["div", "p", "center", "blockquote", "ul", "ol", "li", "dl", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "hr", "poem"])
"""Tags that end a block."""

BOXES = frozenset(
    ["infobox", "navbox", "navframe", "vertical-navbox", "sidebar", "hatnote", "dablink", "rellink", "thumb", "toc", "toccolours", "metadata", "references", "references-small", "reflist", "gallery", "navigation"]
)
"""Classes and ids of elements that are set apart from the running text."""

_ATTRIBUTE = re.compile(r"""\b(?:class|id)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"']++))""", re.IGNORECASE)


_APPENDIX, _HATNOTE = int(Region.APPENDIX), int(Region.HATNOTE)
_NOWHERE: Range = (sys.maxsize, sys.maxsize)


class Label(NamedTuple):
    """A link whose label has begun, and what stood before it. ``state`` is that of the parentheses if it shows a file."""

    place: int
    end: int
    target: str
    links: int
    state: State | None


class Page:
    """The reading of one page.

    ``source`` is its text and ``body`` the same filled; ``hidden`` is the place of the next piece that is filled, ``line`` that of the
    next line that may be a heading or a hatnote, ``latest`` that of the last link of any kind. ``region`` is what links stand in now.
    """

    def __init__(self, source: str, body: str, hidden: list[Range]) -> None:
        self.source = source
        self.body = body
        self.links: list[Link] = []
        self.categories: list[str] = []
        self.parentheses = Parentheses(body)
        self.region = 0
        self.latest = self.hatnote = 0
        self._waiting = iter(hidden)
        self._coming: Range = (0, 0)
        self.next_hidden()
        self._lines = SPECIAL.finditer(body)
        self.next_line()
        self._level = 0
        self._labels: deque[Label] = deque(maxlen=DEEPEST)
        self._boxes: dict[str, deque[list[int]]] = {}
        self._captions: list[Range] = []
        self._boxed: list[Range] = []

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

    def arrive(self, hatnote: int) -> Range:
        """All is seen to that comes before the next link, which stands in a hatnote that ends there, or in none.

        What the next link stands in, as far as that is known before something closes; and before which place nothing changes that.
        """
        self.hatnote = hatnote
        self.region = (_APPENDIX if self._level else 0) | (_HATNOTE if hatnote else 0)
        return self.region, min(self.hidden, self.line, hatnote or sys.maxsize)

    def begin_label(self, place: int, end: int, target: str, shows_file: bool) -> None:
        """A label begins that is not only text."""
        state = self.parentheses.state(place) if shows_file else None
        self._labels.append(Label(place, end, target, len(self.links), state))

    def end_label(self, place: int, end: int) -> Label | None:
        """A label ends; what began with it if it is a link, and not text with a link in it."""
        if not self._labels:
            return None
        label = self._labels.pop()
        if label.state is None:
            return None if self.latest > label.place else label
        self.parentheses.restore(label.state, end)
        if len(self.links) > label.links:
            self._captions.append((label.links, len(self.links)))
        self.latest = label.place
        return None

    def tag(self, place: int, closing: bool, name: str, attributes: str) -> None:
        """A tag stands here."""
        name = name.lower()
        if name in BLOCKS:
            self.parentheses.end_block(place)
        boxes = self._boxes.get(name)
        if closing:
            if boxes:
                boxes[-1][0] -= 1
                if not boxes[-1][0]:
                    _, links = boxes.pop()
                    if len(self.links) > links:
                        self._boxed.append((links, len(self.links)))
        elif "=" in attributes and _is_box(attributes) and not attributes.endswith("/"):
            self._boxes.setdefault(name, deque(maxlen=DEEPEST)).append([1, len(self.links)])
        elif boxes and not attributes.endswith("/"):
            boxes[-1][0] += 1

    def finished(self) -> list[Link]:
        """The links, each with all that it stands in."""
        self._mark(self.parentheses.ranges, Region.PARENTHESES)
        self._mark(self._captions, Region.CAPTION)
        self._mark(self._boxed, Region.BOX)
        return self.links

    def _mark(self, ranges: list[Range], region: Region) -> None:
        """Mark the links in ranges that come in the order of their ends; none is looked at twice."""
        links, flag, lowest = self.links, int(region), len(self.links)
        for start, end in reversed(ranges):
            for place in range(start, min(end, lowest)):
                title, anchor, known = links[place]
                links[place] = Link(title, anchor, known | flag)
            lowest = min(lowest, start)


def _is_box(attributes: str) -> bool:
    return any(
        not BOXES.isdisjoint((quoted or single or bare).lower().split()) for quoted, single, bare in _ATTRIBUTE.findall(attributes)
    )
