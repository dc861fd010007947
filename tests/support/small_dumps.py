"""Writes tiny dumps from plain values: the examples of the thesis, and generated small wikis."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from hypothesis import strategies as st

NAMESPACES = {6: "File", 10: "Template", 14: "Category"}


class SmallPage(NamedTuple):
    """A page as a dump has it; ``title`` with its prefix."""

    title: str
    text: str = ""
    redirect: str | None = None

    @property
    def namespace(self) -> int:
        prefix = self.title.partition(":")[0]
        return next((number for number, name in NAMESPACES.items() if name == prefix), 0)


def article(title: str, text: str = "", *categories: str) -> SmallPage:
    """An article in some categories."""
    return SmallPage(title, "\n".join([text, *(f"[[Category:{name}]]" for name in categories)]))


def redirect(title: str, target: str) -> SmallPage:
    """A redirect."""
    return SmallPage(title, f"#REDIRECT [[{target}]]", target)


def category(name: str, *parents: str, text: str = "") -> SmallPage:
    """A category's page, in some others."""
    return SmallPage(f"Category:{name}", "\n".join([text, *(f"[[Category:{parent}]]" for parent in parents)]))


def dump(pages: Iterable[SmallPage], *, site: str = "tinywiki", language: str = "en", case: str = "first-letter") -> str:
    """Return the pages in export format 0.11."""
    spaces = "".join(f'<namespace key="{key}" case="{case}">{name}</namespace>' for key, name in NAMESPACES.items())
    head = (
        f'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="{language}">\n'
        f"  <siteinfo><sitename>{site}</sitename><dbname>{site}</dbname><case>{case}</case>"
        f'<namespaces><namespace key="0" case="{case}" />{spaces}</namespaces></siteinfo>\n'
    )
    return head + "".join(_page(number, page) for number, page in enumerate(pages, 1)) + "</mediawiki>\n"


def _page(number: int, page: SmallPage) -> str:
    leads = "" if page.redirect is None else f"<redirect title={quoteattr(page.redirect)} />"
    return (
        f"  <page><title>{escape(page.title)}</title><ns>{page.namespace}</ns><id>{number}</id>{leads}"
        f"<revision><id>{number}</id><model>wikitext</model><format>text/x-wiki</format>"
        f'<text xml:space="preserve">{escape(page.text)}</text></revision></page>\n'
    )


def write_dump(path: Path, pages: Iterable[SmallPage], *, site: str = "tinywiki", language: str = "en") -> Path:
    """Write a dump in the format of its extension: ``.xml``, ``.bz2`` or ``.gz``."""
    written = dump(pages, site=site, language=language).encode()
    if path.suffix == ".bz2":
        written = bz2.compress(written)
    elif path.suffix == ".gz":
        written = gzip.compress(written)
    path.write_bytes(written)
    return path


# -- examples of the thesis ---------------------------------------------------------------------------------------------------


class Published(NamedTuple):
    """An example of the thesis: a wiki, a pair, and the printed score."""

    pages: list[SmallPage]
    substitute: str
    substitutee: str
    score: float


def _others(kind: str, number: int, parent: str) -> list[SmallPage]:
    """Categories that only add to the breadth of their parent."""
    return [category(f"{kind} {each}", parent) for each in range(1, number + 1)]


NATURAL_SCIENCE = Published(
    [
        article("Natural science", "", "Natural sciences"),
        article("Organic chemistry", "", "Organic chemistry"),
        category("Contents"),
        category("Natural sciences", "Contents"),
        category("Physical sciences", "Natural sciences"),
        category("Chemistry", "Physical sciences"),
        category("Organic chemistry", "Chemistry"),
        *_others("Life science", 4, "Natural sciences"),
        *_others("Astronomy", 2, "Physical sciences"),
        *_others("Branch", 71, "Chemistry"),
    ],
    "natural science",
    "organic chemistry",
    0.19,
)
"""Section 3.3.3: down through breadths 5, 3 and 72 between two central articles."""

PENNSYLVANIA = Published(
    [
        article("Pennsylvania", "The [[Pennsylvania|Keystone State]]."),
        article("University of Pennsylvania", "Of [[University of Pennsylvania|Pennsylvania]], in [[Pennsylvania]]."),
        article("USS Pennsylvania (1837)", "[[USS Pennsylvania (1837)|Pennsylvania]]"),
        article("Pennsylvania (steamboat)", "''[[Pennsylvania (steamboat)|Pennsylvania]]''"),
        article("USS Keystone State (1853)", "[[USS Keystone State (1853)|Keystone State]]"),
        article("List of U.S. state nicknames", "[[List of U.S. state nicknames|Keystone State]]"),
    ],
    "Pennsylvania",
    "Keystone State",
    1.0,
)
"""Section 3.3.3: the two target sets have an article in common."""

ORANGES_CATEGORIES = [
    "Citrus hybrids",
    "Cocktail garnishes",
    "Oranges",
    "Symbols of California",
    "Symbols of Florida",
    "Tropical agriculture",
]
ORANGES = [article("Orange (fruit)", "", *ORANGES_CATEGORIES), *map(category, ORANGES_CATEGORIES)]
"""Section 3.3.2: the article is central to Oranges, and to no other of its categories."""

