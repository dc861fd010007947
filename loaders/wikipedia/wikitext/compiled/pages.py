"""The second pass, compiled by numba: the links of a masked page and their regions, as in ``scanner`` and ``page_state``."""

from __future__ import annotations

import numpy as np

from .....core.jit import machine_code
from ..regions import Region
from .buffers import (
    GIVE_UP,
    GIVEN_UP,
    HATNOTES,
    HEADINGS,
    LINKS,
    MAX_DEPTH,
    MAX_SPANS,
    MAY_HAVE_SWITCHES,
    NONE,
    REGION,
    Output,
    SiteRules,
    Workspace,
)
from .links import IRREGULAR, OPEN, ORDINARY, closes_link, contains, read_link, shows_file, write_hidden_links, write_link
from .markup import classify_line, read_token, write_hatnote, write_heading
from .masking import mask_page
from .parentheses import (
    CAPTION_RANGES,
    HATNOTE,
    HATNOTE_BEGIN,
    HATNOTE_END,
    NEXT_HIDDEN,
    OPEN_CAPTIONS,
    RANGE_COUNT,
    record_border,
    reset_state,
    restore_state,
    save_state,
)
from .tables import contains_link, mask_tables, merge_hidden
from .utf8 import find_line_end

_SPECIAL = np.zeros(256, np.bool_)
_SPECIAL[[10, 38, 40, 41, 58, 60, 91, 93, 0xEF]] = True
"""Bytes that may begin a token; 0xEF may begin a full-width parenthesis."""

_BOX, _CAPTION, _PARENTHESES = int(Region.BOX), int(Region.CAPTION), int(Region.PARENTHESES)


@machine_code
def scan_pages(
    text: np.ndarray, body: np.ndarray, ends: np.ndarray, rules: SiteRules, output: Output, workspace: Workspace
) -> None:
    """Scan concatenated pages, each of which begins with an extra line break; set the status of those given up."""
    begin = 0
    for page in range(len(ends)):
        links, headings, hatnotes, templates = output.counts
        if not scan_page(text, body, begin, ends[page], page, rules, output, workspace):
            output.counts[:] = links, headings, hatnotes, templates
            output.status[page] = GIVEN_UP
        begin = ends[page]


@machine_code
def scan_page(
    text: np.ndarray, body: np.ndarray, begin: int, end: int, page: int, rules: SiteRules, output: Output, workspace: Workspace
) -> bool:
    """Scan a page; False if it is given up."""
    spans = mask_page(text, body, begin, end, page, output, workspace)
    if spans == GIVE_UP:
        return False
    tables, unclosed = mask_tables(body, begin, end, workspace)
    if tables == GIVE_UP:
        return False
    if not contains_link(text, begin, end):
        record_switches(body, begin, end, page, output)
        return True
    hidden_count = merge_hidden(text, spans, tables, workspace)
    if hidden_count == GIVE_UP:
        return False
    reset_state(workspace.state)
    if not read_body(text, body, begin, end, page, hidden_count, unclosed, rules, output, workspace):
        return False
    mark_ranges(output.links, workspace.ranges, workspace.state[RANGE_COUNT], _PARENTHESES, output.counts[LINKS])
    mark_ranges(output.links, workspace.caption_ranges, workspace.state[CAPTION_RANGES], _CAPTION, output.counts[LINKS])
    record_switches(body, begin, end, page, output)
    return True


@machine_code
def record_switches(body: np.ndarray, begin: int, end: int, page: int, output: Output) -> None:
    """Set the status of a page that contains two underscores."""
    for position in range(begin, end - 1):
        if body[position] == 95 and body[position + 1] == 95:
            output.status[page] = MAY_HAVE_SWITCHES
            return


@machine_code
def mark_ranges(links: np.ndarray, ranges: np.ndarray, count: int, region: int, lowest: int) -> None:
    """Mark the links in ranges, which are in the order of their ends; each link is visited at most once."""
    for number in range(count - 1, -1, -1):
        first, last = ranges[number, 0], min(ranges[number, 1], lowest)
        for link in range(first, last):
            links[link, REGION] |= region
        lowest = min(lowest, first)


@machine_code
def find_special(body: np.ndarray, position: int, end: int) -> int:
    """Return the next position of a byte that may begin a token."""
    while position < end and not _SPECIAL[body[position]]:
        position += 1
    return position


