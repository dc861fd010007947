"""Bytes of UTF-8 as the patterns of ``scanner`` see characters."""

from __future__ import annotations

import numpy as np

from .....core.jit import machine_code


@machine_code
def is_space(text: np.ndarray, place: int, end: int) -> int:
    r"""How many bytes the white space takes that stands here; 0 if there is none. That is what ``\s`` means of characters."""
    letter = text[place]
    if letter == 32 or 9 <= letter <= 13 or 28 <= letter <= 31:
        return 1
    if letter < 0xC2 or place + 1 >= end:
        return 0
    second = text[place + 1]
    if letter == 0xC2:
        return 2 if second in (0x85, 0xA0) else 0
    if letter not in (0xE1, 0xE2, 0xE3) or place + 2 >= end:
        return 0
    third = text[place + 2]
    if letter == 0xE1:
        return 3 if second == 0x9A and third == 0x80 else 0
    if letter == 0xE3:
        return 3 if second == 0x80 and third == 0x80 else 0
    if second == 0x80:
        return 3 if third <= 0x8A or third in (0xA8, 0xA9, 0xAF) else 0
    return 3 if second == 0x81 and third == 0x9F else 0


@machine_code
def small(letter: int) -> int:
    """A letter of ASCII in lower case."""
    return letter + 32 if 65 <= letter <= 90 else letter


@machine_code
def is_letter(letter: int) -> bool:
    """Whether this is a letter of ASCII."""
    return 65 <= letter <= 90 or 97 <= letter <= 122


@machine_code
def stands(text: np.ndarray, place: int, end: int, word: np.ndarray) -> bool:
    """Whether a word of small letters stands here, in either case."""
    if place + len(word) > end:
        return False
    for number in range(len(word)):
        if small(text[place + number]) != word[number]:
            return False
    return True


@machine_code
def one_of(text: np.ndarray, begin: int, end: int, words: np.ndarray, ends: np.ndarray) -> int:
    """The number of the word of small letters that stands between the two places; -1 if it is none of these."""
    first = 0
    for number in range(len(ends)):
        if ends[number] - first == end - begin and stands(text, begin, end, words[first : ends[number]]):
            return number
        first = ends[number]
    return -1


@machine_code
def tag_end(text: np.ndarray, place: int, end: int) -> int:
    """Behind the ``>`` of a tag whose attributes stand here; -1 if it is no tag."""
    while place < end:
        if text[place] == 62:
            return place + 1
        if text[place] == 60:
            return -1
        place += 1
    return -1


@machine_code
def name_end(text: np.ndarray, place: int, end: int) -> int:
    """Behind the name of letters and digits that stands here."""
    while place < end and (is_letter(text[place]) or (48 <= text[place] <= 57)):
        place += 1
    return place


@machine_code
def line_end(text: np.ndarray, place: int, end: int) -> int:
    """Where the line ends."""
    while place < end and text[place] != 10:
        place += 1
    return place


def packed(words: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Words one behind the other, and where each ends."""
    encoded = [word.encode() for word in words]
    return np.frombuffer(b"".join(encoded), np.uint8), np.cumsum([len(word) for word in encoded], dtype=np.int64)
