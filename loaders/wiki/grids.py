"""Tables of a page, in wikitext or HTML. One that is not closed goes to the end of the page."""

from __future__ import annotations

import re

_TABLE = re.compile(r"\n[ \t:\x01]*+(?:(\{\|)|(\|\}))|<(/?)(?i:table)(?=[\s/>])[^<>]*+>")
_HTML = re.compile(r"<table(?=[\s/>])[^<>]*+>", re.IGNORECASE)
_INDENT = " \t:\x01"


def tables(text: str) -> list[tuple[int, int]]:
    """The outermost tables of a text that begins with a line break and has everything else filled.

    >>> tables("\\n{|\\n| a\\n|} b")
    [(1, 10)]
    """
    found: list[tuple[int, int]] = []
    place, end = 0, len(text)
    html = _next_html(text, 0)
    while True:
        wiki = _next_wiki(text, place)
        if html < place:
            html = _next_html(text, place)
        begin = min(wiki, html)
        if begin == end:
            return found
        place = _end(text, text.rfind("\n", place, begin) if wiki < html else begin)
        found.append((begin, place))


def _next_html(text: str, start: int) -> int:
    found = _HTML.search(text, start)
    return found.start() if found else len(text)


def _next_wiki(text: str, start: int) -> int:
    """The next ``{|`` that has nothing but blanks and colons before it on its line."""
    place = text.find("{|", start)
    while place >= 0:
        before = place - 1
        while text[before] in _INDENT:
            before -= 1
        if text[before] == "\n":
            return place
        place = text.find("{|", place + 2)
    return len(text)


def _end(text: str, begin: int) -> int:
    """Where the table ends that begins here, tables within it and all."""
    wiki = html = 0
    for found in _TABLE.finditer(text, begin):
        kind = found.lastindex
        if kind == 1:
            wiki += 1
        elif kind == 2:
            wiki -= wiki > 0
        elif found[3]:
            html -= html > 0
        else:
            html += 1
        if not (wiki or html):
            return found.end()
    return len(text)
