"""The vectors of hashtags: each is the mean of its tweets' vectors, brought to length 1, and moves as tweets come in.

Two rules move it. The exact one keeps how long the mean was before it was brought to length 1, and so gives what all tweets
together would have given. The printed one, equations (1) and (2) of the paper, knows the unit vector alone and takes the mean
for a vector of length 1: where tweets have longer vectors, as those of transformers are, new tweets weigh more than old ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from ...core.arrays import Float32Array, FloatArray, IntArray

Rule = Literal["exact", "printed"]

_LEAST = 1e-12
"""A mean that is shorter has no direction."""


class Centroids:
    """Hashtags by name, with the sum of the vectors of their tweets and how many these are.

    >>> found = Centroids(2)
    >>> found.add(["#flu", "#flu"], np.array([[1.0, 0.0], [0.0, 1.0]]))
    array([0, 0])
    >>> found.units().astype(float).round(3).tolist(), found.lengths().round(3).tolist()
    ([[0.707, 0.707]], [0.707])
    """

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self.numbers: dict[str, int] = {}
        self._sums = np.zeros((0, dimensions))
        self._counts = np.zeros(0, np.int64)

    @classmethod
    def of(cls, hashtags: Iterable[str], tweets: IntArray, lengths: FloatArray, units: Float32Array) -> Centroids:
        """The dictionary whose vectors were written down."""
        made = cls(units.shape[1])
        made.numbers = {name: number for number, name in enumerate(hashtags)}
        exact = units.astype(np.float64)
        exact *= (lengths * tweets / np.maximum(np.linalg.norm(exact, axis=1), _LEAST))[:, None]
        made._sums, made._counts = exact, tweets.astype(np.int64)
        return made

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def tweets(self) -> IntArray:
        """How many tweets each hashtag has."""
        return self._counts[: len(self)]

    @property
    def sums(self) -> FloatArray:
        """The sum of the vectors of each hashtag's tweets."""
        return self._sums[: len(self)]

    def lengths(self) -> FloatArray:
        """How long the mean of each hashtag's tweets is: 1 where all point the same way, 0 where they cancel out."""
        found: FloatArray = np.linalg.norm(self.sums, axis=1) / np.maximum(self.tweets, 1)
        return found

    def units(self, rows: IntArray | slice = slice(None)) -> Float32Array:
        """The vectors of hashtags, all of length 1; zeros where there is no direction."""
        some = self.sums[rows]
        size = np.linalg.norm(some, axis=1, keepdims=True)
        found: Float32Array = np.divide(some, size, out=np.zeros_like(some), where=size > _LEAST).astype(np.float32)
        return found

    def add(self, hashtags: Sequence[str], vectors: npt.NDArray[np.floating], rule: Rule = "exact") -> IntArray:
        """Take in tweets, a hashtag and a vector each; the numbers of these hashtags."""
        numbers = np.fromiter((self.numbers.setdefault(each, len(self.numbers)) for each in hashtags), np.int64, len(hashtags))
        self._make_room()
        if rule == "exact":
            np.add.at(self._sums, numbers, vectors)
            np.add.at(self._counts, numbers, 1)
        else:
            self._add_as_printed(numbers, np.asarray(vectors, np.float64))
        return numbers

    def _add_as_printed(self, numbers: IntArray, vectors: FloatArray) -> None:
        """Equation (1) for each tweet in turn; a hashtag's first tweet in all is its vector."""
        order = np.argsort(numbers, kind="stable")
        starts = np.flatnonzero(np.diff(numbers[order], prepend=-1))
        turns = np.empty(len(numbers), np.int64)
        turns[order] = np.arange(len(numbers)) - np.repeat(starts, np.diff(starts, append=len(numbers)))
        for turn in range(int(turns.max(initial=-1)) + 1):
            now = np.flatnonzero(turns == turn)
            mine = numbers[now]
            before = self._counts[mine][:, None]
            moved = _brought_to_1(before * _brought_to_1(self._sums[mine]) + vectors[now])
            self._sums[mine] = moved * (before + 1)
            self._counts[mine] += 1

    def _make_room(self) -> None:
        missing = len(self.numbers) - len(self._counts)
        if missing > 0:
            grown = max(missing, len(self._counts) // 2, 1024)
            self._sums = np.concatenate([self._sums, np.zeros((grown, self.dimensions))])
            self._counts = np.concatenate([self._counts, np.zeros(grown, np.int64)])


def _brought_to_1(vectors: FloatArray) -> FloatArray:
    size = np.linalg.norm(vectors, axis=1, keepdims=True)
    found: FloatArray = np.divide(vectors, size, out=np.zeros_like(vectors), where=size > _LEAST)
    return found
