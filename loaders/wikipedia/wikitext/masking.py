"""Mask everything in wikitext that is not running text: comments, templates, references, tables and so on.

Masked parts are replaced by fillers of the same length, so that all positions remain valid: ``COMMENT`` or ``INLINE`` where the
page shows nothing, ``VERBATIM`` for text without markup, and line breaks for parts that end a block. A part begins with an
opening mark and ends with a closing one; a mark that is never closed is plain text. To keep the time linear, no position is
searched twice for the same closing mark.
"""

from __future__ import annotations

import re
from collections import deque
from functools import cache
from typing import NamedTuple

from .tables import find_tables

COMMENT, INLINE, VERBATIM, BLOCK = "\x01", "\x02", "\x03", "\n"

MAX_OPEN = 10_000
"""Templates that can be open at once; if there are more, the outermost are plain text."""

LINKLESS = (
    "nowiki|pre|math|chem|ce|timeline|hiero|score|graph|source|syntaxhighlight|templatedata|categorytree|inputbox"
    "|includeonly|script|style"
)
"""Elements that contain no links."""

LINKED = "ref|references|gallery|imagemap"
"""Elements that are not running text and contain links."""

PARSED = "ref|references|includeonly|script|style"
"""Elements whose tags are matched as pairs. All others end at the first closing tag."""

_LINKED, _PARSED = frozenset(LINKED.split("|")), frozenset(PARSED.split("|"))


def _start_pattern(names: str) -> re.Pattern[str]:
    """Return a pattern for the start of a comment or of one of these elements; the first letter rules out most tags."""
    initials = "".join(sorted({name[0] for name in names.split("|")}))
    return re.compile(rf"<(?:!--|(?ai:(?=[{initials}])({names}))(?=[\s/>])([^<>]*+)>)")


_START, _LINKLESS_START = _start_pattern(f"{LINKLESS}|{LINKED}"), _start_pattern(LINKLESS)
_SIMPLE = re.compile(r"\{\{(?!\{)([^{}|<>\[\]\n:#]++)(?:\|[^{}<]*+)?\}\}")
_BRACES = re.compile(r"\{+|\}+")
_NAME = re.compile(r"\s*+([^|{}\[\]<>\n]*+)(\s*+)(<!--|.?)", re.DOTALL)
_NOT_PARENTHESIS = re.compile(r"[^()（）]")
_PARENTHESIS = re.compile(r"&(?:#0*+(?:(40|65288)|41|65289)|#[xX]0*+(?:(28|[fF][fF]08)|29|[fF][fF]09)|(lpar)|rpar);")

Span = tuple[int, int, str, bool]
"""A masked part: its begin, its end, its filler, and whether it can contain links."""


class MaskedText(NamedTuple):
    """A masked text.

    Attributes:
        text: The text with fillers.
        hidden: The masked parts that contain links, outermost only, in order.
        templates: The names of the templates.
        unclosed: Where a table begins that is never closed (else the length of the text); what follows is not masked, but is
            not running text either.
    """

    text: str
    hidden: list[tuple[int, int]]
    templates: list[str]
    unclosed: int


def mask(source: str) -> MaskedText:
    r"""Mask what is not running text. The source begins with a line break.

    >>> mask("\na{{b|c}}d").text
    '\na\x02\x02\x02\x02\x02\x02\x02d'
    """
    templates: list[str] = []
    spans = _find_spans(source, templates)
    text = _fill(source, spans)
    find = source.find
    hidden = [(start, end) for start, end, _, links in spans if links and find("[[", start, end) >= 0]
    tables, unclosed = find_tables(text)
    if tables:
        text = _fill(text, [(start, end, INLINE if within else BLOCK, True) for start, end, within in tables])
        hidden = _select_outermost(sorted([*hidden, *((start, end) for start, end, _ in tables)]))
    return MaskedText(text, hidden, templates, unclosed)


def mask_linkless(source: str) -> str:
    """Mask only what contains no links, such as comments."""
    return _fill(source, _find_spans(source, [], linkless=True)) if "<" in source else source


