"""Regions that depend on lines and blocks: hatnotes, appendix sections and parentheses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...languages import fold_name
from ..link_text import visible_text
from ..regions import Region
from ..targets import RawLink, default_anchor

if TYPE_CHECKING:
    from ...languages import Language

_HIDDEN, _CAPTION = int(Region.HIDDEN), int(Region.CAPTION)
_HEADING = re.compile(r"(={1,6})(.+?)(={1,6})\s*")
_QUOTES = re.compile("'{2,}")


@dataclass
class LinkAtom:
    """An unresolved link with its regions."""

    raw: RawLink
    region: int

    def text(self) -> str:
        """Return the visible text of the link."""
        target, label, trail = self.raw
        return default_anchor(target, trail) if label is None else visible_text(label + trail)


class BlockEnd:
    """The end of a block, which no pair of parentheses spans."""


class EmbeddedElement:
    """Something in a line that is not text: a template, a reference, a category link."""


class Picture(EmbeddedElement):
    """A file with its caption."""


Atom = str | LinkAtom | BlockEnd | EmbeddedElement
"""A piece of a page in reading order."""


def add_line_regions(atoms: Sequence[Atom], language: Language) -> None:
    """Add to each link the regions that follow from its line, section and block."""
    block: list[Atom] = []
    appendix: int | None = None
    for pieces in _lines([atom for atom in atoms if not (isinstance(atom, LinkAtom) and atom.region & _HIDDEN)]):
        links = [atom for atom in pieces if isinstance(atom, LinkAtom)]
        line = [atom for atom in pieces if not (isinstance(atom, LinkAtom) and atom.region & _CAPTION)]
        text = _text(line)
        heading = _parse_heading(line, text)
        if heading is not None:
            level, title = heading
            if appendix is None or level <= appendix:
                appendix = level if fold_name(title) in language.appendix else None
        region = 0 if appendix is None else int(Region.APPENDIX)
        if links and _is_hatnote(line, text, language):
            region |= Region.HATNOTE
        for link in links:
            link.region |= region
        is_block = heading is not None or text.startswith(("*", "#", ":", ";", "----"))
        is_blank = not text.strip() and not any(isinstance(atom, EmbeddedElement | LinkAtom) for atom in line)
        if is_block or is_blank or any(isinstance(atom, BlockEnd) for atom in line):
            _mark_parentheses(block)
            block = []
        if is_block:
            _mark_parentheses(line)
        else:
            block += line
    _mark_parentheses(block)


def _lines(atoms: Sequence[Atom]) -> Iterator[list[Atom]]:
    """Split atoms at line breaks; the end of a block is a line of its own."""
    line: list[Atom] = []
    for atom in atoms:
        if isinstance(atom, BlockEnd):
            yield line
            yield [atom]
            line = []
        elif isinstance(atom, str):
            first, *others = atom.split("\n")
            line.append(first)
            for other in others:
                yield line
                line = [other]
        else:
            line.append(atom)
    yield line


def _text(line: Sequence[Atom]) -> str:
    return "".join(atom if isinstance(atom, str) else atom.text() if isinstance(atom, LinkAtom) else "" for atom in line)


def _is_hatnote(line: Sequence[Atom], text: str, language: Language) -> bool:
    """Whether a line is indented or in italics and has the words of a hatnote."""
    first = next((atom for atom in line if not isinstance(atom, str) or atom.strip()), None)
    if isinstance(first, Picture):
        return False
    text = text.strip()
    rest = text.lstrip(": ")
    quotes = len(rest) - len(rest.lstrip("'"))
    is_italic = quotes == 2 or quotes >= 5
    if not (is_italic or ":" in text[: len(text) - len(rest)]):
        return False
    words = " ".join(_QUOTES.sub("", rest).split())
    if language.hatnote_starts.match(words):
        return True
    return is_italic and bool(language.hatnote_italic_starts.match(words) or language.hatnote_italic_words.search(words))


def _parse_heading(line: Sequence[Atom], text: str) -> tuple[int, str] | None:
    """Return the level and the title of a heading, None for any other line."""
    if not text.startswith("=") or isinstance(line[-1], EmbeddedElement):
        return None
    match = _HEADING.fullmatch(text)
    if match is None:
        return None
    return min(len(match[1]), len(match[3])), _QUOTES.sub("", match[2]).strip(" =")


def _mark_parentheses(block: Sequence[Atom]) -> None:
    """Mark the links between each ``)`` and the nearest open ``(``."""
    links: list[LinkAtom] = []
    opened: list[int] = []
    ranges: list[tuple[int, int]] = []  # outermost pairs, so that no link is marked twice
    for atom in block:
        if isinstance(atom, LinkAtom):
            links.append(atom)
        elif isinstance(atom, str):
            for letter in atom:
                if letter in "(（":
                    opened.append(len(links))
                elif letter in ")）" and opened:
                    begin = opened.pop()
                    while ranges and ranges[-1][0] >= begin:
                        ranges.pop()
                    ranges.append((begin, len(links)))
    for begin, end in ranges:
        for link in links[begin:end]:
            link.region |= Region.PARENTHESES
