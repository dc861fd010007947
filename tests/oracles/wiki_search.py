"""WikiSub and the search over several bases: transitions and target sets for the algorithms in ``algorithms``."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from random import Random
from typing import Protocol

from . import algorithms
from .wiki_base import Base, fold, normalise, without_bracket

LONGEST = 256


@dataclass
class Weights:
    """The scores of the thesis."""

    sp_min: float = 0.2
    sp_max: float = 0.99
    gn_max: float = 0.99
    same: float = 0.99
    threshold: float = 0.08
    crossing: float = 0.9
    crossings: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """Weights of crossings between two bases, by direction, that differ from the default."""

    def down(self, breadth: int) -> float:
        return self.sp_min + (self.sp_max - self.sp_min) / math.pow(breadth, 1 / 3)

    def up(self, breadth: int) -> float:
        return max(0.0, self.gn_max * (1.1 / math.pow(breadth, 1.5) - 0.1))


class Knowledge(Protocol):
    """A base as the search sees it."""

    def match(self, words: list[str]) -> set[str]:
        """Return the ids of the entities that a phrase can mean."""

    def steps(
        self, node: str, sources: Collection[str], targets: Collection[str], weights: Weights
    ) -> Iterator[tuple[str, float]]:
        """Yield the transitions from an entity."""

    def texts(self, node: str) -> list[str]:
        """Return the names of an entity as plain text."""


class Wiki:
    """One wiki's articles (``A:``) and categories (``C:``)."""

    def __init__(self, base: Base) -> None:
        self.base = base
        self.centres: dict[str, set[str]] = {}
        for category, article in base.central:
            self.centres.setdefault(category, set()).add(article)

    def match(self, words: list[str]) -> set[str]:
        return {"A:" + article for article in self.base.match_targets(words)}

    def steps(
        self, node: str, sources: Collection[str], targets: Collection[str], weights: Weights
    ) -> Iterator[tuple[str, float]]:
        base, name = self.base, node[2:]
        if node.startswith("A:"):
            for category in sorted(base.memberships[name]):
                if (category, name) in base.central:
                    yield "C:" + category, 1.0 if node in sources else weights.same
                else:
                    yield "C:" + category, weights.up(len(base.members[category]))
            return
        for article in sorted(self.centres.get(name, ())):
            yield "A:" + article, 1.0 if "A:" + article in targets else weights.same
        for article in sorted(base.members[name]):
            yield "A:" + article, weights.down(len(base.members[name]))
        for category in sorted(base.subcategories[name]):
            yield "C:" + category, weights.down(len(base.subcategories[name]))
        for category in sorted(base.parents[name]):
            yield "C:" + category, weights.up(len(base.subcategories[category]))

    def texts(self, node: str) -> list[str]:
        name = node[2:]
        if node.startswith("C:"):
            return [without_bracket(name)]
        return [name, without_bracket(name), *self.base.redirects_to.get(name, [])]


class Lexicon:
    """An invented WordNet: synsets with their lemmas, and its hierarchy."""

    def __init__(self, lemmas: Mapping[str, list[str]], above: Collection[tuple[str, str]] = ()) -> None:
        self.lemmas = lemmas
        self.above = above
        """Pairs of a synset and a more general one."""

    def match(self, words: list[str]) -> set[str]:
        text = " ".join(words)
        found = {name for name, lemmas in self.lemmas.items() if text in map(normalise, lemmas)}
        if found or not fold(text):
            return found
        return {name for name, lemmas in self.lemmas.items() if fold(text) in [fold(normalise(each)) for each in lemmas]}

    def breadth(self, node: str) -> int:
        return sum(1 for _, general in self.above if general == node)

    def steps(
        self, node: str, sources: Collection[str], targets: Collection[str], weights: Weights
    ) -> Iterator[tuple[str, float]]:
        for special, general in self.above:
            if special == node:
                yield general, weights.up(self.breadth(general))
            if general == node:
                yield special, weights.down(self.breadth(general))

    def texts(self, node: str) -> list[str]:
        return list(self.lemmas[node])


def words_of(phrase: str) -> list[str]:
    """TOWORDS, with the limits on the length of phrases."""
    normal = normalise(phrase)
    if not normal or len(normal) > LONGEST:
        raise ValueError(phrase)
    return normal.split(" ")


def cut_unspaced(word: str, is_known: Callable[[str], bool]) -> list[str]:
    """Return the fewest known parts of a word at places beside Japanese or Thai letters, of equally many the longest first."""
    names = [unicodedata.name(letter, "") for letter in word]
    unspaced = [name.startswith(("CJK", "HIRAGANA", "KATAKANA", "THAI")) for name in names]
    places = [
        place
        for place in range(1, len(word))
        if (unspaced[place - 1] or unspaced[place]) and not unicodedata.category(word[place]).startswith("M")
    ]
    for number in range(len(places) + 1):
        for chosen in sorted(combinations(places, number), reverse=True):
            parts = [word[start:end] for start, end in pairwise([0, *chosen, len(word)])]
            if all(map(is_known, parts)):
                return parts
    return [word]


def split_at_hyphens(written: str) -> str:
    """Return the phrase with spaces for its inner hyphens; empty if it has none."""
    kinds = [unicodedata.category(letter)[0] for letter in written]
    inner = [
        place
        for place, letter in enumerate(written)
        if letter == "-" and 0 < place < len(written) - 1 and kinds[place - 1] in "LMN" and kinds[place + 1] in "LMN"
    ]
    return "".join(" " if place in inner else letter for place, letter in enumerate(written)) if inner else ""


