"""Matchers by vectors: the cosine of two phrases' mean word vectors, or of their embeddings by an encoder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from ...search.scoring.aspects import split_words
from .phrases import CACHE_SIZE, Words

if TYPE_CHECKING:
    from ...core.arrays import FloatArray
    from ...embeddings.encoders.transformer import Encoder
    from ...embeddings.word_vectors import WordVectors

CHUNK = 1_024
"""Pairs whose phrases are embedded together."""

Embed = Callable[[Sequence[Words]], Sequence["FloatArray | None"]]
"""Returns a vector for the words of each phrase, None for a phrase that it does not know."""


class CosineMatcher:
    """Scores pairs by the cosine of their vectors, from -1 to 1; those of phrases are cached.

    >>> known = {("dog",): np.array([1.0, 0.0]), ("cat",): np.array([3.0, 4.0])}
    >>> matcher = CosineMatcher(lambda phrases: [known.get(words) for words in phrases])
    >>> matcher("dog", "cat"), matcher("dog", "xyzzy")
    (0.6, None)
    """

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self._units: dict[str, FloatArray | None] = {}

    def __call__(self, substitute: str, substitutee: str, /) -> float | None:
        """Return the cosine; None if one of the phrases has no vector."""
        (score,) = self.score_many([(substitute, substitutee)])
        return score

    def score_many(self, pairs: Iterable[tuple[str, str]], /) -> Iterator[float | None]:
        """Yield the scores of many pairs, in order; at most one chunk of pairs is read ahead."""
        remaining = iter(pairs)
        while chunk := list(islice(remaining, CHUNK)):
            self._load({phrase: None for pair in chunk for phrase in pair})
            yield from [_cosine(self._units[substitute], self._units[substitutee]) for substitute, substitutee in chunk]

    def _load(self, phrases: Iterable[str]) -> None:
        """Embed the phrases that are not in the cache."""
        if len(self._units) > CACHE_SIZE:
            self._units.clear()
        new = [phrase for phrase in phrases if phrase not in self._units]
        if new:
            self._units.update(zip(new, map(_to_unit, self._embed([split_words(phrase) for phrase in new])), strict=True))


def make_vectors_matcher(vectors: WordVectors) -> CosineMatcher:
    """Make the matcher ``vectors``: the mean vector of the words that have one; a phrase without any is unknown."""

    def embed(phrases: Sequence[Words]) -> list[FloatArray | None]:
        # The sum has the direction of the mean.
        sums = vectors.sums(phrases)
        return [total if any(vectors.knows(words)) else None for total, words in zip(sums, phrases, strict=True)]

    return CosineMatcher(embed)


def make_encoder_matcher(encoder: Encoder) -> CosineMatcher:
    """Make the matcher ``encoder``: the mean of the states of a phrase's tokens. It knows every phrase."""

    def embed(phrases: Sequence[Words]) -> list[FloatArray | None]:
        return list(encoder.encode_texts([" ".join(words) for words in phrases]).astype(np.float64))

    return CosineMatcher(embed)


def _to_unit(vector: FloatArray | None) -> FloatArray | None:
    """Return a vector at length 1; one of zeros, which has no direction, stays one."""
    if vector is None:
        return None
    length = np.sqrt(vector @ vector)
    return vector / length if length else vector


def _cosine(ours: FloatArray | None, theirs: FloatArray | None) -> float | None:
    return None if ours is None or theirs is None else min(1.0, max(-1.0, float(ours @ theirs)))
