"""Comments, templates and tables cut out of a page before ``mwparserfromhell`` parses it.

The parser gives up on templates with unbalanced tags in them, and leaves open every table whose cells are not closed, which is
about one page in fifty. Each template or table leaves one control character, which XML text cannot contain.
"""

from __future__ import annotations

import re
from typing import NamedTuple

TEMPLATE, TABLE, OPEN_TABLE = "\x02", "\x04", "\x05"
"""Placeholders of a template and a table, and the mark where a table begins that is never closed."""

RAW_TAGS = frozenset(
    {
        *("ref", "references", "nowiki", "pre", "math", "ce", "chem", "timeline", "hiero", "score", "graph", "imagemap"),
        *("gallery", "source", "syntaxhighlight", "templatedata", "categorytree", "inputbox", "includeonly", "script", "style"),
    }
)
"""Elements whose content is not running text."""

MAX_COST = 50_000_000
"""Highest ``parsing_cost`` of a page that is parsed; that takes some seconds."""

MAX_DEPTH = 40
"""Elements in each other that ``mwparserfromhell`` parses; it takes those around more of them for text."""

_RAW = "|".join(sorted(RAW_TAGS))
_PROTECTED = rf"(?P<comment><!--.*?(?:-->|\Z))|<(?P<raw>{_RAW})\b(?:[^<>]*[^<>/])?>.*?</(?P=raw)\s*>"
_COMMENT_OR_RAW = re.compile(_PROTECTED, re.DOTALL | re.IGNORECASE)
_BRACES = re.compile(_PROTECTED + r"|(?P<opening>\{\{)|(?P<closing>\}\})", re.DOTALL | re.IGNORECASE)
_TABLE_MARKS = re.compile(
    _PROTECTED + r"|(?m:(?P<before>^[ \t]*:*[ \t]*)?)(?P<opening>\{\|)|(?m:(?P<start>^[ \t]*)?)(?P<closing>\|\})"
    r"|(?P<html><(?P<slash>/?)table\b[^<>]*>)",
    re.DOTALL | re.IGNORECASE,
)
_PLACEHOLDERS = re.compile("[\x00-\x08]+")
_NESTING = re.compile(r"(\[\[|\{\{|\{\||\[(?=[a-z]+:|//))|(\]\]?|\}\}|\|\})|<(/?)([a-zA-Z]\w*+)([^<>]*+)(>?)", re.IGNORECASE)
_CLOSES = {"]]": "[[", "}}": "{{", "|}": "{|", "]": "["}
_NEVER_CLOSED = frozenset(["br", "wbr", "hr", "img", "input", "meta", "link", "li", "dt", "dd", "td", "th", "tr"])
_LINE, _WITHIN, _HTML = range(3)


class Cutouts(NamedTuple):
    """A page without comments, templates and tables, and the wikitext of the outermost templates and tables."""

    body: str
    templates: list[str]
    tables: list[str]


def cut_out(text: str) -> Cutouts:
    r"""Cut comments, templates and tables out of a page.

    >>> cut_out("a {{b|c}}<!-- d -->\n{|\n| e\n|} f")
    Cutouts(body='a \x02\n\x04 f', templates=['{{b|c}}'], tables=['{|\n| e\n|}'])
    """
    text = _PLACEHOLDERS.sub("", text)
    text = _COMMENT_OR_RAW.sub(lambda found: "" if found["comment"] is not None else found[0], text)
    spans = _template_spans(text)
    templates = [text[begin:end] for begin, end in spans]
    text = _replace(text, spans, TEMPLATE)
    spans, unclosed = _table_spans(text)
    tables = [text[begin:end] for begin, end in spans]
    if unclosed < len(text):  # no outermost table contains this place
        shift = sum(end - begin - 1 for begin, end in spans if begin < unclosed)
        text = _replace(text, spans, TABLE)
        text = text[: unclosed - shift] + OPEN_TABLE + text[unclosed - shift :]
        return Cutouts(text, templates, tables)
    return Cutouts(_replace(text, spans, TABLE), templates, tables)


