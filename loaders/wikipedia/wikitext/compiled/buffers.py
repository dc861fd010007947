"""What the scan of a batch of pages writes to, and the room that it works in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

PAGE, TARGET, TARGET_END, LABEL, LABEL_END, END, REGION, MARKS, NOTE = range(9)
"""The columns of a link: its page, where its parts stand (a label at -1 is none), what it stands in, ``MARKS``, and
the number of the line that may be a hatnote."""

MEND, ASK_TRAIL = 1, 2
"""Marks: the label has to be mended, and the letters glued to the link have to be looked for with the language's own rule."""

LINKS, HEADS, NOTES, NAMES = range(4)
"""The places of counts."""

GIVEN_UP, SWITCHES = 1, 2
"""What is said of a page: it was given up, and ``__`` stands in it."""

DEEP = 512
"""Parentheses, captions and tables that may be open at once; a page with more is given up."""

SPANS, BRACES = 1 << 16, 1 << 12


class Tape(NamedTuple):
    """What the scan of a batch finds; ``counts`` tells how many rows of each table are written.

    ``heads`` are the lines that begin with ``=`` (page, begin, end, links before), ``notes`` those that may be hatnotes (begin,
    end), ``names`` the names of templates (page, begin, end).
    """

    links: np.ndarray
    heads: np.ndarray
    notes: np.ndarray
    names: np.ndarray
    counts: np.ndarray
    said: np.ndarray


class Room(NamedTuple):
    """What the scan of one page works with.

    Pieces that are filled (``spans``: begin, end, filler, whether they have links; ``hidden``: begin, end), the ``braces`` and
    ``tables`` that are open, ``pairs`` of parentheses, ``captions`` that are open, the links that stand in captions
    (``shown``) and in parentheses (``ranges``), and what ``pairs`` says of the rest.
    """

    spans: np.ndarray
    hidden: np.ndarray
    braces: np.ndarray
    tables: np.ndarray
    pairs: np.ndarray
    captions: np.ndarray
    shown: np.ndarray
    ranges: np.ndarray
    state: np.ndarray


class Words(NamedTuple):
    """What depends on the wiki: which bytes are glued to links (1: surely, 2: perhaps), and names of the namespace of files.

    The names are in small letters, one behind the other.
    """

    trail: np.ndarray
    files: np.ndarray
    file_ends: np.ndarray


def make_tape(size: int, pages: int) -> Tape:
    """A tape for so many bytes of pages; a page for which it is too short is given up."""
    shapes = (size // 20 + 64, 9), (size // 32 + 64, 4), (size // 32 + 64, 2), (size // 16 + 64, 3)
    links, heads, notes, names = (np.empty(shape, np.int64) for shape in shapes)
    return Tape(links, heads, notes, names, np.zeros(4, np.int64), np.zeros(pages, np.uint8))


def make_room() -> Room:
    """Room for one page after the other."""
    spans, hidden = np.empty((SPANS, 4), np.int64), np.empty((SPANS, 2), np.int64)
    braces, tables = np.empty((BRACES, 2), np.int64), np.empty((DEEP, 3), np.int64)
    pairs, captions = np.empty((SPANS, 4), np.int64), np.empty((DEEP, 8), np.int64)
    shown, ranges = np.empty((SPANS, 2), np.int64), np.empty((SPANS, 3), np.int64)
    return Room(spans, hidden, braces, tables, pairs, captions, shown, ranges, np.zeros(14, np.int64))
