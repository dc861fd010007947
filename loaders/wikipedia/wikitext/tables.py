"""Find the tables of a page, in wikitext or HTML, and where one begins that is never closed.

Tables may begin and end anywhere in a line. A mark at the start of a line outranks one within a line: it opens a table even if
nothing closes it, and it closes the nearest table that was opened at the start of a line. Within a line a closing mark belongs
to an opening one of that line.
"""

from __future__ import annotations

import re

MAX_OPEN = 10_000
"""Tables that can be open at once; openings inside the last of them are only counted."""

_HTML_MARK = re.compile(r"<(/?)table(?=[\s/>])[^<>]*+>", re.IGNORECASE)
_BLANK, _INDENT = " \t\x01", " \t:\x01"
_LINE, _WITHIN, _HTML = 0, 1, 2

Table = tuple[int, int, bool]
"""A table: its begin, its end, and whether it was opened within a line."""


_OpenTable = tuple[int, int, int]
"""An open table: its begin, its kind, and the end of the line it begins on."""

_ByKind = tuple[list[int], list[int], list[int]]
"""The indices of the open tables, by kind."""


def find_tables(text: str) -> tuple[list[Table], int]:
    r"""Return the outermost tables, and where one begins that is never closed (else the length of the text).

    The text begins with a line break and is masked. As in ``masking``, the next mark of each kind is searched in advance, and
    each step handles the nearest.

    >>> find_tables("\n{|\n| a\n|} b")
    ([(1, 10, False)], 12)
    """
    tables: list[Table] = []
    opened: list[_OpenTable] = []
    by_kind: _ByKind = [], [], []
    line = excess = after = 0
    end, has_closing = len(text), True
    opening, closing, tag = _find(text, "{|", 0), end, _HTML_MARK.search(text)
    while (position := min(opening, closing, tag.start() if tag else end)) < end:
        html = tag if tag and position == tag.start() else None
        after = html.end() if html else position + 2
        if line < position:
            line = _find(text, "\n", position)
        if (html and not html[1]) or position == opening:
            if len(opened) < MAX_OPEN:
                kind = _HTML if html else _LINE if _begins_line(text, position, _INDENT) else _WITHIN
                by_kind[kind].append(len(opened))
                opened.append((position, kind, line))
            else:
                excess += 1
        elif excess:
            excess -= 1
        else:
            index = _find_closed_table(opened, by_kind, position, -1 if html else _begins_line(text, position, _BLANK))
            if index is not None:
                _close(tables, opened, by_kind, index, after)
        if html:
            tag = _HTML_MARK.search(text, after)
        if opening < after:
            opening = _find(text, "{|", after)
        if not opened:  # no table is open, so a closing mark would close nothing
            closing = end
        elif has_closing and (closing < after or closing == end):
            closing = _find(text, "|}", after)
            has_closing = closing < end
    return tables, min((begin for begin, kind, _ in opened if kind != _WITHIN), default=end)


def _find(text: str, mark: str, start: int) -> int:
    index = text.find(mark, start)
    return len(text) if index < 0 else index


def _close(tables: list[Table], opened: list[_OpenTable], by_kind: _ByKind, index: int, end: int) -> None:
    """Close an open table and those open inside it."""
    begin, kind, _ = opened[index]
    for _, inner, _ in opened[index:]:
        by_kind[inner].pop()
    del opened[index:]
    while tables and tables[-1][0] >= begin:
        tables.pop()
    tables.append((begin, end, kind == _WITHIN))


def _find_closed_table(opened: list[_OpenTable], by_kind: _ByKind, position: int, starts_line: int) -> int | None:
    """Return the index of the table that a closing mark ends. ``starts_line`` is -1 for HTML."""
    if starts_line < 0:
        return by_kind[_HTML][-1] if by_kind[_HTML] else None
    if starts_line:
        return by_kind[_LINE][-1] if by_kind[_LINE] else by_kind[_WITHIN][0] if by_kind[_WITHIN] else None
    return len(opened) - 1 if opened and opened[-1][1] == _WITHIN and position < opened[-1][2] else None


def _begins_line(text: str, position: int, blanks: str) -> bool:
    position -= 1
    while text[position] in blanks:
        position -= 1
    return text[position] == "\n"
