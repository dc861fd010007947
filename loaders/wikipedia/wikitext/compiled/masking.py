"""The first pass in machine code: what ``blanks`` takes out of a page, filled in its bytes."""

from __future__ import annotations

import numpy as np

from .....core.jit import machine_code
from ..masking import LINKED, LINKLESS, PARSED
from .buffers import BRACES, NAMES, SPANS, Room, Tape
from .utf8 import is_space, name_end, one_of, packed, tag_end

_ELEMENTS = [*LINKLESS.split("|"), *LINKED.split("|")]
_NAMES, _ENDS = packed(_ELEMENTS)
_DEAD = len(LINKLESS.split("|"))
_PARSED = np.array([name in PARSED.split("|") for name in _ELEMENTS])
_NOWIKI, _PRE = _ELEMENTS.index("nowiki"), _ELEMENTS.index("pre")

COMMENT, INLINE, VERBATIM, BLOCK = 1, 2, 3, 10

NONE, GIVE_UP = -1, -2
"""Nothing begins here; and the page holds what only ``blanks`` reads."""


@machine_code
def fill(text: np.ndarray, body: np.ndarray, begin: int, end: int, page: int, tape: Tape, room: Room) -> int:
    """Fill a page, whose text is copied into ``body`` already, but for its tables; the number of spans, or ``GIVE_UP``."""
    spans, braces = room.spans, room.braces
    count = opened = 0
    place = begin
    while place < end:
        letter = text[place]
        if letter == 60:
            after, filler, links = element(text, place, end)
            if after == GIVE_UP:
                return GIVE_UP
            if filler:
                if count >= SPANS:
                    return GIVE_UP
                spans[count] = place, after, filler, links
                count += 1
            place = after if after > place else place + 1
        elif letter == 123 and place + 1 < end and text[place + 1] == 123:
            after = place
            while after < end and text[after] == 123:
                after += 1
            if opened >= BRACES:
                return GIVE_UP
            braces[opened] = place, after - place
            opened += 1
            place = after
        elif letter == 125 and opened and place + 1 < end and text[place + 1] == 125:
            after = place
            while after < end and text[after] == 125:
                after += 1
            opened, count = close(text, place, after, end, opened, count, page, tape, room)
            if count < 0:
                return GIVE_UP
            place = after
        else:
            place += 1
    for number in range(count):
        if not paint(text, body, spans[number, 0], spans[number, 1], spans[number, 2]):
            return GIVE_UP
    return count


@machine_code
def element(text: np.ndarray, place: int, end: int) -> tuple[int, int, int]:
    """Behind the comment or element that begins here, what it is filled with (0: nothing begins here), whether it has links."""
    if place + 3 < end and text[place + 1] == 33 and text[place + 2] == 45 and text[place + 3] == 45:
        after = comment_end(text, place + 4, end)
        return (GIVE_UP, 0, 0) if after < 0 else (after, COMMENT, 0)
    name = name_end(text, place + 1, end)
    if name == place + 1 or name >= end:
        return NONE, 0, 0
    number = one_of(text, place + 1, name, _NAMES, _ENDS)
    if number < 0:
        return NONE, 0, 0
    if text[name] >= 0x80:
        return GIVE_UP, 0, 0
    if text[name] not in (47, 62) and not is_space(text, name, end):
        return NONE, 0, 0
    after = tag_end(text, name, end)
    if after < 0:
        return NONE, 0, 0
    if text[after - 2] == 47:
        return after, INLINE, 0
    after = element_end(text, after, end, number)
    if after < 0:
        return GIVE_UP, 0, 0
    filler = BLOCK if number == _PRE else VERBATIM if number == _NOWIKI else INLINE
    return after, filler, 1 if number >= _DEAD else 0


@machine_code
def comment_end(text: np.ndarray, place: int, end: int) -> int:
    """Behind the end of a comment; -1 if it has none."""
    while place + 2 < end:
        if text[place] == 45 and text[place + 1] == 45 and text[place + 2] == 62:
            return place + 3
        place += 1
    return -1


