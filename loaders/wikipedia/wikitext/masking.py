"""Takes out of wikitext what is no running text: comments, templates, references, tables and the like.

They are filled with characters of the same number, so that what is left keeps its place: with ``COMMENT`` or ``INLINE``, which
stand for nothing, ``VERBATIM`` for text that is no markup, or line breaks for what ends a block. Each is found by searching for
what opens it, then for what closes it; whatever is never closed is plain text. No place is searched twice for the same closing.
"""

from __future__ import annotations

import re
from collections import deque
from functools import cache
from typing import NamedTuple

from .tables import find_tables

COMMENT, INLINE, VERBATIM, BLOCK = "\x01", "\x02", "\x03", "\n"

DEEPEST = 10_000
"""Templates open at once; of more, the outermost count as text."""

DEAD = (
    "nowiki|pre|math|chem|ce|timeline|hiero|score|graph|source|syntaxhighlight|templatedata|categorytree|inputbox"
    "|includeonly|script|style"
)
"""Elements that hold no link at all."""

LINKED = "ref|references|gallery|imagemap"
"""Elements that are no running text, and yet have links to be clicked."""

PARSED = "ref|references|includeonly|script|style"
"""Elements of wikitext: no other of the same name begins in one. Of all others the first closing tag is the end."""

_LINKED, _PARSED = frozenset(LINKED.split("|")), frozenset(PARSED.split("|"))


def _angle(names: str) -> re.Pattern[str]:
    """What begins a comment or one of these elements; most tags are told by their first letter."""
    initials = "".join(sorted({name[0] for name in names.split("|")}))
    return re.compile(rf"<(?:!--|(?=[{initials}])({names})(?=[\s/>])([^<>]*+)>)", re.IGNORECASE)


_ANGLE, _DEAD_ANGLE = _angle(f"{DEAD}|{LINKED}"), _angle(DEAD)
_SIMPLE = re.compile(r"\{\{(?!\{)([^{}|<>\[\]\n:#]++)(?:\|[^{}<]*+)?\}\}")
_BRACES = re.compile(r"\{+|\}+")
_NAME = re.compile(r"\s*+([^|{}\[\]<>\n]*+)(\s*+)(<!--|.?)", re.DOTALL)
_NOT_PARENTHESIS = re.compile(r"[^()（）]")
_PARENTHESIS = re.compile(r"&(?:#0*+(?:(40|65288)|41|65289)|#[xX]0*+(?:(28|[fF][fF]08)|29|[fF][fF]09)|(lpar)|rpar);")

Span = tuple[int, int, str, bool]
"""Something that is filled: from where to where, with what, and whether the links in it are worth a mention."""


class Masked(NamedTuple):
    """A text with everything filled that is not running text, what of that has links, and the names of its templates.

    ``unclosed`` is where a table begins that is never closed: what follows is filled no more, and yet no running text.
    """

    text: str
    hidden: list[tuple[int, int]]
    templates: list[str]
    unclosed: int


def mask(source: str) -> Masked:
    r"""Fill what is no running text. The source begins with a line break.

    >>> mask("\na{{b|c}}d").text
    '\na\x02\x02\x02\x02\x02\x02\x02d'
    """
    templates: list[str] = []
    spans = _spans(source, templates)
    text = _filled(source, spans)
    find = source.find
    hidden = [(start, end) for start, end, _, links in spans if links and find("[[", start, end) >= 0]
    grids, unclosed = find_tables(text)
    if grids:
        text = _filled(text, [(start, end, INLINE if within else BLOCK, True) for start, end, within in grids])
        hidden = _outermost(sorted([*hidden, *((start, end) for start, end, _ in grids)]))
    return Masked(text, hidden, templates, unclosed)


def mask_dead(source: str) -> str:
    """Fill only what can hold no link at all, such as comments."""
    return _filled(source, _spans(source, [], dead=True)) if "<" in source else source


