"""The regions of a page in which a link can be, and the result of a scan."""

from __future__ import annotations

from enum import IntFlag
from typing import NamedTuple

from .titles import Title


class Region(IntFlag):
    """Where a link is; flags, since several can apply. 0 is running text."""

    HIDDEN = 1
    """In a template, a table, a reference or a gallery."""
    CAPTION = 2
    BOX = 4
    """In an element whose class shows that it is not running text, such as a navigation box."""
    HATNOTE = 8
    APPENDIX = 16
    PARENTHESES = 32
    BRACKETED = 64
    """``[[[X]]]``: intended as a link, but displayed as text."""


class Link(NamedTuple):
    """A link. ``anchor`` is the text that a reader clicks, with single spaces; it may be empty."""

    title: Title
    anchor: str
    region: int


class Scan(NamedTuple):
    """The links of a page in reading order, its categories, and whether it is marked as disambiguation or hidden category."""

    links: list[Link]
    categories: list[str]
    disambiguation: bool
    hidden: bool
