"""Read pages with ``mwparserfromhell``; the records are the same as those of ``Scanner``.

Comments, templates and tables are cut out first (``cutouts``). The tree of the rest is walked in reading order, which yields
atoms: text, links, and elements that are neither. The remaining regions follow from the lines and blocks of atoms (``lines``).
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Any

import mwparserfromhell
from mwparserfromhell.nodes import Argument, Comment, ExternalLink, Heading, HTMLEntity, Tag, Template, Text, Wikilink
from mwparserfromhell.parser import ParserError

from ...languages import fold_name
from ..masking import INLINE, VERBATIM
from ..page_state import BLOCK_TAGS, is_box
from ..regions import Region
from ..scanner import ScannedPage, Scanner, classify_page
from ..targets import CATEGORY_LINK, FILE_LINK, Targets
from .cutouts import MAX_COST, OPEN_TABLE, RAW_TAGS, TABLE, TEMPLATE, cut_out, parsing_cost
from .lines import Atom, BlockEnd, EmbeddedElement, LinkAtom, Picture, add_line_regions

_BLOCKS = frozenset([*BLOCK_TAGS, "table"])
_HIDDEN, _CAPTION, _BOX, _BRACKETED = (int(region) for region in (Region.HIDDEN, Region.CAPTION, Region.BOX, Region.BRACKETED))
_LINKED = frozenset({"ref", "references", "gallery", "imagemap"})
"""Elements that are not running text but contain links."""

_UNPARSED = frozenset({"gallery", "imagemap"})
"""Elements of ``_LINKED`` whose content the parser does not parse."""

_LIST_MARKUP = frozenset({"*", "#", ":", ";", "----"})
_PLACEHOLDER = f"[{TABLE}{OPEN_TABLE}{TEMPLATE}]"
_LEFT_TAG = re.compile(rf"(</?[a-zA-Z][^<>]*>|{_PLACEHOLDER})")
_TAG_NAME = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)")
_BRACKETED_LINK = re.compile(r"(?<=\[)\[\[([^\[\]|<>{}\n]+)(?:\|([^\[\]]+))?\]\](?=\])")
_NO_TARGET = re.compile(rf"[\n<>\[\]{{}}]|{_PLACEHOLDER}")


class ReferenceScanner(Scanner):
    """A ``Scanner`` that reads each page with ``mwparserfromhell``.

    A page that the parser cannot read, or not in reasonable time, is read by ``Scanner`` and counted in
    ``fallback_count``.

    >>> from wayword.loaders.wikipedia.languages import find_language
    >>> from wayword.loaders.wikipedia.site import make_site
    >>> from wayword.loaders.wikipedia.wikitext.titles import Titles
    >>> scanner = ReferenceScanner(Titles(make_site("enwiki")), find_language("en"))
    >>> scan = scanner.scan("A '''dog''' ([[Latin]]: canis) is an [[animal]]. {{main|[[Wolf]]}} [[Category:Dogs|*]]")
    >>> [(link.title.name, link.anchor, Region(link.region).name) for link in scan.links], scan.categories
    ([('Latin', 'Latin', 'PARENTHESES'), ('Animal', 'animal', None), ('Wolf', 'Wolf', 'HIDDEN')], ['Dogs'])
    """

    def read(self, text: str) -> ScannedPage:
        """Read a page; its hidden links come last."""
        if parsing_cost(text) <= MAX_COST:
            try:
                return self._parse(text)
            except (ParserError, RecursionError):
                pass
        self.fallback_count += 1
        return super().read(text)

    def _parse(self, text: str) -> ScannedPage:
        cutouts = cut_out(text)
        walker = TreeWalker(self.targets, self._trail)
        nodes = parse(cutouts.body)
        walker.walk(nodes, 0)
        walker.unclosed = 0
        for hidden in [*cutouts.templates, *cutouts.tables]:
            walker.walk(parse(hidden), _HIDDEN)
        add_line_regions(walker.atoms, self._language)
        links = [atom for atom in walker.atoms if isinstance(atom, LinkAtom)]
        masked = "\n" + mask_nodes(nodes, keep_nowiki=False)
        flags = classify_page(self._language, walker.templates, masked if "__" in masked else "")
        return ScannedPage([link.raw for link in links], [link.region for link in links], *flags, masked)


class TreeWalker:
    """Walks a tree in reading order and collects its atoms and the names of its templates.

    ``unclosed`` is the region of everything after a table that is never closed.
    """

    def __init__(self, targets: Targets, trail: re.Pattern[str]) -> None:
        self.atoms: list[Atom] = []
        self.templates: set[str] = set()
        self.unclosed = 0
        self._targets = targets
        self._trail = trail

    def walk(self, nodes: Sequence[Any], region: int) -> None:
        """Walk some nodes that are in these regions."""
        link: LinkAtom | None = None  # the link directly before the node
        for node in nodes:
            region |= self.unclosed
            before, link = link, None
            if isinstance(node, Text):
                self._walk_text(self._take_trail(str(node.value), before), region)
            elif isinstance(node, HTMLEntity):
                self._add_text(html.unescape(str(node)), region)
            elif isinstance(node, Wikilink):
                link = self.walk_link(node, region)
            elif isinstance(node, ExternalLink):
                self.atoms.append(EmbeddedElement())
                if node.brackets and node.title is not None:
                    self.walk(node.title.nodes, region)
            elif isinstance(node, Heading):
                self._add_text("=" * node.level, region)
                self.walk(node.title.nodes, region)
                self._add_text("=" * node.level, region)
            elif isinstance(node, Tag):
                self._walk_tag(node, region)
            elif isinstance(node, Template | Argument):
                self.atoms.append(EmbeddedElement())
                self._walk_template(node, region | _HIDDEN)
            # a comment has no visible text

    def walk_link(self, node: Any, region: int) -> LinkAtom | None:
        """Walk a link, a file with its caption, a category, or plain brackets; return the link, which may have a trail."""
        target, label = str(node.title), node.text
        namespace = self._targets[target].namespace
        has_link = label is not None and next(label.ifilter_wikilinks(), None) is not None
        is_text = _NO_TARGET.search(target) or (label is not None and not str(label))
        if is_text or (has_link and namespace != FILE_LINK):
            self._add_text("[[" + target + ("|" if label is not None else ""), region)
            self.walk(label.nodes if label is not None else [], region)
            self._add_text("]]", region)
        elif namespace == FILE_LINK:
            self.atoms.append(Picture())
            self.walk(label.nodes if label is not None else [], region | _CAPTION)
        else:
            if namespace == CATEGORY_LINK:
                self.atoms.append(EmbeddedElement())
            raw = (target, None if label is None else mask_nodes(label.nodes), "")
            link = LinkAtom(raw, region | (_HIDDEN if namespace == CATEGORY_LINK else 0))
            self.atoms.append(link)
            return link
        return None

    def _add_text(self, text: str, region: int) -> None:
        """Add visible text, except that of templates and captions, which is not part of lines and parentheses."""
        if not region & (_HIDDEN | _CAPTION):
            self.atoms.append(text)

    def _end_block(self, region: int, *, opens_table: bool = False) -> None:
        """End a block, perhaps because a table begins that is never closed."""
        if not region & (_HIDDEN | _CAPTION):
            self.atoms.append(BlockEnd())
            if opens_table:
                self.unclosed = _BOX

    def _walk_text(self, text: str, region: int) -> None:
        """Walk plain text, with placeholders in it and tags that are never closed."""
        for piece in _LEFT_TAG.split(text):
            region |= self.unclosed
            match = _TAG_NAME.match(piece)
            name = match[1].lower() if match and piece.endswith(">") else None
            if piece == TEMPLATE:
                self.atoms.append(EmbeddedElement())
            elif piece in (TABLE, OPEN_TABLE):
                self._end_block(region, opens_table=piece == OPEN_TABLE)
            elif name in _BLOCKS:
                self._end_block(region, opens_table=name == "table" and not piece.startswith("</"))
            elif name is None or name in RAW_TAGS:
                self._walk_bracketed(piece, region)

    def _take_trail(self, text: str, link: LinkAtom | None) -> str:
        """Add the letters directly after a link to that link, and return the remaining text."""
        match = self._trail.match(text) if link else None
        if link is None or match is None:
            return text
        target, label, _ = link.raw
        link.raw = target, label, match[0]
        return text[match.end() :]

    def _walk_bracketed(self, text: str, region: int) -> None:
        """Walk text that may contain ``[[[X]]]``, which the parser leaves as text."""
        position = 0
        for match in _BRACKETED_LINK.finditer(text):
            target, label = match.groups()
            if self._targets[target].namespace not in (FILE_LINK, CATEGORY_LINK):
                self._add_text(text[position : match.start()], region)
                masked = None if label is None else mask_nodes(parse(label))
                self.atoms.append(LinkAtom((target, masked, ""), region | _BRACKETED))
                position = match.end()
        self._add_text(text[position:], region)

    def _walk_template(self, node: Any, region: int) -> None:
        if isinstance(node, Template):
            self.templates.add(fold_name(str(node.name)).removeprefix("template:"))
            for parameter in node.params:
                self.walk(parameter.value.nodes, region)
        elif node.default is not None:
            self.walk(node.default.nodes, region)

    def _walk_tag(self, node: Any, region: int) -> None:
        if node.wiki_markup in _LIST_MARKUP:
            self._add_text(str(node.wiki_markup), region)
            return
        name, contents = _parts_of(node)
        if name in _BLOCKS:
            self._end_block(region)
        if name == "br":
            self._add_text(" ", region)
        elif name in ("nowiki", "pre"):
            self._add_text(html.unescape("".join(map(str, contents))), region)
        elif name in RAW_TAGS:
            self.atoms.append(EmbeddedElement())
            if name in _LINKED:
                self.walk(parse("".join(map(str, contents))) if name in _UNPARSED else contents, region | _HIDDEN)
        elif name == "table" or node.wiki_markup:
            self.walk(contents, region | _HIDDEN)
        else:
            self.walk(contents, region | (_BOX if is_box("".join(map(str, node.attributes))) else 0))
        if name in _BLOCKS:
            self._end_block(region)


def parse(wikitext: str) -> Sequence[Any]:
    """Return the top-level nodes of wikitext; quote marks of italics and bold are left as text."""
    nodes: Sequence[Any] = mwparserfromhell.parse(wikitext, skip_style_tags=True).nodes
    return nodes


def mask_nodes(nodes: Sequence[Any], *, keep_nowiki: bool = True) -> str:
    """Return the wikitext of nodes with the same fillers for what is not running text as ``masking.mask``."""
    return "".join([_mask_node(node, keep_nowiki) for node in nodes])


def _mask_node(node: Any, keep_nowiki: bool) -> str:
    def mask(wikicode: Any) -> str:
        return mask_nodes(wikicode.nodes, keep_nowiki=keep_nowiki)

    if isinstance(node, Text):
        return str(node.value).replace(TABLE, f"\n\n{INLINE}").replace(OPEN_TABLE, "")
    if isinstance(node, Template | Argument):
        return INLINE
    if isinstance(node, Comment):
        return ""
    if isinstance(node, Wikilink):
        label = "" if node.text is None else "|" + mask(node.text)
        return f"[[{mask(node.title)}{label}]]"
    if isinstance(node, ExternalLink) and node.brackets and node.title is not None:
        return f"[{node.url} {mask(node.title)}]"
    if isinstance(node, Heading):
        marks = "=" * node.level
        return f"{marks}{mask(node.title)}{marks}"
    if not isinstance(node, Tag):
        return str(node)
    name, contents = _parts_of(node)
    if name in ("table", "pre"):
        return f"\n\n{INLINE}"
    if name == "nowiki":
        return str(node) if keep_nowiki else VERBATIM
    if name in RAW_TAGS:
        return INLINE
    if not contents or node.wiki_markup:
        return str(node)
    return f"<{node.tag}{''.join(map(str, node.attributes))}>{mask(node.contents)}</{node.tag}>"


def _parts_of(node: Any) -> tuple[str, Sequence[Any]]:
    """Return the name of a tag and its contents."""
    return str(node.tag).strip().lower(), node.contents.nodes if node.contents is not None else []