def _outermost(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for span in spans:
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept


def _filled(source: str, spans: list[Span]) -> str:
    if not spans:
        return source
    parts: list[str] = []
    last = 0
    for start, end, filler, _ in spans:
        if filler == VERBATIM:
            filling = _verbatim(source[start:end])
        elif filler == BLOCK:  # what follows on the same line begins no line
            filling = BLOCK * (end - start - 1) + INLINE
        else:
            filling = filler * (end - start)
        parts += source[last:start], filling
        last = end
    parts.append(source[last:])
    return "".join(parts)


def _verbatim(text: str) -> str:
    """Of text that is no markup only the parentheses matter."""
    if "&" in text:
        text = _PARENTHESIS.sub(lambda found: ("(" if any(found.groups()) else ")").ljust(len(found[0]), VERBATIM), text)
    return _NOT_PARENTHESIS.sub(VERBATIM, text)


def _spans(source: str, templates: list[str], dead: bool = False) -> list[Span]:
    """What is to be filled, in order, nothing within another, or only what is dead; names of templates go to the list."""
    spans: list[Span] = []
    braces: deque[tuple[int, int]] = deque(maxlen=DEEPEST)
    ends: dict[str, dict[int, int]] = {}
    closable = True  # whether there are closing braces from here on
    find, end = source.find, len(source)
    search = (_DEAD_ANGLE if dead else _ANGLE).search
    tag = search(source)
    angle, closing = tag.start() if tag else end, end
    opening = end if dead or (place := find("{{")) < 0 else place
    while (place := min(angle, opening, closing)) < end:
        if tag and place == angle:
            span = _element(source, tag, ends)
            after = span[1] if span else tag.end()
            if span:
                spans.append(span)
        elif place == opening and (simple := _SIMPLE.match(source, place)):
            after = simple.end()
            spans.append((place, after, INLINE, True))
            templates.append(simple[1])
        else:
            after = _end_of_braces(source, place)
            if place == opening:
                braces.append((place, after - place))
            else:
                _close(source, place, after, braces, spans, templates)
        if angle < after:
            tag = search(source, after)
            angle = tag.start() if tag else end
        if opening < after:
            opening = find("{{", after)
            if opening < 0:
                opening = end
        if not braces:
            closing = end
        elif (closing < after or closing == end) and closable:
            closing = find("}}", after)
            if closing < 0:
                closing, closable = end, False
    return spans


def _end_of_braces(source: str, place: int) -> int:
    found = _BRACES.match(source, place)
    return found.end() if found else place


def _element(source: str, tag: re.Match[str], ends: dict[str, dict[int, int]]) -> Span | None:
    """The comment or element that begins with a tag, if it ends somewhere. ``ends`` remembers where those of a name end."""
    place, after = tag.span()
    name = (tag[1] or "").lower()
    if name and tag[2].endswith("/"):
        return place, after, INLINE, False
    known = ends.get(name)
    if name in _PARSED:
        if known is None:
            known = ends[name] = _nested(source, name, place)
        end = known.get(place, -1)
    elif known is None:
        found = _closing(name).search(source, after)
        end = found.end() if found else -1
        if end < 0:
            ends[name] = {}  # none is closed from here on
    else:
        end = -1
    if end < 0:
        return None
    filler = COMMENT if not name else BLOCK if name == "pre" else VERBATIM if name == "nowiki" else INLINE
    return place, end, filler, name in _LINKED


@cache
def _closing(name: str) -> re.Pattern[str]:
    return re.compile(rf"</{name}\s*+>" if name else "-->", re.IGNORECASE)


@cache
def _tags(name: str) -> re.Pattern[str]:
    return re.compile(rf"<(/?){name}(?=[\s/>])[^<>]*+>", re.IGNORECASE)


def _nested(source: str, name: str, start: int) -> dict[int, int]:
    """Where each element of a name ends, by where it begins; closing tags belong to the last that is open."""
    ends: dict[int, int] = {}
    opened: deque[int] = deque(maxlen=DEEPEST)
    for tag in _tags(name).finditer(source, start):
        if not tag[1]:
            if not tag[0].endswith("/>"):
                opened.append(tag.start())
        elif opened:
            ends[opened.pop()] = tag.end()
    return ends


def _close(
    source: str, start: int, after: int, braces: deque[tuple[int, int]], spans: list[Span], templates: list[str]
) -> None:
    """Match a run of closing braces with the runs that are open, the innermost first."""
    left = after - start
    while left >= 2 and braces:
        begin, many = braces.pop()
        taken = min(many, left)
        left -= taken
        many -= taken
        if many >= 2:
            braces.append((begin, many))
        begin += many
        if taken == 3 or _is_template(source, begin + taken, templates):
            while spans and spans[-1][0] >= begin:
                spans.pop()
            spans.append((begin, after - left, INLINE, True))


def _is_template(source: str, begin: int, templates: list[str]) -> bool:
    """Whether a name stands here that a template or parser function can have; if so, remember it."""
    found = _NAME.match(source, begin)
    if found is None:
        return False
    name, blank, mark = found.groups()
    name = name.strip()
    if name:
        if ":" not in name and "#" not in name:
            if mark in ("[", "]", "<", ">") or ("\n" in blank and mark not in ("|", "}", "{", "<!--")):
                return False
            templates.append(name)
        return True
    return mark in ("{", "<!--")
