"""Which tweets have counted for which hashtag: a retweet counts once, also where it comes months later.

A tweet with its hashtag is remembered as a number of 64 bits, in sorted arrays that double in size, so that a hundred million
of them take two gigabytes and are looked up many at a time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.uint64]


def tweet_key(text: str, hashtag: str) -> int:
    """The number by which a tweet is remembered for its hashtag."""
    said = f"{hashtag} {text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(said, digest_size=8).digest(), "little")


class SeenTweets:
    """A growing set of numbers.

    >>> seen = SeenTweets()
    >>> seen.new(np.array([3, 5, 3], np.uint64)).tolist(), seen.new(np.array([5, 7], np.uint64)).tolist()
    ([True, True, False], [False, True])
    """

    def __init__(self, keys: Iterable[Keys] = ()) -> None:
        self._runs: list[Keys] = []
        for some in keys:
            self.new(some)

    def new(self, keys: Keys) -> npt.NDArray[np.bool_]:
        """Which of these were never seen before, the first of equal ones; from now on all are."""
        fresh = np.zeros(len(keys), bool)
        fresh[np.unique(keys, return_index=True)[1]] = True
        for run in self._runs:
            place = np.minimum(np.searchsorted(run, keys), len(run) - 1)
            fresh &= run[place] != keys
        if fresh.any():
            self._add(np.sort(keys[fresh]))
        return fresh

    def _add(self, run: Keys) -> None:
        while self._runs and len(self._runs[-1]) <= 2 * len(run):
            run = np.sort(np.concatenate([self._runs.pop(), run]), kind="stable")
        self._runs.append(run)
