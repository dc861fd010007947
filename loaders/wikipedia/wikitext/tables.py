"""Tables of a page, in wikitext or HTML, and where one begins that is never closed.

Writers open and close them anywhere. A mark at the beginning of a line means more than one within: it opens a table even if
nothing closes it, and it closes the nearest table that was opened so. Within a line a closing mark is for one of that line.
"""

from __future__ import annotations

import re

DEEPEST = 10_000
"""Tables open at once; what is open in the last of them opens no more."""

_HTML_MARK = re.compile(r"<(/?)table(?=[\s/>])[^<>]*+>", re.IGNORECASE)
_BLANK, _INDENT = " \t\x01", " \t:\x01"
_LINE, _WITHIN, _HTML = 0, 1, 2

Grid = tuple[int, int, bool]
"""A table: from where to where, and whether it was opened within a line."""


_Open = tuple[int, int, int]
"""A table that is open: from where, of which kind, and the end of the line that it begins on."""

_Alike = tuple[list[int], list[int], list[int]]
"""Of each kind the numbers of those that are open."""


def find_tables(text: str) -> tuple[list[Grid], int]:
    r"""The outermost tables, and where one begins that is never closed (behind the text if there is none).

    The text begins with a line break, and has everything else filled.

    >>> find_tables("\n{|\n| a\n|} b")
    ([(1, 10, False)], 12)
    """
    found: list[Grid] = []
    opened: list[_Open] = []
    alike: _Alike = [], [], []
    line = deeper = after = 0
    end, closable = len(text), True
    opening, closing, tag = _find(text, "{|", 0), end, _HTML_MARK.search(text)
    while (place := min(opening, closing, tag.start() if tag else end)) < end:
        html = tag if tag and place == tag.start() else None
        after = html.end() if html else place + 2
        if line < place:
            line = _find(text, "\n", place)
        if (html and not html[1]) or place == opening:
            if len(opened) < DEEPEST:
                kind = _HTML if html else _LINE if _begins_line(text, place, _INDENT) else _WITHIN
                alike[kind].append(len(opened))
                opened.append((place, kind, line))
            else:
                deeper += 1
        elif deeper:
            deeper -= 1
        else:
            number = _closed(opened, alike, place, -1 if html else _begins_line(text, place, _BLANK))
            if number is not None:
                _close(found, opened, alike, number, after)
        if html:
            tag = _HTML_MARK.search(text, after)
        if opening < after:
            opening = _find(text, "{|", after)
        if not opened:  # what closes nothing is not looked for
            closing = end
        elif closable and (closing < after or closing == end):
            closing = _find(text, "|}", after)
            closable = closing < end
    return found, min((begin for begin, kind, _ in opened if kind != _WITHIN), default=end)


def _find(text: str, mark: str, start: int) -> int:
    found = text.find(mark, start)
    return len(text) if found < 0 else found


def _close(found: list[Grid], opened: list[_Open], alike: _Alike, number: int, end: int) -> None:
    """End an opened table, and what is open in it."""
    begin, kind, _ = opened[number]
    for _, inner, _ in opened[number:]:
        alike[inner].pop()
    del opened[number:]
    while found and found[-1][0] >= begin:
        found.pop()
    found.append((begin, end, kind == _WITHIN))


def _closed(opened: list[_Open], alike: _Alike, place: int, first: int) -> int | None:
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
