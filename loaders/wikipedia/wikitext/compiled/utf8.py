"""UTF-8 bytes, classified as the patterns of the plain scanner classify characters."""

from __future__ import annotations

import numpy as np

from .....core.jit import machine_code


@machine_code
def space_length(text: np.ndarray, position: int, end: int) -> int:
    r"""Return the length in bytes of the white space character (``\s``) at a position; 0 if it is another character."""
    byte = text[position]
    if byte == 32 or 9 <= byte <= 13 or 28 <= byte <= 31:
        return 1
    if byte < 0xC2 or position + 1 >= end:
        return 0
    second = text[position + 1]
    if byte == 0xC2:
        return 2 if second in (0x85, 0xA0) else 0
    if byte not in (0xE1, 0xE2, 0xE3) or position + 2 >= end:
        return 0
    third = text[position + 2]
    if byte == 0xE1:
        return 3 if second == 0x9A and third == 0x80 else 0
    if byte == 0xE3:
        return 3 if second == 0x80 and third == 0x80 else 0
    if second == 0x80:
        return 3 if third <= 0x8A or third in (0xA8, 0xA9, 0xAF) else 0
    return 3 if second == 0x81 and third == 0x9F else 0


@machine_code
def to_lower(byte: int) -> int:
    """Return an ASCII byte in lower case."""
    return byte + 32 if 65 <= byte <= 90 else byte


@machine_code
def is_ascii_letter(byte: int) -> bool:
    """Whether a byte is an ASCII letter."""
    return 65 <= byte <= 90 or 97 <= byte <= 122


@machine_code
def matches_word(text: np.ndarray, position: int, end: int, word: np.ndarray) -> bool:
    """Whether a word, given in lower case, is at a position in either case."""
    if position + len(word) > end:
        return False
    for number in range(len(word)):
        if to_lower(text[position + number]) != word[number]:
            return False
    return True


@machine_code
def find_word(text: np.ndarray, begin: int, end: int, words: np.ndarray, ends: np.ndarray) -> int:
    """Return the index of the word, see ``pack_words``, that fills the range in either case, or -1."""
    first = 0
    for number in range(len(ends)):
        if ends[number] - first == end - begin and matches_word(text, begin, end, words[first : ends[number]]):
            return number
        first = ends[number]
    return -1


@machine_code
def find_tag_end(text: np.ndarray, position: int, end: int) -> int:
    """Return the position after the ``>`` of a tag, given the position after its name; -1 if it is not a tag."""
    while position < end:
        if text[position] == 62:
            return position + 1
        if text[position] == 60:
            return -1
        position += 1
    return -1


@machine_code
def find_name_end(text: np.ndarray, position: int, end: int) -> int:
    """Return the position after a name of ASCII letters and digits."""
    while position < end and (is_ascii_letter(text[position]) or (48 <= text[position] <= 57)):
        position += 1
    return position


@machine_code
def find_line_end(text: np.ndarray, position: int, end: int) -> int:
    """Return the end of the line."""
    while position < end and text[position] != 10:
        position += 1
    return position


def pack_words(words: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Concatenate words; return their bytes and the end of each."""
    encoded = [word.encode() for word in words]
    return np.frombuffer(b"".join(encoded), np.uint8), np.cumsum([len(word) for word in encoded], dtype=np.int64)
