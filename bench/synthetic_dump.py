"""Write the dump of a synthetic wiki of any size, with skewed distributions like Wikipedia; the same size gives the same dump.

A few articles are long, popular and in many categories; most are short and hardly linked to. A few categories contain much of
the wiki. Half of the link targets have a second name, and some names mean many things. Pages are written one by one, so that
only the names have to be in memory.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Numbers = npt.NDArray[np.int64]

SEED = 20110416
SHARES = {"article": 0.54, "redirect": 0.30, "category": 0.10, "ambiguous": 0.02, "template": 0.04}
"""The kinds of pages, in about the shares of a real dump."""

ARTICLE, REDIRECT, CATEGORY, AMBIGUOUS, TEMPLATE = range(len(SHARES))
AT_ONCE = 4_096
WORDS = 1_500
FIELDS = ("river", "film", "ship", "album", "village", "band", "plant", "novel", "star", "song", "company", "surname")
HEADS = [
    "b",
    "c",
    "d",
    "f",
    "g",
    "h",
    "j",
    "k",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "t",
    "v",
    "w",
    "z",
    "br",
    "ch",
    "dr",
    "gr",
    "kl",
    "pr",
    "sh",
    "st",
    "tr",
]
CORES, TAILS = ("a", "e", "i", "o", "u", "ai", "ea", "oo", "é", "ü"), ("", "", "n", "r", "l", "s", "m", "t", "nd", "rk")
HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
  <siteinfo><sitename>Synthetic</sitename><dbname>syntheticwiki</dbname><case>first-letter</case><namespaces>
    <namespace key="0" case="first-letter" /><namespace key="10" case="first-letter">Template</namespace>
    <namespace key="14" case="first-letter">Category</namespace></namespaces></siteinfo>
"""
PAGE = """  <page>
    <title>{title}</title>
    <ns>{space}</ns>
    <id>{number}</id>{redirect}
    <revision>
      <id>{number}</id>
      <timestamp>2011-04-16T00:00:00Z</timestamp>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text xml:space="preserve">{text}</text>
    </revision>
  </page>
"""
BOX = """{{{{Infobox thing
| name = {0}
| kind = [[{1}]]
| image = {0}.jpg
| area = {2}
}}}}
'''{0}''' ({3}: ''{4}'', once [[{1}]]) is """
HIDDEN_AFTER = 50
"""One category in this many is hidden."""


@dataclass(frozen=True, slots=True)
class SyntheticWiki:
    """The names of a wiki's pages, most popular first, and the pieces that texts are made of."""

    words: list[str]
    pieces: list[str]
    titles: list[str]
    redirects: list[str]
    redirect_targets: Numbers
    groups: list[str]


def skewed(rng: np.random.Generator, size: int, number: int, knee: float = 50.0) -> Numbers:
    """Draw numbers below ``number``, small ones most often: Zipf's law beyond a knee.

    >>> chosen = skewed(np.random.default_rng(1), 10_000, 1_000_000)
    >>> int(chosen.max()) < 1_000_000, 0.1 < float((chosen < 100).mean()) < 0.2
    (True, True)
    """
    found: Numbers = (knee * ((1 + number / knee) ** rng.random(size) - 1)).astype(np.int64)
    return np.minimum(found, number - 1)


def write_dump(target: Path, pages: int) -> int:
    """Write a dump with this many pages, and return its size in bytes."""
    rng = np.random.default_rng(SEED)
    kinds = rng.choice(len(SHARES), pages, p=list(SHARES.values()))
    kinds[:2] = ARTICLE, CATEGORY
    wiki = _generate_wiki(rng, np.bincount(kinds, minlength=len(SHARES)).tolist())
    count = [0] * len(SHARES)
    with target.open("w", encoding="utf-8", newline="\n", buffering=1 << 20) as file:
        file.write(HEAD)
        for first in range(0, pages, AT_ONCE):
            batch = kinds[first : first + AT_ONCE]
            makers = [make(wiki, rng, count[kind], int((batch == kind).sum())) for kind, make in enumerate(_MAKERS)]
            texts: list[str] = []
            for number, kind in enumerate(batch.tolist(), start=first + 1):
                title, space, redirect, text = next(makers[kind])
                texts.append(PAGE.format(title=title, space=space, number=number, redirect=redirect, text=text))
                count[kind] += 1
            file.write("".join(texts))
        file.write("</mediawiki>\n")
    return target.stat().st_size