@machine_code
def read_body(
    text: np.ndarray,
    body: np.ndarray,
    begin: int,
    end: int,
    page: int,
    hidden_count: int,
    unclosed: int,
    rules: SiteRules,
    output: Output,
    workspace: Workspace,
) -> bool:
    """Read the masked page token by token; False if it is given up."""
    state, pairs, ranges, hidden = workspace.state, workspace.pairs, workspace.ranges, workspace.hidden
    links, headings, counts = output.links, output.headings, output.counts
    position = begin
    while True:
        position = find_special(body, position, end)
        if position >= end:
            break
        byte = body[position]
        if byte == 10:
            record_border(body, position, end, state)
            kind_of_line = classify_line(body, position + 1, end)
            if kind_of_line == HEADINGS and not write_heading(body, position + 1, end, page, headings, counts):
                return False
            if kind_of_line == HATNOTES:
                state[HATNOTE_BEGIN], state[HATNOTE_END] = position + 1, find_line_end(body, position + 1, end)
                state[HATNOTE] = NONE
            position += 1
        elif byte == 91 and position + 1 < end and body[position + 1] == 91:
            position = read_brackets(text, body, position, end, page, hidden_count, unclosed, rules, output, workspace)
        elif byte == 93 and closes_link(body, position, end):
            position = close_caption(position, counts[LINKS], workspace.captions, workspace.caption_ranges, state)
        else:
            position = read_token(body, position, end, counts[LINKS], state, pairs, ranges)
        if position < 0:
            return False
    for number in range(state[NEXT_HIDDEN], hidden_count):
        if not write_hidden_links(text, hidden[number, 0], hidden[number, 1], page, rules.trail, links, counts):
            return False
    return True


@machine_code
def read_brackets(
    text: np.ndarray,
    body: np.ndarray,
    position: int,
    end: int,
    page: int,
    hidden_count: int,
    unclosed: int,
    rules: SiteRules,
    output: Output,
    workspace: Workspace,
) -> int:
    """Handle two opening brackets; return the position after what was read, or ``GIVE_UP``."""
    state, hidden = workspace.state, workspace.hidden
    if position + 2 < end and body[position + 2] == 91:
        return GIVE_UP
    kind, target, label = read_link(body, position, end)
    if kind == GIVE_UP or (kind == IRREGULAR and contains(body, target, label, 10)):
        return GIVE_UP
    if kind == OPEN:
        if state[OPEN_CAPTIONS] >= MAX_DEPTH or not shows_file(body, position + 2, target, rules):
            return GIVE_UP
        saved = workspace.captions[state[OPEN_CAPTIONS]]
        save_state(position, saved, state)
        saved[1] = output.counts[LINKS]
        state[OPEN_CAPTIONS] += 1
        return target + 1
    if kind not in (ORDINARY, IRREGULAR):
        return position + 2
    while state[NEXT_HIDDEN] < hidden_count and hidden[state[NEXT_HIDDEN], 0] < position:
        first, last = hidden[state[NEXT_HIDDEN], 0], hidden[state[NEXT_HIDDEN], 1]
        if not write_hidden_links(text, first, last, page, rules.trail, output.links, output.counts):
            return GIVE_UP
        state[NEXT_HIDDEN] += 1
    in_hatnote = position < state[HATNOTE_END]
    if in_hatnote and state[HATNOTE] < 0:
        state[HATNOTE] = write_hatnote(state[HATNOTE_BEGIN], state[HATNOTE_END], output.hatnotes, output.counts)
        if state[HATNOTE] < 0:
            return GIVE_UP
    row = (page, 0 if position < unclosed else _BOX, state[HATNOTE] if in_hatnote else NONE)
    return write_link(body, position, target, label, end, kind, row, rules.trail, output.links, output.counts)


@machine_code
def close_caption(position: int, links: int, captions: np.ndarray, caption_ranges: np.ndarray, state: np.ndarray) -> int:
    """Close the last open caption at two closing brackets; return the position after them, or ``GIVE_UP``."""
    if state[OPEN_CAPTIONS]:
        state[OPEN_CAPTIONS] -= 1
        saved = captions[state[OPEN_CAPTIONS]]
        restore_state(position + 2, saved, state)
        if links > saved[1]:
            if state[CAPTION_RANGES] >= MAX_SPANS:
                return GIVE_UP
            caption_ranges[state[CAPTION_RANGES]] = saved[1], links
            state[CAPTION_RANGES] += 1
    return position + 2