def parsing_cost(text: str) -> int:
    """Estimate the worst time to parse a page: the openers that fail, each of which may be tried up to the end of the page.

    ``mwparserfromhell`` cannot be interrupted and needs time quadratic in the number of such openers. One fails if nothing
    closes it or if too much is nested in it.

    >>> parsing_cost("[[a|<b>c</b>]] {{d}}"), parsing_cost("[[a|<b>c]]"), parsing_cost("[[" * 1000)
    (0, 10, 2000000)
    """
    open_marks: list[str] = []
    heights = [0]  # how deep the closed elements inside each open mark are nested
    depth: dict[str, int] = {}
    unclosed = 0
    for found in _NESTING.finditer(text):
        opener, closer, slash, tag, attributes, end = found.groups()
        if tag:
            opener, closer = (None, tag.lower()) if slash else (tag.lower(), None)
            if not end or attributes.count('"') % 2 or attributes.count("'") % 2:
                unclosed += 1
            if not end or attributes.endswith("/") or tag.lower() in _NEVER_CLOSED:
                continue
        else:
            closer = _CLOSES.get(closer)
        if opener:
            open_marks.append(opener)
            heights.append(0)
            depth[opener] = depth.get(opener, 0) + 1
        elif closer and depth.get(closer):
            while True:  # whatever was opened inside and is still open is counted as unclosed
                last, height = open_marks.pop(), heights.pop()
                depth[last] -= 1
                if last == closer:
                    break
                heights[-1] = max(heights[-1], height)
                unclosed += 1
            unclosed += height >= MAX_DEPTH
            heights[-1] = max(heights[-1], height + 1)
    return (unclosed + len(open_marks)) * len(text)


def _replace(text: str, spans: list[tuple[int, int]], placeholder: str) -> str:
    parts, place = list[str](), 0
    for begin, end in spans:
        parts += text[place:begin], placeholder
        place = end
    return "".join([*parts, text[place:]])


def _add_outermost(spans: list[tuple[int, int]], begin: int, end: int) -> None:
    """Append a span in place of those inside it."""
    while spans and spans[-1][0] >= begin:
        spans.pop()
    spans.append((begin, end))


def _template_spans(text: str) -> list[tuple[int, int]]:
    """Return where the outermost templates are; braces that are never closed open none."""
    spans: list[tuple[int, int]] = []
    opened: list[int] = []
    for found in _BRACES.finditer(text):
        if found["opening"]:
            opened.append(found.start())
        elif found["closing"] and opened:
            _add_outermost(spans, opened.pop(), found.end())
    return spans


def _table_spans(text: str) -> tuple[list[tuple[int, int]], int]:
    """Return where the outermost tables are, and where a table begins that is never closed (else the length of the text).

    A mark at the start of a line outranks one within a line: it opens a table even if nothing closes it, and it closes the
    nearest table that was opened at the start of a line. Within a line a closing mark belongs to an opening one of that line.
    HTML's tables close each other.
    """
    spans: list[tuple[int, int]] = []
    opened: list[tuple[int, int, int]] = []  # begin, kind, end of the line it begins on
    positions: tuple[list[int], list[int], list[int]] = ([], [], [])  # by kind: indices of the open tables
    line_end = -1
    for found in _TABLE_MARKS.finditer(text):
        if found["opening"] or (found["html"] and not found["slash"]):
            if line_end < found.end():
                line_end = text.find("\n", found.end())
                line_end = len(text) if line_end < 0 else line_end
            kind = _HTML if found["html"] else _WITHIN if found["before"] is None else _LINE
            positions[kind].append(len(opened))
            opened.append((found.start(), kind, line_end))
        elif found["closing"] or found["html"]:
            kind = _HTML if found["html"] else _WITHIN if found["start"] is None else _LINE
            index = _closed_table(opened, positions, kind, found.start())
            if index is not None:
                _add_outermost(spans, opened[index][0], found.end())
                for _, inner, _ in opened[index:]:
                    positions[inner].pop()
                del opened[index:]
    return spans, min((begin for begin, kind, _ in opened if kind != _WITHIN), default=len(text))


def _closed_table(
    opened: list[tuple[int, int, int]], positions: tuple[list[int], list[int], list[int]], kind: int, place: int
) -> int | None:
    """Return the index of the open table that a closing mark ends."""
    if kind == _WITHIN:
        return len(opened) - 1 if opened and opened[-1][1] == _WITHIN and place < opened[-1][2] else None
    if positions[kind]:
        return positions[kind][-1]
    return positions[_WITHIN][0] if kind == _LINE and positions[_WITHIN] else None
