"""The output of a batch of pages, and the workspace in which one page is scanned."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

PAGE, TARGET, TARGET_END, LABEL, LABEL_END, END, REGION, FLAGS, HATNOTE = range(9)
"""The columns of a link: its page, the positions of its parts (a label at -1: none), its regions, its flags, and the index of
its line among those that may be hatnotes (-1: none)."""

RESTORE_LABEL, MATCH_TRAIL = 1, 2
"""Flags of a link: its label needs ``restore_verbatim``; its trail must be matched with the language's pattern."""

LINKS, HEADINGS, HATNOTES, TEMPLATES = range(4)
"""Indices into ``Output.counts``."""

NONE, GIVE_UP = -1, -2
"""Results: there is none; and the page must be given up, because only the plain scanner can read it."""

GIVEN_UP, MAY_HAVE_SWITCHES = 1, 2
"""The status of a page: it was given up, or it contains ``__``, which may begin a switch."""

MAX_DEPTH = 512
"""Parentheses, captions or tables that can be open at once; a page with more is given up."""

MAX_SPANS, MAX_BRACES = 1 << 16, 1 << 12
"""Sizes of arrays of the workspace; a page that needs more is given up."""


class Output(NamedTuple):
    """The result of scanning a batch; ``counts`` has the number of rows in each table, ``status`` the status of each page.

    The rows of ``headings`` are lines that begin with ``=`` (page, begin, end, links before), those of ``hatnotes`` are lines
    that may be hatnotes (begin, end), those of ``templates`` are names of templates (page, begin, end).
    """

    links: np.ndarray
    headings: np.ndarray
    hatnotes: np.ndarray
    templates: np.ndarray
    counts: np.ndarray
    status: np.ndarray


class Workspace(NamedTuple):
    """Arrays that are reused for every page.

    Masked ``spans`` (begin, end, filler, whether they can contain links) and ``hidden`` spans, which do contain links (begin,
    end); open ``braces``, ``tables`` and ``captions``; ``pairs`` of parentheses; ranges of links in captions
    (``caption_ranges``) and in parentheses (``ranges``); and ``state``, see ``parentheses``.
    """

    spans: np.ndarray
    hidden: np.ndarray
    braces: np.ndarray
    tables: np.ndarray
    pairs: np.ndarray
    captions: np.ndarray
    caption_ranges: np.ndarray
    ranges: np.ndarray
    state: np.ndarray


class SiteRules(NamedTuple):
    """What depends on the wiki: which bytes continue a link (1: always, 2: perhaps), and the names of the file namespace.

    The names are in lower case and concatenated, see ``pack_words``.
    """

    trail: np.ndarray
    file_names: np.ndarray
    file_name_ends: np.ndarray


def allocate_output(size: int, pages: int) -> Output:
    """Allocate the output for so many bytes and pages; a page for which a table is too short is given up."""
    shapes = (size // 20 + 64, 9), (size // 32 + 64, 4), (size // 32 + 64, 2), (size // 16 + 64, 3)
    links, headings, hatnotes, templates = (np.empty(shape, np.int64) for shape in shapes)
    return Output(links, headings, hatnotes, templates, np.zeros(4, np.int64), np.zeros(pages, np.uint8))


def allocate_workspace() -> Workspace:
    """Allocate a workspace, which serves any number of pages."""
    spans, hidden = np.empty((MAX_SPANS, 4), np.int64), np.empty((MAX_SPANS, 2), np.int64)
    braces, tables = np.empty((MAX_BRACES, 2), np.int64), np.empty((MAX_DEPTH, 3), np.int64)
    pairs, captions = np.empty((MAX_SPANS, 4), np.int64), np.empty((MAX_DEPTH, 8), np.int64)
    caption_ranges, ranges = np.empty((MAX_SPANS, 2), np.int64), np.empty((MAX_SPANS, 3), np.int64)
    return Workspace(spans, hidden, braces, tables, pairs, captions, caption_ranges, ranges, np.zeros(14, np.int64))