def _select_outermost(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    outermost: list[tuple[int, int]] = []
    for span in spans:
        if not outermost or span[0] >= outermost[-1][1]:
            outermost.append(span)
    return outermost


def _fill(source: str, spans: list[Span]) -> str:
    if not spans:
        return source
    parts: list[str] = []
    last = 0
    for start, end, filler, _ in spans:
        if filler == VERBATIM:
            filler_text = _verbatim_filler(source[start:end])
        elif filler == BLOCK:  # ends with INLINE, so that the text after it does not look like the start of a line
            filler_text = BLOCK * (end - start - 1) + INLINE
        else:
            filler_text = filler * (end - start)
        parts += source[last:start], filler_text
        last = end
    parts.append(source[last:])
    return "".join(parts)


def _verbatim_filler(text: str) -> str:
    """Return the filler for text without markup, which keeps its parentheses."""
    if "&" in text:
        text = _PARENTHESIS.sub(lambda match: ("(" if any(match.groups()) else ")").ljust(len(match[0]), VERBATIM), text)
    return _NOT_PARENTHESIS.sub(VERBATIM, text)


def _find_spans(source: str, templates: list[str], linkless: bool = False) -> list[Span]:
    """Find what to mask, in order and without overlaps; only what contains no links if ``linkless``.

    Names of templates are appended to ``templates``. The next opening brace, the next closing brace and the next tag are
    searched in advance; each step handles the nearest of the three. ``braces`` are the runs of opening braces that are still
    open.
    """
    spans: list[Span] = []
    braces: deque[tuple[int, int]] = deque(maxlen=MAX_OPEN)
    ends: dict[str, dict[int, int]] = {}
    has_closing = True  # whether there are closing braces after this position
    find, end = source.find, len(source)
    search = (_LINKLESS_START if linkless else _START).search
    tag = search(source)
    tag_start, closing = tag.start() if tag else end, end
    opening = end if linkless or (position := find("{{")) < 0 else position
    while (position := min(tag_start, opening, closing)) < end:
        if tag and position == tag_start:
            span = _element_span(source, tag, ends)
            after = span[1] if span else tag.end()
            if span:
                spans.append(span)
        elif position == opening and (simple := _SIMPLE.match(source, position)):
            after = simple.end()
            spans.append((position, after, INLINE, True))
            templates.append(simple[1])
        else:
            after = _end_of_braces(source, position)
            if position == opening:
                braces.append((position, after - position))
            else:
                _close_braces(source, position, after, braces, spans, templates)
        if tag_start < after:
            tag = search(source, after)
            tag_start = tag.start() if tag else end
        if opening < after:
            opening = find("{{", after)
            if opening < 0:
                opening = end
        if not braces:
            closing = end
        elif (closing < after or closing == end) and has_closing:
            closing = find("}}", after)
            if closing < 0:
                closing, has_closing = end, False
    return spans


def _end_of_braces(source: str, position: int) -> int:
    match = _BRACES.match(source, position)
    return match.end() if match else position


def _element_span(source: str, tag: re.Match[str], ends: dict[str, dict[int, int]]) -> Span | None:
    """Return the span of the comment or element that begins with a tag, None if it is never closed; ``ends`` is a cache."""
    position, after = tag.span()
    name = (tag[1] or "").lower()
    if name and tag[2].endswith("/"):
        return position, after, INLINE, False
    element_ends = ends.get(name)
    if name in _PARSED:
        if element_ends is None:
            element_ends = ends[name] = _element_ends(source, name, position)
        end = element_ends.get(position, -1)
    elif element_ends is None:
        match = _closing_tag(name).search(source, after)
        end = match.end() if match else -1
        if end < 0:
            ends[name] = {}  # no closing tag after this position
    else:
        end = -1
    if end < 0:
        return None
    filler = COMMENT if not name else BLOCK if name == "pre" else VERBATIM if name == "nowiki" else INLINE
    return position, end, filler, name in _LINKED


@cache
def _closing_tag(name: str) -> re.Pattern[str]:
    return re.compile(rf"</(?ai:{name})\s*+>" if name else "-->")


@cache
def _tags(name: str) -> re.Pattern[str]:
    return re.compile(rf"<(/?)(?ai:{name})(?=[\s/>])[^<>]*+>")


def _element_ends(source: str, name: str, start: int) -> dict[int, int]:
    """Return the end of each element of a name by its begin; a closing tag belongs to the last open one."""
    ends: dict[int, int] = {}
    opened: deque[int] = deque(maxlen=MAX_OPEN)
    for tag in _tags(name).finditer(source, start):
        if not tag[1]:
            if not tag[0].endswith("/>"):
                opened.append(tag.start())
        elif opened:
            ends[opened.pop()] = tag.end()
    return ends


def _close_braces(
    source: str, start: int, after: int, braces: deque[tuple[int, int]], spans: list[Span], templates: list[str]
) -> None:
    """Match a run of closing braces with the open runs, innermost first: three make an argument, two a template."""
    remaining = after - start
    while remaining >= 2 and braces:
        begin, count = braces.pop()
        matched = min(count, remaining)
        remaining -= matched
        count -= matched
        if count >= 2:
            braces.append((begin, count))
        begin += count
        if matched == 3 or _is_template(source, begin + matched, templates):
            while spans and spans[-1][0] >= begin:
                spans.pop()
            spans.append((begin, after - remaining, INLINE, True))


def _is_template(source: str, begin: int, templates: list[str]) -> bool:
    """Whether the name of a template or parser function begins here; a template's name is appended to ``templates``."""
    match = _NAME.match(source, begin)
    if match is None:
        return False
    name, blank, mark = match.groups()
    name = name.strip()
    if name:
        if ":" not in name and "#" not in name:
            if mark in ("[", "]", "<", ">") or ("\n" in blank and mark not in ("|", "}", "{", "<!--")):
                return False
            templates.append(name)
        return True
    return mark in ("{", "<!--")
