"""Text widths and line breaks in pictures.

Widths are those of DejaVu Sans, a wide font. The SVG and PNG writers fit each text into its measured width, whatever the font.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from .text import is_mark, split_clusters

# Advance widths of U+0020..U+007E in thousandths of the font's size.
_ASCII_WIDTHS = (
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
    603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635,
    634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
)  # fmt: skip


_SYMBOL_WIDTHS = {"×": 838, "→": 838, "…": 1000, "·": 318, "“": 518, "”": 518}


_BOLD_FACTOR = 1.13


_WIDE, _EMOJI, _OTHER, _NARROW = 1000, 1300, 800, 500


# First character of a script and the average width of its letters.
_SCRIPTS = ((0x80, 640), (0x370, 660), (0x400, 700), (0x530, 650), (0x590, 600), (0x600, 540), (0x700, 640), (0x1100, 800))


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a text in a font of this size.

    >>> round(text_width("cage", 10), 1) == round(text_width("cagé", 10), 1)
    True
    """
    return sum(map(_advance, split_clusters(text))) * size / 1000 * (_BOLD_FACTOR if bold else 1.0)


@lru_cache(maxsize=4096)
def _advance(cluster: str) -> int:
    letter = unicodedata.normalize("NFD", cluster)[0]
    if " " <= letter <= "~":
        return _ASCII_WIDTHS[ord(letter) - 32]
    if letter in _SYMBOL_WIDTHS:
        return _SYMBOL_WIDTHS[letter]
    if letter >= "\U0001f000" or "\ufe0f" in cluster:
        return _EMOJI
    if unicodedata.east_asian_width(letter) in "WF":
        return _WIDE
    # Spacing combining marks of Indic scripts have a width of their own.
    spacing = sum(unicodedata.category(character) == "Mc" for character in cluster)
    if is_mark(letter):
        return _NARROW
    width = next((width for start, width in reversed(_SCRIPTS) if ord(letter) >= start), _OTHER)
    return width + spacing * _NARROW


def wrap_text(text: str, width: float, size: float, lines: int, *, bold: bool = False) -> list[str]:
    """Break a text into lines of a width, at spaces if possible; text beyond the last line becomes an ellipsis.

    >>> wrap_text("an enclosure made of metal bars", 80, 12, 2)
    ['an enclosure', 'made of…']
    """
    wrapped: list[str] = []
    pieces = list(_pieces(text, width, size, bold))
    while pieces:
        line = pieces.pop(0).lstrip()
        while pieces and text_width((line + pieces[0]).rstrip(), size, bold=bold) <= width:
            line += pieces.pop(0)
        wrapped.append(line.rstrip())
        if len(wrapped) == lines and pieces:
            wrapped[-1] = _add_ellipsis(wrapped[-1], width, size, bold)
            break
    return wrapped or [""]


def _pieces(text: str, width: float, size: float, bold: bool) -> Iterator[str]:
    """Yield words with a space after them; a word that is too wide is split."""
    for word in text.split():
        part = ""
        for cluster in split_clusters(word):
            wide_letter = unicodedata.east_asian_width(cluster[0]) in "WF"
            if part and (wide_letter or text_width(part + cluster, size, bold=bold) > width):
                yield part
                part = ""
            part += cluster
        yield part + " "


def _add_ellipsis(line: str, width: float, size: float, bold: bool) -> str:
    clusters = list(split_clusters(line))
    while clusters and text_width("".join(clusters) + "…", size, bold=bold) > width:
        clusters.pop()
    return "".join(clusters).rstrip(" ,;:.") + "…"
