"""The dump of an invented wiki of any size, skewed as Wikipedia is, and always the same for the same size.

A few articles are long, much linked to and in many categories, most are short and hardly known; a few categories hold much of
everything; half of what is linked to has another name as well, and some names mean many things. It is written page by page,
so that only the names have to be in memory.
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
"""What the pages are; there are more of each kind in a real dump, in about these parts."""

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
  <siteinfo><sitename>Invented</sitename><dbname>inventedwiki</dbname><case>first-letter</case><namespaces>
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
"""Every so many categories one is for the writers, and hidden from readers."""


@dataclass(frozen=True, slots=True)
class Invented:
    """The names of a wiki's pages and the stuff that texts are made of; pages that come first are better known."""

    words: list[str]
    pieces: list[str]
    titles: list[str]
    others: list[str]
    meant: Numbers
    groups: list[str]


def skewed(chance: np.random.Generator, size: int, number: int, knee: float = 50.0) -> Numbers:
    """Choices from 0 to ``number``, the first most often: Zipf's law beyond a knee.

    >>> chosen = skewed(np.random.default_rng(1), 10_000, 1_000_000)
    >>> int(chosen.max()) < 1_000_000, 0.1 < float((chosen < 100).mean()) < 0.2
    (True, True)
    """
    found: Numbers = (knee * ((1 + number / knee) ** chance.random(size) - 1)).astype(np.int64)
    return np.minimum(found, number - 1)


def write_dump(target: Path, pages: int) -> int:
    """Write the dump with so many pages; says how many bytes it has."""
    chance = np.random.default_rng(SEED)
    kinds = chance.choice(len(SHARES), pages, p=list(SHARES.values()))
    kinds[:2] = ARTICLE, CATEGORY
    wiki = _invented(chance, np.bincount(kinds, minlength=len(SHARES)).tolist())
    count = [0] * len(SHARES)
    with target.open("w", encoding="utf-8", newline="\n", buffering=1 << 20) as file:
        file.write(HEAD)
        for first in range(0, pages, AT_ONCE):
            batch = kinds[first : first + AT_ONCE]
            makers = [make(wiki, chance, count[kind], int((batch == kind).sum())) for kind, make in enumerate(_MAKERS)]
            texts: list[str] = []
            for number, kind in enumerate(batch.tolist(), start=first + 1):
                title, space, redirect, text = next(makers[kind])
                texts.append(PAGE.format(title=title, space=space, number=number, redirect=redirect, text=text))
                count[kind] += 1
            file.write("".join(texts))
        file.write("</mediawiki>\n")
    return target.stat().st_size


def _invented(chance: np.random.Generator, sizes: list[int]) -> Invented:
    letters = random.Random(SEED)
    words = _words(letters, WORDS)
    names = [_name(words, number) for number in range(sizes[ARTICLE] + sizes[REDIRECT])]
    titles, others = names[: sizes[ARTICLE]], names[sizes[ARTICLE] :]
    meant = skewed(chance, len(others), len(titles))
    groups = [_group(words, titles, number) for number in range(sizes[CATEGORY])]
    return Invented(words, _pieces(letters, words), titles, others, meant, groups)


