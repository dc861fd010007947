"""Which links a page has and where they stand, by ``mwparserfromhell`` and a few plain passes over what it leaves."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

import mwparserfromhell
from mwparserfromhell.nodes import Argument, Comment, ExternalLink, Heading, HTMLEntity, Tag, Template, Text, Wikilink

from .wiki_lines import BOX, BRACKETED, CAPTION, HIDDEN, UNCLOSED, Atom, Break, Link, Picture, Thing, mark_lines
from .wiki_tables import OPEN_TABLE, RAW, TABLE, TEMPLATE, without_comments, without_tables, without_templates
from .wiki_titles import CATEGORY, FILE, Names

BLOCKS = {
    "div",
    "p",
    "center",
    "blockquote",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "pre",
    "hr",
    "poem",
    "table",
}
"""Tags that end a paragraph."""

BOXES = {
    "infobox",
    "navbox",
    "navframe",
    "vertical-navbox",
    "sidebar",
    "hatnote",
    "dablink",
    "rellink",
    "thumb",
    "toc",
    "toccolours",
    "metadata",
    "references",
    "references-small",
    "reflist",
    "gallery",
    "navigation",
}
"""Classes and ids of elements that stand beside the text."""

ENGLISH_TRAIL = re.compile("[a-z]+")
DISAMBIGUATION = {
    "disambig",
    "disambiguation",
    "disamb",
    "dab",
    "hndis",
    "geodis",
    "tladisambig",
    "2lcdisambig",
    "2cc",
    "tla-dab",
}
HIDDEN_CATEGORY = {"hidden category", "hiddencat", "hidden cat"}

CUT = f"[{TABLE}{OPEN_TABLE}{TEMPLATE}]"
LEFT_TAG = re.compile(f"(</?[a-zA-Z][^<>]*>|{CUT})")
BRACKETED_LINK = re.compile(r"(?<=\[)\[\[([^\[\]|<>{}\n]+)(?:\|([^\[\]]+))?\]\](?=\])")


@dataclass
class Markup:
    """What a page's text says about the graph."""

    links: list[Link]
    categories: list[str]
    disambiguation: bool = False
    hidden: bool = False
    plain_files: int = 0
    """Files of running text whose caption holds no link."""


class Flattener:
    """Walks the parser's tree in reading order."""

    def __init__(self, names: Names, trail: re.Pattern[str]) -> None:
        self.names = names
        self.trail = trail
        self.atoms: list[Atom] = []
        self.categories: list[str] = []
        self.templates: set[str] = set()
        self.open_tables: frozenset[str] = frozenset()
        self.plain_files = 0

    def walk(self, nodes: Sequence[Any], regions: frozenset[str]) -> None:
        for place, node in enumerate(nodes):
            regions |= self.open_tables
            if isinstance(node, Text):
                self.text(self.without_trail(str(node.value), nodes[place - 1] if place else None), regions)
            elif isinstance(node, HTMLEntity):
                self.visible(html.unescape(str(node)), regions)
            elif isinstance(node, Wikilink):
                self.wikilink(node, regions)
            elif isinstance(node, ExternalLink):
                self.atoms.append(Thing())
                if node.brackets and node.title is not None:
                    self.walk(node.title.nodes, regions)
            elif isinstance(node, Heading):
                self.visible("=" * node.level, regions)
                self.walk(node.title.nodes, regions)
                self.visible("=" * node.level, regions)
            elif isinstance(node, Tag):
                self.tag(node, regions)
            elif isinstance(node, Template | Argument):
                self.atoms.append(Thing())
                self.template(node, regions | {HIDDEN})
            elif not isinstance(node, Comment):
                raise TypeError(node)

    def visible(self, text: str, regions: frozenset[str]) -> None:
        """Text that a reader sees; that of templates and captions takes no part in parentheses and lines."""
        if not regions & {HIDDEN, CAPTION}:
            self.atoms.append(text)

    def border(self, regions: frozenset[str], *, open_table: bool = False) -> None:
        """The end of a paragraph, perhaps because a table begins that nobody closes."""
        if not regions & {HIDDEN, CAPTION}:
            self.atoms.append(Break())
            self.open_tables |= {UNCLOSED} if open_table else set()

    def text(self, text: str, regions: frozenset[str]) -> None:
        """Plain text, in which tables were and tags may be left that nobody closes."""
        for piece in LEFT_TAG.split(text):
            regions |= self.open_tables
            found = re.match(r"</?([a-zA-Z][a-zA-Z0-9]*)", piece)
            name = found.group(1).lower() if found and piece.endswith(">") else None
            if piece == TEMPLATE:
                self.atoms.append(Thing())
            elif piece in (TABLE, OPEN_TABLE):
                self.border(regions, open_table=piece == OPEN_TABLE)
            elif name in BLOCKS:
                self.border(regions, open_table=name == "table" and not piece.startswith("</"))
            elif name is None or name in RAW:
                self.bracketed(piece, regions)

    def without_trail(self, text: str, before: Any) -> str:
        """The text without the letters directly behind a link, which belong to what a reader clicks."""
        link = self.atoms[-1] if self.atoms else None
        found = self.trail.match(text)
        if not isinstance(before, Wikilink) or not isinstance(link, Link) or found is None:
            return text
        link.anchor += found.group()
        link.trail = found.group()
        return text[found.end() :]

    def bracketed(self, text: str, regions: frozenset[str]) -> None:
        """Text that may hold what the parser takes for no link, ``[[[X]]]``."""
        place = 0
        for found in BRACKETED_LINK.finditer(text):
            raw, label = found.groups()
            if self.names.parse(raw)[0] not in (FILE, CATEGORY):
                self.visible(text[place : found.start()], regions)
                clicked = anchor(raw, None if label is None else mwparserfromhell.parse(label, skip_style_tags=True))
                self.atoms.append(Link(raw, clicked, set(regions | {BRACKETED})))
                place = found.end()
        self.visible(text[place:], regions)

    def template(self, node: Any, regions: frozenset[str]) -> None:
        if isinstance(node, Template):
            self.templates.add(self.names.spaced(str(node.name)).casefold().removeprefix("template:"))
            for parameter in node.params:
                self.walk(parameter.value.nodes, regions)
        elif node.default is not None:
            self.walk(node.default.nodes, regions)

    def tag(self, node: Tag, regions: frozenset[str]) -> None:
        name = str(node.tag).strip().lower()
        contents = node.contents.nodes if node.contents is not None else []
        if node.wiki_markup in ("*", "#", ":", ";", "----"):
            self.visible(str(node.wiki_markup), regions)
            return
        if name in BLOCKS:
            self.border(regions)
        if name == "br":
            self.visible(" ", regions)
        elif name in ("nowiki", "pre"):
            self.visible(html.unescape("".join(map(str, contents))), regions)
        elif name in RAW:
            self.atoms.append(Thing())
            if name in ("ref", "references", "gallery"):
                self.walk(contents, regions | {HIDDEN})
        elif name == "table" or node.wiki_markup:
            self.walk(contents, regions | {HIDDEN})
        else:
            self.walk(contents, regions | {BOX} if is_box(node) else regions)
        if name in BLOCKS:
            self.border(regions)

    def wikilink(self, node: Wikilink, regions: frozenset[str]) -> None:
        raw, label = str(node.title), node.text
        namespace, name = self.names.parse(raw)
        special = not raw.strip().startswith(":") and namespace in (FILE, CATEGORY)
        broken = bool(re.search(rf"[\n<>\[\]{{}}]|{CUT}", raw)) or (label is not None and str(label) == "")
        inner = label is not None and any(True for _ in label.ifilter_wikilinks())
        if broken or (inner and not special):
            self.visible("[[" + raw + ("|" if label is not None else ""), regions)
            self.walk(label.nodes if label is not None else [], regions)
            self.visible("]]", regions)
        elif not special:
            self.atoms.append(Link(raw, anchor(raw, label), set(regions)))
        elif namespace == CATEGORY:
            self.atoms.append(Thing())
            self.categories.append(name)
        else:
            self.atoms.append(Picture())
            self.plain_files += HIDDEN not in regions and not inner
            self.walk(label.nodes if label is not None else [], regions | {CAPTION})


