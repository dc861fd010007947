"""The first words of an article as plain text for people to read, and its first paragraphs with their links marked.

What is no running text is filled by then (``blanks``). What else stands above the first paragraph is only stepped over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ..languages import ENGLISH, find_language, fold_name
from ..site import CATEGORY, FILE
from .link_text import visible_text
from .masking import COMMENT, INLINE, VERBATIM

LENGTH = 300
"""Characters that an opening has at most, without its ellipsis."""

SHORTEST = 80
"""Characters that whole sentences must have together; otherwise the last one is cut between two words."""

WORDS = 3
"""Words that make a paragraph; fewer are a caption, or what templates have left."""

WINDOWS = (900, 4_000, 32_000)
"""Characters of a paragraph that are read: more where addresses and tags leave less than an opening."""

DEEPEST = 4
"""Links within labels that are looked at."""

_BEGIN, _CLOSE = "\x0e", "\x0f"
"""Marks of links, which no text of an XML file has; brackets that are no links are left out."""

_BRACKETS = {ord(_BEGIN): "[[", ord(_CLOSE): "]]"}
_LITERAL = re.compile(r"\[\[+|\]\]+")

_LINE = (
    r"[*#:;=|!]|----|__[A-Z]+__|''(?!')[^\n]*''[ \t]*+$|</?[A-Za-z]+[^<>\n]*+>[ \t]*+$"
    r"|\{[{|]|<!--|<(?:table|gallery|timeline|imagemap|includeonly)(?=[\s/>])"
)
"""How lines begin that are no paragraph; the last few only where something is never closed."""

_ABOVE = re.compile(rf"(\[\[)|<div(?=[\s/>])[^<>]*+>|({_LINE})", re.IGNORECASE | re.MULTILINE)
_LINKS = re.compile(r"(\[\[)|(\]\])")
_DIVISIONS = re.compile(r"(<div(?=[\s/>])[^<>]*+>)|</div\s*>", re.IGNORECASE)
_SPACE = re.compile(rf"[\s{COMMENT}{INLINE}{VERBATIM}]*+")
_END = re.compile(r"\n[ \t]*+(?:\n|[*#:;=|]|----)")
_LINK = re.compile(r"\[\[([^\[\]|]*+)(?:\|([^\[\]]*+))?\]\]")
_FILLED = re.compile(f"[{COMMENT}{INLINE}{VERBATIM}]+")
_HOLLOW = re.compile(r"[ ]?[(（][\s,;:.·–-]*[)）]")
_LOOSE = re.compile(r"(?<=[(（])[\s,;:]+|\s+(?=[,;.)）])|[,;]\s*(?=[,;.)])")
_DOUBTFUL = re.compile(r"[(（][\s,;:]|[\s,;][,;.)]")
_SENTENCE = re.compile(r"[.!?…](?:(?<=[^\W\d_]{3}.)|(?<=[\d)\]’”\"'].))[.!?…]*[\"'”’»)]*(?=\s+\W*[^\W_a-z])|[。！？]")


def read_gloss(filled: str, namespaces: Mapping[str, int] | None = None) -> str:
    r"""The first paragraph of an article, cut after a sentence or between two words; empty if there is none.

    ``namespaces`` are the folded names of a site's namespaces, to tell files from other links.

    >>> from wayword.loaders.wikipedia.wikitext.masking import mask
    >>> text = "{{Infobox}}\n[[File:Dog.jpg|thumb|A [[dog]]]]\nThe '''dog'''<ref>x</ref> is a [[tame|kept]] animal."
    >>> read_gloss(mask("\n" + text).text)
    'The dog is a kept animal.'
    """
    if namespaces is None:
        namespaces = find_language(ENGLISH).namespaces
    fallback = ""
    for begin, end in _paragraphs(filled, namespaces):
        words = _read(filled[begin:end], LENGTH, namespaces)
        if words.count(" ") >= WORDS - 1 or not words.isascii():
            return _cut(words)
        fallback = fallback or words
    return fallback


def read_openings(filled: str, length: int, namespaces: Mapping[str, int] | None = None) -> str:
    r"""The first paragraphs of an article, a line each, up to ``length`` characters; the words of links stand in [[ ]].

    >>> from wayword.loaders.wikipedia.wikitext.masking import mask
    >>> text = "The dog is a [[tame|kept]] animal.\n== Use ==\n* [[food]]\n\n[[Hunter]]s want one to find [[game]]."
    >>> print(read_openings(mask("\n" + text).text, 1_000))
    The dog is a [[kept]] animal.
    [[Hunter]]s want one to find [[game]].
    """
    if namespaces is None:
        namespaces = find_language(ENGLISH).namespaces
    found, room = list[str](), length
    for begin, end in _paragraphs(filled, namespaces):
        words = _read(filled[begin:end], room, namespaces, marked=True)
        if words.count(" ") >= WORDS - 1 or not words.isascii():
            found.append(_within(words, room))
            room -= len(words)
            if room <= 0:
                break
    return "\n".join(found).translate(_BRACKETS)


def _within(words: str, length: int) -> str:
    """The words, or as many of them as there is room for; a link that is cut is left out."""
    if len(words) <= length:
        return words
    words = words[: max(words.rfind(" ", 0, length + 1), 0)]
    return words if words.count(_BEGIN) == words.count(_CLOSE) else words[: words.rfind(_BEGIN)].rstrip()


def _paragraphs(filled: str, namespaces: Mapping[str, int]) -> Iterator[tuple[int, int]]:
    """Where paragraphs begin and end; what stands between them is stepped over."""
    place, exhausted = 0, set[re.Pattern[str]]()
    while True:
        place = _SPACE.match(filled, place).end()  # type: ignore[union-attr] # matches anywhere
        if place == len(filled):
            return
        after = _stepped(filled, place, namespaces, exhausted)
        if after > place:
            place = after
            continue
        found = _END.search(filled, place)
        end = found.start() if found else len(filled)
        yield place, end
        place = max(end, place + 1)


def _stepped(text: str, place: int, namespaces: Mapping[str, int], exhausted: set[re.Pattern[str]]) -> int:
    """Where what stands here ends, if it is nothing of a paragraph; the place itself if it is."""
    found = _ABOVE.match(text, place)
    if found is None:
        return place
    bracket, line = found.groups()
    if bracket and not _is_embedded(text[place + 2 : place + 60], namespaces):
        return place
    pairs = _LINKS if bracket else _DIVISIONS
    if not line and pairs not in exhausted:
        end = _balanced(text, place, pairs)
        if end:
            return end
        exhausted.add(pairs)
    return _line_end(text, place)


def _line_end(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end


def _balanced(text: str, place: int, pairs: re.Pattern[str]) -> int:
    """Where the pair ends that begins here, pairs within it and all; 0 if it does not."""
    depth = 0
    for found in pairs.finditer(text, place):
        depth += 1 if found[1] else -1
        if depth <= 0:
            return found.end()
    return 0


def _is_embedded(target: str, namespaces: Mapping[str, int]) -> bool:
    """Whether a link shows a file or files its page in a category."""
    prefix, colon, _ = target.partition(":")
    return bool(colon) and namespaces.get(fold_name(prefix)) in (FILE, CATEGORY)


def _read(paragraph: str, length: int, namespaces: Mapping[str, int], *, marked: bool = False) -> str:
    """The words of a paragraph, more than ``length`` characters of them if it has so many."""
    written, words = _FILLED.sub("", paragraph), ""
    for window in WINDOWS:
        window *= max(1, length // LENGTH)
        words = _plain(written[:window], namespaces, marked=marked)
        if len(words) > length or window >= len(written):
            break
    return words


def _plain(wikitext: str, namespaces: Mapping[str, int], *, marked: bool) -> str:
    """The text of a piece of wikitext without anything filled; the words of links between marks, if they are ``marked``."""

    def label(link: re.Match[str]) -> str:
        target, words = link.groups()
        if ":" in target and _is_embedded(target, namespaces):
            return ""
        words = words or target.removeprefix(":")
        return f"{_BEGIN}{words}{_CLOSE}" if marked else words

    for _ in range(DEEPEST):
        if "[[" in wikitext:
            wikitext = _LINK.sub(label, wikitext)
    words = visible_text(_LITERAL.sub("", wikitext) if marked else wikitext)
    if "(" in words or "（" in words:
        words = _HOLLOW.sub("", words)
    return (_LOOSE.sub("", words) if _DOUBTFUL.search(words) else words).lstrip(",;:. ")


def _cut(words: str) -> str:
    """The words, or as much of them as an opening has."""
    if len(words) <= LENGTH:
        return words
    for end in reversed([found.end() for found in _SENTENCE.finditer(words, SHORTEST, LENGTH + 2)]):
        if end <= LENGTH and words.count("(", 0, end) == words.count(")", 0, end):
            return words[:end]
    space = words.rfind(" ", 0, LENGTH)
    return words[: space if space > 0 else LENGTH].rstrip(",;:(–- ") + " …"