def _generate_wiki(rng: np.random.Generator, sizes: list[int]) -> SyntheticWiki:
    letters = random.Random(SEED)
    words = _words(letters, WORDS)
    names = [_name(words, number) for number in range(sizes[ARTICLE] + sizes[REDIRECT])]
    titles, redirects = names[: sizes[ARTICLE]], names[sizes[ARTICLE] :]
    redirect_targets = skewed(rng, len(redirects), len(titles))
    groups = [_group(words, titles, number) for number in range(sizes[CATEGORY])]
    return SyntheticWiki(words, _pieces(letters, words), titles, redirects, redirect_targets, groups)


def _words(letters: random.Random, number: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < number:
        syllables = letters.choice((1, 2, 2, 2, 3))
        parts = (letters.choice(HEADS) + letters.choice(CORES) + letters.choice(TAILS) for _ in range(syllables))
        found["".join(parts)] = None
    return list(found)


def _name(words: list[str], number: int) -> str:
    """Return the name of a page; one in eleven is the name of another page with a field in brackets."""
    if number % 11 == 7:
        return f"{_plain(words, number // 40)} ({FIELDS[number // 40 % len(FIELDS)]} {number % 40})"
    return _plain(words, number)


def _plain(words: list[str], number: int) -> str:
    first, rest = number % WORDS, number // WORDS
    name = words[first].capitalize()
    while rest:
        name += " " + words[(rest - 1) % WORDS]
        rest = (rest - 1) // WORDS
    return name


def _group(words: list[str], titles: list[str], number: int) -> str:
    """Return the name of a category: a maintenance category, an article in the plural, or a name of its own."""
    if number % HIDDEN_AFTER == HIDDEN_AFTER - 1:
        return f"Articles needing {_plain(words, number)}"
    if number % 5 == 0 and number < len(titles):
        return titles[number] if titles[number].endswith(")") else titles[number] + "s"
    return f"{FIELDS[number % len(FIELDS)].capitalize()}s of {_plain(words, number // len(FIELDS))}"


def _pieces(letters: random.Random, words: list[str]) -> list[str]:
    """Return pieces of running text with references, headings and tables."""
    found = []
    for number in range(4_096):
        text = " ".join(letters.choices(words, k=letters.randint(5, 18))) + " "
        if number % 3 == 0:
            text += (
                f"&lt;ref&gt;{{{{cite web|url=http://example.org/{number}|title={text.strip()}|date={number}}}}}&lt;/ref&gt; "
            )
        if number % 7 == 0:
            text = text.capitalize().rstrip() + ".\n\n"
        if number % 61 == 0:
            text += f"== {letters.choice(words).capitalize()} ==\n"
        if number % 101 == 0:
            text += f"{{| class=&quot;wikitable&quot;\n|-\n| {letters.choice(words)} || [[{letters.choice(words)}]]\n|}}\n"
        found.append(text)
    return found


Pages = Iterator[tuple[str, int, str, str]]


def _articles(wiki: SyntheticWiki, rng: np.random.Generator, first: int, number: int) -> Pages:
    rank = (first + np.arange(number)) / max(len(wiki.titles), 1)
    links = np.minimum(np.exp(rng.normal(2.0, 1.0, number)) * (1 + 12 * (rank < 0.01)), 4_000).astype(np.int64) + 1
    whole = int(links.sum())
    to = skewed(rng, whole, len(wiki.titles)).tolist()
    by = skewed(rng, whole, max(len(wiki.redirects), 1)).tolist()
    how = rng.integers(0, 20, whole).tolist()
    between = rng.integers(0, len(wiki.pieces), (whole, 2)).tolist()
    groups = 1 + rng.poisson(2.5 + 3 * (rank < 0.01), number)
    filed = skewed(rng, int(groups.sum()), len(wiki.groups), 20.0).tolist()
    place = group = 0
    words, pieces, titles = wiki.words, wiki.pieces, wiki.titles
    for each in range(number):
        title = titles[first + each]
        end, file_end = place + int(links[each]), group + int(groups[each])
        parts = [BOX.format(title, titles[to[place]], place, words[place % WORDS], words[each % WORDS])]
        for row in range(place, end):
            one, other = between[row]
            parts += pieces[one], _link(wiki, titles[to[row]], by[row], how[row], other), " ", pieces[other]
        parts.append("\n== References ==\n{{reflist}}\n")
        parts += [f"[[Category:{wiki.groups[name]}]]\n" for name in filed[group:file_end]]
        if each % 3 == 0:
            hidden = filed[group] // HIDDEN_AFTER // 20 * HIDDEN_AFTER + HIDDEN_AFTER - 1
            parts.append(f"[[Category:{wiki.groups[min(hidden, len(wiki.groups) - 1)]}]]\n")
        own = (first + each) // 5 * 5
        if own == first + each and own < len(wiki.groups):  # the category with its name
            parts.append(f"[[Category:{wiki.groups[own]}]]\n")
        place, group = end, file_end
        yield title, 0, "", "".join(parts)


def _link(wiki: SyntheticWiki, title: str, other: int, how: int, piece: int) -> str:
    """Return a link: mostly with the title, often with a part of it, another name, or other words."""
    if how < 9 or not wiki.redirects:
        return f"[[{title}]]"
    if how < 11:
        return f"[[{title}]]s"
    if how < 14:
        return f"[[{title}|{title.partition(' (')[0].lower()}]]"
    if how < 16:
        return f"[[{title}|{title.partition(' ')[0].lower()}]]"
    if how < 19:
        return f"[[{wiki.redirects[other]}]]"
    return f"[[{title}|the {wiki.words[piece % WORDS]} {wiki.words[(piece * 7 + other) % WORDS]}]]"


def _redirects(wiki: SyntheticWiki, rng: np.random.Generator, first: int, number: int) -> Pages:
    chained = rng.integers(0, max(len(wiki.redirects), 1), number).tolist()
    for each in range(first, first + number):
        target = wiki.redirects[chained[each - first]] if each % 50 == 0 else wiki.titles[wiki.redirect_targets[each]]
        yield wiki.redirects[each], 0, f'\n    <redirect title="{target}" />', f"#REDIRECT [[{target}]]"


def _categories(wiki: SyntheticWiki, rng: np.random.Generator, first: int, number: int) -> Pages:
    above = rng.random((number, 4)) ** 3
    parents = 1 + rng.poisson(0.9, number)
    for each in range(first, first + number):
        text = "__HIDDENCAT__\n" if each % HIDDEN_AFTER == HIDDEN_AFTER - 1 else "Things of one kind.\n"
        reach = len(wiki.groups) if each % 100 == 0 else max(each, 1)  # sometimes in a cycle
        for share in above[each - first, : parents[each - first]]:
            text += f"[[Category:{wiki.groups[int(share * reach)]}]]\n"
        yield f"Category:{wiki.groups[each]}", 14, "", text


def _ambiguous(wiki: SyntheticWiki, rng: np.random.Generator, first: int, number: int) -> Pages:
    listed = skewed(rng, 6 * number, len(wiki.titles)).reshape(number, 6).tolist()
    for each in range(number):
        lines = [f"* [[{wiki.titles[to]}]], a thing\n" for to in listed[each]]
        yield f"{_plain(wiki.words, first + each)} (disambiguation)", 0, "", "".join(["It may be:\n", *lines, "{{disambig}}\n"])


def _templates(wiki: SyntheticWiki, rng: np.random.Generator, first: int, number: int) -> Pages:
    shown = rng.integers(0, len(wiki.pieces), number).tolist()
    for each in range(number):
        name = _plain(wiki.words, first + each)
        yield f"Template:{name}", 10, "", f"{{{{navbox|{name}|{wiki.pieces[shown[each]]}}}}}"


_MAKERS = (_articles, _redirects, _categories, _ambiguous, _templates)
