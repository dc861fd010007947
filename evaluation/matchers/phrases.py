"""Prepare phrases once and compare them many times: the base of all matchers that only read the phrases themselves."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Generic, TypeVar

from ...core.stemming import Stemmer
from ...search.scoring.aspects import split_words

if TYPE_CHECKING:
    import numpy as np

CACHE_SIZE = 100_000
"""How many prepared phrases a matcher caches."""

T = TypeVar("T")
Words = tuple[str, ...]


class PhraseMatcher(Generic[T]):
    """Scores pairs of phrases; phrases are prepared once and cached.

    Args:
        prepare: Maps the words of a written form to the value that is compared, such as a set of stems.
        compare: Scores the prepared substitute and the prepared substitutee.
        features: Returns what a prepared phrase can share with another; two that share nothing score 0.

    >>> shared = PhraseMatcher(frozenset, lambda ours, theirs: float(len(ours & theirs)), iter)
    >>> shared("Applied science", "natural  science")
    1.0
    >>> shared.score_all(["applied science", "cages"], ["natural science", "science", "art"])
    array([[1., 1., 0.],
           [0., 0., 0.]])
    """

    def __init__(
        self,
        prepare: Callable[[Words], T],
        compare: Callable[[T, T], float | None],
        features: Callable[[T], Iterable[Hashable]] | None = None,
    ) -> None:
        self._prepare = lru_cache(CACHE_SIZE)(lambda phrase: prepare(split_words(phrase)))
        self._compare = compare
        self._features = features or (lambda _: (None,))

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

    def score_all(self, substitutes: Sequence[str], substitutees: Sequence[str], /) -> np.ndarray:
        """Return the scores of all pairs of two lists, a row for each substitute; NaN where there is no score.

        Only phrases that share something are compared, so it is much faster than ``score_many`` where few do.
        """
        import numpy as np

        compared = [self._prepare(each) for each in substitutees]
        sharing: dict[Hashable, list[int]] = {}
        for column, each in enumerate(compared):
            for feature in self._features(each):
                sharing.setdefault(feature, []).append(column)
        scores = np.zeros((len(substitutes), len(compared)))
        compare = self._compare
        for row, substitute in enumerate(map(self._prepare, substitutes)):
            columns = list({column for feature in self._features(substitute) for column in sharing.get(feature, ())})
            scores[row, columns] = [compare(substitute, compared[column]) for column in columns]
        return scores


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
