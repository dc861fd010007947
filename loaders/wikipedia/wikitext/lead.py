"""Extract the gloss of an article, its first sentences as plain text, and its opening, the first paragraphs with marked links.

The input is masked (``masking``). Anything above the first paragraph is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ..languages import ENGLISH, find_language, fold_name
from ..site import CATEGORY, FILE
from .link_text import visible_text
from .masking import COMMENT, INLINE, VERBATIM

MAX_GLOSS = 300
"""Characters of the longest gloss, without its ellipsis."""

MIN_SENTENCES = 80
"""Minimum characters of a gloss that ends with a sentence; otherwise the gloss is cut between two words."""

MIN_WORDS = 3
"""Minimum words of a paragraph; shorter texts are captions or remains of templates."""

WINDOWS = (900, 4_000, 32_000)
"""Characters of a paragraph to read; the next larger number is used if URLs and tags leave too little text."""

MAX_NESTING = 4
"""Levels of links within labels that are resolved."""

_BEGIN, _CLOSE = "\x0e", "\x0f"
"""Marks around the text of links, which XML cannot contain; other brackets are dropped."""

_BRACKETS = {ord(_BEGIN): "[[", ord(_CLOSE): "]]"}
_LITERAL = re.compile(r"\[\[+|\]\]+")

_LINE = (
    r"[*#:;=|!]|----|__[A-Z]+__|''(?!')[^\n]*''[ \t]*+$|</?[A-Za-z]+[^<>\n]*+>[ \t]*+$"
    r"|\{[{|]|<!--|<(?:table|gallery|timeline|imagemap|includeonly)(?=[\s/>])"
)
"""The starts of lines that are not paragraphs; the last few occur only if something is never closed."""

_NOT_PARAGRAPH = re.compile(rf"(\[\[)|<div(?=[\s/>])[^<>]*+>|({_LINE})", re.IGNORECASE | re.MULTILINE)
_LINKS = re.compile(r"(\[\[)|(\]\])")
_DIVISIONS = re.compile(r"(<div(?=[\s/>])[^<>]*+>)|</div\s*>", re.IGNORECASE)
_SPACE = re.compile(rf"[\s{COMMENT}{INLINE}{VERBATIM}]*+")
_END = re.compile(r"\n[ \t]*+(?:\n|[*#:;=|]|----)")
_LINK = re.compile(r"\[\[([^\[\]|]*+)(?:\|([^\[\]]*+))?\]\]")
_FILLERS = re.compile(f"[{COMMENT}{INLINE}{VERBATIM}]+")
_EMPTY_BRACKETS = re.compile(r"[ ]?[(（][\s,;:.·–-]*[)）]")
_STRAY_SPACE = re.compile(r"(?<=[(（])[\s,;:]+|\s+(?=[,;.)）])|[,;]\s*(?=[,;.)])")
_MAYBE_STRAY = re.compile(r"[(（][\s,;:]|[\s,;][,;.)]")
_SENTENCE = re.compile(r"[.!?…](?:(?<=[^\W\d_]{3}.)|(?<=[\d)\]’”\"'].))[.!?…]*[\"'”’»)]*(?=\s+\W*[^\W_a-z])|[。！？]")


def read_gloss(masked: str, namespaces: Mapping[str, int] | None = None) -> str:
    r"""Return the first paragraph of an article, cut after a sentence or between two words; empty if the article has none.

    ``namespaces`` are the folded names of a site's namespaces, by which files are recognised.

    >>> from wayword.loaders.wikipedia.wikitext.masking import mask
    >>> text = "{{Infobox}}\n[[File:Dog.jpg|thumb|A [[dog]]]]\nThe '''dog'''<ref>x</ref> is a [[tame|domestic]] animal."
    >>> read_gloss(mask("\n" + text).text)
    'The dog is a domestic animal.'
    """
    if namespaces is None:
        namespaces = find_language(ENGLISH).namespaces
    fallback = ""
    for begin, end in _paragraphs(masked, namespaces):
        words = _read_paragraph(masked[begin:end], MAX_GLOSS, namespaces)
        if words.count(" ") >= MIN_WORDS - 1 or not words.isascii():
            return _cut(words)
        fallback = fallback or words
    return fallback


def read_openings(masked: str, length: int, namespaces: Mapping[str, int] | None = None) -> str:
    r"""Return the first paragraphs of an article, one a line, up to ``length`` characters; the text of links is in [[ ]].

    >>> from wayword.loaders.wikipedia.wikitext.masking import mask
    >>> text = "The dog is a [[tame|domestic]] animal.\n== Use ==\n* [[food]]\n\n[[Hunter]]s want one to find [[game]]."
    >>> print(read_openings(mask("\n" + text).text, 1_000))
    The dog is a [[domestic]] animal.
    [[Hunter]]s want one to find [[game]].
    """
    if namespaces is None:
        namespaces = find_language(ENGLISH).namespaces
    match, remaining = list[str](), length
    for begin, end in _paragraphs(masked, namespaces):
        words = _read_paragraph(masked[begin:end], remaining, namespaces, marked=True)
        if words.count(" ") >= MIN_WORDS - 1 or not words.isascii():
            match.append(_truncate(words, remaining))
            remaining -= len(words)
            if remaining <= 0:
                break
    return "\n".join(match).translate(_BRACKETS)


def _truncate(words: str, length: int) -> str:
    """Return as many whole words as ``length`` allows, without a link that would be cut."""
    if len(words) <= length:
        return words
    words = words[: max(words.rfind(" ", 0, length + 1), 0)]
    return words if words.count(_BEGIN) == words.count(_CLOSE) else words[: words.rfind(_BEGIN)].rstrip()


def _paragraphs(masked: str, namespaces: Mapping[str, int]) -> Iterator[tuple[int, int]]:
    """Yield where paragraphs begin and end; everything else is skipped."""
    position, exhausted = 0, set[re.Pattern[str]]()
    while True:
        position = _SPACE.match(masked, position).end()  # type: ignore[union-attr] # matches anywhere
        if position == len(masked):
            return
        after = _skip_to(masked, position, namespaces, exhausted)
        if after > position:
            position = after
            continue
        match = _END.search(masked, position)
        end = match.start() if match else len(masked)
        yield position, end
        position = max(end, position + 1)


def _skip_to(text: str, position: int, namespaces: Mapping[str, int], exhausted: set[re.Pattern[str]]) -> int:
    """Return the end of the element that begins here, or the position itself if it is a paragraph.

    ``exhausted`` are the kinds of pairs of which one is never closed; to keep the time linear, they are not searched again.
    """
    match = _NOT_PARAGRAPH.match(text, position)
    if match is None:
        return position
    bracket, line = match.groups()
    if bracket and not _is_embedded(text[position + 2 : position + 60], namespaces):
        return position
    pairs = _LINKS if bracket else _DIVISIONS
    if not line and pairs not in exhausted:
        end = _find_pair_end(text, position, pairs)
        if end:
            return end
        exhausted.add(pairs)
    return _line_end(text, position)


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def _find_pair_end(text: str, position: int, pairs: re.Pattern[str]) -> int:
    """Return the end of the pair that begins here, including nested pairs; 0 if it has none."""
    depth = 0
    for match in pairs.finditer(text, position):
        depth += 1 if match[1] else -1
        if depth <= 0:
            return match.end()
    return 0


def _is_embedded(target: str, namespaces: Mapping[str, int]) -> bool:
    """Whether a link shows a file or sets a category."""
    prefix, colon, _ = target.partition(":")
    return bool(colon) and namespaces.get(fold_name(prefix)) in (FILE, CATEGORY)


def _read_paragraph(paragraph: str, length: int, namespaces: Mapping[str, int], *, marked: bool = False) -> str:
    """Return the text of a paragraph, or its first part if that has more than ``length`` characters."""
    wikitext, words = _FILLERS.sub("", paragraph), ""
    for window in WINDOWS:
        window *= max(1, length // MAX_GLOSS)
        words = _plain_text(wikitext[:window], namespaces, marked=marked)
        if len(words) > length or window >= len(wikitext):
            break
    return words


def _plain_text(wikitext: str, namespaces: Mapping[str, int], *, marked: bool) -> str:
    """Return the text of wikitext without fillers, with marks around the text of links if ``marked``."""

    def label(link: re.Match[str]) -> str:
        target, words = link.groups()
        if ":" in target and _is_embedded(target, namespaces):
            return ""
        words = words or target.removeprefix(":")
        return f"{_BEGIN}{words}{_CLOSE}" if marked else words

    for _ in range(MAX_NESTING):
        if "[[" in wikitext:
            wikitext = _LINK.sub(label, wikitext)
    words = visible_text(_LITERAL.sub("", wikitext) if marked else wikitext)
    if "(" in words or "（" in words:
        words = _EMPTY_BRACKETS.sub("", words)
    return (_STRAY_SPACE.sub("", words) if _MAYBE_STRAY.search(words) else words).lstrip(",;:. ")


def _cut(words: str) -> str:
    """Cut a text to the length of a gloss."""
    if len(words) <= MAX_GLOSS:
        return words
    for end in reversed([match.end() for match in _SENTENCE.finditer(words, MIN_SENTENCES, MAX_GLOSS + 2)]):
        if end <= MAX_GLOSS and words.count("(", 0, end) == words.count(")", 0, end):
            return words[:end]
    space = words.rfind(" ", 0, MAX_GLOSS)
    return words[: space if space > 0 else MAX_GLOSS].rstrip(",;:(–- ") + " …"
