"""Find pairs of parentheses and the links between them.

Both parentheses of a pair must be in one block. The ends of blocks are searched only if there is a link between the two.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_OPEN = 1_000
"""Parentheses that can be open at once; if there are more, the outermost are ignored."""

Range = tuple[int, int]

_BORDER = re.compile(r"\n\x01*+(?:[ \t\n]*(?=\n)|(?:[*#:;]|----)[^\n]*+|=[^\n]*=[ \t\x01]*+(?![^\n]))")
"""A line that is a block of its own or separates two blocks: a blank line, a list item, a rule, a heading."""


class _OpenParenthesis(NamedTuple):
    position: int
    links: int
    outer: _OpenParenthesis | None
    depth: int


class State(NamedTuple):
    """A saved state of ``Parentheses``."""

    open: _OpenParenthesis | None
    pairs: int
    floor: int
    border: Range
    tag: int


class Parentheses:
    """The parentheses of a page, in the order of the text. A link is identified by the number of links before it.

    ``ranges`` are the ranges of links between parentheses: outermost pairs only, so that no link is in two of them.

    >>> pairs = Parentheses("(a ([link]) b")
    >>> pairs.open(0, 0), pairs.open(3, 0), pairs.close(10, 1)
    (None, None, None)
    >>> pairs.ranges
    [(0, 1)]
    """

    def __init__(self, text: str) -> None:
        self.ranges: list[Range] = []
        self._text = text
        self._open: _OpenParenthesis | None = None
        self._floor = 0  # ranges before this index are final while a caption may restore the saved state
        self._tag = -1
        self._border: Range = (-1, -1)  # the last border before the last position that was checked
        self._next_border: re.Match[str] | None = None
        self._search_from = 0

    def open(self, position: int, links: int) -> None:
        """Handle an opening parenthesis."""
        outer = self._open
        if outer and outer.depth >= MAX_OPEN:
            outer = None
        self._open = _OpenParenthesis(position, links, outer, outer.depth + 1 if outer else 1)

    def close(self, position: int, links: int) -> None:
        """Handle a closing parenthesis. A border between it and its ``(`` is searched only if there are links between them."""
        last = self._open
        if last is None:
            return
        self._open = last.outer
        if links > last.links and not self._is_separated(last.position, position):
            ranges = self.ranges
            while len(ranges) > self._floor and ranges[-1][0] >= last.links:
                ranges.pop()
            ranges.append((last.links, links))

    def end_block(self, position: int) -> None:
        """Handle a tag that ends a block."""
        self._tag = position

    def save(self, position: int) -> State:
        """Return the state at a position where a caption may begin."""
        self._advance(position)
        state = State(self._open, len(self.ranges), self._floor, self._border, self._tag)
        self._floor = len(self.ranges)
        return state

    def discard(self, state: State) -> None:
        """Discard a saved state and keep the current one: no caption began there."""
        self._floor = state.floor

    def restore(self, state: State, position: int) -> None:
        """Return to a state: a caption began there and ends here, and its parentheses and borders do not count."""
        self._open, _, self._floor, self._border, self._tag = state
        del self.ranges[state.pairs :]
        self._search_from = max(self._search_from, position)
        if self._next_border and self._next_border.start() < position:
            self._next_border = None

    def skip(self, begin: int, end: int) -> None:
        """Ignore borders between two positions after the last that was handled."""
        self.restore(self.save(begin), end)

    def _is_separated(self, begin: int, end: int) -> bool:
        """Whether a border lies between two positions."""
        if self._tag > begin:
            return True
        self._advance(end)
        start, stop = self._border
        return (stop if stop <= end else start) > begin

    def _advance(self, position: int) -> None:
        """Find the last border that begins before a position."""
        while self._search_from < position:
            match = self._next_border or _BORDER.search(self._text, self._search_from)
            if match is None:
                self._search_from = len(self._text)
                return
            if match.start() >= position:
                self._next_border = match
                return
            self._border, self._next_border = match.span(), None
            self._search_from = match.end()
