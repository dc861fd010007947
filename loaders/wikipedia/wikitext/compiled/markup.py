"""Other markup, compiled by numba: the beginnings of lines, parentheses, tags and URLs."""

from __future__ import annotations

import numpy as np

from .....core.jit import machine_code
from ..page_state import BLOCK_TAGS
from ..targets import FREE_SCHEMES, SCHEMES
from .buffers import GIVE_UP, HATNOTES, HEADINGS, LINKS
from .parentheses import BLOCK_TAG, close_pair, open_pair
from .utf8 import (
    find_line_end,
    find_name_end,
    find_tag_end,
    find_word,
    is_ascii_letter,
    matches_word,
    pack_words,
    space_length,
    to_lower,
)

_BLOCK_TAGS, _BLOCK_TAG_ENDS = pack_words([*BLOCK_TAGS])
_SCHEMES, _SCHEME_ENDS = pack_words([*SCHEMES])
_BARE_SCHEMES, _BARE_SCHEME_ENDS = pack_words([*FREE_SCHEMES])
_BOX_WORDS, _BOX_WORD_ENDS = pack_words(
    ["box", "nav", "hatnote", "link", "sidebar", "thumb", "toc", "metadata", "ref", "gallery"]
)
"""Words in the classes and ids of boxes; a page with a tag that may contain one is given up."""

_LPAR, _ = pack_words(["lpar;"])
_RPAR, _ = pack_words(["rpar;"])

ORDINARY_LINE = -1


@machine_code
def classify_line(body: np.ndarray, position: int, end: int) -> int:
    """Return whether a line may be a heading (``HEADINGS``) or a hatnote (``HATNOTES``), else ``ORDINARY_LINE``."""
    if position >= end:
        return ORDINARY_LINE
    byte = body[position]
    if byte == 61:
        return HEADINGS
    if byte not in (58, 39, 60, 32, 9, 1, 2, 3):
        return ORDINARY_LINE
    while position < end:
        byte = body[position]
        if byte == 60:
            after = position + 1
            while after < end and body[after] not in (60, 62, 10):
                after += 1
            if after >= end or body[after] != 62:
                return ORDINARY_LINE
            position = after + 1
        elif byte in (32, 9, 1, 2, 3):
            position += 1
        else:
            break
    if position >= end:
        return ORDINARY_LINE
    if body[position] == 58:
        return HATNOTES
    quotes = 0
    while position + quotes < end and quotes < 5 and body[position + quotes] == 39:
        quotes += 1
    return HATNOTES if quotes in (2, 5) else ORDINARY_LINE


@machine_code
def write_heading(body: np.ndarray, position: int, end: int, page: int, headings: np.ndarray, counts: np.ndarray) -> bool:
    """Write a line that may be a heading; False if the output is full."""
    number = counts[HEADINGS]
    if number >= len(headings):
        return False
    headings[number] = page, position, find_line_end(body, position, end), counts[LINKS]
    counts[HEADINGS] = number + 1
    return True


@machine_code
def write_hatnote(begin: int, end: int, hatnotes: np.ndarray, counts: np.ndarray) -> int:
    """Write a line that may be a hatnote; return its index, or ``GIVE_UP``."""
    number = counts[HATNOTES]
    if number >= len(hatnotes):
        return GIVE_UP
    hatnotes[number] = begin, end
    counts[HATNOTES] = number + 1
    return int(number)


@machine_code
def read_token(
    body: np.ndarray, position: int, end: int, links: int, state: np.ndarray, pairs: np.ndarray, ranges: np.ndarray
) -> int:
    """Handle the token at a position; return the position after it, or ``GIVE_UP``."""
    byte = body[position]
    after, is_opening, is_closing = position + 1, byte == 40, byte == 41
    if byte == 60:
        return read_tag(body, position, end, state)
    if byte == 91:
        return skip_bracketed_url(body, position, end)
    if byte == 58:
        return skip_bare_url(body, position, end, links, state, pairs, ranges)
    if byte == 38:
        is_opening, is_closing = read_reference(body, position + 1, end)
    elif byte == 0xEF and position + 2 < end and body[position + 1] == 0xBC:
        is_opening, is_closing, after = body[position + 2] == 0x88, body[position + 2] == 0x89, position + 3
    if is_opening:
        return after if open_pair(position, links, state, pairs) else GIVE_UP
    if is_closing:
        return after if close_pair(position, links, state, pairs, ranges) else GIVE_UP
    return after


