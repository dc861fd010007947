"""Baselines for WordSub: NLTK's similarities of WordNet synsets, applied to words.

The similarity of two words is the greatest one over all pairs of their synsets of the same part of speech.
"""

from __future__ import annotations

from itertools import product
from typing import Any, Literal, Protocol

Measure = Literal["path", "wup"]


class Similarity(Protocol):
    """Returns the similarity of two words; None if one of them is unknown."""

    def __call__(self, one: str, other: str, pos: str | None = None, /) -> float | None:
        """Compare two words in one part of speech, or in all of them."""


def best_over_senses(wordnet: Any, measure: Measure) -> Similarity:
    """Return a function that compares two words by their most similar synsets.

    Args:
        wordnet: A corpus reader of NLTK, such as ``nltk.corpus.wordnet31``.
        measure: NLTK's ``path_similarity`` or ``wup_similarity``, with its defaults.

    Returns:
        A function of two words and a part of speech (``n``, ``v``, ``a``, ``r``; by default all). Only synsets of the same part
        of speech are compared. It returns None if a word has no synset there, and 0 if no pair has a similarity.
    """
    name = f"{measure}_similarity"

    def similarity(one: str, other: str, pos: str | None = None, /) -> float | None:
        ours, theirs = _synsets(wordnet, one, pos), _synsets(wordnet, other, pos)
        if not ours or not theirs:
            return None
        best = 0.0
        for our_synset, their_synset in product(ours, theirs):
            if our_synset.pos().replace("s", "a") == their_synset.pos().replace("s", "a"):  # s: satellite adjective
                best = max(best, getattr(our_synset, name)(their_synset) or 0.0)
        return best

    return similarity


def _synsets(wordnet: Any, word: str, pos: str | None) -> list[Any]:
    found: list[Any] = wordnet.synsets(word.replace(" ", "_"), pos=pos)
    return found
