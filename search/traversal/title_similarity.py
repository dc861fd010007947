"""How near links are to the target, by the words of the titles that they lead to: with WordNet, or with vectors of words.

What is near is worked out once for each article, when a traversal first comes upon a link to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...embeddings.word_vectors import WordVectors, cosines
from ..errors import TargetUnknown

if TYPE_CHECKING:
    from .link_graph import LinkGraph
    from .noun_similarity import NounSimilarity
    from .strategies import Real, Truth, Whole


class TextSimilarity(NamedTuple):
    """What a strategy asks of texts: how near each is to the target, and whether anything is known of it."""

    score: Callable[[Sequence[str]], Real]
    knows: Callable[[Sequence[str]], Truth]
    lost: Callable[[], dict[str, int]] = dict


class TitleSimilarity:
    """Asks of links by the titles of the articles that they lead to."""

    def __init__(self, world: LinkGraph, meaning: TextSimilarity) -> None:
        self._world, self._meaning = world, meaning
        self._scores = np.full(world.size, np.nan)

    def score(self, links: Whole) -> Real:
        """How near each of these links is."""
        articles = self._world.next[links]
        new = np.unique(articles)
        new = new[np.isnan(self._scores[new])]
        if len(new):
            self._scores[new] = self._meaning.score([self._world.title(article) for article in new.tolist()])
        found: Real = self._scores[articles]
        return found

    def knows(self, links: Whole) -> Truth:
        """Whether anything is known of each of these links."""
        articles, place = np.unique(self._world.next[links], return_inverse=True)
        found: Truth = self._meaning.knows([self._world.title(article) for article in articles.tolist()])[place]
        return found

    def lost(self) -> dict[str, int]:
        """What could not be judged because it is damaged, by reason."""
        return self._meaning.lost()


class AnchorSimilarity:
    """Asks of links by what a reader clicks."""

    def __init__(self, world: LinkGraph, meaning: TextSimilarity) -> None:
        self._world, self._meaning = world, meaning

    def score(self, links: Whole) -> Real:
        """How near each of these links is."""
        return self._meaning.score([self._world.anchor(link) for link in links.tolist()])

    def knows(self, links: Whole) -> Truth:
        """Whether anything is known of each of these links."""
        return self._meaning.knows([self._world.anchor(link) for link in links.tolist()])

    def lost(self) -> dict[str, int]:
        """What could not be judged because it is damaged, by reason."""
        return self._meaning.lost()


def noun_text_similarity(nouns: NounSimilarity) -> TextSimilarity:
    """Path similarity in WordNet; a text is known of which one word is a noun."""
    return TextSimilarity(
        lambda texts: np.array([nouns.title(text) for text in texts], float),
        lambda texts: np.array([any(map(nouns.knows, title_words(text))) for text in texts], bool),
    )


def vector_text_similarity(vectors: WordVectors, target: str, *, per_word: bool = False) -> TextSimilarity:
    """The cosine of the words' mean vector with that of the target's; with ``per_word`` the mean of the words' cosines."""
    goal = vectors.sums([title_words(target)])[0]
    if not goal.any():
        raise TargetUnknown(f"{vectors.name} has no vector for the target {target!r}; choose another target, or other vectors")

    def score(texts: Sequence[str]) -> Real:
        listed = [title_words(text) for text in texts]
        if not per_word:
            return cosines(vectors.sums(listed), goal)
        flat = [[word] for words in listed for word in words]
        near = cosines(vectors.sums(flat), goal) if flat else np.zeros(0)
        ends = np.cumsum([0, *map(len, listed)])
        return np.array([near[first:last].mean() if last > first else 0.0 for first, last in pairwise(ends.tolist())])

    def knows(texts: Sequence[str]) -> Truth:
        listed = [title_words(text) for text in texts]
        flat = list({word for words in listed for word in words})
        known = {word for word, knows in zip(flat, vectors.knows(flat), strict=True) if knows}
        return np.array([not known.isdisjoint(words) for words in listed], bool)

    def lost() -> dict[str, int]:
        return {"words whose vectors are no numbers": vectors.damaged} if vectors.damaged else {}

    return TextSimilarity(score, knows, lost)


_WORD = re.compile(r"[^\W_]+")


def title_words(title: str) -> list[str]:
    """The maximal runs of letters and digits of a title in lower case.

    >>> title_words("Orange (fruit)"), title_words("BMW_X1's")
    (['orange', 'fruit'], ['bmw', 'x1', 's'])
    """
    return _WORD.findall(title.lower())
