"""Pairs of parentheses, and which links they hide.

A pair counts only within one block; where blocks end is looked for only where a pair has a link in it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

DEEPEST = 1_000
"""Parentheses open at once; more of them in one block are none."""

Range = tuple[int, int]

_BORDER = re.compile(r"\n\x01*+(?:[ \t\n]*(?=\n)|(?:[*#:;]|----)[^\n]*+|=[^\n]*=[ \t\x01]*+(?![^\n]))")
"""A line that is a block by itself, or only parts two: a blank one, an item of a list, a rule, a heading."""


class _Open(NamedTuple):
    place: int
    links: int
    outer: _Open | None
    depth: int


class State(NamedTuple):
    """What was open at a place, to return to it."""

    open: _Open | None
    pairs: int
    floor: int
    border: Range
    tag: int


class Parentheses:
    """The parentheses of a page, told of in the order of the text; links are told by how many stand before a place.

    >>> pairs = Parentheses("(a ([link]) b")
    >>> pairs.open(0, 0), pairs.open(3, 0), pairs.close(10, 1)
    (None, None, None)
    >>> pairs.ranges
    [(0, 1)]
    """

    def __init__(self, text: str) -> None:
        self.ranges: list[Range] = []
        self._text = text
        self._open: _Open | None = None
        self._floor = 0  # pairs that a caption may still bring back
        self._tag = -1
        self._border: Range = (-1, -1)  # the last one before the place that was asked for
        self._next: re.Match[str] | None = None
        self._from = 0

    def open(self, place: int, links: int) -> None:
        """``(`` stands here."""
        outer = self._open
        if outer and outer.depth >= DEEPEST:
            outer = None
        self._open = _Open(place, links, outer, outer.depth + 1 if outer else 1)

    def close(self, place: int, links: int) -> None:
        """``)`` stands here. A ``(`` before the last border is not told from one that is open until a link is at stake."""
        last = self._open
        if last is None:
            return
        self._open = last.outer
        if links > last.links and not self._parted(last.place, place):
            ranges = self.ranges
            while len(ranges) > self._floor and ranges[-1][0] >= last.links:
                ranges.pop()
            ranges.append((last.links, links))

    def end_block(self, place: int) -> None:
        """A tag that ends a block stands here."""
        self._tag = place

    def state(self, place: int) -> State:
        """What is open here, where a caption may begin."""
        self._advance(place)
        state = State(self._open, len(self.ranges), self._floor, self._border, self._tag)
        self._floor = len(self.ranges)
        return state

    def give_up(self, state: State) -> None:
        """What began there was no caption."""
        self._floor = state.floor

    def restore(self, state: State, place: int) -> None:
        """What began there was a caption: it ends here, and nothing in it parts or pairs anything."""
        self._open, _, self._floor, self._border, self._tag = state
        del self.ranges[state.pairs :]
        self._from = max(self._from, place)
        if self._next and self._next.start() < place:
            self._next = None

    def skip(self, begin: int, end: int) -> None:
        """What stands between the places, behind the last that was told of, parts nothing."""
        self.restore(self.state(begin), end)

    def _parted(self, begin: int, end: int) -> bool:
        """Whether a border lies between the two places."""
        if self._tag > begin:
            return True
        self._advance(end)
        start, stop = self._border
        return (stop if stop <= end else start) > begin

    def _advance(self, place: int) -> None:
        """Find the last border that begins before the place."""
        while self._from < place:
            found = self._next or _BORDER.search(self._text, self._from)
            if found is None:
                self._from = len(self._text)
                return
            if found.start() >= place:
                self._next = found
                return
            self._border, self._next = found.span(), None
            self._from = found.end()
