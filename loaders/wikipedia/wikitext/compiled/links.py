"""One link in machine code: where its parts are, and the links of what is hidden."""

from __future__ import annotations

import numpy as np

from .....core.jit import machine_code
from ..masking import LINKLESS
from ..regions import Region
from .buffers import ASK_TRAIL, END, LABEL, LABEL_END, LINKS, MARKS, MEND, NOTE, PAGE, REGION, TARGET, TARGET_END, Words
from .masking import GIVE_UP, comment_end
from .utf8 import name_end, one_of, packed

_DEAD, _DEAD_ENDS = packed(LINKLESS.split("|"))
_HIDDEN = int(Region.HIDDEN)

ORDINARY, ODD, OPENED, NOTHING = range(4)
"""What stands at two brackets: a link, one in whose label something may have to be mended, one with others in its label or
none at all, and nothing."""

LONGEST = 20_000
"""Bytes of a label that are read to see what it is; a page with a longer one is given up."""


@machine_code
def target_end(text: np.ndarray, place: int, end: int) -> int:
    """Where what may be a target ends."""
    while place < end and text[place] not in (91, 93, 123, 125, 124, 60, 62, 10, 2, 3):
        place += 1
    return place


@machine_code
def closes(text: np.ndarray, place: int, end: int) -> bool:
    """Whether ``]]`` stands here."""
    return place + 1 < end and text[place] == 93 and text[place + 1] == 93


@machine_code
def read_link(text: np.ndarray, place: int, end: int) -> tuple[int, int, int]:
    """What stands at the two brackets here, where its target ends, and its label, if it has one (as far as it was read)."""
    target = target_end(text, place + 2, end)
    if target >= end:
        return NOTHING, target, target
    if closes(text, target, end):
        return ORDINARY, target, target
    if text[target] != 124:
        return NOTHING, target, target
    label = target + 1
    while label < end and text[label] not in (91, 93, 10, 3):
        label += 1
    if closes(text, label, end):
        return ORDINARY, target, label
    while label < end:
        letter = text[label]
        if letter == 91:
            if label + 1 < end and text[label + 1] == 91:
                return OPENED, target, label
        elif closes(text, label, end):
            third = label + 2 < end and text[label + 2] == 93
            if not third or (label + 3 < end and text[label + 3] == 93):
                return ODD, target, label
        if label - target > LONGEST:
            return GIVE_UP, target, label
        label += 1
    return OPENED, target, label


@machine_code
def write_link(
    text: np.ndarray,
    place: int,
    target: int,
    label: int,
    end: int,
    kind: int,
    row: tuple[int, int, int],
    trail: np.ndarray,
    links: np.ndarray,
    counts: np.ndarray,
) -> int:
    """Write a link of the kind that ``read_link`` told; behind it and the letters that are glued to it, or ``GIVE_UP``.

    ``row`` has its page, what it stands in, and its line.
    """
    number = counts[LINKS]
    if number >= len(links):
        return GIVE_UP
    page, region, note = row
    marks = MEND if kind == ODD else 0
    after = (max(target, label)) + 2
    last = after
    while last < end and trail[text[last]] == 1:
        last += 1
    if last < end and trail[text[last]] == 2:
        marks |= ASK_TRAIL
    links[number, PAGE], links[number, TARGET], links[number, TARGET_END] = page, place + 2, target
    links[number, LABEL] = target + 1 if label > target else -1
    links[number, LABEL_END], links[number, END] = label, last
    links[number, REGION], links[number, MARKS], links[number, NOTE] = region, marks, note
    counts[LINKS] = number + 1
    return after


@machine_code
def write_hidden(
    text: np.ndarray, place: int, end: int, page: int, trail: np.ndarray, links: np.ndarray, counts: np.ndarray
) -> bool:
    """Write the links of a piece that is hidden; False if there is anything in it that only ``scanner`` reads."""
    while place + 1 < end:
        letter = text[place]
        if letter == 60:
            if place + 3 < end and text[place + 1] == 33 and text[place + 2] == 45 and text[place + 3] == 45:
                place = comment_end(text, place + 4, end)
                if place < 0:
                    return False
                continue
            name = name_end(text, place + 1, end)
            if name > place + 1 and one_of(text, place + 1, name, _DEAD, _DEAD_ENDS) >= 0:
                return False
            place += 1
        elif letter == 91 and text[place + 1] == 91:
            kind, target, label = read_link(text, place, end)
            if kind == GIVE_UP or holds(text, place, min(label + 1, end), 60):  # a comment may stand in it
                return False
            if kind in (NOTHING, OPENED):
                place += 2
                continue
            kind = ODD if label > target and (kind == ODD or text[label - 1] == 93) else ORDINARY
            place = write_link(text, place, target, label, end, kind, (page, _HIDDEN, -1), trail, links, counts)
            if place < 0:
                return False
        else:
            place += 1
    return True


@machine_code
def holds(text: np.ndarray, begin: int, end: int, letter: int) -> bool:
    """Whether a letter stands between the two places."""
    for place in range(begin, end):
        if text[place] == letter:
            return True
    return False


@machine_code
def shows_file(text: np.ndarray, begin: int, end: int, words: Words) -> bool:
    """Whether this target shows a file; of one that is not plain the answer is no."""
    while begin < end and text[begin] in (32, 95, 9):
        begin += 1
    colon = begin
    while colon < end and text[colon] != 58:
        colon += 1
    last = colon
    while last > begin and text[last - 1] in (32, 95, 9):
        last -= 1
    if colon >= end or last == begin or end - colon > 200 or one_of(text, begin, last, words.files, words.file_ends) < 0:
        return False
    named = False
    for place in range(colon + 1, end):
        letter = text[place]
        if letter in (35, 37, 38, 126, 1, 58) or letter < 32 or (letter == 46 and text[place - 1] in (46, 47, 58)):
            return False
        if letter >= 0x80 and letter in (0xE2, 0xEF):
            return False
        named = named or letter not in (32, 95)
    return named