def is_box(node: Tag) -> bool:
    """Whether an element's class or id says that it stands beside the text."""
    words: set[str] = set()
    for attribute in node.attributes:
        if str(attribute.name).strip().lower() in ("class", "id") and attribute.value is not None:
            words |= set(str(attribute.value).lower().split())
    return bool(words & BOXES)


def anchor(raw: str, label: Any) -> str:
    """What a reader clicks."""
    if label is None:
        text = unquote(html.unescape(raw)).strip()
        return " ".join(text.removeprefix(":").split())
    return " ".join(re.sub("'{2,}", "", plain(label.nodes)).split())


def plain(nodes: Sequence[Any]) -> str:
    """The text that a label shows: without tags, templates and what stands in them."""
    text = ""
    for node in nodes:
        if isinstance(node, Text):
            text += re.sub(LEFT_TAG, "", str(node.value))
        elif isinstance(node, HTMLEntity):
            text += html.unescape(str(node))
        elif isinstance(node, ExternalLink):
            text += plain(node.title.nodes) if node.title is not None else "" if node.brackets else str(node.url)
        elif isinstance(node, Heading):
            text += "=" * node.level + plain(node.title.nodes) + "=" * node.level
        elif isinstance(node, Tag):
            name = str(node.tag).strip().lower()
            contents = node.contents.nodes if node.contents is not None else []
            if node.wiki_markup:
                text += str(node.wiki_markup) + plain(contents)
            elif name == "br":
                text += " "
            elif name in ("nowiki", "pre"):
                text += html.unescape("".join(map(str, contents)))
            elif name not in RAW:
                text += plain(contents)
    return text


def read_markup(text: str, names: Names, trail: re.Pattern[str] = ENGLISH_TRAIL) -> Markup:
    """All links of a page in reading order with what they stand in, its categories, and what its templates make of it.

    Links in templates and tables come last; they have no place in the reading order.
    """
    flat = Flattener(names, trail)
    body, templates = without_templates(without_comments(re.sub(CUT, "", text)))
    body, tables = without_tables(body)
    flat.walk(mwparserfromhell.parse(body, skip_style_tags=True).nodes, frozenset())
    flat.open_tables = frozenset()
    for hidden in [*templates, *tables]:
        flat.walk(mwparserfromhell.parse(hidden, skip_style_tags=True).nodes, frozenset({HIDDEN}))
    mark_lines(flat.atoms)
    return Markup(
        [atom for atom in flat.atoms if isinstance(atom, Link)],
        flat.categories,
        bool(flat.templates & DISAMBIGUATION) or "__DISAMBIG__" in text,
        bool(flat.templates & HIDDEN_CATEGORY) or "__HIDDENCAT__" in text,
        flat.plain_files,
    )
