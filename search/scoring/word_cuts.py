"""Cut words in scripts that are written without blanks at the ends of known labels.

Such a word is cut into as few labels as possible; of equally many, the longest comes first. Other words are never cut, so
phrases in scripts with blanks are split exactly as the thesis says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise
from typing import Any

Words = tuple[str, ...]

SCRIPTS = ("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar")
"""The scripts that are written without blanks between words."""

MAX_PART = 32
"""The greatest number of characters of a part, which limits the number of look-ups for a long phrase."""


@cache
def _patterns() -> tuple[Any, Any]:
    import regex  # not at the top: few phrases need it, and importing it takes 20 ms

    unspaced = "".join(rf"\p{{scx={script}}}" for script in SCRIPTS)
    return regex.compile(rf"[{unspaced}]"), regex.compile(rf"(?<=[{unspaced}])(?!\p{{M}})|(?=[{unspaced}])(?!\p{{M}})")


def find_cuts(word: str) -> list[int]:
    """Return where a word may be cut, with its start and its end: beside characters of ``SCRIPTS``, never before a mark.

    >>> find_cuts("Tシャツ"), find_cuts("ข่าว"), find_cuts("machine-learning")
    ([0, 1, 2, 3, 4], [0, 2, 3, 4], [0, 16])
    """
    if word.isascii() or not _patterns()[0].search(word):
        return [0, len(word)]
    return sorted({0, *(place.start() for place in _patterns()[1].finditer(word)), len(word)})


def cut_word(word: str, is_known: Callable[[str], bool]) -> Words:
    """Cut a word into the fewest known parts, of equally many the longest first; return it whole if that is impossible.

    >>> cut_word("東京大学", {"東", "東京", "京大", "学", "大学"}.__contains__)
    ('東京', '大学')
    >>> cut_word("東京大学", {"東京", "大"}.__contains__)
    ('東京大学',)
    """
    cuts = find_cuts(word)
    if len(cuts) == 2:
        return (word,)

    def ends(start: int) -> Iterable[int]:
        within = (end for end in range(start + 1, len(cuts)) if cuts[end] - cuts[start] <= MAX_PART)
        return reversed(list(within))

    parts = find_fewest_parts(len(cuts) - 1, lambda start, end: is_known(word[cuts[start] : cuts[end]]), ends)
    return tuple(word[cuts[start] : cuts[end]] for start, end in pairwise(parts)) or (word,)


def find_fewest_parts(size: int, is_known: Callable[[int, int], bool], ends: Callable[[int], Iterable[int]]) -> list[int]:
    """Return the borders of the fewest known parts from 0 to ``size``, with both; empty if there is no such split.

    Breadth-first search: of equally many parts, those whose first end comes first in ``ends`` win, then the second end, and so
    on, because places are visited in the order of the splits that lead to them.

    Args:
        size: The last border.
        is_known: Whether the part from a border to another one is known.
        ends: The borders at which a part from this border may end, in the order of preference.
    """
    before = {0: 0}
    frontier = [0]
    while frontier and size not in before:
        reached = []
        for start in frontier:
            for end in ends(start):
                if end not in before and is_known(start, end):
                    before[end] = start
                    reached.append(end)
        frontier = reached
    if size not in before:
        return []
    borders = [size]
    while borders[-1]:
        borders.append(before[borders[-1]])
    return borders[::-1]
