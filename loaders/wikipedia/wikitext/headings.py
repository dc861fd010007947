"""Recognise headings and hatnotes by the form of their lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .link_text import visible_text

if TYPE_CHECKING:
    from ..languages import Language

_LINK = re.compile(r"\[\[:?(?:[^\[\]|\n]*+\|)?([^\[\]\n]*+)\]\]")
_INVISIBLE = r"(?:[ \t\x01-\x03]|<[^<>\n]*+>)*+"
_ITALICS = "''(?!'(?!''))"
_BEGINNING = re.compile(rf"{_INVISIBLE}(?:(:)[: \t]*+)?{_INVISIBLE}({_ITALICS}|)")

LINE_START = re.compile(rf"\n(?=[=:'< \t\x01-\x03])(?:(?==)|(?={_INVISIBLE}(?::|{_ITALICS})))")
"""The line break before a line that may be a heading or a hatnote."""


def plain_text(line: str) -> str:
    """Return the visible text of a line.

    >>> plain_text("''See'' [[dog|dogs]] and [[cat]]")
    'See dogs and cat'
    """
    return visible_text(_LINK.sub(r"\1", line) if "[[" in line else line)


def parse_heading(line: str) -> tuple[int, str] | None:
    """Return the level and the text of a line that begins with ``=``, None if it is not a heading.

    >>> parse_heading("== See ''also'' ==  "), parse_heading("= no")
    ((2, 'See also'), None)
    """
    line = line.rstrip(" \t\x01")
    if not line.endswith("="):
        return None
    before = len(line) - len(line.lstrip("="))
    if before == len(line):
        before = after = (before - 1) // 2
    else:
        after = len(line) - len(line.rstrip("="))
    level = min(before, after, 6)
    return (level, plain_text(line[level:-level])) if level else None


def is_hatnote(line: str, language: Language) -> bool:
    """Whether a line is a hatnote: indented or in italics, with the words of one.

    >>> from wayword.loaders.wikipedia.languages import find_language
    >>> english = find_language("en")
    >>> [is_hatnote(line, english) for line in (":''For the band, see [[Dog (band)]].''", ": [[Dog]]", "''Dog'' is a book")]
    [True, False, False]
    """
    match = _BEGINNING.match(line)
    if match is None or not (match[1] or match[2]):
        return False
    text = plain_text(line).lstrip(": ")
    if language.hatnote_starts.match(text):
        return True
    return bool(match[2] and (language.hatnote_italic_starts.match(text) or language.hatnote_italic_words.search(text)))
