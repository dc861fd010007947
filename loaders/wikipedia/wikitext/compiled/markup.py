"""What is no link and yet matters to links, in machine code: parentheses, tags, addresses, and how lines begin."""

from __future__ import annotations

import numpy as np

from .....core.jit import machine_code
from ..page_state import BLOCK_TAGS
from ..targets import FREE_SCHEMES, SCHEMES
from .buffers import HEADS, LINKS, NOTES
from .masking import GIVE_UP
from .parentheses import TAG, close_pair, open_pair
from .utf8 import is_letter, is_space, line_end, name_end, one_of, packed, small, stands, tag_end

_BLOCKS, _BLOCK_ENDS = packed([*BLOCK_TAGS])
_SCHEMES, _SCHEME_ENDS = packed([*SCHEMES])
_FREE, _FREE_ENDS = packed([*FREE_SCHEMES])
_BOXES, _BOX_ENDS = packed(["box", "nav", "hatnote", "link", "sidebar", "thumb", "toc", "metadata", "ref", "gallery"])
"""What the classes and ids of boxes have in common; a page with a tag that may have one is given up."""

_LPAR, _ = packed(["lpar;"])
_RPAR, _ = packed(["rpar;"])

ORDINARY_LINE = -1


@machine_code
def special_line(body: np.ndarray, place: int, end: int) -> int:
    """Whether the line that begins here may be a heading (``HEADS``), a hatnote (``NOTES``), or neither."""
    if place >= end:
        return ORDINARY_LINE
    letter = body[place]
    if letter == 61:
        return HEADS
    if letter not in (58, 39, 60, 32, 9, 1, 2, 3):
        return ORDINARY_LINE
    while place < end:
        letter = body[place]
        if letter == 60:
            after = place + 1
            while after < end and body[after] not in (60, 62, 10):
                after += 1
            if after >= end or body[after] != 62:
                return ORDINARY_LINE
            place = after + 1
        elif letter in (32, 9, 1, 2, 3):
            place += 1
        else:
            break
    if place >= end:
        return ORDINARY_LINE
    if body[place] == 58:
        return NOTES
    quotes = 0
    while place + quotes < end and quotes < 5 and body[place + quotes] == 39:
        quotes += 1
    return NOTES if quotes in (2, 5) else ORDINARY_LINE


@machine_code
def write_head(body: np.ndarray, place: int, end: int, page: int, heads: np.ndarray, counts: np.ndarray) -> bool:
    """Write down a line that may be a heading; False if there is no room."""
    number = counts[HEADS]
    if number >= len(heads):
        return False
    heads[number] = page, place, line_end(body, place, end), counts[LINKS]
    counts[HEADS] = number + 1
    return True


@machine_code
def write_note(begin: int, end: int, notes: np.ndarray, counts: np.ndarray) -> int:
    """Write down a line that may be a hatnote; its number, or ``GIVE_UP``."""
    number = counts[NOTES]
    if number >= len(notes):
        return GIVE_UP
    notes[number] = begin, end
    counts[NOTES] = number + 1
    return int(number)


@machine_code
def read_mark(
    body: np.ndarray, place: int, end: int, links: int, state: np.ndarray, pairs: np.ndarray, ranges: np.ndarray
) -> int:
    """Take the mark that stands here; behind it, or ``GIVE_UP``."""
    letter = body[place]
    after, opens, shuts = place + 1, letter == 40, letter == 41
    if letter == 60:
        return read_tag(body, place, end, state)
    if letter == 91:
        return address_in_brackets(body, place, end)
    if letter == 58:
        return free_address(body, place, end, links, state, pairs, ranges)
    if letter == 38:
        opens, shuts = reference(body, place + 1, end)
    elif letter == 0xEF and place + 2 < end and body[place + 1] == 0xBC:
        opens, shuts, after = body[place + 2] == 0x88, body[place + 2] == 0x89, place + 3
    if opens:
        return after if open_pair(place, links, state, pairs) else GIVE_UP
    if shuts:
        return after if close_pair(place, links, state, pairs, ranges) else GIVE_UP
    return after


