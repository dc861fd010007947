"""From a dump file to articles, redirects, categories and labels: a plain implementation of each rule of WikiSub."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from nltk.stem.porter import PorterStemmer

from wayword.loaders.wikipedia.wikitext.regions import Region

from .wiki_dump import Page, read_dump
from .wiki_markup import ENGLISH_TRAIL, Link, Markup, read_markup
from .wiki_titles import CATEGORY, Names

PORTER = PorterStemmer(mode=PorterStemmer.ORIGINAL_ALGORITHM)


LATIN = {"đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ø": "o", "ŧ": "t", "þ": "th", "æ": "ae", "œ": "oe"}


def normalise(phrase: str) -> str:
    """Return the written form of a phrase."""
    shown = "".join(letter for letter in phrase if unicodedata.category(letter) != "Cf")
    written = unicodedata.normalize("NFKC", shown).replace("\u2010", "-").replace("\u2011", "-").casefold()
    return " ".join(written.replace("_", " ").split())


def fold(written: str) -> str:
    """Return the folded form of a written form."""
    letters = [letter for letter in unicodedata.normalize("NFKD", written) if unicodedata.combining(letter) == 0]
    return "".join(LATIN.get(letter, letter) for letter in "".join(letters).casefold())


def stem(words: str) -> str:
    """Apply Porter's original algorithm to each word."""
    return " ".join(PORTER.stem(word, to_lowercase=False) for word in words.split())


def without_bracket(title: str) -> str:
    """A title without one trailing bracketed term."""
    return re.sub(r"\s*\([^()]*\)\s*$", "", title) or title


Reader = Callable[[str, Names, re.Pattern[str]], Markup]


@dataclass
class Options:
    """The options of a base with their defaults."""

    leave_hidden_categories_out: bool = True
    leave_disambiguation_out: bool = True
    count_all_links: bool = False
    bracketed_base_is_a_label: bool = False
    coverage_percent: int = 99
    least_prior_per_mille: int = 1
    hidden_names: re.Pattern[str] = re.compile("speedy deletion", re.IGNORECASE)
    trail: re.Pattern[str] = ENGLISH_TRAIL


