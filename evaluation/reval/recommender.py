"""The recommender of the paper: hashtags of training tweets whose mean word embedding is similar to that of a new tweet.

Training tweets with a cosine of at least 0.5 are similar. Their hashtags are ranked by how many similar tweets use them
(``popularity="similar"``), or by how many of all training tweets do (``"all"``). Hashtags are not embedded as words: a
recommender that could read a tweet's own hashtags would have nothing to recommend.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from ...core.progress import Progress, no_progress

if TYPE_CHECKING:
    from ...core.arrays import Float32Array, IntArray

Words = Sequence[str]
Popularity = Literal["similar", "all"]

SIMILAR = 0.5
"""The least cosine of two similar tweets."""

_ROUNDING = 1e-6
_BATCH, _BLOCK = 512, 16_384
"""The new tweets and the training tweets that are compared in one matrix product."""


class Recommender:
    """Recommends hashtags of training tweets.

    Args:
        vectors: Returns the mean word embedding of each text.
        tweets: The words and the hashtags of each training tweet.
        similar: The least cosine of two similar tweets.
        popularity: Rank hashtags by their use in similar tweets, or in all.

    >>> def halves(tweets):
    ...     return np.array([["flu" in words, "nurse" in words] for words in tweets], np.float32)
    >>> tweets = [(["flu", "#flu"], ["#flu"]), (["nurse"], ["#nhs"]), (["flu"], ["#flu", "#sick"])]
    >>> Recommender(halves, tweets).recommend([["flu", "again"], ["nothing"]], 2)
    [['#flu', '#sick'], []]
    """

    def __init__(
        self,
        vectors: Callable[[Sequence[Words]], Float32Array],
        tweets: Sequence[tuple[Words, Sequence[str]]],
        similar: float = SIMILAR,
        popularity: Popularity = "similar",
    ) -> None:
        self._vectors, self._similar, self._popularity = vectors, similar, popularity
        self._hashtags = sorted({hashtag for _, hashtags in tweets for hashtag in hashtags})
        numbers = {hashtag: number for number, hashtag in enumerate(self._hashtags)}
        # The hashtags of training tweet t are _used[_offsets[t] : _offsets[t + 1]].
        self._offsets = np.cumsum([0, *(len(hashtags) for _, hashtags in tweets)])
        self._used = np.array([numbers[hashtag] for _, hashtags in tweets for hashtag in hashtags], np.int64)
        self._counts = np.bincount(self._used, minlength=len(self._hashtags))
        self._units = (
            _normalise(vectors([drop_hashtags(words) for words, _ in tweets])) if tweets else np.zeros((0, 1), np.float32)
        )

    def recommend(self, tweets: Sequence[Words], count: int, progress: Progress = no_progress) -> list[list[str]]:
        """Return at most ``count`` hashtags for each tweet, the most popular first; ties are ordered alphabetically."""
        found: list[list[str]] = []
        for start in range(0, len(tweets), _BATCH):
            found += self._recommend_batch(tweets[start : start + _BATCH], count)
            progress("recommending (tweets)", len(found), len(found) / len(tweets))
        return found

    def _recommend_batch(self, tweets: Sequence[Words], count: int) -> Iterator[list[str]]:
        units = _normalise(self._vectors([drop_hashtags(words) for words in tweets]))
        uses = np.zeros((len(tweets), len(self._hashtags)), np.int64)
        for first in range(0, len(self._units), _BLOCK):
            similar = units @ self._units[first : first + _BLOCK].T >= self._similar - _ROUNDING
            for row, matches in enumerate(similar):
                uses[row] += self._count_uses(first + np.flatnonzero(matches))
        for row_uses in uses:
            candidates = np.flatnonzero(row_uses)
            popular = row_uses[candidates] if self._popularity == "similar" else self._counts[candidates]
            best = candidates[np.lexsort((candidates, -popular))[:count]]
            yield [self._hashtags[number] for number in best.tolist()]

    def _count_uses(self, tweets: IntArray) -> IntArray:
        """Count how often each hashtag is used in these training tweets."""
        first, sizes = self._offsets[tweets], self._offsets[tweets + 1] - self._offsets[tweets]
        positions = np.repeat(first - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        return np.bincount(self._used[positions], minlength=len(self._hashtags))


def drop_hashtags(words: Words) -> list[str]:
    """Return the words of a tweet without its hashtags.

    >>> drop_hashtags(["wash", "your", "hands", "#flu"])
    ['wash', 'your', 'hands']
    """
    return [word for word in words if not word.startswith("#")]


def _normalise(vectors: Float32Array) -> Float32Array:
    """Scale vectors to length 1; a zero vector stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    found: Float32Array = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return found
