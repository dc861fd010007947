"""The first words of an article, as plain text for people to read.

What stands above the first paragraph is only stepped over; only the paragraph itself is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from .anchors import shown
from .blanks import COMMENT, INLINE, VERBATIM, blanked
from .languages import ENGLISH, folded, language
from .site import CATEGORY, FILE

LENGTH = 300
"""Characters that an opening has at most, without its ellipsis."""

SHORTEST = 80
"""Characters that whole sentences must have together; otherwise the last one is cut between two words."""

WORDS = 3
"""Words that make a paragraph; fewer are a caption, or what templates have left."""

WINDOWS = (900, 4_000, 32_000)
"""Characters of wikitext that are read for a paragraph: more where templates and references leave less than an opening."""

DEEPEST = 4
"""Links within labels that are looked at."""

_LINE = r"[*#:;=|!]|----|__[A-Z]+__|''(?!')[^\n]*''[ \t]*+$|</?[A-Za-z]+[^<>\n]*+>[ \t]*+$"
_ABOVE = re.compile(
    r"<!--|(\{\{)|:*+(\{\|)|(\[\[)|<(table|div|gallery|timeline|imagemap|includeonly)(?=[\s/>])[^<>]*+>|(" + _LINE + ")",
    re.IGNORECASE | re.MULTILINE,
)
_PAIRS = {
    "{{": re.compile(r"(\{\{)|(\}\})"),
    "{|": re.compile(r"^[ \t:]*+(?:(\{\|)|(\|\}))", re.MULTILINE),
    "[[": re.compile(r"(\[\[)|(\]\])"),
}
_SPACE = re.compile(r"\s*+")
_END = re.compile(r"\n[ \t]*+(?:\n|[*#:;=|]|----)")
_OPENED = re.compile(r"\{\{|<!--|<(?:ref|math|gallery|nowiki)\b", re.IGNORECASE)
"""What is still there if a window ends within it."""

_LINK = re.compile(r"\[\[([^\[\]|]*+)(?:\|([^\[\]]*+))?\]\]")
_FILLED = re.compile(f"[{COMMENT}{INLINE}{VERBATIM}]+")
_HOLLOW = re.compile(r"[ ]?[(（][\s,;:.·–-]*[)）]")
_LOOSE = re.compile(r"(?<=[(（])[\s,;:]+|\s+(?=[,;.)）])|[,;]\s*(?=[,;.)])")
_SENTENCE = re.compile(r"(?:(?<=[^\W\d_]{3})|(?<=[\d)\]’”\"']))[.!?…]+[\"'”’»)]*(?=\s+\W*[^\W_a-z])|[。！？]")


def opening(text: str, namespaces: Mapping[str, int] | None = None) -> str:
    r"""The first paragraph of an article, cut after a sentence or between two words; empty if there is none.

    ``namespaces`` are the folded names of a site's namespaces, to tell files from other links.

    >>> opening("{{Infobox dog}}\n[[File:Dog.jpg|thumb|A [[dog]]]]\nThe '''dog'''<ref>x</ref> is a [[tame|kept]] animal.")
    'The dog is a kept animal.'
    """
    if namespaces is None:
        namespaces = language(ENGLISH).namespaces
    fallback, place, exhausted = "", 0, set[str]()
    while True:
        place = _SPACE.match(text, place).end()  # type: ignore[union-attr] # matches anywhere
        if place == len(text):
            return fallback
        after = _stepped(text, place, namespaces, exhausted)
        if after > place:
            place = after
            continue
        words, place = _paragraph(text, place, namespaces)
        if words.count(" ") >= WORDS - 1 or not words.isascii():
            return _cut(words)
        fallback = fallback or words


def _stepped(text: str, place: int, namespaces: Mapping[str, int], exhausted: set[str]) -> int:
    """Where what stands here ends, if it is nothing of a paragraph; the place itself if it is."""
    found = _ABOVE.match(text, place)
    if found is None:
        return place
    template, table, bracket, tag, line = found.groups()
    if line:
        return _line_end(text, place)
    if bracket and not _is_embedded(text[place + 2 : place + 60], namespaces):
        return place
    kind = template or table or bracket or (tag or "").lower()
    if kind not in exhausted:
        end = _balanced(text, place, kind)
        if end:
            return end
        exhausted.add(kind)
    return _line_end(text, place)


def _line_end(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end


def _balanced(text: str, place: int, kind: str) -> int:
    """Where the pair ends that begins here, pairs within it and all; 0 if it does not."""
    if not kind:
        return text.find("-->", place + 4) + 3 if text.find("-->", place + 4) >= 0 else 0
    depth = 0
    pairs = _PAIRS.get(kind) or _tags(kind)
    for found in pairs.finditer(text, place):
        depth += 1 if found[1] else -1
        if depth <= 0:
            return found.end()
    return 0


@cache
def _tags(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<{name}(?=[\s/>])[^<>]*+>)|</{name}\s*>", re.IGNORECASE)


def _is_embedded(target: str, namespaces: Mapping[str, int]) -> bool:
    """Whether a link shows a file or files its page in a category."""
    prefix, colon, _ = target.partition(":")
    return bool(colon) and namespaces.get(folded(prefix)) in (FILE, CATEGORY)


def _paragraph(text: str, place: int, namespaces: Mapping[str, int]) -> tuple[str, int]:
    """The words of the paragraph that begins here, as many as are needed, and where it ends."""
    words, end = "", place
    for window in WINDOWS:
        filled = blanked("\n" + text[place : place + window]).text
        found = _END.search(filled, 1)
        stop = found.start() if found else len(filled)
        whole = found is not None or place + window >= len(text)
        cut = _OPENED.search(filled, 0, stop) if place + window < len(text) else None
        words = _plain(filled[1 : cut.start() if cut else stop], namespaces)
        end = place + stop - 1
        if len(words) > LENGTH or (whole and not cut):
            break
    return words, max(end, place + 1)


def _plain(wikitext: str, namespaces: Mapping[str, int]) -> str:
    """The text of a piece of wikitext in which templates and the like are filled."""

    def label(link: re.Match[str]) -> str:
        target, words = link.groups()
        if ":" in target and _is_embedded(target, namespaces):
            return ""
        return words or target.removeprefix(":")

    wikitext = _FILLED.sub("", wikitext)
    for _ in range(DEEPEST):
        if "[[" in wikitext:
            wikitext = _LINK.sub(label, wikitext)
    words = shown(wikitext)
    if "(" in words or "（" in words:
        words = _HOLLOW.sub("", words)
    return _LOOSE.sub("", words).lstrip(",;:. ")


def _cut(words: str) -> str:
    """The words, or as much of them as an opening has."""
    if len(words) <= LENGTH:
        return words
    for end in reversed([found.end() for found in _SENTENCE.finditer(words, SHORTEST, LENGTH + 2)]):
        if end <= LENGTH and words.count("(", 0, end) == words.count(")", 0, end):
            return words[:end]
    space = words.rfind(" ", 0, LENGTH)
    return words[: space if space > 0 else LENGTH].rstrip(",;:(–- ") + " …"
