"""Pairs of parentheses in machine code, as ``parentheses`` tells of them.

``pairs`` holds those that are open or were: (place, links before, the one that was open around it, how deep).
"""

from __future__ import annotations

import numpy as np

from .....core.jit import machine_code
from .buffers import DEEP, SPANS
from .utf8 import line_end

OPEN, PAIRS, RANGES, FLOOR, BORDER, BORDER_END, BORDER_FROM, TAG, HIDDEN, CAPTIONS, SHOWN, LINE, LINE_END, NOTE = range(14)
"""The places of ``state``: the pair that is open, how many pairs and ranges of links there are, how many of those stay, the
last border, from where on the next is looked for, the last tag that ended a block; the next piece that is hidden, how many
captions are open and how many are behind, and the last line that may be a hatnote, with its number if it has a link."""

NOWHERE = -1


@machine_code
def begin_pairs(state: np.ndarray) -> None:
    """Nothing is open."""
    state[:] = 0
    state[OPEN] = state[BORDER] = state[BORDER_END] = state[TAG] = state[NOTE] = state[LINE_END] = NOWHERE


@machine_code
def open_pair(place: int, links: int, state: np.ndarray, pairs: np.ndarray) -> bool:
    """``(`` stands here; False if that is one too many."""
    outer, number = state[OPEN], state[PAIRS]
    depth = 1 if outer == NOWHERE else pairs[outer, 3] + 1
    if number >= SPANS or depth > DEEP:
        return False
    pairs[number, 0], pairs[number, 1], pairs[number, 2], pairs[number, 3] = place, links, outer, depth
    state[OPEN], state[PAIRS] = number, number + 1
    return True


@machine_code
def close_pair(place: int, links: int, state: np.ndarray, pairs: np.ndarray, ranges: np.ndarray) -> bool:
    """``)`` stands here; False if there are too many."""
    if state[OPEN] == NOWHERE:
        return True
    number = state[OPEN]
    begin, before, outer = pairs[number, 0], pairs[number, 1], pairs[number, 2]
    state[OPEN] = outer
    if links > before and not parted(begin, place, state):
        while state[RANGES] > state[FLOOR] and ranges[state[RANGES] - 1, 0] >= before:
            state[RANGES] -= 1
        if state[RANGES] >= SPANS:
            return False
        ranges[state[RANGES], 0], ranges[state[RANGES], 1] = before, links
        state[RANGES] += 1
    return True


@machine_code
def keep_pairs(place: int, saved: np.ndarray, state: np.ndarray) -> None:
    """A caption begins here: remember what is open."""
    saved[2:] = state[OPEN], state[RANGES], state[FLOOR], state[BORDER], state[BORDER_END], state[TAG]
    saved[0] = place
    state[FLOOR] = state[RANGES]


@machine_code
def restore_pairs(place: int, saved: np.ndarray, state: np.ndarray) -> None:
    """The caption ends here, and nothing in it has parted or paired anything."""
    state[OPEN], state[RANGES], state[FLOOR], state[BORDER], state[BORDER_END], state[TAG] = saved[2:]
    state[BORDER_FROM] = place


@machine_code
def parted(begin: int, end: int, state: np.ndarray) -> bool:
    """Whether a border or a tag that ends a block lies between the two places."""
    if state[TAG] > begin:
        return True
    return bool((state[BORDER_END] if state[BORDER_END] <= end else state[BORDER]) > begin)


@machine_code
def meet_border(body: np.ndarray, place: int, end: int, state: np.ndarray) -> None:
    """A line break stands here, and perhaps a border."""
    if place < state[BORDER_FROM]:
        return
    after = border_end(body, place + 1, end)
    if after >= 0:
        state[BORDER], state[BORDER_END] = place, after
        state[BORDER_FROM] = after


@machine_code
def border_end(body: np.ndarray, place: int, end: int) -> int:
    """Where a line ends that is a block by itself, or a run of blank lines; -1 if this is neither."""
    while place < end and body[place] == 1:
        place += 1
    if place >= end:
        return -1
    last, after = -1, place
    while after < end and body[after] in (32, 9, 10):
        if body[after] == 10:
            last = after
        after += 1
    if last >= 0:
        return last
    letter = body[place]
    if letter in (42, 35, 58, 59):
        return line_end(body, place, end)
    if letter == 45 and place + 3 < end and body[place + 1] == 45 and body[place + 2] == 45 and body[place + 3] == 45:
        return line_end(body, place, end)
    if letter == 61:
        after = last = line_end(body, place, end)
        while last > place + 1 and body[last - 1] in (32, 9, 1):
            last -= 1
        return after if last > place + 1 and body[last - 1] == 61 else -1
    return -1