@dataclass
class Answer:
    """The result for a pair."""

    score: float
    aspects: tuple[list[str], list[str]]
    scores: dict[tuple[int, int], float]
    """The score of each pair of aspects, by their indices."""


class Search:
    """Algorithm 3 over one base or several."""

    def __init__(self, bases: dict[str, Knowledge], stop_words: Collection[str], weights: Weights | None = None) -> None:
        self.bases = bases
        self.stop_words = stop_words
        self.weights = weights or Weights()
        self.crossings: dict[tuple[str, str], list[tuple[str, str]]] = {}

    def match(self, words: list[str]) -> set[tuple[str, str]]:
        """MATCHTARGETS: entities of every base."""
        return {(name, node) for name, base in self.bases.items() for node in base.match(words)}

    def aspects(self, phrase: str) -> tuple[list[str], list[set[tuple[str, str]]]]:
        """Algorithm 1: the aspects and their target sets."""
        tried: list[tuple[str, set[tuple[str, str]]]] = []

        def match(words: list[str]) -> set[tuple[str, str]]:
            found = self.match(words)
            tried.append((" ".join(words), found))
            return found

        written = " ".join(words_of(phrase))
        for text in filter(None, (written, split_at_hyphens(written))):
            words = text.split(" ")
            sets = algorithms.find_targets(words, match, self.stop_words)
            if not sets:
                cut = [cut_unspaced(word, lambda part: part in self.stop_words or bool(self.match([part]))) for word in words]
                tokens = [(" " if index == 0 else "") + part for parts in cut for index, part in enumerate(parts)]
                if len(tokens) > len(words):
                    tokens = [token for token in tokens if token.strip() not in self.stop_words] or tokens
                    sets = algorithms.find_targets(tokens, lambda part: match("".join(part).strip().split(" ")), ())
            if sets:
                return [next(text for text, found in tried if found is each) for each in sets], sets
        return [], []

    def single(self, sources: set[tuple[str, str]], targets: set[tuple[str, str]]) -> float:
        """Algorithm 5 with one target set: the transition Same depends on it."""

        def expand(node: tuple[str, str]) -> Iterator[tuple[tuple[str, str], float]]:
            name, entity = node
            inside = {each for base, each in sources if base == name}
            target_set = {each for base, each in targets if base == name}
            for following, score in self.bases[name].steps(entity, inside, target_set, self.weights):
                yield (name, following), score
            for crossing in self.cross(node):
                yield crossing, self.weights.crossings.get((name, crossing[0]), self.weights.crossing)

        return algorithms.multi_search(sources, [targets], expand, self.weights.threshold)[0]

    def cross(self, node: tuple[str, str]) -> list[tuple[str, str]]:
        """Match the names of an entity in the other bases, directly only."""
        if node not in self.crossings:
            name, entity = node
            self.crossings[node] = sorted(
                {
                    (other, found)
                    for other, base in self.bases.items()
                    if other != name
                    for text in self.bases[name].texts(entity)
                    if 0 < len(normalise(text)) <= LONGEST
                    for found in base.match(words_of(text))
                }
            )
        return self.crossings[node]

    def answer(self, substitute: str, substitutee: str) -> Answer:
        """Algorithm 3."""
        ours, theirs = self.aspects(substitute), self.aspects(substitutee)
        scores = {(i, j): self.single(a, b) for i, a in enumerate(ours[1]) for j, b in enumerate(theirs[1])}
        found = iter(scores.values())
        score = algorithms.substitutability(ours[1], theirs[1], lambda _a, _b: next(found))
        return Answer(score, (ours[0], theirs[0]), scores)

    def depth_limited(self, fast: str, substitute: str, substitutee: str) -> Answer:
        """The fast base alone first, all bases only if nothing was found."""
        alone = Search({fast: self.bases[fast]}, self.stop_words, self.weights).answer(substitute, substitutee)
        return alone if alone.score > 0.0 else self.answer(substitute, substitutee)


def random_pairs(base: Base, seed: int, number: int) -> Iterator[tuple[str, str]]:
    """Yield pairs of phrases: labels whose articles are near each other, phrases of several labels, and unknown ones."""
    random = Random(seed)
    labels: dict[str, list[str]] = {}
    for label, senses in sorted(base.uses.items()):
        for article in senses:
            labels.setdefault(article, []).append(label)
    articles = sorted(labels)
    central = sorted({article for _, article in base.central if article in labels}) or articles

    def any_label() -> str:
        return random.choice(labels[random.choice(articles)])

    def near(article: str) -> str:
        """Return a label of an article a few random steps through the categories away."""
        place = article
        for _ in range(random.randrange(4)):
            categories = sorted(base.memberships[place])
            if not categories:
                break
            found = random.choice(categories)
            for _ in range(random.randrange(3)):
                found = random.choice([found, *sorted(base.subcategories[found]), *sorted(base.parents[found])])
            place = random.choice(sorted(base.members[found]) or [place])
        return random.choice(labels.get(place) or labels[article])

    for _ in range(number):
        kind = random.random()
        if kind < 0.6:
            article = random.choice(random.choice([articles, central, central]))
            yield random.choice(labels[article]), near(article)
        elif kind < 0.8:
            yield any_label(), any_label()
        else:
            glue = random.choice([" ", " of the ", " and ", " in a "])
            few = [glue.join(any_label() for _ in range(random.randint(1, 3))) for _ in range(2)]
            yield few[0], random.choice([few[1], few[0].split(glue)[-1], few[1] + " zxqvy"])