@dataclass(repr=False)
class Base:
    """One wiki. Articles and categories are keyed by their names."""

    names: Names
    options: Options
    pages: dict[tuple[int, str], Page] = field(default_factory=dict)
    markup: dict[tuple[int, str], Markup] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)

    def page(self, namespace: int, name: str) -> Page | None:
        return self.pages.get((namespace, name))

    # articles and redirects

    @cached_property
    def disambiguation_pages(self) -> set[str]:
        """The disambiguation pages."""
        return {
            name
            for (namespace, name), markup in self.markup.items()
            if namespace == 0 and (markup.disambiguation or name.casefold().endswith("(disambiguation)"))
        }

    @cached_property
    def articles(self) -> set[str]:
        found = {name for (namespace, name), page in self.pages.items() if namespace == 0 and page.redirect is None}
        return found - self.disambiguation_pages if self.options.leave_disambiguation_out else found

    @cached_property
    def redirects(self) -> dict[str, str]:
        """Redirects that end at an article, with that article."""
        found = {}
        for (namespace, name), page in self.pages.items():
            if namespace == 0 and page.redirect is not None:
                end = self.follow(page)
                if end in self.articles:
                    found[name] = end
        return found

    def follow(self, page: Page | None) -> str | None:
        """Return where redirects end; None for a loop, a missing page and another namespace."""
        seen: set[str] = set()
        while page is not None and page.redirect is not None:
            if page.title in seen:
                return None
            seen.add(page.title)
            page = self.page(*self.names.parse(page.redirect))
        return page.title if page is not None and page.namespace == 0 else None

    @cached_property
    def redirects_to(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for name, article in self.redirects.items():
            found[article].append(name)
        return found

    def resolve(self, target: str) -> str | None:
        """Return the article that a link leads to, or None."""
        namespace, name = self.names.parse(target)
        if namespace != 0 or not name:
            return None
        return self.follow(self.page(0, name))

    # categories

    @cached_property
    def hidden_categories(self) -> set[str]:
        return {
            name
            for (namespace, name), markup in self.markup.items()
            if namespace == CATEGORY and (markup.hidden or self.options.hidden_names.search(name))
        }

    @cached_property
    def categories(self) -> set[str]:
        found = {name for (namespace, name), page in self.pages.items() if namespace == CATEGORY and page.redirect is None}
        return found - self.hidden_categories if self.options.leave_hidden_categories_out else found

    @cached_property
    def parents(self) -> dict[str, set[str]]:
        """The categories that a category is directly in; never itself."""
        return {
            name: {parent for parent in self.markup[CATEGORY, name].categories if parent in self.categories and parent != name}
            for name in self.categories
        }

    @cached_property
    def memberships(self) -> dict[str, set[str]]:
        """The categories that an article is in, whether central or not."""
        return {
            name: {category for category in self.markup[0, name].categories if category in self.categories}
            for name in self.articles
        }

    def is_central(self, article: str, category: str) -> bool:
        """Whether a title of the article or of a redirect to it equals the category's except for a bracket and inflection."""
        key = stem(normalise(without_bracket(category)))
        return any(stem(normalise(without_bracket(title))) == key for title in [article, *self.redirects_to.get(article, [])])

    @cached_property
    def central(self) -> set[tuple[str, str]]:
        """Pairs of category and article."""
        return {(c, a) for a, categories in self.memberships.items() for c in categories if self.is_central(a, c)}

    @cached_property
    def subcategories(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {name: set() for name in self.categories}
        for name, parents in self.parents.items():
            for parent in parents:
                found[parent].add(name)
        return found

    @cached_property
    def members(self) -> dict[str, set[str]]:
        """The articles of a category that are not central to it."""
        found: dict[str, set[str]] = {name: set() for name in self.categories}
        for article, categories in self.memberships.items():
            for category in categories:
                if (category, article) not in self.central:
                    found[category].add(article)
        return found

    # labels

    def links_that_count(self) -> Iterator[tuple[str, Link]]:
        """The links of running text, with their pages."""
        for (namespace, name), markup in self.markup.items():
            if namespace == 0:
                for link in markup.links:
                    if self.options.count_all_links or not link.region & Region.HIDDEN:
                        yield name, link

    @cached_property
    def uses(self) -> dict[str, Counter[str]]:
        """How often a label leads to an article."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for article in self.articles:
            found[normalise(article)][article] += 1
        for redirect, article in self.redirects.items():
            found[normalise(redirect)][article] += 1
        for page, link in self.links_that_count():
            article = self.resolve(link.target) or ""
            label = normalise(link.anchor)
            if article in self.articles and label:
                found[label][article] += 1
                self.dropped["kept"] += 1
                self.dropped["self"] += article == page
                self.dropped["trail"] += bool(link.trail)
            elif article in self.articles:
                self.dropped["empty"] += 1
            elif self.names.parse(link.target)[1] in self.disambiguation_pages:
                self.dropped["disambiguation"] += 1
            else:
                self.dropped["other namespace or missing"] += 1
        return {label: senses for label, senses in found.items() if label}

    def senses(self, label: str) -> list[tuple[str, int]]:
        """All senses with their uses, the best first."""
        return sorted(self.uses.get(label, {}).items(), key=lambda sense: (-sense[1], sense[0]))

    def accepted_senses(self, label: str) -> list[str]:
        """Senses are accepted until 99 % of the uses are covered; the one that crosses is accepted."""
        total = sum(self.uses[label].values())
        accepted: list[str] = []
        covered = 0
        for article, uses in self.senses(label):
            if 1000 * uses < self.options.least_prior_per_mille * total:
                break
            accepted.append(article)
            covered += uses
            if 100 * covered >= self.options.coverage_percent * total:
                break
        return accepted

    @cached_property
    def stems(self) -> dict[str, list[str]]:
        """The labels of a stem."""
        found: dict[str, list[str]] = defaultdict(list)
        for label in self.uses:
            found[stem(label)].append(label)
        return found

    @cached_property
    def folded_stems(self) -> dict[str, list[str]]:
        """The labels whose folded form has a stem."""
        found: dict[str, list[str]] = defaultdict(list)
        for label in self.uses:
            found[stem(fold(label))].append(label)
        return found

    @cached_property
    def bracketed(self) -> dict[str, set[str]]:
        """The stem of a bracketed title's base, with the articles that have it."""
        found: dict[str, set[str]] = defaultdict(set)
        for article in self.articles:
            if without_bracket(article) != article:
                found[stem(normalise(without_bracket(article)))].add(article)
        return found

    def match_targets(self, words: list[str]) -> set[str]:
        """The accepted senses of every label with that stem; only if there are none, of every label with that folded stem."""
        key = stem(" ".join(words))
        found = {article for label in self.stems.get(key, []) for article in self.accepted_senses(label)}
        if self.options.bracketed_base_is_a_label:
            found |= self.bracketed.get(key, set())
        if found:
            return found
        key = stem(fold(" ".join(words)))
        return {article for label in self.folded_stems.get(key, []) if key for article in self.accepted_senses(label)}

    # HOP

    def body_links(self, article: str, first: int | None = 20, *, keep_parentheses: bool = False) -> list[str]:
        """Return the targets of the first body links of an article, in reading order."""
        walked: list[str] = []
        for link in self.markup[0, article].links:
            allowed = Region.PARENTHESES if keep_parentheses else Region(0)
            if not link.region & ~allowed:
                end = self.resolve(link.target)
                if end in self.articles and end != article:
                    walked.append(end)
        return walked[:first]


def read_base(path: Path, options: Options | None = None, reader: Reader = read_markup) -> Base:
    """Read the base of a dump; of two pages with one title the first is used."""
    options = options or Options()
    names, pages = read_dump(path)
    base = Base(names, options)
    for page in pages:
        key = page.namespace, page.title
        if page.namespace in (0, CATEGORY) and key not in base.pages and page.title:
            base.pages[key] = page
            if page.redirect is None:
                base.markup[key] = reader(page.text, names, options.trail)
    return base


def counts(base: Base) -> dict[str, object]:
    """Return the figures that the checks list."""
    multiple = [label for label in base.uses if len(base.uses[label]) > 1]
    tied = 0
    for label in multiple:
        senses = base.senses(label)
        accepted = len(base.accepted_senses(label))
        tied += accepted < len(senses) and senses[accepted - 1][1] == senses[accepted][1]
    redirects = sum(1 for (namespace, _), page in base.pages.items() if namespace == 0 and page.redirect is not None)
    used = {name for markup in base.markup.values() for name in markup.categories}
    others = sum(
        len(markup.categories) + markup.plain_files for (namespace, _), markup in base.markup.items() if namespace == 0
    )
    dropped = {"other namespace or missing": base.dropped["other namespace or missing"] + others}
    if base.dropped["disambiguation"]:
        dropped["disambiguation"] = base.dropped["disambiguation"]
    memberships = sum(map(len, base.memberships.values()))
    subcategories = sum(map(len, base.parents.values()))
    uses = sum(sum(senses.values()) for senses in base.uses.values())
    return {
        "articles": len(base.articles),
        "disambiguation pages left out": len(base.disambiguation_pages),
        "redirects": len(base.redirects),
        "redirects dropped": redirects - len(base.redirects),
        "categories": len(base.categories),
        "hidden categories left out": len(base.hidden_categories),
        "category names used without a page": sum(1 for name in used if (CATEGORY, name) not in base.pages),
        "subcategory edges": subcategories,
        "membership edges": memberships,
        "kept category edges": subcategories + memberships,
        "links kept": base.dropped["kept"],
        "self links among them": base.dropped["self"],
        "links with a trail": base.dropped["trail"],
        "links dropped": dropped,
        "labels": len(base.uses),
        "stem keys": len(base.stems),
        "uses": uses,
        "senses before cut-off": sum(map(len, base.uses.values())),
        "senses after cut-off": sum(len(base.accepted_senses(label)) for label in base.uses),
        "labels with more than one sense": len(multiple),
        "labels cut inside a tie": tied,
        "central pairs (category, article)": len(base.central),
        "central articles": len({article for _, article in base.central}),
        "categories with a central article": len({category for category, _ in base.central}),
    }
