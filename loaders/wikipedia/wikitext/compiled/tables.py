"""The tables of a page, compiled by numba: ``tables`` over bytes. Also merges all masked parts that contain links."""

from __future__ import annotations

import numpy as np

from .....core.jit import machine_code
from .buffers import GIVE_UP, MAX_DEPTH, MAX_SPANS, Workspace
from .masking import BLOCK, INLINE
from .utf8 import find_line_end, find_tag_end, matches_word, pack_words, space_length

_TABLE, _ = pack_words(["table"])
AT_LINE_START, WITHIN_LINE, HTML = 0, 1, 2
"""Kinds of tables."""


@machine_code
def mask_tables(body: np.ndarray, begin: int, end: int, workspace: Workspace) -> tuple[int, int]:
    """Mask the tables of a page; return the number of outermost ones, and where one begins that is never closed (else ``end``).

    Their spans are in ``workspace.hidden``; ``workspace.ranges`` has in its first column which were opened within a line.
    The number is ``GIVE_UP`` if the page is given up.
    """
    tables, hidden, within_line = workspace.tables, workspace.hidden, workspace.ranges
    count = open_count = 0
    position = begin
    while position < end:
        byte = body[position]
        kind, closing, after = -1, False, position + 1
        if byte == 123 and position + 1 < end and body[position + 1] == 124:
            kind, after = AT_LINE_START if begins_line(body, position, True) else WITHIN_LINE, position + 2
        elif byte == 124 and open_count and position + 1 < end and body[position + 1] == 125:
            closing, after = True, position + 2
        elif byte == 60:
            tag = read_table_tag(body, position, end)
            if tag == GIVE_UP:
                return GIVE_UP, end
            if tag:
                kind, closing, after = HTML, tag < 0, abs(tag)
        if closing:
            number = find_closed_table(body, position, open_count, kind == HTML, tables)
            if number >= 0:
                first = tables[number, 0]
                while count and hidden[count - 1, 0] >= first:
                    count -= 1
                if count >= MAX_SPANS:
                    return GIVE_UP, end
                hidden[count] = first, after
                within_line[count, 0] = tables[number, 1] == WITHIN_LINE
                count, open_count = count + 1, number
        elif kind >= 0:
            if open_count >= MAX_DEPTH:
                return GIVE_UP, end
            tables[open_count] = position, kind, find_line_end(body, position, end)
            open_count += 1
        position = after
    for number in range(count):
        first, last = hidden[number]
        body[first:last] = INLINE if within_line[number, 0] else BLOCK
        body[last - 1] = INLINE
    unclosed = end
    for number in range(open_count):
        if tables[number, 1] != WITHIN_LINE:
            unclosed = min(unclosed, tables[number, 0])
    return count, unclosed


@machine_code
def read_table_tag(body: np.ndarray, position: int, end: int) -> int:
    """Return the position after the table tag that begins here, negative for a closing tag; 0 for no tag, or ``GIVE_UP``."""
    closing = position + 1 < end and body[position + 1] == 47
    name = position + 2 if closing else position + 1
    last = name + len(_TABLE)
    if last >= end or not matches_word(body, name, end, _TABLE):
        return 0
    if body[last] >= 0x80:
        return GIVE_UP
    if body[last] not in (47, 62) and not space_length(body, last, end):
        return 0
    after = find_tag_end(body, last, end)
    return 0 if after < 0 else -after if closing else after


@machine_code
def begins_line(body: np.ndarray, position: int, indented: bool) -> bool:
    """Whether only blanks precede a position on its line, or colons too if ``indented``."""
    position -= 1
    while body[position] in (32, 9, 1) or (indented and body[position] == 58):
        position -= 1
    return bool(body[position] == 10)


@machine_code
def find_closed_table(body: np.ndarray, position: int, open_count: int, html: bool, tables: np.ndarray) -> int:
    """Return the index of the open table that a closing mark ends, or -1."""
    if not html and not begins_line(body, position, False):
        last = open_count - 1
        return last if tables[last, 1] == WITHIN_LINE and position < tables[last, 2] else -1
    for number in range(open_count - 1, -1, -1):
        if tables[number, 1] == (HTML if html else AT_LINE_START):
            return number
    if not html:
        for number in range(open_count):
            if tables[number, 1] == WITHIN_LINE:
                return number
    return -1


@machine_code
def merge_hidden(text: np.ndarray, spans: int, tables: int, workspace: Workspace) -> int:
    """Write the outermost spans with links and tables to ``workspace.hidden``, in order; return their number or ``GIVE_UP``."""
    for number in range(tables):
        workspace.ranges[number, 1:] = workspace.hidden[number]
    span = table = count = 0
    last = -1
    while span < spans or table < tables:
        if span < spans and not (
            workspace.spans[span, 3] and contains_link(text, workspace.spans[span, 0], workspace.spans[span, 1])
        ):
            span += 1
            continue
        if table >= tables or (span < spans and workspace.spans[span, 0] < workspace.ranges[table, 1]):
            first, after = workspace.spans[span, 0], workspace.spans[span, 1]
            span += 1
        else:
            first, after = workspace.ranges[table, 1], workspace.ranges[table, 2]
            table += 1
        if first >= last:
            if count >= MAX_SPANS:
                return GIVE_UP
            workspace.hidden[count] = first, after
            count, last = count + 1, after
    return count


@machine_code
def contains_link(text: np.ndarray, begin: int, end: int) -> bool:
    """Whether ``[[`` occurs between two positions."""
    for position in range(begin, end - 1):
        if text[position] == 91 and text[position + 1] == 91:
            return True
    return False
