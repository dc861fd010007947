"""NIST, adapted to phrases: shared n-grams count by their information in a corpus of phrases.

The thesis describes NIST as BLEU with another precision. In (2.11) that would be BLEU itself, so this is Doddington's sum
(2002), divided by the score of the longer phrase with itself.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from math import exp, fsum, log, log2
from pathlib import Path
from typing import NamedTuple

from ...core.normalisation import normalise
from ..errors import CorpusInvalid
from .phrases import PhraseMatcher, Words, WordStemmer

LONGEST = 5
"""The words of the longest n-grams."""

BREVITY = log(0.5) / log(1.5) ** 2
"""A phrase with two thirds of the words of the other keeps half its score."""


class Information:
    """The information of n-grams, counted in phrases.

    >>> information = Information([("machine", "learning"), ("learning", "theory")])
    >>> information(("machine",)), information(("machine", "learning")), information(("learning", "theory"))
    (2.0, 0.0, 1.0)
    """

    def __init__(self, phrases: Iterable[Words]) -> None:
        self._counts: Counter[Words] = Counter()
        self._words = 0
        for words in phrases:
            self._words += len(words)
            self._counts.update(ngram for n in range(1, LONGEST + 1) for ngram in _ngrams(words, n))

    def __call__(self, ngram: Words) -> float:
        """Return log2(count of all words but the last / count); never below 0, and a count below 1 counts as 1."""
        before = self._counts[ngram[:-1]] if len(ngram) > 1 else self._words
        return max(0.0, log2(max(before, 1) / max(self._counts[ngram], 1)))


class NistPhrase(NamedTuple):
    """The words of a phrase, its n-grams with their counts and information for each n, and its score with itself."""

    words: Words
    types: frozenset[str]
    ngrams: tuple[dict[Words, tuple[int, float]], ...]
    own_score: float


def read_corpus(file: str | os.PathLike[str]) -> list[Words]:
    """Read the words of a corpus, a phrase a line.

    Raises:
        CorpusInvalid: The file cannot be read, or has no phrase.
    """
    path = Path(file)
    try:
        with path.open(encoding="utf-8-sig") as lines:
            phrases = [tuple(text.split(" ")) for line in lines if (text := normalise(line))]
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CorpusInvalid(f"{path}: cannot be read ({reason}); give a file of text in UTF-8, a phrase a line") from error
    if not phrases:
        raise CorpusInvalid(f"{path}: has no phrase; give a file with a phrase a line")
    return phrases


def make_nist(corpus: Iterable[Words], *, stems: bool = False) -> PhraseMatcher[NistPhrase]:
    """Make the matcher of NIST.

    Args:
        corpus: The words of each phrase in which information is counted, usually all gold phrases.
        stems: Compare stems, and count them in the corpus, instead of words.

    >>> nist = make_nist([("machine", "learning"), ("learning", "theory")])
    >>> nist("machine learning", "Machine Learning"), nist("machine", "theory")
    (1.0, 0.0)
    """
    stem = WordStemmer()
    information = Information(map(stem, corpus) if stems else corpus)

    def prepare(words: Words) -> NistPhrase:
        words = stem(words) if stems else words
        ngrams = tuple(
            {ngram: (count, information(ngram)) for ngram, count in Counter(_ngrams(words, n)).items()}
            for n in range(1, min(LONGEST, len(words)) + 1)
        )
        phrase = NistPhrase(words, frozenset(words), ngrams, 0.0)
        return phrase._replace(own_score=raw_score(phrase, phrase))

    return PhraseMatcher(prepare, _compare, lambda phrase: phrase.types)


def raw_score(x: NistPhrase, y: NistPhrase) -> float:
    """Return Doddington's sum: for each n the information of the shared n-grams over their number in x, with his penalty."""
    length = len(x.words)
    found = 0.0
    for n, (ours, theirs) in enumerate(zip(x.ngrams, y.ngrams, strict=False)):
        shared = [min(count, theirs[each][0]) * information for each, (count, information) in ours.items() if each in theirs]
        if not shared:  # without shared n-grams there are no longer ones
            break
        found += fsum(shared) / (length - n)
    return found * exp(BREVITY * log(min(1.0, length / len(y.words))) ** 2)


def _compare(substitute: NistPhrase, substitutee: NistPhrase) -> float:
    if substitute.types.isdisjoint(substitutee.types):
        return 0.0
    x, y = (substitutee, substitute) if len(substitute.words) > len(substitutee.words) else (substitute, substitutee)
    if not y.own_score:  # no n-gram of y has any information
        return float(x.words == y.words)
    return min(1.0, raw_score(x, y) / y.own_score)


def _ngrams(words: Words, n: int) -> Iterator[Words]:
    return (words[start : start + n] for start in range(len(words) - n + 1))
