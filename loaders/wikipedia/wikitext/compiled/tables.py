"""The tables of a page in machine code, as ``grids`` tells of them, and the pieces that are hidden in all."""

from __future__ import annotations

import numpy as np

from .....core.jit import machine_code
from .buffers import DEEP, SPANS, Room
from .masking import BLOCK, GIVE_UP, INLINE
from .utf8 import is_space, line_end, packed, stands, tag_end

_TABLE, _ = packed(["table"])
LINE, WITHIN, HTML = 0, 1, 2


@machine_code
def fill_tables(body: np.ndarray, begin: int, end: int, room: Room) -> tuple[int, int]:
    """Fill the tables of a page: how many outermost ones there are (``GIVE_UP``), and where one begins that is never closed.

    They are left in ``room.hidden``, each with whether it was opened within a line behind it in ``room.ranges``.
    """
    tables, found, within = room.tables, room.hidden, room.ranges
    count = opened = 0
    place = begin
    while place < end:
        letter = body[place]
        kind, closing, after = -1, False, place + 1
        if letter == 123 and place + 1 < end and body[place + 1] == 124:
            kind, after = LINE if begins_line(body, place, True) else WITHIN, place + 2
        elif letter == 124 and opened and place + 1 < end and body[place + 1] == 125:
            closing, after = True, place + 2
        elif letter == 60:
            mark = html_mark(body, place, end)
            if mark == GIVE_UP:
                return GIVE_UP, end
            if mark:
                kind, closing, after = HTML, mark < 0, abs(mark)
        if closing:
            number = closed(body, place, opened, kind == HTML, tables)
            if number >= 0:
                first = tables[number, 0]
                while count and found[count - 1, 0] >= first:
                    count -= 1
                if count >= SPANS:
                    return GIVE_UP, end
                found[count] = first, after
                within[count, 0] = tables[number, 1] == WITHIN
                count, opened = count + 1, number
        elif kind >= 0:
            if opened >= DEEP:
                return GIVE_UP, end
            tables[opened] = place, kind, line_end(body, place, end)
            opened += 1
        place = after
    for number in range(count):
        first, last = found[number]
        body[first:last] = INLINE if within[number, 0] else BLOCK
        body[last - 1] = INLINE
    unclosed = end
    for number in range(opened):
        if tables[number, 1] != WITHIN:
            unclosed = min(unclosed, tables[number, 0])
    return count, unclosed


@machine_code
def html_mark(body: np.ndarray, place: int, end: int) -> int:
    """Behind the tag of a table that begins here, less than 0 if it closes one; 0 if none begins here, or ``GIVE_UP``."""
    closing = place + 1 < end and body[place + 1] == 47
    name = place + 2 if closing else place + 1
    last = name + len(_TABLE)
    if last >= end or not stands(body, name, end, _TABLE):
        return 0
    if body[last] >= 0x80:
        return GIVE_UP
    if body[last] not in (47, 62) and not is_space(body, last, end):
        return 0
    after = tag_end(body, last, end)
    return 0 if after < 0 else -after if closing else after


@machine_code
def begins_line(body: np.ndarray, place: int, indented: bool) -> bool:
    """Whether nothing but blanks stands before this on its line."""
    place -= 1
    while body[place] in (32, 9, 1) or (indented and body[place] == 58):
        place -= 1
    return bool(body[place] == 10)


@machine_code
def closed(body: np.ndarray, place: int, opened: int, html: bool, tables: np.ndarray) -> int:
    """Which of the tables that are open a closing mark ends; -1 if none."""
    if not html and not begins_line(body, place, False):
        last = opened - 1
        return last if tables[last, 1] == WITHIN and place < tables[last, 2] else -1
    for number in range(opened - 1, -1, -1):
        if tables[number, 1] == (HTML if html else LINE):
            return number
    if not html:
        for number in range(opened):
            if tables[number, 1] == WITHIN:
                return number
    return -1


@machine_code
def merge_hidden(text: np.ndarray, spans: int, tables: int, room: Room) -> int:
    """Put spans with links and tables in order into ``room.hidden``, none within another; how many, or ``GIVE_UP``."""
    for number in range(tables):
        room.ranges[number, 1:] = room.hidden[number]
    span = grid = count = 0
    last = -1
    while span < spans or grid < tables:
        if span < spans and not (room.spans[span, 3] and holds_link(text, room.spans[span, 0], room.spans[span, 1])):
            span += 1
            continue
        if grid >= tables or (span < spans and room.spans[span, 0] < room.ranges[grid, 1]):
            first, after = room.spans[span, 0], room.spans[span, 1]
            span += 1
        else:
            first, after = room.ranges[grid, 1], room.ranges[grid, 2]
            grid += 1
        if first >= last:
            if count >= SPANS:
                return GIVE_UP
            room.hidden[count] = first, after
            count, last = count + 1, after
    return count


@machine_code
def holds_link(text: np.ndarray, begin: int, end: int) -> bool:
    """Whether ``[[`` stands between the two places."""
    for place in range(begin, end - 1):
        if text[place] == 91 and text[place + 1] == 91:
            return True
    return False
