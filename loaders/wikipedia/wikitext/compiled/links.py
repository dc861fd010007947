"""Links, compiled by numba: the parts of one link, and the links of a masked part."""

from __future__ import annotations

import numpy as np

from .....core.jit import machine_code
from ..masking import LINKLESS
from ..regions import Region
from .buffers import (
    END,
    FLAGS,
    GIVE_UP,
    HATNOTE,
    LABEL,
    LABEL_END,
    LINKS,
    MATCH_TRAIL,
    NONE,
    PAGE,
    REGION,
    RESTORE_LABEL,
    TARGET,
    TARGET_END,
    SiteRules,
)
from .masking import find_comment_end
from .utf8 import find_name_end, find_word, pack_words

_LINKLESS, _LINKLESS_ENDS = pack_words(LINKLESS.split("|"))
_HIDDEN = int(Region.HIDDEN)

ORDINARY, IRREGULAR, OPEN, NO_LINK = range(4)
"""Kinds of ``[[``: an ordinary link, a link whose label needs ``restore_verbatim``, an open label, no link."""

MAX_LABEL = 20_000
"""Bytes of a label that are searched for its end; a page with a longer label is given up."""


@machine_code
def find_target_end(text: np.ndarray, position: int, end: int) -> int:
    """Return the end of what may be a target."""
    while position < end and text[position] not in (91, 93, 123, 125, 124, 60, 62, 10, 2, 3):
        position += 1
    return position


@machine_code
def closes_link(text: np.ndarray, position: int, end: int) -> bool:
    """Whether ``]]`` is at a position."""
    return position + 1 < end and text[position] == 93 and text[position + 1] == 93


@machine_code
def read_link(text: np.ndarray, position: int, end: int) -> tuple[int, int, int]:
    """Return the kind of the ``[[`` at a position, the end of its target, and the end of its label as far as it was read.

    Without a label both ends are equal.
    """
    target = find_target_end(text, position + 2, end)
    if target >= end:
        return NO_LINK, target, target
    if closes_link(text, target, end):
        return ORDINARY, target, target
    if text[target] != 124:
        return NO_LINK, target, target
    label = target + 1
    while label < end and text[label] not in (91, 93, 10, 3):
        label += 1
    if closes_link(text, label, end):
        return ORDINARY, target, label
    while label < end:
        byte = text[label]
        if byte == 91:
            if label + 1 < end and text[label + 1] == 91:
                return OPEN, target, label
        elif closes_link(text, label, end):
            third = label + 2 < end and text[label + 2] == 93
            if not third or (label + 3 < end and text[label + 3] == 93):
                return IRREGULAR, target, label
        if label - target > MAX_LABEL:
            return GIVE_UP, target, label
        label += 1
    return OPEN, target, label


@machine_code
def write_link(
    text: np.ndarray,
    position: int,
    target: int,
    label: int,
    end: int,
    kind: int,
    row: tuple[int, int, int],
    trail: np.ndarray,
    links: np.ndarray,
    counts: np.ndarray,
) -> int:
    """Write a link of a kind from ``read_link`` with its trail; return the position after its brackets, or ``GIVE_UP``.

    ``row`` has its page, its regions, and the index of its line among those that may be hatnotes (-1: none).
    """
    number = counts[LINKS]
    if number >= len(links):
        return GIVE_UP
    page, region, hatnote = row
    flags = RESTORE_LABEL if kind == IRREGULAR else 0
    after = max(target, label) + 2
    last = after
    while last < end and trail[text[last]] == 1:
        last += 1
    if last < end and trail[text[last]] == 2:
        flags |= MATCH_TRAIL
    links[number, PAGE], links[number, TARGET], links[number, TARGET_END] = page, position + 2, target
    links[number, LABEL] = target + 1 if label > target else -1
    links[number, LABEL_END], links[number, END] = label, last
    links[number, REGION], links[number, FLAGS], links[number, HATNOTE] = region, flags, hatnote
    counts[LINKS] = number + 1
    return after


@machine_code
def write_hidden_links(
    text: np.ndarray, position: int, end: int, page: int, trail: np.ndarray, links: np.ndarray, counts: np.ndarray
) -> bool:
    """Write the links of a masked part; False if only the plain scanner can read it."""
    while position + 1 < end:
        byte = text[position]
        if byte == 60:
            if position + 3 < end and text[position + 1] == 33 and text[position + 2] == 45 and text[position + 3] == 45:
                position = find_comment_end(text, position + 4, end)
                if position < 0:
                    return False
                continue
            name = find_name_end(text, position + 1, end)
            if name > position + 1 and find_word(text, position + 1, name, _LINKLESS, _LINKLESS_ENDS) >= 0:
                return False
            position += 1
        elif byte == 91 and text[position + 1] == 91:
            kind, target, label = read_link(text, position, end)
            if kind == GIVE_UP or contains(text, position, min(label + 1, end), 60):  # it may contain a comment
                return False
            if kind in (NO_LINK, OPEN):
                position += 2
                continue
            kind = IRREGULAR if label > target and (kind == IRREGULAR or text[label - 1] == 93) else ORDINARY
            position = write_link(text, position, target, label, end, kind, (page, _HIDDEN, NONE), trail, links, counts)
            if position < 0:
                return False
        else:
            position += 1
    return True


@machine_code
def contains(text: np.ndarray, begin: int, end: int, byte: int) -> bool:
    """Whether a byte occurs between two positions."""
    for position in range(begin, end):
        if text[position] == byte:
            return True
    return False


@machine_code
def shows_file(text: np.ndarray, begin: int, end: int, rules: SiteRules) -> bool:
    """Whether a target certainly names a file to be shown."""
    while begin < end and text[begin] in (32, 95, 9):
        begin += 1
    colon = begin
    while colon < end and text[colon] != 58:
        colon += 1
    last = colon
    while last > begin and text[last - 1] in (32, 95, 9):
        last -= 1
    if (
        colon >= end
        or last == begin
        or end - colon > 200
        or find_word(text, begin, last, rules.file_names, rules.file_name_ends) < 0
    ):
        return False
    has_name = False
    for position in range(colon + 1, end):
        byte = text[position]
        if byte in (35, 37, 38, 126, 1, 58) or byte < 32 or (byte == 46 and text[position - 1] in (46, 47, 58)):
            return False
        if byte >= 0x80 and byte in (0xE2, 0xEF):
            return False
        has_name = has_name or byte not in (32, 95)
    return has_name