@machine_code
def reference(body: np.ndarray, place: int, end: int) -> tuple[bool, bool]:
    """Whether a character reference for a parenthesis stands behind an ampersand: one that opens, one that closes."""
    if place >= end:
        return False, False
    if body[place] != 35:
        return as_written(body, place, end, _LPAR), as_written(body, place, end, _RPAR)
    place += 1
    hexadecimal = place < end and body[place] in (120, 88)
    if hexadecimal:
        place += 1
    number, begin = 0, place
    while place < end and number < 1 << 20:
        digit = small(body[place])
        if 48 <= digit <= 57:
            number = number * (16 if hexadecimal else 10) + digit - 48
        elif hexadecimal and 97 <= digit <= 102:
            number = number * 16 + digit - 87
        else:
            break
        place += 1
    if place == begin or place >= end or body[place] != 59:
        return False, False
    return number in (40, 65288), number in (41, 65289)


@machine_code
def as_written(body: np.ndarray, place: int, end: int, word: np.ndarray) -> bool:
    """Whether a word stands here, letter by letter."""
    if place + len(word) > end:
        return False
    for number in range(len(word)):
        if body[place + number] != word[number]:
            return False
    return True


@machine_code
def read_tag(body: np.ndarray, place: int, end: int, state: np.ndarray) -> int:
    """Take the tag that stands here, if it is one; behind it, or ``GIVE_UP``."""
    first = place + 2 if place + 1 < end and body[place + 1] == 47 else place + 1
    if first >= end or not is_letter(body[first]):
        return place + 1
    name = name_end(body, first, end)
    after = tag_end(body, name, end)
    if after < 0:
        return place + 1
    if one_of(body, first, name, _BLOCKS, _BLOCK_ENDS) >= 0:
        state[TAG] = place
    assigned = False
    for each in range(name, after):
        if body[each] == 10:
            return GIVE_UP
        assigned = assigned or body[each] == 61
    if assigned and first == place + 1:
        for each in range(name, after):
            begin = 0
            for number in range(len(_BOX_ENDS)):
                if stands(body, each, after, _BOXES[begin : _BOX_ENDS[number]]):
                    return GIVE_UP
                begin = _BOX_ENDS[number]
    return after


@machine_code
def address_end(body: np.ndarray, place: int, end: int) -> int:
    """Where an address ends."""
    while place < end and body[place] not in (91, 93, 60, 62, 34) and not is_space(body, place, end):
        place += 1
    return place


@machine_code
def address_in_brackets(body: np.ndarray, place: int, end: int) -> int:
    """Behind the address that begins with this bracket, or behind the bracket."""
    first = place + 1
    if first + 1 < end and body[first] == 47 and body[first + 1] == 47:
        return address_end(body, first + 2, end)
    last = name_end(body, first, end)
    if last == first or last >= end or body[last] != 58 or one_of(body, first, last, _SCHEMES, _SCHEME_ENDS) < 0:
        return first
    return address_end(body, last + 1, end)


@machine_code
def free_address(
    body: np.ndarray, place: int, end: int, links: int, state: np.ndarray, pairs: np.ndarray, ranges: np.ndarray
) -> int:
    """Behind the address of which this is the colon, or behind the colon; parentheses at its end may be none of it."""
    if place + 2 >= end or body[place + 1] != 47 or body[place + 2] != 47:
        return place + 1
    begin, known = 0, False
    for number in range(len(_FREE_ENDS)):
        size = _FREE_ENDS[number] - begin
        known = known or (place >= size and stands(body, place - size, end, _FREE[begin : _FREE_ENDS[number]]))
        begin = _FREE_ENDS[number]
    if not known:
        return place + 1
    after = address_end(body, place + 3, end)
    for each in range(place + 3, after):
        if body[each] == 40:
            return after
    tail = after
    while tail > place + 3 and body[tail - 1] in (44, 59, 46, 58, 33, 63, 41):
        tail -= 1
    for each in range(tail, after):
        if body[each] == 41 and not close_pair(each, links, state, pairs, ranges):
            return GIVE_UP
    return after
