"""The first pass, compiled by numba: ``masking`` over bytes. Tables follow in ``tables``."""

from __future__ import annotations

import numpy as np

from .....core.jit import machine_code
from ..masking import LINKED, LINKLESS, PARSED
from .buffers import GIVE_UP, MAX_BRACES, MAX_SPANS, NONE, TEMPLATES, Output, Workspace
from .utf8 import find_name_end, find_tag_end, find_word, pack_words, space_length

_ELEMENTS = [*LINKLESS.split("|"), *LINKED.split("|")]
_ELEMENT_NAMES, _ELEMENT_ENDS = pack_words(_ELEMENTS)
_LINKLESS_COUNT = len(LINKLESS.split("|"))
_IS_PARSED = np.array([name in PARSED.split("|") for name in _ELEMENTS])
_NOWIKI, _PRE = _ELEMENTS.index("nowiki"), _ELEMENTS.index("pre")

COMMENT, INLINE, VERBATIM, BLOCK = 1, 2, 3, 10


@machine_code
def mask_page(text: np.ndarray, body: np.ndarray, begin: int, end: int, page: int, output: Output, workspace: Workspace) -> int:
    """Mask all but the tables of a page in ``body``, a copy of its text; return the number of spans, or ``GIVE_UP``."""
    spans, braces = workspace.spans, workspace.braces
    count = open_count = 0
    position = begin
    while position < end:
        byte = text[position]
        if byte == 60:
            after, filler, links = match_element(text, position, end)
            if after == GIVE_UP:
                return GIVE_UP
            if filler:
                if count >= MAX_SPANS:
                    return GIVE_UP
                spans[count] = position, after, filler, links
                count += 1
            position = after if after > position else position + 1
        elif byte == 123 and position + 1 < end and text[position + 1] == 123:
            after = position
            while after < end and text[after] == 123:
                after += 1
            if open_count >= MAX_BRACES:
                return GIVE_UP
            braces[open_count] = position, after - position
            open_count += 1
            position = after
        elif byte == 125 and open_count and position + 1 < end and text[position + 1] == 125:
            after = position
            while after < end and text[after] == 125:
                after += 1
            open_count, count = close_braces(text, position, after, end, open_count, count, page, output, workspace)
            if count < 0:
                return GIVE_UP
            position = after
        else:
            position += 1
    for number in range(count):
        if not fill_span(text, body, spans[number, 0], spans[number, 1], spans[number, 2]):
            return GIVE_UP
    return count


@machine_code
def match_element(text: np.ndarray, position: int, end: int) -> tuple[int, int, int]:
    """Match a comment or an element at a position.

    Return the position after it (``NONE`` or ``GIVE_UP``), its filler (0: nothing to mask), and whether it can contain links.
    """
    if position + 3 < end and text[position + 1] == 33 and text[position + 2] == 45 and text[position + 3] == 45:
        after = find_comment_end(text, position + 4, end)
        return (GIVE_UP, 0, 0) if after < 0 else (after, COMMENT, 0)
    name = find_name_end(text, position + 1, end)
    if name == position + 1 or name >= end:
        return NONE, 0, 0
    number = find_word(text, position + 1, name, _ELEMENT_NAMES, _ELEMENT_ENDS)
    if number < 0:
        return NONE, 0, 0
    if text[name] >= 0x80:
        return GIVE_UP, 0, 0
    if text[name] not in (47, 62) and not space_length(text, name, end):
        return NONE, 0, 0
    after = find_tag_end(text, name, end)
    if after < 0:
        return NONE, 0, 0
    if text[after - 2] == 47:
        return after, INLINE, 0
    after = find_element_end(text, after, end, number)
    if after < 0:
        return GIVE_UP, 0, 0
    filler = BLOCK if number == _PRE else VERBATIM if number == _NOWIKI else INLINE
    return after, filler, 1 if number >= _LINKLESS_COUNT else 0


@machine_code
def find_comment_end(text: np.ndarray, position: int, end: int) -> int:
    """Return the position after a comment; -1 if it is never closed."""
    while position + 2 < end:
        if text[position] == 45 and text[position + 1] == 45 and text[position + 2] == 62:
            return position + 3
        position += 1
    return -1


