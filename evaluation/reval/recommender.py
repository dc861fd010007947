"""The recommender of the paper: hashtags of the training tweets whose mean of word embeddings is like that of a new tweet.

Training tweets with a cosine of 0.5 or more are alike; of the hashtags they use those that most of them use come first
(``popularity="similar"``), or those that most of all training tweets use (``"all"``). A tweet's own hashtags are no words of it
here: a recommender that could read them would have nothing to recommend.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from ...core.progress import Progress, no_progress

Short = npt.NDArray[np.float32]

Words = Sequence[str]
Popularity = Literal["similar", "all"]

SIMILAR = 0.5
"""The cosine from which on two tweets are alike."""

_AT_ONCE = 512
_BLOCK = 16_384
"""New tweets, and training tweets, that are compared together."""


class Recommender:
    """Training tweets by their vectors, with the hashtags of each.

    >>> def halves(tweets):
    ...     return np.array([["flu" in words, "nurse" in words] for words in tweets], np.float32)
    >>> made = Recommender(halves, [(["flu", "#flu"], ["#flu"]), (["nurse"], ["#nhs"]), (["flu"], ["#flu", "#sick"])])
    >>> made.recommend([["flu", "again"], ["nothing"]], 2)
    [['#flu', '#sick'], []]
    """

    def __init__(
        self,
        vectors: Callable[[Sequence[Words]], Short],
        tweets: Sequence[tuple[Words, Sequence[str]]],
        similar: float = SIMILAR,
        popularity: Popularity = "similar",
    ) -> None:
        self._vectors, self._similar, self._popularity = vectors, similar, popularity
        self._names = sorted({name for _, names in tweets for name in names})
        numbers = {name: number for number, name in enumerate(self._names)}
        self._ends = np.cumsum([0, *(len(names) for _, names in tweets)])
        self._used = np.array([numbers[name] for _, names in tweets for name in names], np.int64)
        self._counts = np.bincount(self._used, minlength=len(self._names))
        self._units = _units(vectors([said(words) for words, _ in tweets])) if tweets else np.zeros((0, 1), np.float32)

    def recommend(self, tweets: Sequence[Words], most: int, progress: Progress = no_progress) -> list[list[str]]:
        """For each tweet at most so many hashtags, the most popular first."""
        found: list[list[str]] = []
        for start in range(0, len(tweets), _AT_ONCE):
            found += self._some(tweets[start : start + _AT_ONCE], most)
            progress("recommending (tweets)", len(found), len(found) / len(tweets))
        return found

    def _some(self, tweets: Sequence[Words], most: int) -> Iterator[list[str]]:
        units = _units(self._vectors([said(words) for words in tweets]))
        counts = np.zeros((len(tweets), len(self._names)), np.int64)
        for first in range(0, len(self._units), _BLOCK):
            alike = units @ self._units[first : first + _BLOCK].T >= self._similar - 1e-6
            for row, near in enumerate(alike):
                counts[row] += self._uses(first + np.flatnonzero(near))
        for uses in counts:
            there = np.flatnonzero(uses)
            popular = uses[there] if self._popularity == "similar" else self._counts[there]
            yield [self._names[number] for number in there[np.lexsort((there, -popular))[:most]].tolist()]

    def _uses(self, tweets: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """How often each hashtag is used in these training tweets."""
        first, size = self._ends[tweets], self._ends[tweets + 1] - self._ends[tweets]
        places = np.repeat(first - np.cumsum(size) + size, size) + np.arange(size.sum())
        return np.bincount(self._used[places], minlength=len(self._names))


def said(words: Words) -> list[str]:
    """What a tweet says beside its hashtags.

    >>> said(["wash", "your", "hands", "#flu"])
    ['wash', 'your', 'hands']
    """
    return [word for word in words if not word.startswith("#")]


def _units(vectors: Short) -> Short:
    size = np.linalg.norm(vectors, axis=1, keepdims=True)
    found: Short = np.divide(vectors, size, out=np.zeros_like(vectors), where=size > 0)
    return found
