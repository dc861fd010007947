"""Stemming of labels, the same for storing and looking up stems."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from .normalisation import fold

ENDINGS = ("s", "e", "l", "i", "y", "ed", "er", "ic", "ou", "ing", "ion", "ism", "ant", "ent", "ator")
"""Endings of words that the algorithm can change; other words, a third of a lexicon, are skipped."""


@cache
def _porter() -> Callable[[str], str]:
    from nltk.stem.porter import PorterStemmer

    return partial(PorterStemmer(mode=PorterStemmer.ORIGINAL_ALGORITHM).stem, to_lowercase=False)


def preload() -> None:
    """Import the stemmer, which takes half a second."""
    _porter()


class Stemmer:
    """Porter's original algorithm, applied to each word of a normalised phrase; stems of words are cached.

    A word that the algorithm would remove completely (``s``) is its own stem.

    >>> Stemmer()("public toilets")
    'public toilet'
    """

    def __init__(self) -> None:
        self._stems: dict[str, str] = {}

    def stem_folded(self, phrase: str) -> str | None:
        """Return the stem of a phrase's folded form; None if that is empty or the stem of the phrase itself.

        >>> Stemmer().stem_folded("cafés"), Stemmer().stem_folded("cafes")
        ('cafe', None)
        """
        if phrase.isascii():
            return None
        folded = fold(phrase)
        stem = self(folded) if folded else None
        return None if stem == self(phrase) else stem

    def __call__(self, phrase: str) -> str:
        """Return the stem of a normalised phrase."""
        stems = self._stems
        stemmed = []
        for word in phrase.split(" "):
            stem = stems.get(word)
            if stem is None:
                stem = stems[word] = (_porter()(word) or word) if word.endswith(ENDINGS) else word
            stemmed.append(stem)
        return " ".join(stemmed)
