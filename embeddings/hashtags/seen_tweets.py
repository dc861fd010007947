"""A set of the tweets that have been counted for a hashtag, so that a retweet months later is not counted again.

A pair of tweet and hashtag is stored as a hash of 64 bits. The hashes are in sorted arrays of at least doubling size, as in a
log-structured merge tree: a hundred million of them take less than two gigabytes, and many are looked up at once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from ...core.arrays import BoolArray

Keys = npt.NDArray[np.uint64]


def tweet_key(text: str, hashtag: str) -> int:
    """Return the hash of a tweet and one of its hashtags."""
    content = f"{hashtag} {text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "little")


class SeenTweets:
    """A growing set of hashes.

    >>> seen = SeenTweets()
    >>> seen.add(np.array([3, 5, 3], np.uint64)).tolist(), seen.add(np.array([5, 7], np.uint64)).tolist()
    ([True, True, False], [False, True])
    """

    def __init__(self, keys: Iterable[Keys] = ()) -> None:
        self._runs: list[Keys] = []
        for each in keys:
            self.add(each)

    def add(self, keys: Keys) -> BoolArray:
        """Add hashes, and return a mask of those that are new; of equal hashes only the first is."""
        is_new = np.zeros(len(keys), bool)
        is_new[np.unique(keys, return_index=True)[1]] = True
        for run in self._runs:
            positions = np.minimum(np.searchsorted(run, keys), len(run) - 1)
            is_new &= run[positions] != keys
        if is_new.any():
            self._add_run(np.sort(keys[is_new]))
        return is_new

    def _add_run(self, run: Keys) -> None:
        """Append a sorted array, and merge it with the shorter ones before it."""
        while self._runs and len(self._runs[-1]) <= 2 * len(run):
            run = np.sort(np.concatenate([self._runs.pop(), run]), kind="stable")
        self._runs.append(run)
