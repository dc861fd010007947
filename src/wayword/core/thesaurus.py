"""Hashtags and the synonyms of each, as files, vectors and stores give them, and as measures and pictures take them.

Plain arrays: the synonyms of hashtag number n are ``synonyms[offsets[n]:offsets[n + 1]]``, nearest first. That a hashtag is its
own first synonym is understood and not written down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from .arrays import FloatArray, IntArray


class Synonym(NamedTuple):
    """A hashtag that is near to another: its place among the synonyms, from 1 on, and the cosine distance."""

    hashtag: str
    rank: int
    distance: float


@dataclass(frozen=True, eq=False)
class Thesaurus:
    """The synonyms of each hashtag; those that are only synonyms of others are among the hashtags, too.

    ``distances`` is NaN where nobody knows; ``tweets`` counts the tweets of each hashtag, 0 where nobody knows.

    >>> three = Thesaurus(["#swim", "#dive", "#sport"], np.array([0, 2, 2, 3]), np.array([1, 2, 0]), np.array([0.1, 0.2, 0.2]))
    >>> three.of("#swim", 1)
    [Synonym(hashtag='#dive', rank=1, distance=0.1)]
    >>> three.of("#sports", 1) is None
    True
    """

    hashtags: Sequence[str]
    offsets: IntArray
    synonyms: IntArray
    distances: FloatArray
    tweets: IntArray | None = None

    def __len__(self) -> int:
        return len(self.hashtags)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each hashtag."""
        return {name: number for number, name in enumerate(self.hashtags)}

    def of(self, hashtag: str, k: int | None = None) -> list[Synonym] | None:
        """The k nearest synonyms of a hashtag, nearest first; None for a hashtag that is unknown."""
        number = self.numbers.get(hashtag)
        if number is None:
            return None
        first, last = int(self.offsets[number]), int(self.offsets[number + 1])
        last = last if k is None else min(last, first + k)
        found = zip(self.synonyms[first:last].tolist(), self.distances[first:last].tolist(), strict=True)
        return [Synonym(self.hashtags[other], rank, distance) for rank, (other, distance) in enumerate(found, 1)]


def normalise_hashtag(text: str) -> str:
    """A hashtag as it is compared: in lower case, with one # before it.

    >>> normalise_hashtag("#Covid19"), normalise_hashtag("covid19"), normalise_hashtag("＃Grippe")
    ('#covid19', '#covid19', '#grippe')
    """
    return "#" + text.lstrip("#＃").lower()
