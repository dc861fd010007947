"""What WordSub is compared with: similarities of WordNet synsets as NLTK has them, taken to words.

Words have several senses; the similarity of two words is the greatest of all pairs of their synsets of one part of speech.
"""

from __future__ import annotations

from itertools import product
from typing import Any, Literal, Protocol

Measure = Literal["path", "wup"]


class Similarity(Protocol):
    """How alike two words are in one part of speech, or in whichever they are most; None where one of them is unknown."""

    def __call__(self, one: str, other: str, pos: str | None = None, /) -> float | None:
        """Compare ``one`` with ``other``."""


def best_over_senses(wordnet: Any, measure: Measure) -> Similarity:
    """The similarity of two words in one part of speech (``n``, ``v``, ``a``, ``r``), or in whichever is best (None).

    ``wordnet`` is a reader of NLTK, such as ``nltk.corpus.wordnet31``. Synsets of different parts of speech, which have no
    hypernym in common, are not compared; all else is as NLTK's ``path_similarity`` and ``wup_similarity`` have it by default.
    The answer is None where a word has no synset in that part of speech, and 0 where no pair of synsets has a similarity.
    """
    name = f"{measure}_similarity"

    def similarity(one: str, other: str, pos: str | None = None, /) -> float | None:
        ours, theirs = _synsets(wordnet, one, pos), _synsets(wordnet, other, pos)
        if not ours or not theirs:
            return None
        best = 0.0
        for synset, against in product(ours, theirs):
            if synset.pos().replace("s", "a") == against.pos().replace("s", "a"):
                best = max(best, getattr(synset, name)(against) or 0.0)
        return best

    return similarity


def _synsets(wordnet: Any, word: str, pos: str | None) -> list[Any]:
    found: list[Any] = wordnet.synsets(word.replace(" ", "_"), pos=pos)
    return found
