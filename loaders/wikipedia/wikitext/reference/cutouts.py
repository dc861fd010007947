"""Cut comments, templates and tables out of a page before ``mwparserfromhell`` parses it.

The parser does not recognise templates that contain unbalanced tags, nor the end of tables whose cells are not closed; about
one page in fifty has either. A control character, which XML text cannot contain, takes the place of each template or table.
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
"""Highest ``parsing_cost`` of a page that is parsed, which takes some seconds."""

MAX_DEPTH = 40
"""Levels of nested elements that ``mwparserfromhell`` parses; it reads elements that contain more levels as text."""

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
    text = _COMMENT_OR_RAW.sub(lambda match: "" if match["comment"] is not None else match[0], text)
    spans = _template_spans(text)
    templates = [text[begin:end] for begin, end in spans]
    text = _replace(text, spans, TEMPLATE)
    spans, unclosed = _table_spans(text)
    tables = [text[begin:end] for begin, end in spans]
    if unclosed < len(text):  # no outermost table contains this position
        shift = sum(end - begin - 1 for begin, end in spans if begin < unclosed)
        text = _replace(text, spans, TABLE)
        text = text[: unclosed - shift] + OPEN_TABLE + text[unclosed - shift :]
        return Cutouts(text, templates, tables)
    return Cutouts(_replace(text, spans, TABLE), templates, tables)


def parsing_cost(text: str) -> int:
    """Estimate the worst-case cost of parsing a page: the number of openers that fail, times the length of the page.

    ``mwparserfromhell`` cannot be interrupted and may read up to the end of the page for each such opener. An opener fails if
    nothing closes it or if too much is nested in it.

    >>> parsing_cost("[[a|<b>c</b>]] {{d}}"), parsing_cost("[[a|<b>c]]"), parsing_cost("[[" * 1000)
    (0, 10, 2000000)
    """
    open_marks: list[str] = []
    heights = [0]  # for each open mark: the nesting depth of the closed elements inside it
    depth: dict[str, int] = {}
    unclosed = 0
    for match in _NESTING.finditer(text):
        opener, closer, slash, tag, attributes, end = match.groups()
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
            while True:  # marks that were opened inside and are still open are counted as unclosed
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
    parts, position = list[str](), 0
    for begin, end in spans:
        parts += text[position:begin], placeholder
        position = end
    return "".join([*parts, text[position:]])


def _add_outermost(spans: list[tuple[int, int]], begin: int, end: int) -> None:
    """Append a span in place of those inside it."""
    while spans and spans[-1][0] >= begin:
        spans.pop()
    spans.append((begin, end))


def _template_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of the outermost templates; braces that are never closed are ignored."""
    spans: list[tuple[int, int]] = []
    opened: list[int] = []
    for match in _BRACES.finditer(text):
        if match["opening"]:
            opened.append(match.start())
        elif match["closing"] and opened:
            _add_outermost(spans, opened.pop(), match.end())
    return spans


def _table_spans(text: str) -> tuple[list[tuple[int, int]], int]:
    """Return the spans of the outermost tables, and where a table begins that is never closed (else the length of the text).

    A mark at the start of a line outranks one within a line: it opens a table even if nothing closes it, and it closes the
    nearest table that was opened at the start of a line. Within a line a closing mark belongs to an opening one of that line.
    In HTML, a closing tag ends the last open table.
    """
    spans: list[tuple[int, int]] = []
    opened: list[tuple[int, int, int]] = []  # begin, kind, end of the line it begins on
    positions: tuple[list[int], list[int], list[int]] = ([], [], [])  # by kind: indices of the open tables
    line_end = -1
    for match in _TABLE_MARKS.finditer(text):
        if match["opening"] or (match["html"] and not match["slash"]):
            if line_end < match.end():
                line_end = text.find("\n", match.end())
                line_end = len(text) if line_end < 0 else line_end
            kind = _HTML if match["html"] else _WITHIN if match["before"] is None else _LINE
            positions[kind].append(len(opened))
            opened.append((match.start(), kind, line_end))
        elif match["closing"] or match["html"]:
            kind = _HTML if match["html"] else _WITHIN if match["start"] is None else _LINE
            index = _find_closed_table(opened, positions, kind, match.start())
            if index is not None:
                _add_outermost(spans, opened[index][0], match.end())
                for _, inner, _ in opened[index:]:
                    positions[inner].pop()
                del opened[index:]
    return spans, min((begin for begin, kind, _ in opened if kind != _WITHIN), default=len(text))


def _find_closed_table(
    opened: list[tuple[int, int, int]], positions: tuple[list[int], list[int], list[int]], kind: int, position: int
) -> int | None:
    """Return the index of the open table that a closing mark ends."""
    if kind == _WITHIN:
        return len(opened) - 1 if opened and opened[-1][1] == _WITHIN and position < opened[-1][2] else None
    if positions[kind]:
        return positions[kind][-1]
    return positions[_WITHIN][0] if kind == _LINE and positions[_WITHIN] else None
