"""Stems of labels, the only nodes that bases share: made here for everything that stores or looks them up."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from .normalization import fold

ENDINGS = ("s", "e", "l", "i", "y", "ed", "er", "ic", "ou", "ing", "ion", "ism", "ant", "ent", "ator")
"""What a word ends in that some step of the algorithm can change; of the words of a lexicon a third end in nothing of these."""


@cache
def _porter() -> Callable[[str], str]:
    from nltk.stem.porter import PorterStemmer

    return partial(PorterStemmer(mode=PorterStemmer.ORIGINAL_ALGORITHM).stem, to_lowercase=False)


def preload() -> None:
    """Import what stems are made with, which takes half a second."""
    _porter()


class Stemmer:
    """Porter's original algorithm on each word of a normalised phrase, every word worked out once.

    A word of which the algorithm leaves nothing (``s``) is its own stem.

    >>> Stemmer()("public toilets")
    'public toilet'
    """

    def __init__(self) -> None:
        self._stems: dict[str, str] = {}

    def folded(self, phrase: str) -> str | None:
        """The stem of a phrase's folded form; None where that is the stem of the phrase itself, or nothing.

        >>> Stemmer().folded("cafés"), Stemmer().folded("cafes")
        ('cafe', None)
        """
        if phrase.isascii():
            return None
        folded = fold(phrase)
        stem = self(folded) if folded else None
        return None if stem == self(phrase) else stem

    def __call__(self, phrase: str) -> str:
        """The stem of a normalised phrase."""
        stems = self._stems
        found = []
        for word in phrase.split(" "):
            stem = stems.get(word)
            if stem is None:
                stem = stems[word] = (_porter()(word) or word) if word.endswith(ENDINGS) else word
            found.append(stem)
        return " ".join(found)
