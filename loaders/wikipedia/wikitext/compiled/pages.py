"""The second pass in machine code: the links of a filled page, and what they stand in, as ``scanner`` and ``page`` say."""

from __future__ import annotations

import numpy as np

from .....core.jit import machine_code
from ..regions import Region
from .buffers import DEEP, GIVEN_UP, HEADS, LINKS, NOTES, REGION, SPANS, SWITCHES, Room, Tape, Words
from .links import ODD, OPENED, ORDINARY, closes, holds, read_link, shows_file, write_hidden, write_link
from .markup import read_mark, special_line, write_head, write_note
from .masking import GIVE_UP, fill
from .parentheses import (
    CAPTIONS,
    HIDDEN,
    LINE,
    LINE_END,
    NOTE,
    NOWHERE,
    RANGES,
    SHOWN,
    begin_pairs,
    keep_pairs,
    meet_border,
    restore_pairs,
)
from .tables import fill_tables, holds_link, merge_hidden
from .utf8 import line_end

_SPECIAL = np.zeros(256, np.bool_)
_SPECIAL[[10, 38, 40, 41, 58, 60, 91, 93, 0xEF]] = True
_BOX, _CAPTION, _PARENTHESES = int(Region.BOX), int(Region.CAPTION), int(Region.PARENTHESES)


@machine_code
def scan_pages(text: np.ndarray, body: np.ndarray, ends: np.ndarray, words: Words, tape: Tape, room: Room) -> None:
    """Scan pages that stand one behind the other, each with a line break before it; those given up are marked."""
    begin = 0
    for page in range(len(ends)):
        links, heads, notes, names = tape.counts
        if not scan_page(text, body, begin, ends[page], page, words, tape, room):
            tape.counts[:] = links, heads, notes, names
            tape.said[page] = GIVEN_UP
        begin = ends[page]


@machine_code
def scan_page(
    text: np.ndarray, body: np.ndarray, begin: int, end: int, page: int, words: Words, tape: Tape, room: Room
) -> bool:
    """Scan one page; False if it is given up."""
    spans = fill(text, body, begin, end, page, tape, room)
    if spans == GIVE_UP:
        return False
    tables, unclosed = fill_tables(body, begin, end, room)
    if tables == GIVE_UP:
        return False
    if not holds_link(text, begin, end):
        return note_switches(body, begin, end, page, tape)
    hidden = merge_hidden(text, spans, tables, room)
    if hidden == GIVE_UP:
        return False
    begin_pairs(room.state)
    if not read_body(text, body, begin, end, page, hidden, unclosed, words, tape, room):
        return False
    mark(tape.links, room.ranges, room.state[RANGES], _PARENTHESES, tape.counts[LINKS])
    mark(tape.links, room.shown, room.state[SHOWN], _CAPTION, tape.counts[LINKS])
    return note_switches(body, begin, end, page, tape)


@machine_code
def note_switches(body: np.ndarray, begin: int, end: int, page: int, tape: Tape) -> bool:
    """Note whether two underscores stand in a page."""
    for place in range(begin, end - 1):
        if body[place] == 95 and body[place + 1] == 95:
            tape.said[page] = SWITCHES
            break
    return True


@machine_code
def mark(links: np.ndarray, ranges: np.ndarray, count: int, region: int, lowest: int) -> None:
    """Mark the links in ranges that come in the order of their ends; none is looked at twice."""
    for number in range(count - 1, -1, -1):
        first, last = ranges[number, 0], min(ranges[number, 1], lowest)
        for link in range(first, last):
            links[link, REGION] |= region
        lowest = min(lowest, first)


@machine_code
def next_special(body: np.ndarray, place: int, end: int) -> int:
    """Where something begins that may matter."""
    while place < end and not _SPECIAL[body[place]]:
        place += 1
    return place


@machine_code
def read_body(
    text: np.ndarray,
    body: np.ndarray,
    begin: int,
    end: int,
    page: int,
    hiddens: int,
    unclosed: int,
    words: Words,
    tape: Tape,
    room: Room,
) -> bool:
    """Read what is not filled; False if the page is given up."""
    state, pairs, ranges, pieces = room.state, room.pairs, room.ranges, room.hidden
    links, heads, counts = tape.links, tape.heads, tape.counts
    place = begin
    while True:
        place = next_special(body, place, end)
        if place >= end:
            break
        letter = body[place]
        if letter == 10:
            meet_border(body, place, end, state)
            found = special_line(body, place + 1, end)
            if found == HEADS and not write_head(body, place + 1, end, page, heads, counts):
                return False
            if found == NOTES:
                state[LINE], state[LINE_END], state[NOTE] = place + 1, line_end(body, place + 1, end), NOWHERE
            place += 1
        elif letter == 91 and place + 1 < end and body[place + 1] == 91:
            place = read_brackets(text, body, place, end, page, hiddens, unclosed, words, tape, room)
        elif letter == 93 and closes(body, place, end):
            place = end_caption(place, counts[LINKS], room.captions, room.shown, state)
        else:
            place = read_mark(body, place, end, counts[LINKS], state, pairs, ranges)
        if place < 0:
            return False
    for number in range(state[HIDDEN], hiddens):
        if not write_hidden(text, pieces[number, 0], pieces[number, 1], page, words.trail, links, counts):
            return False
    return True


@machine_code
def read_brackets(
    text: np.ndarray,
    body: np.ndarray,
    place: int,
    end: int,
    page: int,
    hiddens: int,
    unclosed: int,
    words: Words,
    tape: Tape,
    room: Room,
) -> int:
    """Take what stands at two brackets; behind it, or ``GIVE_UP``."""
    state, pieces = room.state, room.hidden
    if place + 2 < end and body[place + 2] == 91:
        return GIVE_UP
    kind, target, label = read_link(body, place, end)
    if kind == GIVE_UP or (kind == ODD and holds(body, target, label, 10)):
        return GIVE_UP
    if kind == OPENED:
        if state[CAPTIONS] >= DEEP or not shows_file(body, place + 2, target, words):
            return GIVE_UP
        saved = room.captions[state[CAPTIONS]]
        keep_pairs(place, saved, state)
        saved[1] = tape.counts[LINKS]
        state[CAPTIONS] += 1
        return target + 1
    if kind not in (ORDINARY, ODD):
        return place + 2
    while state[HIDDEN] < hiddens and pieces[state[HIDDEN], 0] < place:
        first, last = pieces[state[HIDDEN], 0], pieces[state[HIDDEN], 1]
        if not write_hidden(text, first, last, page, words.trail, tape.links, tape.counts):
            return GIVE_UP
        state[HIDDEN] += 1
    noted = place < state[LINE_END]
    if noted and state[NOTE] < 0:
        state[NOTE] = write_note(state[LINE], state[LINE_END], tape.notes, tape.counts)
        if state[NOTE] < 0:
            return GIVE_UP
    row = (page, 0 if place < unclosed else _BOX, state[NOTE] if noted else NOWHERE)
    return write_link(body, place, target, label, end, kind, row, words.trail, tape.links, tape.counts)


@machine_code
def end_caption(place: int, links: int, captions: np.ndarray, shown: np.ndarray, state: np.ndarray) -> int:
    """Brackets close here, and with them the last caption that is open; behind them, or ``GIVE_UP``."""
    if state[CAPTIONS]:
        state[CAPTIONS] -= 1
        saved = captions[state[CAPTIONS]]
        restore_pairs(place + 2, saved, state)
        if links > saved[1]:
            if state[SHOWN] >= SPANS:
                return GIVE_UP
            shown[state[SHOWN]] = saved[1], links
            state[SHOWN] += 1
    return place + 2
