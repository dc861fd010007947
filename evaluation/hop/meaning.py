"""How near links are to the target, by the words of the titles that they lead to: with WordNet, or with vectors of words.

What is near is worked out once for each article, when a traversal first comes upon a link to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ...embeddings.wordvectors import WordVectors, cosines
from ..errors import TargetUnknown
from .titles import words_of

if TYPE_CHECKING:
    from ...search.world import World
    from .nouns import Nouns
    from .strategies import Real, Whole

Score = Callable[[Sequence[str]], "Real"]
"""How near texts are to the target."""


class ByTitle:
    """Scores links by the titles of the articles that they lead to."""

    def __init__(self, world: World, score: Score) -> None:
        self._world, self._score = world, score
        self._known = np.full(world.size, np.nan)

    def __call__(self, links: Whole) -> Real:
        """How near each of these links is."""
        articles = self._world.next[links]
        new = np.unique(articles)
        new = new[np.isnan(self._known[new])]
        if len(new):
            self._known[new] = self._score([self._world.title(article) for article in new.tolist()])
        found: Real = self._known[articles]
        return found


class ByAnchor:
    """Scores links by what a reader clicks."""

    def __init__(self, world: World, score: Score) -> None:
        self._world, self._score = world, score

    def __call__(self, links: Whole) -> Real:
        """How near each of these links is."""
        return self._score([self._world.anchor(link) for link in links.tolist()])


def by_nouns(nouns: Nouns) -> Score:
    """Path similarity in WordNet."""
    return lambda texts: np.array([nouns.title(text) for text in texts], float)


def by_vectors(vectors: WordVectors, target: str, *, per_word: bool = False) -> Score:
    """The cosine of the words' mean vector with that of the target's; with ``per_word`` the mean of the words' cosines."""
    goal = vectors.sums([words_of(target)])[0]
    if not goal.any():
        raise TargetUnknown(f"{vectors.name} has no vector for the target {target!r}; choose another target, or other vectors")

    def score(texts: Sequence[str]) -> Real:
        listed = [words_of(text) for text in texts]
        if not per_word:
            return cosines(vectors.sums(listed), goal)
        flat = [[word] for words in listed for word in words]
        near = cosines(vectors.sums(flat), goal) if flat else np.zeros(0)
        ends = np.cumsum([0, *map(len, listed)])
        return np.array([near[first:last].mean() if last > first else 0.0 for first, last in pairwise(ends.tolist())])

    return score
