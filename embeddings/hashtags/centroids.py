"""The vectors of hashtags: each is the mean of its tweets' vectors, normalised to length 1, and is updated as tweets come in.

There are two update rules. The exact one stores the length of the mean before normalisation, so that updates give the same
result as training on all tweets at once. The printed one, equations (1) and (2) of the paper, knows only the unit vector and
assumes that the mean had length 1: if tweets have longer vectors, as those of transformers are, new tweets weigh more than old
ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from ...core.arrays import Float32Array, FloatArray, IntArray

Rule = Literal["exact", "printed"]

_SHORTEST = 1e-12
"""A shorter mean has no direction."""


class Centroids:
    """The vectors of numbered hashtags, stored as the sum and the count of their tweets' vectors.

    >>> centroids = Centroids(2)
    >>> centroids.add(["#flu", "#flu"], np.array([[1.0, 0.0], [0.0, 1.0]]))
    array([0, 0])
    >>> centroids.units().astype(float).round(3).tolist(), centroids.lengths().round(3).tolist()
    ([[0.707, 0.707]], [0.707])
    """

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self.numbers: dict[str, int] = {}
        self._sums = np.zeros((0, dimensions))
        self._counts = np.zeros(0, np.int64)

    @classmethod
    def from_units(cls, hashtags: Iterable[str], tweets: IntArray, lengths: FloatArray, units: Float32Array) -> Centroids:
        """Restore centroids from their unit vectors, the lengths before normalisation, and the tweet counts."""
        centroids = cls(units.shape[1])
        centroids.numbers = {name: number for number, name in enumerate(hashtags)}
        sums = units.astype(np.float64)
        sums *= (lengths * tweets / np.maximum(np.linalg.norm(sums, axis=1), _SHORTEST))[:, None]
        centroids._sums, centroids._counts = sums, tweets.astype(np.int64)
        return centroids

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def tweets(self) -> IntArray:
        """The number of tweets of each hashtag."""
        return self._counts[: len(self)]

    @property
    def sums(self) -> FloatArray:
        """The sum of the vectors of each hashtag's tweets."""
        return self._sums[: len(self)]

    def lengths(self) -> FloatArray:
        """Return the lengths of the means before normalisation: for unit vectors 1 if all are equal, 0 if they cancel out."""
        lengths: FloatArray = np.linalg.norm(self.sums, axis=1) / np.maximum(self.tweets, 1)
        return lengths

    def units(self, rows: IntArray | slice = slice(None)) -> Float32Array:
        """Return the vectors of hashtags, normalised to length 1; zeros if the mean has no direction."""
        return _normalise(self.sums[rows]).astype(np.float32)

    def add(self, hashtags: Sequence[str], vectors: npt.NDArray[np.floating], rule: Rule = "exact") -> IntArray:
        """Add tweets, given as a hashtag and a vector each, and return the numbers of these hashtags."""
        numbers = np.fromiter((self.numbers.setdefault(each, len(self.numbers)) for each in hashtags), np.int64, len(hashtags))
        self._grow()
        if rule == "exact":
            np.add.at(self._sums, numbers, vectors)
            np.add.at(self._counts, numbers, 1)
        else:
            self._add_as_printed(numbers, np.asarray(vectors, np.float64))
        return numbers

    def _add_as_printed(self, numbers: IntArray, vectors: FloatArray) -> None:
        """Apply equation (1) for each tweet in turn.

        The n-th tweets of all hashtags are independent of each other, so they are added together: ``turns`` has the n of each.
        """
        order = np.argsort(numbers, kind="stable")
        starts = np.flatnonzero(np.diff(numbers[order], prepend=-1))
        turns = np.empty(len(numbers), np.int64)
        turns[order] = np.arange(len(numbers)) - np.repeat(starts, np.diff(starts, append=len(numbers)))
        for turn in range(int(turns.max(initial=-1)) + 1):
            tweets = np.flatnonzero(turns == turn)
            hashtags = numbers[tweets]
            counts = self._counts[hashtags][:, None]
            units = _normalise(counts * _normalise(self._sums[hashtags]) + vectors[tweets])
            self._sums[hashtags] = units * (counts + 1)
            self._counts[hashtags] += 1

    def _grow(self) -> None:
        missing = len(self.numbers) - len(self._counts)
        if missing > 0:
            added = max(missing, len(self._counts) // 2, 1024)
            self._sums = np.concatenate([self._sums, np.zeros((added, self.dimensions))])
            self._counts = np.concatenate([self._counts, np.zeros(added, np.int64)])


def _normalise(vectors: FloatArray) -> FloatArray:
    """Return the vectors with length 1; zeros for those without a direction."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units: FloatArray = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > _SHORTEST)
    return units
