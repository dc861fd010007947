"""Pairs of parentheses, compiled by numba: ``parentheses`` over arrays.

A row of ``pairs`` is a parenthesis: its position, the number of links before it, the index of the pair around it, its depth.
"""

from __future__ import annotations

import numpy as np

from .....core.jit import machine_code
from .buffers import MAX_DEPTH, MAX_SPANS, NONE
from .utf8 import find_line_end

(
    OPEN_PAIR,
    PAIR_COUNT,
    RANGE_COUNT,
    RANGE_FLOOR,
    BORDER,
    BORDER_END,
    BORDER_SEARCH,
    BLOCK_TAG,
    NEXT_HIDDEN,
    OPEN_CAPTIONS,
    CAPTION_RANGES,
    HATNOTE_BEGIN,
    HATNOTE_END,
    HATNOTE,
) = range(14)
"""Indices into ``state``, which holds:

- the open pair, the number of pairs and of ranges, and the number of ranges that must stay
- the last border, the position from which the next is searched, and the last tag that ended a block
- the index of the next hidden span, and the number of open captions and of caption ranges
- the last line that may be a hatnote, and its index in ``Output.hatnotes`` if it contains a link
"""


@machine_code
def reset_state(state: np.ndarray) -> None:
    """Reset the state for a page."""
    state[:] = 0
    state[OPEN_PAIR] = state[BORDER] = state[BORDER_END] = state[BLOCK_TAG] = state[HATNOTE] = state[HATNOTE_END] = NONE


@machine_code
def open_pair(position: int, links: int, state: np.ndarray, pairs: np.ndarray) -> bool:
    """Handle an opening parenthesis; False if there are too many."""
    outer, number = state[OPEN_PAIR], state[PAIR_COUNT]
    depth = 1 if outer == NONE else pairs[outer, 3] + 1
    if number >= MAX_SPANS or depth > MAX_DEPTH:
        return False
    pairs[number, 0], pairs[number, 1], pairs[number, 2], pairs[number, 3] = position, links, outer, depth
    state[OPEN_PAIR], state[PAIR_COUNT] = number, number + 1
    return True


@machine_code
def close_pair(position: int, links: int, state: np.ndarray, pairs: np.ndarray, ranges: np.ndarray) -> bool:
    """Handle a closing parenthesis; False if there are too many ranges."""
    if state[OPEN_PAIR] == NONE:
        return True
    number = state[OPEN_PAIR]
    begin, before, outer = pairs[number, 0], pairs[number, 1], pairs[number, 2]
    state[OPEN_PAIR] = outer
    if links > before and not is_separated(begin, position, state):
        while state[RANGE_COUNT] > state[RANGE_FLOOR] and ranges[state[RANGE_COUNT] - 1, 0] >= before:
            state[RANGE_COUNT] -= 1
        if state[RANGE_COUNT] >= MAX_SPANS:
            return False
        ranges[state[RANGE_COUNT], 0], ranges[state[RANGE_COUNT], 1] = before, links
        state[RANGE_COUNT] += 1
    return True


@machine_code
def save_state(position: int, saved: np.ndarray, state: np.ndarray) -> None:
    """Save the state where a caption begins."""
    saved[2:] = state[OPEN_PAIR], state[RANGE_COUNT], state[RANGE_FLOOR], state[BORDER], state[BORDER_END], state[BLOCK_TAG]
    saved[0] = position
    state[RANGE_FLOOR] = state[RANGE_COUNT]


@machine_code
def restore_state(position: int, saved: np.ndarray, state: np.ndarray) -> None:
    """Restore the state where a caption ends: its parentheses and borders do not count."""
    state[OPEN_PAIR], state[RANGE_COUNT], state[RANGE_FLOOR], state[BORDER], state[BORDER_END], state[BLOCK_TAG] = saved[2:]
    state[BORDER_SEARCH] = position


@machine_code
def is_separated(begin: int, end: int, state: np.ndarray) -> bool:
    """Whether a border or a tag that ends a block lies between two positions."""
    if state[BLOCK_TAG] > begin:
        return True
    return bool((state[BORDER_END] if state[BORDER_END] <= end else state[BORDER]) > begin)


@machine_code
def record_border(body: np.ndarray, position: int, end: int, state: np.ndarray) -> None:
    """Record the border that begins with this line break, if it is one."""
    if position < state[BORDER_SEARCH]:
        return
    after = find_border_end(body, position + 1, end)
    if after >= 0:
        state[BORDER], state[BORDER_END] = position, after
        state[BORDER_SEARCH] = after


@machine_code
def find_border_end(body: np.ndarray, position: int, end: int) -> int:
    """Return the end of a line that is a block by itself, or of a run of blank lines; -1 if it is neither."""
    while position < end and body[position] == 1:
        position += 1
    if position >= end:
        return -1
    last, after = -1, position
    while after < end and body[after] in (32, 9, 10):
        if body[after] == 10:
            last = after
        after += 1
    if last >= 0:
        return last
    byte = body[position]
    if byte in (42, 35, 58, 59):
        return find_line_end(body, position, end)
    if byte == 45 and position + 3 < end and body[position + 1] == 45 and body[position + 2] == 45 and body[position + 3] == 45:
        return find_line_end(body, position, end)
    if byte == 61:
        after = last = find_line_end(body, position, end)
        while last > position + 1 and body[last - 1] in (32, 9, 1):
            last -= 1
        return after if last > position + 1 and body[last - 1] == 61 else -1
    return -1
