"""What only lines and paragraphs tell of a link: trails, hatnotes, appendices, parentheses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

HIDDEN, CAPTION, BOX, HATNOTE, APPENDIX, PARENTHESES = "hidden", "caption", "box", "hatnote", "appendix", "parentheses"
UNCLOSED, BRACKETED = "unclosed", "bracketed"
"""A table that runs to the end of the page, and ``[[[X]]]``: labels count the links, readers do not follow them."""

APPENDICES = {
    "see also",
    "reference",
    "references",
    "notes",
    "footnotes",
    "citations",
    "sources",
    "notes and references",
    "references and notes",
    "further reading",
    "external link",
    "external links",
    "external links and references",
    "references and external links",
}

HATNOTE_INDENTED = re.compile(
    r"(?:see also|see main|see:|main articles?|full article|related articles?|for other (?:uses|meanings)"
    r"|(?:other|alternate|alternative) (?:uses?|meanings?))"
)
HATNOTE_ITALIC = re.compile(
    r"(?:see|main|also see|(?:this|the) (?:article|page|entry|section)|for|not to be confused|you (?:may|might) be looking"
    r"|further (?:information|reading|details)|more (?:info|information|details)|details)\b"
)
HATNOTE_ANYWHERE = re.compile(r"redirects? (?:to )?here|for other (?:uses|meanings)|\(disambiguation\)")


@dataclass
class Link:
    """A link as it is written: its target, what a reader clicks, and what it stands in."""

    target: str
    anchor: str
    regions: set[str] = field(default_factory=set)
    trail: str = ""


class Break:
    """A border that a paragraph does not cross."""


class Thing:
    """Something that stands in a line without being text: a template, a picture, a category link."""


class Picture(Thing):
    """A file with its caption."""


Atom = str | Link | Break | Thing


def lines(atoms: Sequence[Atom]) -> Iterator[list[Atom]]:
    """Atoms from one line break to the next; a Break is a line of its own."""
    line: list[Atom] = []
    for atom in atoms:
        if isinstance(atom, Break):
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


def shown(line: Sequence[Atom]) -> str:
    """What a line shows."""
    return "".join(atom if isinstance(atom, str) else atom.anchor if isinstance(atom, Link) else "" for atom in line)


def is_hatnote(line: Sequence[Atom]) -> bool:
    """Whether a line is indented or in italics and begins as hatnotes do."""
    first = next((atom for atom in line if not isinstance(atom, str) or atom.strip()), None)
    if isinstance(first, Picture):
        return False
    text = shown(line).strip()
    indent = text[: len(text) - len(text.lstrip(": "))]
    rest = text[len(indent) :]
    quotes = len(rest) - len(rest.lstrip("'"))
    italic = quotes == 2 or quotes >= 5
    says = " ".join(re.sub("'{2,}", "", rest).casefold().split())
    if ":" not in indent and not italic:
        return False
    if HATNOTE_INDENTED.match(says):
        return True
    return italic and bool(HATNOTE_ITALIC.match(says) or HATNOTE_ANYWHERE.search(says))


def heading(line: Sequence[Atom]) -> tuple[int, str] | None:
    """Level and title, if the line is a heading."""
    if line and isinstance(line[-1], Thing):
        return None
    found = re.fullmatch(r"(={1,6})(.+?)(={1,6})\s*", shown(line))
    if found is None:
        return None
    title = re.sub("'{2,}", "", found.group(2)).strip(" =")
    return min(len(found.group(1)), len(found.group(3))), " ".join(title.casefold().split())


def mark_parentheses(block: Sequence[Atom]) -> None:
    """A closing parenthesis hides the links since the nearest one that is open."""
    opened: list[int] = []
    links: list[Link] = []
    for atom in block:
        if isinstance(atom, Link):
            links.append(atom)
        elif isinstance(atom, str):
            for letter in atom:
                if letter in "(\uff08":
                    opened.append(len(links))
                elif letter in ")\uff09" and opened:
                    for link in links[opened.pop() :]:
                        link.regions.add(PARENTHESES)


def mark_lines(atoms: Sequence[Atom]) -> None:
    """Adds to each link what its line, its section and its paragraph make of it."""
    block: list[Atom] = []
    appendix: int | None = None
    for line in lines([atom for atom in atoms if not (isinstance(atom, Link) and atom.regions & {HIDDEN, CAPTION})]):
        text = shown(line)
        found = heading(line)
        if found is not None:
            level, title = found
            if appendix is None or level <= appendix:
                appendix = level if title in APPENDICES else None
        for link in line:
            if isinstance(link, Link):
                link.regions |= {APPENDIX} if appendix is not None else set()
                link.regions |= {HATNOTE} if is_hatnote(line) else set()
        alone = found is not None or text[:1] in ("*", "#", ":", ";") or text.startswith("----")
        border = any(isinstance(atom, Break) for atom in line)
        blank = not text.strip() and not any(isinstance(atom, Thing | Link) for atom in line)
        if alone or border or blank:
            mark_parentheses(block)
            block = []
        if alone:
            mark_parentheses(line)
        else:
            block += line
    mark_parentheses(block)
