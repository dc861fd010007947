"""How similar links are to the target, by the words of the titles that they lead to or of their anchors.

The words are compared in WordNet or as word vectors. An article's score is computed when a traversal first meets a link to it.
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
    from ...core.arrays import BoolArray, FloatArray, IntArray
    from .link_graph import LinkGraph
    from .noun_similarity import NounSimilarity


class TextSimilarity(NamedTuple):
    """Functions over texts.

    - ``score``: the similarity of each text to the target
    - ``is_known``: whether a word of each text is known
    - ``count_left_out``: what could not be scored, by code
    """

    score: Callable[[Sequence[str]], FloatArray]
    is_known: Callable[[Sequence[str]], BoolArray]
    count_left_out: Callable[[], dict[str, int]] = dict


class TitleSimilarity:
    """Scores links by the titles of the articles that they lead to."""

    def __init__(self, graph: LinkGraph, texts: TextSimilarity) -> None:
        self._graph, self._texts = graph, texts
        self._scores = np.full(graph.size, np.nan)

    def score(self, links: IntArray) -> FloatArray:
        """Return the similarity of each link to the target."""
        articles = self._graph.destinations[links]
        new = np.unique(articles)
        new = new[np.isnan(self._scores[new])]
        if len(new):
            self._scores[new] = self._texts.score([self._graph.title(article) for article in new.tolist()])
        found: FloatArray = self._scores[articles]
        return found

    def is_known(self, links: IntArray) -> BoolArray:
        """Return whether a word of each link is known."""
        articles, index = np.unique(self._graph.destinations[links], return_inverse=True)
        found: BoolArray = self._texts.is_known([self._graph.title(article) for article in articles.tolist()])[index]
        return found

    def count_left_out(self) -> dict[str, int]:
        """Count what could not be scored, by code."""
        return self._texts.count_left_out()


class AnchorSimilarity:
    """Scores links by their anchors."""

    def __init__(self, graph: LinkGraph, texts: TextSimilarity) -> None:
        self._graph, self._texts = graph, texts

    def score(self, links: IntArray) -> FloatArray:
        """Return the similarity of each link to the target."""
        return self._texts.score([self._graph.anchor(link) for link in links.tolist()])

    def is_known(self, links: IntArray) -> BoolArray:
        """Return whether a word of each link is known."""
        return self._texts.is_known([self._graph.anchor(link) for link in links.tolist()])

    def count_left_out(self) -> dict[str, int]:
        """Count what could not be scored, by code."""
        return self._texts.count_left_out()


def noun_text_similarity(nouns: NounSimilarity) -> TextSimilarity:
    """Compare texts by their nouns in WordNet; a text is known if one of its words is a noun."""
    return TextSimilarity(
        lambda texts: np.array([nouns.title_similarity(text) for text in texts], float),
        lambda texts: np.array([any(map(nouns.is_known, title_words(text))) for text in texts], bool),
    )


def vector_text_similarity(vectors: WordVectors, target: str, *, per_word: bool = False) -> TextSimilarity:
    """Compare texts by the cosine of the mean of their words' vectors with that of the target's (section 5 of the paper).

    Sums stand in for means: the cosine is the same. An unknown word adds a zero vector; a text without a known word scores 0.

    Args:
        vectors: The word vectors.
        target: The title of the target.
        per_word: Average the cosines of the words, not their vectors (as the authors' code does); unknown words count 0.

    Raises:
        TargetUnknown: No word of the target has a vector.
    """
    target_vector = vectors.sums([title_words(target)])[0]
    if not target_vector.any():
        raise TargetUnknown(f"{vectors.name} has no vector for the target {target!r}; choose another target, or other vectors")

    def score(texts: Sequence[str]) -> FloatArray:
        word_lists = [title_words(text) for text in texts]
        if not per_word:
            return cosines(vectors.sums(word_lists), target_vector)
        single = [[word] for words in word_lists for word in words]
        scores = cosines(vectors.sums(single), target_vector) if single else np.zeros(0)
        ends = np.cumsum([0, *map(len, word_lists)])
        return np.array([scores[first:last].mean() if last > first else 0.0 for first, last in pairwise(ends.tolist())])

    def is_known(texts: Sequence[str]) -> BoolArray:
        word_lists = [title_words(text) for text in texts]
        distinct = list({word for words in word_lists for word in words})
        known = {word for word, has_vector in zip(distinct, vectors.knows(distinct), strict=True) if has_vector}
        return np.array([not known.isdisjoint(words) for words in word_lists], bool)

    def count_left_out() -> dict[str, int]:
        return vectors.left_out | ({"invalid_word_vector": vectors.damaged} if vectors.damaged else {})

    return TextSimilarity(score, is_known, count_left_out)


_WORD = re.compile(r"[^\W_]+")


def title_words(title: str) -> list[str]:
    """Split a title into words: the maximal runs of letters and digits, in lower case.

    >>> title_words("Orange (fruit)"), title_words("BMW_X1's")
    (['orange', 'fruit'], ['bmw', 'x1', 's'])
    """
    return _WORD.findall(title.lower())
