"""What a link of an article stands in, and what a scan of a page yields."""

from __future__ import annotations

from enum import IntFlag
from typing import NamedTuple

from .titles import Title


class Region(IntFlag):
    """Where a link stands; 0 is running text. Several can be true at once."""

    HIDDEN = 1
    """In a template, a table, a reference, a gallery: nothing of the running text."""
    CAPTION = 2
    BOX = 4
    """In an element whose class says that it is set apart: a navigation box, a hatnote."""
    HATNOTE = 8
    APPENDIX = 16
    PARENTHESES = 32
    BRACKETED = 64
    """In brackets of its own, ``[[[X]]]``: readers see no link there, although the writer meant one."""


class Link(NamedTuple):
    """A link in reading order. ``anchor`` is what a reader clicks, with its white space as single blanks; it may be empty."""

    title: Title
    anchor: str
    region: int


class Scan(NamedTuple):
    """What a page's wikitext says: its links, the categories it is in, and whether it marks itself as something special."""

    links: list[Link]
    categories: list[str]
    disambiguation: bool
    hidden: bool