@machine_code
def find_element_end(text: np.ndarray, position: int, end: int, number: int) -> int:
    """Return the position after the closing tag of an element, or -1; elements in ``PARSED`` can be nested."""
    depth = 1
    while position < end:
        if text[position] != 60 or position + 1 >= end:
            position += 1
            continue
        closing = text[position + 1] == 47
        first = position + 2 if closing else position + 1
        name = find_name_end(text, first, end)
        if name >= end or find_word(text, first, name, _ELEMENT_NAMES, _ELEMENT_ENDS) != number:
            position += 1
            continue
        if not _IS_PARSED[number]:
            after = name
            while closing and after < end and space_length(text, after, end):
                after += space_length(text, after, end)
            if closing and after < end and text[after] == 62:
                return after + 1
            position = name
            continue
        if text[name] >= 0x80:
            return -1
        after = find_tag_end(text, name, end) if text[name] in (47, 62) or space_length(text, name, end) else -1
        if after < 0:
            position = name
            continue
        if closing:
            depth -= 1
        elif text[after - 2] != 47:
            depth += 1
        if not depth:
            return after
        position = after
    return -1


@machine_code
def close_braces(
    text: np.ndarray,
    start: int,
    after: int,
    end: int,
    open_count: int,
    count: int,
    page: int,
    output: Output,
    workspace: Workspace,
) -> tuple[int, int]:
    """Match a run of closing braces with the open runs; return how many runs remain open, and how many spans there are."""
    spans, braces = workspace.spans, workspace.braces
    remaining = after - start
    while remaining >= 2 and open_count:
        open_count -= 1
        begin, size = braces[open_count]
        matched = min(size, remaining)
        remaining -= matched
        size -= matched
        if size >= 2:
            braces[open_count] = begin, size
            open_count += 1
        begin += size
        is_template = matched == 3
        if not is_template:
            result = read_template_name(text, begin + matched, end, page, output)
            if result == GIVE_UP:
                return open_count, GIVE_UP
            is_template = result == 1
        if is_template:
            while count and spans[count - 1, 0] >= begin:
                count -= 1
            if count >= MAX_SPANS:
                return open_count, GIVE_UP
            spans[count] = begin, after - remaining, INLINE, 1
            count += 1
    return open_count, count


@machine_code
def read_template_name(text: np.ndarray, position: int, end: int, page: int, output: Output) -> int:
    """Whether a name of a template or parser function begins here (1 or 0), or ``GIVE_UP``. A template's name is written."""
    start = position
    while position < end and space_length(text, position, end) == 1:
        position += 1
    begin, has_colon = position, False
    while position < end and text[position] not in (124, 123, 125, 91, 93, 60, 62, 10):
        has_colon = has_colon or text[position] in (58, 35)
        position += 1
    last = position
    while last > begin and space_length(text, last - 1, end) == 1:
        last -= 1
    if last > begin and space_length(text, begin, end) > 1:
        return GIVE_UP
    has_line_break = False
    while position < end and space_length(text, position, end):
        if space_length(text, position, end) > 1:
            return GIVE_UP
        has_line_break = has_line_break or text[position] == 10
        position += 1
    next_byte = text[position] if position < end else 0
    is_comment = (
        position + 3 < end
        and next_byte == 60
        and text[position + 1] == 33
        and text[position + 2] == 45
        and text[position + 3] == 45
    )
    if last == begin:
        if begin > start and next_byte in (124, 125):
            return GIVE_UP
        return 1 if next_byte == 123 or is_comment else 0
    if not has_colon:
        if next_byte in (91, 93, 62) or (next_byte == 60 and not is_comment):
            return 0
        if has_line_break and not (next_byte in (124, 125, 123) or is_comment):
            return 0
        number = output.counts[TEMPLATES]
        if number >= len(output.templates):
            return GIVE_UP
        output.templates[number] = page, begin, last
        output.counts[TEMPLATES] += 1
    return 1


@machine_code
def fill_span(text: np.ndarray, body: np.ndarray, begin: int, end: int, filler: int) -> bool:
    """Fill a span; False if only the plain scanner can, because a character reference may be a parenthesis."""
    if filler == BLOCK:
        body[begin:end] = BLOCK
        body[end - 1] = INLINE
        return True
    if filler == VERBATIM:
        for position in range(begin, end):
            byte = text[position]
            if byte == 38 or byte == 0xEF:
                return False
            body[position] = byte if byte in (40, 41) else VERBATIM
        return True
    body[begin:end] = filler
    return True
