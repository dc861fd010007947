"""A thesaurus of hashtags: each hashtag with its synonyms, nearest first.

It consists of plain arrays: the synonyms of hashtag number n are ``synonyms[offsets[n]:offsets[n + 1]]``. Each hashtag is also
its own nearest synonym, which is not stored.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from .arrays import FloatArray, IntArray


class Synonym(NamedTuple):
    """A synonym of a hashtag: its rank (from 1) and its cosine distance."""

    hashtag: str
    rank: int
    distance: float


@dataclass(frozen=True, eq=False)
class Thesaurus:
    """Hashtags and their synonyms. Every synonym is also one of ``hashtags``, possibly without synonyms.

    ``distances`` are NaN if unknown; ``tweets`` is the number of tweets of each hashtag, 0 if unknown.

    >>> import numpy as np
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
        """Return the k nearest synonyms of a hashtag (by default all), nearest first; None if the hashtag is unknown."""
        number = self.numbers.get(hashtag)
        if number is None:
            return None
        first, last = int(self.offsets[number]), int(self.offsets[number + 1])
        last = last if k is None else min(last, first + k)
        neighbours = zip(self.synonyms[first:last].tolist(), self.distances[first:last].tolist(), strict=True)
        return [Synonym(self.hashtags[other], rank, distance) for rank, (other, distance) in enumerate(neighbours, 1)]


def normalise_hashtag(text: str) -> str:
    """Normalise a hashtag for comparison: lower case, one # in front, accents composed with their letters (NFC).

    >>> normalise_hashtag("#Covid19"), normalise_hashtag("covid19"), normalise_hashtag("＃Grippe")
    ('#covid19', '#covid19', '#grippe')
    """
    return unicodedata.normalize("NFC", "#" + text.lstrip("#＃").lower())
