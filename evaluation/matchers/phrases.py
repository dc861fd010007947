"""Prepare phrases once and compare them many times: the base of all matchers that only read the phrases themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Generic, TypeVar

from ...core.stemming import Stemmer
from ...search.scoring.aspects import split_words

CACHE_SIZE = 100_000
"""How many prepared phrases a matcher caches."""

T = TypeVar("T")
Words = tuple[str, ...]


class PhraseMatcher(Generic[T]):
    """Scores pairs of phrases; phrases are prepared once and cached.

    Args:
        prepare: Maps the words of a written form to the value that is compared, such as a set of stems.
        compare: Scores the prepared substitute and the prepared substitutee.

    >>> shared = PhraseMatcher(frozenset, lambda ours, theirs: float(len(ours & theirs)))
    >>> shared("Applied science", "natural  science")
    1.0
    """

    def __init__(self, prepare: Callable[[Words], T], compare: Callable[[T, T], float | None]) -> None:
        self._prepare = lru_cache(CACHE_SIZE)(lambda phrase: prepare(split_words(phrase)))
        self._compare = compare

    def __call__(self, substitute: str, substitutee: str, /) -> float | None:
        """Return the score; None if ``compare`` knows none.

        Raises:
            PhraseError: A phrase is empty, too long, or not valid text.
        """
        return self._compare(self._prepare(substitute), self._prepare(substitutee))

    def score_many(self, pairs: Iterable[tuple[str, str]], /) -> Iterator[float | None]:
        """Yield the scores of pairs, in order."""
        prepare, compare = self._prepare, self._compare
        for substitute, substitutee in pairs:
            yield compare(prepare(substitute), prepare(substitutee))


class WordStemmer:
    """Replaces words by their Porter stems.

    >>> WordStemmer()(("public", "toilets"))
    ('public', 'toilet')
    """

    def __init__(self) -> None:
        self._stem = Stemmer()

    def __call__(self, words: Words) -> Words:
        """Return the stem of each word."""
        return tuple(map(self._stem, words))
