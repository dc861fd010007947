"""How wide a text is in a picture, and how it is wrapped.

Widths are those of a wide font (DejaVu Sans), to which painters then hold the text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from .text import _is_mark, split_clusters

# Advance widths of U+0020..U+007E in thousandths of the font's size.
_ASCII = (
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
    603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635,
    634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
)  # fmt: skip


_SIGNS = {"×": 838, "→": 838, "…": 1000, "·": 318, "“": 518, "”": 518}


_BOLD = 1.13


_WIDE, _EMOJI, _OTHER, _NARROW = 1000, 1300, 800, 500


# First letter of a script and what its letters take on average; _OTHER from the last one on.
_SCRIPTS = ((0x80, 640), (0x370, 660), (0x400, 700), (0x530, 650), (0x590, 600), (0x600, 540), (0x700, 640), (0x1100, 800))


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """The room that a text takes when it is written in a font of this size.

    >>> round(text_width("cage", 10), 1) == round(text_width("cagé", 10), 1)
    True
    """
    return sum(map(_advance, split_clusters(text))) * size / 1000 * (_BOLD if bold else 1.0)


@lru_cache(maxsize=4096)
def _advance(cluster: str) -> int:
    letter = unicodedata.normalize("NFD", cluster)[0]
    if " " <= letter <= "~":
        return _ASCII[ord(letter) - 32]
    if letter in _SIGNS:
        return _SIGNS[letter]
    if letter >= "\U0001f000" or "\ufe0f" in cluster:
        return _EMOJI
    if unicodedata.east_asian_width(letter) in "WF":
        return _WIDE
    # Marks of Indic scripts take room of their own.
    spacing = sum(unicodedata.category(character) == "Mc" for character in cluster)
    if _is_mark(letter):
        return _NARROW
    own = next((room for start, room in reversed(_SCRIPTS) if ord(letter) >= start), _OTHER)
    return own + spacing * _NARROW


def wrap_text(text: str, room: float, size: float, lines: int, *, bold: bool = False) -> list[str]:
    """The text in at most so many lines that fit the room, parted at blanks where it can be, cut off with an ellipsis.

    >>> wrap_text("an enclosure made of metal bars", 80, 12, 2)
    ['an enclosure', 'made of…']
    """
    wrapped: list[str] = []
    pieces = list(_pieces(text, room, size, bold))
    while pieces:
        line = pieces.pop(0).lstrip()
        while pieces and text_width((line + pieces[0]).rstrip(), size, bold=bold) <= room:
            line += pieces.pop(0)
        wrapped.append(line.rstrip())
        if len(wrapped) == lines and pieces:
            wrapped[-1] = _ellipsis(wrapped[-1], room, size, bold)
            break
    return wrapped or [""]


def _pieces(text: str, room: float, size: float, bold: bool) -> Iterator[str]:
    """Words with the blank after them; a word wider than the room in parts that fit it."""
    for word in text.split():
        part = ""
        for cluster in split_clusters(word):
            wide_letter = unicodedata.east_asian_width(cluster[0]) in "WF"
            if part and (wide_letter or text_width(part + cluster, size, bold=bold) > room):
                yield part
                part = ""
            part += cluster
        yield part + " "


def _ellipsis(line: str, room: float, size: float, bold: bool) -> str:
    kept = list(split_clusters(line))
    while kept and text_width("".join(kept) + "…", size, bold=bold) > room:
        kept.pop()
    return "".join(kept).rstrip(" ,;:.") + "…"
