"""Tables of a page, in wikitext or HTML, and where one begins that is never closed.

Writers open and close them anywhere. A mark at the beginning of a line means more than one within: it opens a table even if
nothing closes it, and it closes the nearest table that was opened so. Within a line a closing mark is for one of that line.
"""

from __future__ import annotations

import re

_MARK = re.compile(r"(\{\|)|(\|\})|<(/?)(?i:table)(?=[\s/>])[^<>]*+>")
_BLANK, _INDENT = " \t\x01", " \t:\x01"
_LINE, _WITHIN, _HTML = 0, 1, 2

Grid = tuple[int, int, bool]
"""A table: from where to where, and whether it was opened within a line."""


def tables(text: str) -> tuple[list[Grid], int]:
    r"""The outermost tables, and where one begins that is never closed (behind the text if there is none).

    The text begins with a line break, and has everything else filled.

    >>> tables("\n{|\n| a\n|} b")
    ([(1, 10, False)], 12)
    """
    found: list[Grid] = []
    if "{|" not in text and "<" not in text:
        return found, len(text)
    opened: list[tuple[int, int, int]] = []  # place, kind, end of its line
    alike: tuple[list[int], list[int], list[int]] = [], [], []  # of each kind the places among those opened
    line = 0
    for mark in _MARK.finditer(text):
        place = mark.start()
        if line < place:
            line = text.find("\n", place)
            line = len(text) if line < 0 else line
        if mark[1] or (mark[3] is not None and not mark[3]):
            kind = _HTML if not mark[1] else _LINE if _begins_line(text, place, _INDENT) else _WITHIN
            alike[kind].append(len(opened))
            opened.append((place, kind, line))
            continue
        number = _closed(opened, alike, place, -1 if mark[2] is None else _begins_line(text, place, _BLANK))
        if number is None:
            continue
        begin, kind, _ = opened[number]
        for _, inner, _ in opened[number:]:
            alike[inner].pop()
        del opened[number:]
        while found and found[-1][0] >= begin:
            found.pop()
        found.append((begin, mark.end(), kind == _WITHIN))
    return found, min((begin for begin, kind, _ in opened if kind != _WITHIN), default=len(text))


def _closed(
    opened: list[tuple[int, int, int]], alike: tuple[list[int], list[int], list[int]], place: int, first: int
) -> int | None:
    """Which of the opened tables a closing mark ends: HTML's (``first`` is -1), one that begins a line, or one within it."""
    if first < 0:
        return alike[_HTML][-1] if alike[_HTML] else None
    if first:
        return alike[_LINE][-1] if alike[_LINE] else alike[_WITHIN][0] if alike[_WITHIN] else None
    return len(opened) - 1 if opened and opened[-1][1] == _WITHIN and place < opened[-1][2] else None


def _begins_line(text: str, place: int, blanks: str) -> bool:
    place -= 1
    while text[place] in blanks:
        place -= 1
    return text[place] == "\n"
