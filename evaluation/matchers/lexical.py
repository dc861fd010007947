"""Lexical matchers, written from the equations of chapters 1 and 2 of the thesis.

In the equations of chapter 2 x is the shorter phrase and y the longer one; of two phrases of equal length x is the candidate
and y the gold phrase. Words are what blanks separate in the written form: hyphens separate nothing and accents count. They are
compared as they are, or as stems.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from math import exp, fsum

from .phrases import PhraseMatcher, Words, WordStemmer

Compare = Callable[["Phrase", "Phrase"], float]


class Phrase:
    """The words of a phrase, and what the equations ask of them.

    - ``words``: the words, or their stems
    - ``types``: the different ones
    - ``counts``: how often each occurs; None if each occurs once
    - ``bigrams``: two words each that follow one another
    - ``text``: the words between single blanks, with one at either end, so that only whole words are found in it
    """

    __slots__ = ("bigrams", "counts", "length", "text", "types", "words")

    def __init__(self, words: Words) -> None:
        self.words, self.length, self.types = words, len(words), frozenset(words)
        self.counts = Counter(words) if len(self.types) < self.length else None
        self.bigrams = list(pairwise(words))
        self.text = f" {' '.join(words)} "


def make_equal() -> PhraseMatcher[Words]:
    """Make the matcher that scores 1 if the written forms are equal.

    >>> make_equal()("Public_toilet", "public toilet"), make_equal()("public toilets", "public toilet")
    (1.0, 0.0)
    """
    return PhraseMatcher(lambda words: words, _are_equal, lambda words: (words,))


def make_exact() -> PhraseMatcher[Words]:
    """Make the matcher of (1.5), which scores 1 if the stems of the words are equal.

    >>> make_exact()("Public toilets", "public toilet"), make_exact()("café", "cafe")
    (1.0, 0.0)
    """
    return PhraseMatcher(WordStemmer(), _are_equal, lambda stems: (stems,))


def make_lexical(compare: Compare, *, stems: bool = False) -> PhraseMatcher[Phrase]:
    """Make a matcher of chapter 2 from one of the functions below.

    >>> make_lexical(r_precision)("applied science", "natural science")
    0.5
    """

    def compare_ordered(substitute: Phrase, substitutee: Phrase) -> float:
        if substitute.types.isdisjoint(substitutee.types):  # as most pairs are, and then each of these measures is 0
            return 0.0
        return compare(substitutee, substitute) if substitute.length > substitutee.length else compare(substitute, substitutee)

    stemmer = WordStemmer()
    prepare = (lambda words: Phrase(stemmer(words))) if stems else Phrase
    return PhraseMatcher(prepare, compare_ordered, lambda phrase: phrase.types)


def r_precision(x: Phrase, y: Phrase) -> float:
    """Compare two phrases by (2.7): the words that both have, over the length of the longer one."""
    if x.counts is None or y.counts is None:
        return len(x.types & y.types) / y.length
    return (x.counts & y.counts).total() / y.length  # a repeated word counts as often as both phrases have it


def modified_r_precision(x: Phrase, y: Phrase) -> float:
    """Compare two phrases by (2.8): a word of the longer one weighs more, the closer it is to the end.

    >>> round(modified_r_precision(Phrase(("applied", "science")), Phrase(("natural", "science"))), 3)
    0.667
    """
    length, types = y.length, x.types
    found = fsum([1 / (length - index) for index, word in enumerate(y.words) if word in types])
    return found / fsum([1 / n for n in range(1, length + 1)])


def bleu(x: Phrase, y: Phrase) -> float:
    """Compare two phrases by (2.11).

    For n = |x| the only n-gram of x is x itself, so p_n, and with it (2.11), is 0 unless y has x in one piece. If it has, each
    p_n is 1, and what remains is the brevity penalty (2.10).
    """
    return exp(1 - y.length / x.length) if x.text in y.text else 0.0


def rouge1(x: Phrase, y: Phrase) -> float:
    """Compare two phrases by (2.12) with n = 1: the words of the longer one that the other has too. Not clipped, as printed."""
    return sum([word in x.types for word in y.words]) / y.length


def rouge2(x: Phrase, y: Phrase) -> float:
    """Compare two phrases by (2.12) with n = 2; 0 if the longer one is a single word."""
    return sum([bigram in x.bigrams for bigram in y.bigrams]) / (y.length - 1) if y.length > 1 else 0.0


def _are_equal(ours: object, theirs: object) -> float:
    return float(ours == theirs)