CONSENSUS_REALITY = Published(
    [
        article("Consensus reality", "", "Consensus reality"),
        article("Common sense", "", "Consensus reality"),
        *(article(f"Belief {each}", "", "Consensus reality") for each in range(1, 22)),
        category("Consensus reality"),
    ],
    "consensus reality",
    "mother wit",
    0.43,
)
"""Section 5.3.6: from a category of breadth 22 to Common sense, and there to WordNet at 0.9."""

COMMON_SENSE = ["common sense", "good sense", "gumption", "horse sense", "sense", "mother wit"]
"""The words of the synset that is found."""


# -- generated wikis ----------------------------------------------------------------------------------------------------------

TITLES = [
    "Run",
    "Running",
    "Runs (sport)",
    "Run (film)",
    "Dog",
    "Dogs",
    "Dog (disambiguation)",
    "Big dog",
    "The dog of the run",
    "Café",
    "Cafe",
    "Ångström",
    "État",
    "A & B",
    "C++",
    "X",
    "Y (x)",
    "Y (y)",
    "Mercury",
    "Mercury (planet)",
    "バス",
    "ハス",
    "バス大学",
    "ข่าว",
]
"""Few, so that they collide: equal after stemming, without accents and case, or without a bracket."""

CATEGORIES = ["Dogs", "Dog (animal)", "Runs", "Running", "Mercury (planets)", "X", "Y", "Contents", "Nowhere"]
"""``Nowhere`` never has a page."""

ANCHORS = ["run", "Dogs", "dog", "the dog", "quick run", "Y", "mercury", "café", "''running''", "a  b", "大学", "ขาว", "x-y"]
VARIANTS = ["バスの大学", "大学ハスバス", "yバス", "ข่าวขาว", "パス", "ข้าว", "Big-dog", "dog-バス", "-dog", "cafe-run", "étát"]
"""Phrases whose folded form, or whose parts beside hyphens or unspaced letters, may be labels."""

DRESSES = [
    "{}",
    "{}s ",
    "({}) ",
    "\n* {}\n",
    "\n:''See also {}''\n",
    "\n== See also ==\n{}\n",
    "\n== More ==\n{}\n",
    "\n{{|\n| {}\n|}}\n",
    ' {{| class="infobox"\n| {}\n|}} ',
    "<ref>{}</ref> ",
    "{{{{box|{}}}}} ",
    "[[File:F.jpg|thumb|{}]] ",
    "\n\n{}\n\n",
    "<!-- {} -->",
]
"""Surroundings of a link."""


@st.composite
def _links(draw: st.DrawFn) -> str:
    target = draw(st.sampled_from(TITLES))
    target = draw(
        st.sampled_from([target, target.lower(), target.replace(" ", "_"), target + "#part", "Missing", ":" + target])
    )
    shown = draw(st.none() | st.sampled_from(ANCHORS))
    link = f"[[{target}]]" if shown is None else f"[[{target}|{shown}]]"
    return draw(st.sampled_from(DRESSES)).format(link)


@st.composite
def _texts(draw: st.DrawFn) -> str:
    links = "".join(draw(st.lists(_links(), max_size=5)))
    keys = ["", "| ", "|*", "|Key"]
    categories = draw(st.lists(st.tuples(st.sampled_from(CATEGORIES), st.sampled_from(keys)), max_size=3))
    marks = draw(st.sampled_from([""] * 8 + ["{{disambig}}", "__DISAMBIG__", "__HIDDENCAT__"]))
    return links + marks + "".join(f"\n[[Category:{name}{key}]]" for name, key in categories)


@st.composite
def _pages(draw: st.DrawFn) -> SmallPage:
    kind = draw(st.sampled_from("AAARCC"))
    title = draw(st.sampled_from(TITLES if kind != "C" else CATEGORIES[:-1]))
    prefix = "Category:" if kind == "C" else ""
    if kind == "R" or (kind == "C" and draw(st.integers(0, 9)) == 0):
        return redirect(prefix + title, prefix + draw(st.sampled_from(TITLES if kind == "R" else CATEGORIES)))
    return SmallPage(prefix + title, draw(_texts()))


def wikis(*, largest: int = 24) -> st.SearchStrategy[list[SmallPage]]:
    """Generate the pages of a small wiki with many rare cases.

    Redirects in chains and loops, titles twice, categories in circles, in themselves, hidden, or without a page,
    disambiguation pages, labels of many senses and ties.
    """
    return st.lists(_pages(), min_size=1, max_size=largest)


def phrases() -> st.SearchStrategy[str]:
    """Phrases, known or unknown to such a wiki, of one aspect or several."""
    known = st.sampled_from([*TITLES, *ANCHORS, *VARIANTS, "runnings", "DOG", "Y", "dogs"])
    words = st.lists(st.one_of(known, st.sampled_from(["of", "the", "and", "unheard"])), min_size=1, max_size=3)
    return words.map(" ".join)


def names(pages: Sequence[SmallPage]) -> list[str]:
    """The titles of articles and redirects among the pages."""
    return [page.title for page in pages if page.namespace == 0]
