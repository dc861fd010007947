"""Reads the text of pages with the reference parser, for the plain implementation of the other rules."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from wayword.loaders.wikipedia.languages import Language, find_language
from wayword.loaders.wikipedia.site import make_site
from wayword.loaders.wikipedia.wikitext.reference.cutouts import cut_out
from wayword.loaders.wikipedia.wikitext.reference.lines import LinkAtom, Picture, add_line_regions
from wayword.loaders.wikipedia.wikitext.reference.parser import TreeWalker, parse
from wayword.loaders.wikipedia.wikitext.regions import Region
from wayword.loaders.wikipedia.wikitext.scanner import classify_page
from wayword.loaders.wikipedia.wikitext.targets import CATEGORY_LINK, Targets
from wayword.loaders.wikipedia.wikitext.titles import Titles

from .wiki_titles import Names

ENGLISH_TRAIL = re.compile("[a-z]+")


@dataclass(frozen=True)
class Link:
    """A link as it is written: its target, what a reader clicks, its regions, and the letters glued to its end."""

    target: str
    anchor: str
    region: Region
    trail: str


@dataclass
class Markup:
    """The links, the categories and the marks of a page."""

    links: list[Link]
    categories: list[str]
    disambiguation: bool = False
    hidden: bool = False
    plain_files: int = 0
    """Files of running text whose caption holds no link."""


class CountingWalker(TreeWalker):
    """A walker that also counts files without links in their captions."""

    plain_files = 0

    def walk_link(self, node: Any, region: int) -> LinkAtom | None:
        before = len(self.atoms)
        link = super().walk_link(node, region)
        if before < len(self.atoms) and isinstance(self.atoms[before], Picture) and not region & Region.HIDDEN:
            self.plain_files += node.text is None or not node.text.filter_wikilinks()
        return link


@cache
def english(trail: re.Pattern[str]) -> Language:
    """The rules for English, with another trail."""
    return replace(find_language("en"), trail=trail)


@cache
def targets(name: str, first_letter: bool, namespaces: tuple[tuple[str, int], ...]) -> Targets:
    """The targets of a wiki with these names."""
    return Targets(Titles(make_site(name, "en", first_letter, namespaces)))


def read_markup(text: str, names: Names, trail: re.Pattern[str] = ENGLISH_TRAIL) -> Markup:
    """All links of a page in reading order with their regions, its categories, and the kind of page that its templates declare.

    Links in templates and tables come last; they have no position in the reading order.
    """
    known, language = targets(names.site, names.first_letter, tuple(names.namespaces.items())), english(trail)
    walker, cutouts = CountingWalker(known, trail), cut_out(text)
    walker.walk(parse(cutouts.body), 0)
    walker.unclosed = 0
    for hidden in [*cutouts.templates, *cutouts.tables]:
        walker.walk(parse(hidden), int(Region.HIDDEN))
    add_line_regions(walker.atoms, language)
    links, categories = list[Link](), list[str]()
    for atom in walker.atoms:
        if isinstance(atom, LinkAtom):
            target, _, letters = atom.raw
            if known[target].namespace == CATEGORY_LINK:
                categories.append(names.parse(target)[1])
            else:
                links.append(Link(target, atom.text(), Region(atom.region), letters))
    return Markup(links, categories, *classify_page(language, walker.templates, text), walker.plain_files)
