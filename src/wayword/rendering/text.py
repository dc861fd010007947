"""Text for one line of a terminal: clean it, measure it in columns, shorten and pad it.

Names come from foreign files and are not trusted: invisible characters are escaped. Characters are never separated from their
combining marks.
"""

from __future__ import annotations

import re
import shutil
import unicodedata
from collections.abc import Iterator

_JOINER = "\u200d"
_JOINERS = "\u200c\u200d"
_FIRST_JOINING = "\u0590"
"""First character of the scripts in which joiners affect how letters are shown."""
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
"""The flag of a region (such as Scotland), which is spelled with invisible tag characters."""
_INVISIBLE = "\u034f\u115f\u1160\u2800\u3164\uffa0"
"""Letters and marks without a visible form."""


def line_width() -> int:
    """Return the width of a line in columns: that of the terminal or of COLUMNS, at least 60; 100 if unknown."""
    return max(shutil.get_terminal_size((100, 24)).columns, 60)


def clean(text: str) -> str:
    r"""Put a text on one line, and escape characters that control terminals, break XML, reverse the line or are invisible.

    >>> print(clean("two\nlines, a bell \x07 and dog\u200bhouse"))
    two lines, a bell \x07 and dog\u200bhouse
    """
    if text.isascii() and text.isprintable():
        return text
    flags = {index for flag in _FLAG.finditer(text) for index in range(*flag.span())}
    parts = (letter if letter.isspace() or index in flags else _escape(text, index) for index, letter in enumerate(text))
    return " ".join("".join(parts).split())


def _escape(text: str, index: int) -> str:
    """Escape a character unless it is visible, or a joiner that changes how its neighbours look."""
    character = text[index]
    hidden = unicodedata.category(character) in ("Cc", "Cf", "Cs", "Cn") or character in _INVISIBLE
    if not hidden or (character in _JOINERS and _can_join(text[index - 1 : index]) and _can_join(text[index + 1 : index + 2])):
        return character
    return character.encode("unicode_escape").decode()


def _can_join(neighbour: str) -> bool:
    """Whether a joiner beside this character is visible: between emoji, and between the letters of some scripts."""
    return neighbour >= _FIRST_JOINING and unicodedata.category(neighbour)[0] not in "CZ"


def split_clusters(text: str) -> Iterator[str]:
    r"""Split a text into grapheme clusters: a letter with its combining marks, an emoji with everything joined to it.

    >>> [len(cluster) for cluster in split_clusters("e\u0301a")]
    [2, 1]
    """
    cluster = ""
    for character in text:
        if cluster and not _extends(cluster, character):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster


def _extends(cluster: str, character: str) -> bool:
    if character.isascii():
        return False
    completes_flag = _is_flag_letter(character) and len(cluster) == 1 and _is_flag_letter(cluster)
    is_skin_tone = "\U0001f3fb" <= character <= "\U0001f3ff"
    return completes_flag or is_skin_tone or cluster[-1] == _JOINER or is_mark(character)


def _is_flag_letter(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def is_mark(character: str) -> bool:
    """Whether a character is a combining mark or a format character."""
    return unicodedata.category(character) in ("Mn", "Me", "Mc", "Cf")


def cell_width(text: str) -> int:
    r"""Return the width of a text in columns of a terminal.

    >>> cell_width("cage"), cell_width("鳥籠"), cell_width("e\u0301")
    (4, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(_cluster_width(cluster) for cluster in split_clusters(text))


def _cluster_width(cluster: str) -> int:
    wide = unicodedata.east_asian_width(cluster[0]) in "WF" or "\ufe0f" in cluster
    return 2 if wide else int(not is_mark(cluster[0]))


def shorten(text: str, columns: int) -> str:
    """Truncate a text with an ellipsis if it is wider than a number of columns.

    >>> shorten("a cage in which a bird can be kept", 12)
    'a cage in w…'
    """
    if cell_width(text) <= columns:
        return text
    start, left = "", columns - 1
    for cluster in split_clusters(text):
        left -= _cluster_width(cluster)
        if left < 0:
            break
        start += cluster
    return start.rstrip() + "…" if columns > 0 else ""


def wrap(text: str, columns: int) -> list[str]:
    """Split a text into lines of a number of columns, between words where possible.

    >>> wrap("a cage in which a bird can be kept", 12)
    ['a cage in', 'which a bird', 'can be kept']
    >>> wrap("鳥籠の中の鳥", 5)
    ['鳥籠', 'の中', 'の鳥']
    """
    if cell_width(text) <= columns:
        return [text]
    lines, line = [], ""
    for word in text.split(" "):
        if line and cell_width(line) + 1 + cell_width(word) <= columns:
            line += f" {word}"
            continue
        if line:
            lines.append(line)
        line = ""
        for cluster in split_clusters(word):
            if line and cell_width(line) + _cluster_width(cluster) > columns:
                lines.append(line)
                line = ""
            line += cluster
    return [*lines, line]


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """Pad a text with spaces to a number of columns, on the left if ``right`` (right-aligned)."""
    spaces = " " * (columns - cell_width(text))
    return spaces + text if right else text + spaces


def format_score(value: float) -> str:
    """Format a score or factor with two decimal places, or with as many as show that it is neither 0 nor 1.

    >>> format_score(0.2663), format_score(1.0), format_score(0.0004), format_score(0.9996)
    ('0.27', '1.00', '0.0004', '0.9996')
    """
    for digits in range(2, 9):
        text = f"{value:.{digits}f}"
        if float(text) not in (0.0, 1.0) or abs(float(text) - value) < 1e-9:
            return text
    return f"{value:.1e}"