@machine_code
def element_end(text: np.ndarray, place: int, end: int, number: int) -> int:
    """Behind the closing tag of an element that is open here; -1 if it has none. Those of wikitext may stand in each other."""
    depth = 1
    while place < end:
        if text[place] != 60 or place + 1 >= end:
            place += 1
            continue
        closing = text[place + 1] == 47
        first = place + 2 if closing else place + 1
        name = name_end(text, first, end)
        if name >= end or one_of(text, first, name, _NAMES, _ENDS) != number:
            place += 1
            continue
        if not _PARSED[number]:
            after = name
            while closing and after < end and is_space(text, after, end):
                after += is_space(text, after, end)
            if closing and after < end and text[after] == 62:
                return after + 1
            place = name
            continue
        if text[name] >= 0x80:
            return -1
        after = tag_end(text, name, end) if text[name] in (47, 62) or is_space(text, name, end) else -1
        if after < 0:
            place = name
            continue
        if closing:
            depth -= 1
        elif text[after - 2] != 47:
            depth += 1
        if not depth:
            return after
        place = after
    return -1


@machine_code
def close(
    text: np.ndarray, start: int, after: int, end: int, opened: int, count: int, page: int, tape: Tape, room: Room
) -> tuple[int, int]:
    """Match a run of closing braces with the runs that are open: how many are left of those, and how many spans there are."""
    spans, braces = room.spans, room.braces
    left = after - start
    while left >= 2 and opened:
        opened -= 1
        begin, many = braces[opened]
        taken = min(many, left)
        left -= taken
        many -= taken
        if many >= 2:
            braces[opened] = begin, many
            opened += 1
        begin += many
        template = taken == 3
        if not template:
            found = template_name(text, begin + taken, end, page, tape)
            if found == GIVE_UP:
                return opened, GIVE_UP
            template = found == 1
        if template:
            while count and spans[count - 1, 0] >= begin:
                count -= 1
            if count >= SPANS:
                return opened, GIVE_UP
            spans[count] = begin, after - left, INLINE, 1
            count += 1
    return opened, count


@machine_code
def template_name(text: np.ndarray, place: int, end: int, page: int, tape: Tape) -> int:
    """Whether a name stands here that a template can have (1 or 0), which is noted then; or ``GIVE_UP``."""
    start = place
    while place < end and is_space(text, place, end) == 1:
        place += 1
    begin, colon = place, False
    while place < end and text[place] not in (124, 123, 125, 91, 93, 60, 62, 10):
        colon = colon or text[place] in (58, 35)
        place += 1
    last = place
    while last > begin and is_space(text, last - 1, end) == 1:
        last -= 1
    if last > begin and is_space(text, begin, end) > 1:
        return GIVE_UP
    broken = False
    while place < end and is_space(text, place, end):
        if is_space(text, place, end) > 1:
            return GIVE_UP
        broken = broken or text[place] == 10
        place += 1
    mark = text[place] if place < end else 0
    comment = place + 3 < end and mark == 60 and text[place + 1] == 33 and text[place + 2] == 45 and text[place + 3] == 45
    if last == begin:
        if begin > start and mark in (124, 125):
            return GIVE_UP
        return 1 if mark == 123 or comment else 0
    if not colon:
        if mark in (91, 93, 62) or (mark == 60 and not comment):
            return 0
        if broken and not (mark in (124, 125, 123) or comment):
            return 0
        number = tape.counts[NAMES]
        if number >= len(tape.names):
            return GIVE_UP
        tape.names[number] = page, begin, last
        tape.counts[NAMES] += 1
    return 1


@machine_code
def paint(text: np.ndarray, body: np.ndarray, begin: int, end: int, filler: int) -> bool:
    """Fill a piece; False if only ``blanks`` can."""
    if filler == BLOCK:
        body[begin:end] = BLOCK
        body[end - 1] = INLINE
        return True
    if filler == VERBATIM:
        for place in range(begin, end):
            letter = text[place]
            if letter == 38 or letter == 0xEF:
                return False
            body[place] = letter if letter in (40, 41) else VERBATIM
        return True
    body[begin:end] = filler
    return True
