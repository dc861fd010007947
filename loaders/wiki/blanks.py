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

from .grids import tables

COMMENT, INLINE, VERBATIM, BLOCK = "\x01", "\x02", "\x03", "\n"

DEEPEST = 10_000
"""Templates open at once; of more, the outermost count as text."""

DEAD = frozenset(
    "nowiki pre math chem ce timeline hiero score graph source syntaxhighlight templatedata categorytree inputbox "
    "includeonly script style".split()
)
"""Elements that hold no link at all."""

LINKED = frozenset({"ref", "references", "gallery", "imagemap"})
"""Elements that are no running text, and yet have links to be clicked."""

PARSED = frozenset({"ref", "references", "includeonly", "script", "style"})
"""Elements whose text is wikitext: another of the same name cannot begin in one. Of the others the first closing tag is the end."""


def _angle(names: frozenset[str]) -> re.Pattern[str]:
    initials = "".join(sorted({name[0] for name in names}))
    return re.compile(rf"<(?:!--|(?=[{initials}])({'|'.join(sorted(names))})(?=[\s/>])([^<>]*+)>)", re.IGNORECASE)


_ANGLE, _DEAD_ANGLE = _angle(DEAD | LINKED), _angle(DEAD)
_SIMPLE = re.compile(r"\{\{(?!\{)([^{}|<>\[\]\n:#]++)(?:\|[^{}<]*+)?\}\}")
_BRACES = re.compile(r"\{+|\}+")
_NAME = re.compile(r"\s*+([^|{}\[\]<>\n]*+)(\s*+)(<!--|.?)", re.DOTALL)
_NOT_PARENTHESIS = re.compile(r"[^()（）]")
_PARENTHESIS = re.compile(r"&(?:#0*+(?:(40|65288)|41|65289)|#[xX]0*+(?:(28|[fF][fF]08)|29|[fF][fF]09)|(lpar)|rpar);")

Span = tuple[int, int, str, bool]
"""Something that is filled: from where to where, with what, and whether the links in it are worth a mention."""


class Blanked(NamedTuple):
    """A text with everything filled that is not running text, what of that has links, and the names of its templates."""

    text: str
    hidden: list[tuple[int, int]]
    templates: list[str]


def blanked(source: str) -> Blanked:
    """Fill what is no running text. The source begins with a line break.

    >>> blanked("\\na{{b|c}}d").text
    '\\na\\x02\\x02\\x02\\x02\\x02\\x02\\x02d'
    """
    templates: list[str] = []
    spans = _spans(source, templates)
    text = _filled(source, spans)
    find = source.find
    hidden = [(start, end) for start, end, _, links in spans if links and find("[[", start, end) >= 0]
    grids = tables(text)
    if grids:
        text = _filled(text, [(start, end, BLOCK, True) for start, end in grids])
        hidden = _outermost(sorted([*hidden, *grids]))
    return Blanked(text, hidden, templates)


def without_dead(source: str) -> str:
    """Fill only what can hold no link at all, such as comments."""
    return _filled(source, _spans(source, None)) if "<" in source else source


def _outermost(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for span in spans:
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept


def _filled(source: str, spans: list[Span]) -> str:
    if not spans:
        return source
    parts, last = [], 0
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


def _spans(source: str, templates: list[str] | None) -> list[Span]:
    """What is to be filled, in order, nothing within another; names of templates go to the list. Without one, only what is dead."""
    spans: list[Span] = []
    braces: deque[tuple[int, int]] = deque(maxlen=DEEPEST)
    exhausted: set[str] = set()  # what is closed nowhere from here on
    find, end = source.find, len(source)
    search = (_DEAD_ANGLE if templates is None else _ANGLE).search
    tag = search(source)
    angle, closing = tag.start() if tag else end, end
    opening = end if templates is None or (place := find("{{")) < 0 else place
    while (place := min(angle, opening, closing)) < end:
        if tag and place == angle:
            span = _element(source, tag, exhausted)
            after = span[1] if span else tag.end()
            if span:
                spans.append(span)
        elif place == opening and (simple := _SIMPLE.match(source, place)):
            after = simple.end()
            spans.append((place, after, INLINE, True))
            templates.append(simple[1])
        else:
            after = place + len(_BRACES.match(source, place)[0])
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
        elif (closing < after or closing == end) and "}}" not in exhausted:
            closing = find("}}", after)
            if closing < 0:
                closing = end
                exhausted.add("}}")
    return spans


@cache
def _ends(name: str) -> re.Pattern[str]:
    if name in PARSED:
        return re.compile(rf"<(/?){name}(?:\s[^<>]*+|/)?>", re.IGNORECASE)
    return re.compile(rf"<(/){name}\s*>", re.IGNORECASE)


def _element(source: str, tag: re.Match[str], exhausted: set[str]) -> Span | None:
    """The comment or element that begins with a tag, if it ends somewhere."""
    place, after = tag.span()
    if not tag[1]:
        end = -1 if "" in exhausted else source.find("-->", after)
        if end < 0:
            exhausted.add("")
            return None
        return place, end + 3, COMMENT, False
    name = tag[1].lower()
    if tag[2].endswith("/"):
        return place, after, INLINE, False
    if name in exhausted:
        return None
    search = _ends(name).search
    found = search(source, after)
    while found and not found[1]:
        if not found[0].endswith("/>"):
            return None  # another one begins: this one was never closed
        found = search(source, found.end())
    if found is None:
        exhausted.add(name)
        return None
    filler = BLOCK if name == "pre" else VERBATIM if name == "nowiki" else INLINE
    return place, found.end(), filler, name in LINKED


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
