"""The state of the fast parser within a page: the open elements, and the regions of the links so far.

Captions, boxes and pairs of parentheses are recorded as ranges of links when they close. Those still open at the end of the
page are plain text.
"""

from __future__ import annotations

import re
import sys
from collections import deque
from itertools import pairwise
from typing import NamedTuple

from .headings import LINE_START
from .parentheses import Parentheses, Range, State
from .regions import Region
from .targets import RawLink

MAX_OPEN = 1_000
"""Labels and boxes that can be open at once; if there are more, the outermost are plain text."""

BLOCK_TAGS = (
    *("div", "p", "center", "blockquote", "ul", "ol", "li", "dl", "dt", "dd", "pre", "hr", "poem"),
    *("h1", "h2", "h3", "h4", "h5", "h6"),
)
"""Tags that end a block."""

BLOCKS = re.compile("|".join(BLOCK_TAGS))

BOX_CLASSES = (
    *("infobox", "navbox", "navframe", "vertical-navbox", "sidebar", "hatnote", "dablink", "rellink", "thumb", "toc"),
    *("toccolours", "metadata", "references", "references-small", "reflist", "gallery", "navigation"),
)
"""Classes and ids of elements that are not running text."""

_ATTRIBUTE = re.compile(r"""\b(?:class|id)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"']++))""", re.IGNORECASE | re.ASCII)
_BOXES = re.compile(rf"(?<!\S)(?:{'|'.join(BOX_CLASSES)})(?!\S)", re.IGNORECASE | re.ASCII)


_APPENDIX, _HATNOTE, _BOX = int(Region.APPENDIX), int(Region.HATNOTE), int(Region.BOX)
_NO_MORE: Range = (sys.maxsize, sys.maxsize)


class Label(NamedTuple):
    """An open label: where its link begins, and the state before it."""

    position: int
    end: int
    target: str
    shows_file: bool
    links: int
    parentheses: State


class PageState:
    """The state of the parser within one page.

    Attributes:
        source: The text of the page.
        body: The masked text.
        hidden: Where the next masked part with links begins.
        line: Where the next line begins that may be a heading or a hatnote.
        latest: Where the last link of any kind begins.
        region: The regions of links at this position, except for those that are known only when an element closes.
        valid_until: The position up to which ``region`` holds.
    """

    def __init__(self, source: str, body: str, hidden: list[Range], unclosed: int) -> None:
        self.source = source
        self.body = body
        self.links: list[RawLink] = []
        self.parentheses = Parentheses(body)
        self.region = 0
        self.latest = self.hatnote = self.valid_until = 0
        self._unclosed = unclosed
        self._hidden_parts = iter(hidden)
        self._upcoming: Range = (0, 0)
        self.next_hidden()
        self._lines = LINE_START.finditer(body)
        self.next_line()
        self._level = 0
        self._labels: deque[Label] = deque(maxlen=MAX_OPEN)
        self._boxes: dict[str, deque[list[int]]] = {}
        self._runs: list[tuple[int, int]] = [(0, 0)]
        self._caption_ranges: list[Range] = []
        self._box_ranges: list[Range] = []
        self._bracketed_ranges: list[Range] = []

    def next_hidden(self) -> Range:
        """Advance to the next masked part and return the current one."""
        current = self._upcoming
        self._upcoming = next(self._hidden_parts, _NO_MORE)
        self.hidden = self._upcoming[0]
        return current

    def next_line(self) -> None:
        """Advance to the next line that may be a heading or a hatnote."""
        match = next(self._lines, None)
        self.line = match.end() if match else sys.maxsize

    def begin_section(self, level: int, appendix: bool) -> None:
        """Begin a section, unless the level is 0."""
        if level and (not self._level or level <= self._level):
            self._level = level if appendix else 0

    def enter(self, position: int, hatnote: int) -> None:
        """Compute the regions at a position; ``hatnote`` is the end of the hatnote that contains it (0: none)."""
        self.hatnote = hatnote
        is_before_table = position < self._unclosed
        self.begin_run((_APPENDIX if self._level else 0) | (_HATNOTE if hatnote else 0) | (0 if is_before_table else _BOX))
        self.valid_until = min(
            self.hidden, self.line, hatnote or sys.maxsize, self._unclosed if is_before_table else sys.maxsize
        )

    def begin_run(self, region: int) -> None:
        """Begin a run of links in these regions."""
        self.region = region
        self._runs.append((len(self.links), region))

    def mark_bracketed(self) -> None:
        """Mark the last link as ``BRACKETED``."""
        self._bracketed_ranges.append((len(self.links) - 1, len(self.links)))

    def open_label(self, position: int, end: int, target: str, shows_file: bool) -> None:
        """Open a label that may contain a link."""
        self._labels.append(Label(position, end, target, shows_file, len(self.links), self.parentheses.save(position)))

    def close_label(self, end: int) -> Label | None:
        """Close the last label; return it if it is the label of a link, which is not a file and contains no other link."""
        if not self._labels:
            return None
        label = self._labels.pop()
        if self.latest > label.position and not label.shows_file:
            self.parentheses.discard(label.parentheses)
            return None
        self.parentheses.restore(label.parentheses, end)
        if not label.shows_file:
            return label
        if len(self.links) > label.links:
            self._caption_ranges.append((label.links, len(self.links)))
        self.latest = label.position
        return None

    def handle_tag(self, position: int, closing: bool, name: str, attributes: str) -> None:
        """Handle a tag: it may end a block, and open or close a box."""
        name = name.lower()
        if BLOCKS.fullmatch(name):
            self.parentheses.end_block(position)
        boxes = self._boxes.get(name)
        if closing:
            if boxes:
                boxes[-1][0] -= 1
                if not boxes[-1][0]:
                    _, links = boxes.pop()
                    if len(self.links) > links:
                        self._box_ranges.append((links, len(self.links)))
        elif "=" in attributes and is_box(attributes) and not attributes.endswith("/"):
            self._boxes.setdefault(name, deque(maxlen=MAX_OPEN)).append([1, len(self.links)])
        elif boxes and not attributes.endswith("/"):
            boxes[-1][0] += 1

    def regions(self) -> list[int]:
        """Return the regions of each link, at the end of the page."""
        regions: list[int] = []
        for (begin, region), (end, _) in pairwise([*self._runs, (len(self.links), 0)]):
            regions += [region] * (end - begin)
        for ranges, region in (
            (self.parentheses.ranges, Region.PARENTHESES),
            (self._caption_ranges, Region.CAPTION),
            (self._box_ranges, Region.BOX),
            (self._bracketed_ranges, Region.BRACKETED),
        ):
            if ranges:
                _mark(regions, ranges, int(region))
        return regions


def _mark(regions: list[int], ranges: list[Range], flag: int) -> None:
    """Mark the links in ranges, which are in the order of their ends; each link is visited at most once."""
    lowest = len(regions)
    for start, end in reversed(ranges):
        for position in range(start, min(end, lowest)):
            regions[position] |= flag
        lowest = min(lowest, start)


def is_box(attributes: str) -> bool:
    """Whether the attributes of an element have a class or id of an element that is not running text."""
    return any(_BOXES.search("".join(groups)) for groups in _ATTRIBUTE.findall(attributes))
