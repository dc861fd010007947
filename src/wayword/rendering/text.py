"""Text for one line of a terminal: cleaned, measured in columns, shortened and padded.

Names come from anywhere, so nothing here trusts them: what cannot be seen is written out, and letters are never parted from
their marks.
"""

from __future__ import annotations

import re
import shutil
import unicodedata
from collections.abc import Iterator

_JOINER = "\u200d"
_JOINERS = "\u200c\u200d"
_JOINING = "\u0590"
"""The scripts begin here whose letters are joined or parted by joiners."""
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
"""A flag of a part of a country is spelt with letters that are not seen."""
_BLANK = "\u034f\u115f\u1160\u2800\u3164\uffa0"
"""Letters and marks that cannot be seen."""


def line_width() -> int:
    """How many cells a line may take: as many as the terminal has or COLUMNS says, 60 at least; 100 where nobody tells."""
    return max(shutil.get_terminal_size((100, 24)).columns, 60)


def clean(text: str) -> str:
    r"""The text on one line; what could steer a terminal, break XML, turn the line round or not be seen is written out.

    >>> print(clean("two\nlines, a bell \x07 and dog\u200bhouse"))
    two lines, a bell \x07 and dog\u200bhouse
    """
    if text.isascii() and text.isprintable():
        return text
    flags = {place for flag in _FLAG.finditer(text) for place in range(*flag.span())}
    kept = (each if each.isspace() or place in flags else _shown(text, place) for place, each in enumerate(text))
    return " ".join("".join(kept).split())


def _shown(text: str, place: int) -> str:
    character = text[place]
    hidden = unicodedata.category(character) in ("Cc", "Cf", "Cs", "Cn") or character in _BLANK
    if not hidden or (character in _JOINERS and _joined(text[place - 1 : place]) and _joined(text[place + 1 : place + 2])):
        return character
    return character.encode("unicode_escape").decode()


def _joined(neighbour: str) -> bool:
    """Whether a joiner beside this shapes what people see: it does between emoji, and between the letters of some scripts."""
    return neighbour >= _JOINING and unicodedata.category(neighbour)[0] not in "CZ"


def split_clusters(text: str) -> Iterator[str]:
    r"""The text in pieces that belong together: a letter with its marks, an emoji with all that is joined to it.

    >>> [len(cluster) for cluster in split_clusters("e\u0301a")]
    [2, 1]
    """
    cluster = ""
    for character in text:
        if cluster and not _joins(cluster, character):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster


def _joins(cluster: str, character: str) -> bool:
    if character.isascii():
        return False
    flags = _is_flag_letter(character) and len(cluster) == 1 and _is_flag_letter(cluster)
    tone = "\U0001f3fb" <= character <= "\U0001f3ff"
    return flags or tone or cluster[-1] == _JOINER or _is_mark(character)


def _is_flag_letter(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Me", "Mc", "Cf")


def cell_width(text: str) -> int:
    r"""How many columns of a terminal a text takes.

    >>> cell_width("cage"), cell_width("鳥籠"), cell_width("e\u0301")
    (4, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(_cells_of(cluster) for cluster in split_clusters(text))


def _cells_of(cluster: str) -> int:
    wide = unicodedata.east_asian_width(cluster[0]) in "WF" or "\ufe0f" in cluster
    return 2 if wide else int(not _is_mark(cluster[0]))


def shorten(text: str, columns: int) -> str:
    """The text, cut off with an ellipsis where it takes more than so many columns of a terminal.

    >>> shorten("a cage in which a bird can be kept", 12)
    'a cage in w…'
    """
    if cell_width(text) <= columns:
        return text
    kept, room = "", columns - 1
    for cluster in split_clusters(text):
        room -= _cells_of(cluster)
        if room < 0:
            break
        kept += cluster
    return kept.rstrip() + "…" if columns > 0 else ""


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """The text with blanks after it (before it, if it is to stand right) up to so many columns of a terminal."""
    blanks = " " * (columns - cell_width(text))
    return blanks + text if right else text + blanks


def format_score(value: float) -> str:
    """A score or a factor as the papers print it, but never a rounding that reads as 0 or 1 when it is not.

    >>> format_score(0.2663), format_score(1.0), format_score(0.0004), format_score(0.9996)
    ('0.27', '1.00', '0.0004', '0.9996')
    """
    for digits in range(2, 9):
        text = f"{value:.{digits}f}"
        if float(text) not in (0.0, 1.0) or abs(float(text) - value) < 1e-9:
            return text
    return f"{value:.1e}"
