"""What is cut out of a page's text before the parser sees it: comments and tables, which it often leaves open."""

from __future__ import annotations

import re

RAW = {
    "ref",
    "references",
    "nowiki",
    "pre",
    "math",
    "ce",
    "chem",
    "timeline",
    "hiero",
    "score",
    "graph",
    "imagemap",
    "gallery",
    "source",
    "syntaxhighlight",
    "templatedata",
    "includeonly",
    "script",
    "style",
}
"""Tags between which no link counts."""

TABLE, OPEN_TABLE, TEMPLATE = "\ue000", "\ue001", "\ue002"
"""What stands in the text for a table or a template that was cut out, and where a table begins that nobody closes."""

PROTECTED = re.compile(
    r"(<!--.*?(?:-->|\Z))|<(" + "|".join(sorted(RAW)) + r")\b(?:[^<>]*[^<>/])?>.*?</\2\s*>",
    re.DOTALL | re.IGNORECASE,
)
TABLE_MARK = re.compile(r"(?mi)(?P<start>^[ \t]*:*[ \t]*)?\{\||(?P<end>^[ \t]*)?\|\}|<table\b[^<>]*>|</table\s*>")


def without_comments(text: str) -> str:
    """The text without its comments; what looks like one inside nowiki and its like stays."""
    return PROTECTED.sub(lambda found: "" if found.group(1) is not None else found.group(0), text)


def template_spans(text: str) -> list[tuple[int, int]]:
    """Where the outermost templates stand, whatever is in them; braces that are never closed make none."""
    shelter = [found.span() for found in PROTECTED.finditer(text)]
    spans: list[tuple[int, int]] = []
    opened: list[int] = []
    for found in re.finditer(r"\{\{|\}\}", text):
        if any(start <= found.start() < end for start, end in shelter):
            continue
        if found.group() == "{{":
            opened.append(found.start())
        elif opened:
            begin = opened.pop()
            spans = [span for span in spans if span[0] < begin] + [(begin, found.end())]
    return spans


def without_templates(text: str) -> tuple[str, list[str]]:
    """The text with a letter for each template, and the templates: the parser gives up if there are tags in them."""
    kept = ""
    place = 0
    spans = template_spans(text)
    for begin, end in spans:
        kept += text[place:begin] + TEMPLATE
        place = end
    return kept + text[place:], [text[begin:end] for begin, end in spans]


LINE, WITHIN, HTML = "at the start of a line", "within a line", "html"


def closes(opened: list[tuple[int, str]], kind: str, before: str) -> int | None:
    """Which of the opened tables a closing mark ends."""
    alike = [number for number, (_, opener) in enumerate(opened) if opener == kind]
    if kind == WITHIN:
        on_this_line = bool(opened) and opened[-1][1] == WITHIN and "\n" not in before[opened[-1][0] :]
        return len(opened) - 1 if on_this_line else None
    if alike:
        return alike[-1]
    late = [number for number, (_, opener) in enumerate(opened) if opener == WITHIN]
    return late[0] if kind == LINE and late else None


def table_spans(text: str) -> tuple[list[tuple[int, int]], int]:
    """Where the outermost tables stand, and where one begins that nobody closes (else behind the text).

    A mark at the start of a line means more than one within: it opens a table even if nobody closes it, and it closes the
    nearest table that was opened at the start of a line; within a line a closing mark is for an opening one of that line.
    HTML's tables close each other. The parser gives up where cells are left open, and they always are.
    """
    shelter = [found.span() for found in PROTECTED.finditer(text)]
    spans: list[tuple[int, int]] = []
    opened: list[tuple[int, str]] = []
    for found in TABLE_MARK.finditer(text):
        mark = found.group().strip(" \t:").lower()
        place = found.end() - len(mark)
        if any(start <= place < end for start, end in shelter):
            continue
        if mark == "{|":
            opened.append((found.start(), LINE if found.group("start") is not None else WITHIN))
        elif mark.startswith("<table"):
            opened.append((found.start(), HTML))
        else:
            closed = closes(opened, HTML if mark != "|}" else WITHIN if found.group("end") is None else LINE, text[:place])
            if closed is not None:
                begin = opened[closed][0]
                del opened[closed:]
                spans = [span for span in spans if span[0] < begin] + [(begin, found.end())]
    return spans, min([begin for begin, kind in opened if kind != WITHIN], default=len(text) + 1)


def without_tables(text: str) -> tuple[str, list[str]]:
    """The text with a letter for each table, and the tables."""
    spans, unclosed = table_spans(text)
    kept = ""
    place = 0
    for begin, end in [*spans, (len(text), len(text))]:
        if place <= unclosed < begin:
            kept += text[place:unclosed] + OPEN_TABLE + text[unclosed:begin]
        else:
            kept += text[place:begin]
        kept += TABLE if end > begin else ""
        place = end
    return kept, [text[begin:end] for begin, end in spans]