@machine_code
def read_reference(body: np.ndarray, position: int, end: int) -> tuple[bool, bool]:
    """Whether a character reference after an ampersand is an opening parenthesis, and whether it is a closing one."""
    if position >= end:
        return False, False
    if body[position] != 35:
        return matches_exactly(body, position, end, _LPAR), matches_exactly(body, position, end, _RPAR)
    position += 1
    hexadecimal = position < end and body[position] in (120, 88)
    if hexadecimal:
        position += 1
    number, begin = 0, position
    while position < end and number < 1 << 20:
        digit = to_lower(body[position])
        if 48 <= digit <= 57:
            number = number * (16 if hexadecimal else 10) + digit - 48
        elif hexadecimal and 97 <= digit <= 102:
            number = number * 16 + digit - 87
        else:
            break
        position += 1
    if position == begin or position >= end or body[position] != 59:
        return False, False
    return number in (40, 65288), number in (41, 65289)


@machine_code
def matches_exactly(body: np.ndarray, position: int, end: int, word: np.ndarray) -> bool:
    """Whether a word is at a position, in the same case."""
    if position + len(word) > end:
        return False
    for number in range(len(word)):
        if body[position + number] != word[number]:
            return False
    return True


@machine_code
def read_tag(body: np.ndarray, position: int, end: int, state: np.ndarray) -> int:
    """Handle the tag at a position, if it is one; return the position after it, or ``GIVE_UP``."""
    first = position + 2 if position + 1 < end and body[position + 1] == 47 else position + 1
    if first >= end or not is_ascii_letter(body[first]):
        return position + 1
    name = find_name_end(body, first, end)
    after = find_tag_end(body, name, end)
    if after < 0:
        return position + 1
    if find_word(body, first, name, _BLOCK_TAGS, _BLOCK_TAG_ENDS) >= 0:
        state[BLOCK_TAG] = position
    has_attribute = False
    for index in range(name, after):
        if body[index] == 10:
            return GIVE_UP
        has_attribute = has_attribute or body[index] == 61
    if has_attribute and first == position + 1:
        for index in range(name, after):
            begin = 0
            for number in range(len(_BOX_WORD_ENDS)):
                if matches_word(body, index, after, _BOX_WORDS[begin : _BOX_WORD_ENDS[number]]):
                    return GIVE_UP
                begin = _BOX_WORD_ENDS[number]
    return after


@machine_code
def find_url_end(body: np.ndarray, position: int, end: int) -> int:
    """Return the end of a URL."""
    while position < end and body[position] not in (91, 93, 60, 62, 34) and not space_length(body, position, end):
        position += 1
    return position


@machine_code
def skip_bracketed_url(body: np.ndarray, position: int, end: int) -> int:
    """Return the position after the URL that begins with this bracket, else after the bracket."""
    first = position + 1
    if first + 1 < end and body[first] == 47 and body[first + 1] == 47:
        return find_url_end(body, first + 2, end)
    last = find_name_end(body, first, end)
    if last == first or last >= end or body[last] != 58 or find_word(body, first, last, _SCHEMES, _SCHEME_ENDS) < 0:
        return first
    return find_url_end(body, last + 1, end)


@machine_code
def skip_bare_url(
    body: np.ndarray, position: int, end: int, links: int, state: np.ndarray, pairs: np.ndarray, ranges: np.ndarray
) -> int:
    """Return the position after the URL that contains this colon, else after the colon; or ``GIVE_UP``.

    Closing parentheses at the end of a URL without an opening one do not belong to it.
    """
    if position + 2 >= end or body[position + 1] != 47 or body[position + 2] != 47:
        return position + 1
    begin, is_known = 0, False
    for number in range(len(_BARE_SCHEME_ENDS)):
        size = _BARE_SCHEME_ENDS[number] - begin
        is_known = is_known or (
            position >= size and matches_word(body, position - size, end, _BARE_SCHEMES[begin : _BARE_SCHEME_ENDS[number]])
        )
        begin = _BARE_SCHEME_ENDS[number]
    if not is_known:
        return position + 1
    after = find_url_end(body, position + 3, end)
    for index in range(position + 3, after):
        if body[index] == 40:
            return after
    tail = after
    while tail > position + 3 and body[tail - 1] in (44, 59, 46, 58, 33, 63, 41):
        tail -= 1
    for index in range(tail, after):
        if body[index] == 41 and not close_pair(index, links, state, pairs, ranges):
            return GIVE_UP
    return after