def _words(letters: random.Random, number: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < number:
        syllables = letters.choice((1, 2, 2, 2, 3))
        parts = (letters.choice(HEADS) + letters.choice(CORES) + letters.choice(TAILS) for _ in range(syllables))
        found["".join(parts)] = None
    return list(found)


def _name(words: list[str], number: int) -> str:
    """The name of a page; one in eleven is that of another with a field behind it."""
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
    """The name of a category: of writers, of an article in the plural, or of its own."""
    if number % HIDDEN_AFTER == HIDDEN_AFTER - 1:
        return f"Articles needing {_plain(words, number)}"
    if number % 5 == 0 and number < len(titles):
        return titles[number] if titles[number].endswith(")") else titles[number] + "s"
    return f"{FIELDS[number % len(FIELDS)].capitalize()}s of {_plain(words, number // len(FIELDS))}"


def _pieces(letters: random.Random, words: list[str]) -> list[str]:
    """Running text between links, with all that stands in it."""
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


Made = Iterator[tuple[str, int, str, str]]


def _articles(wiki: Invented, chance: np.random.Generator, first: int, number: int) -> Made:
    rank = (first + np.arange(number)) / max(len(wiki.titles), 1)
    links = np.minimum(np.exp(chance.normal(2.0, 1.0, number)) * (1 + 12 * (rank < 0.01)), 4_000).astype(np.int64) + 1
    whole = int(links.sum())
    to = skewed(chance, whole, len(wiki.titles)).tolist()
    by = skewed(chance, whole, max(len(wiki.others), 1)).tolist()
    how = chance.integers(0, 20, whole).tolist()
    between = chance.integers(0, len(wiki.pieces), (whole, 2)).tolist()
    groups = 1 + chance.poisson(2.5 + 3 * (rank < 0.01), number)
    filed = skewed(chance, int(groups.sum()), len(wiki.groups), 20.0).tolist()
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
        if own == first + each and own < len(wiki.groups):  # the category that is named after it
            parts.append(f"[[Category:{wiki.groups[own]}]]\n")
        place, group = end, file_end
        yield title, 0, "", "".join(parts)


def _link(wiki: Invented, title: str, other: int, how: int, piece: int) -> str:
    """A link as writers make them: mostly by the title, often by a part of it, by another name, or by any words at all."""
    if how < 9 or not wiki.others:
        return f"[[{title}]]"
    if how < 11:
        return f"[[{title}]]s"
    if how < 14:
        return f"[[{title}|{title.partition(' (')[0].lower()}]]"
    if how < 16:
        return f"[[{title}|{title.partition(' ')[0].lower()}]]"
    if how < 19:
        return f"[[{wiki.others[other]}]]"
    return f"[[{title}|the {wiki.words[piece % WORDS]} {wiki.words[(piece * 7 + other) % WORDS]}]]"


def _redirects(wiki: Invented, chance: np.random.Generator, first: int, number: int) -> Made:
    chained = chance.integers(0, max(len(wiki.others), 1), number).tolist()
    for each in range(first, first + number):
        target = wiki.others[chained[each - first]] if each % 50 == 0 else wiki.titles[wiki.meant[each]]
        yield wiki.others[each], 0, f'\n    <redirect title="{target}" />', f"#REDIRECT [[{target}]]"


def _categories(wiki: Invented, chance: np.random.Generator, first: int, number: int) -> Made:
    above = chance.random((number, 4)) ** 3
    parents = 1 + chance.poisson(0.9, number)
    for each in range(first, first + number):
        text = "__HIDDENCAT__\n" if each % HIDDEN_AFTER == HIDDEN_AFTER - 1 else "Things of one kind.\n"
        reach = len(wiki.groups) if each % 100 == 0 else max(each, 1)  # now and then in a circle
        for share in above[each - first, : parents[each - first]]:
            text += f"[[Category:{wiki.groups[int(share * reach)]}]]\n"
        yield f"Category:{wiki.groups[each]}", 14, "", text


def _ambiguous(wiki: Invented, chance: np.random.Generator, first: int, number: int) -> Made:
    listed = skewed(chance, 6 * number, len(wiki.titles)).reshape(number, 6).tolist()
    for each in range(number):
        lines = [f"* [[{wiki.titles[to]}]], a thing\n" for to in listed[each]]
        yield f"{_plain(wiki.words, first + each)} (disambiguation)", 0, "", "".join(["It may be:\n", *lines, "{{disambig}}\n"])


def _templates(wiki: Invented, chance: np.random.Generator, first: int, number: int) -> Made:
    shown = chance.integers(0, len(wiki.pieces), number).tolist()
    for each in range(number):
        name = _plain(wiki.words, first + each)
        yield f"Template:{name}", 10, "", f"{{{{navbox|{name}|{wiki.pieces[shown[each]]}}}}}"


_MAKERS = (_articles, _redirects, _categories, _ambiguous, _templates)
