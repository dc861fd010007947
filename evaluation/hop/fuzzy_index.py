"""Finds the word of a list that is nearest to a given one by normalised Levenshtein similarity, without comparing it with all.

Two words whose edit distance is d at most share one of any d + 1 pieces that one of them is cut into, at nearly the same place
(the partition of PASS-JOIN: Li, Deng, Wang and Feng, 2011). So words are kept by their pieces, and only those that share one
with the question are compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from rapidfuzz.distance import Levenshtein

SIMILARITY = 0.9
"""1 - distance / length of the longer word, from which on two words count as the same."""

_SLACK = 1e-9


class FuzzyIndex:
    """Words that can be asked for the nearest; of equally near ones the first is taken.

    >>> FuzzyIndex(["characterise", "characteristic"]).nearest("characterize")
    'characterise'
    """

    def __init__(self, words: Sequence[str], similarity: float = SIMILARITY) -> None:
        self._words, self._similarity = words, similarity
        self._lengths = {len(word) for word in words}
        self._pieces: dict[tuple[int, int, int, str], list[int]] = defaultdict(list)
        for number, word in enumerate(words):
            for most in self._allowed(len(word)):
                for index, (start, end) in enumerate(_borders(len(word), most + 1)):
                    self._pieces[len(word), most, index, word[start:end]].append(number)

    def nearest(self, word: str) -> str | None:
        """The most similar word, None where none is similar enough."""
        best: tuple[float, int] | None = None
        for number in self._candidates(word):
            other = self._words[number]
            most = self._most(max(len(word), len(other)))
            distance = Levenshtein.distance(word, other, score_cutoff=most)
            if distance <= most:
                found = (distance / max(len(word), len(other), 1), number)
                best = found if best is None else min(best, found)
        return None if best is None else self._words[best[1]]

    def _candidates(self, word: str) -> set[int]:
        found: set[int] = set()
        for length in self._lengths:
            most = self._most(max(length, len(word)))
            if abs(length - len(word)) <= most:
                found.update(self._sharing(word, length, most))
        return found

    def _sharing(self, word: str, length: int, most: int) -> Iterator[int]:
        """The words of a length that share a piece with this one, no further from its place than edits can have moved it."""
        for index, (start, end) in enumerate(_borders(length, most + 1)):
            for place in range(max(0, start - most), min(len(word) - (end - start), start + most) + 1):
                yield from self._pieces.get((length, most, index, word[place : place + end - start]), ())

    def _most(self, longer: int) -> int:
        """How far two words may be apart of which the longer has so many letters."""
        return int((1 - self._similarity) * longer + _SLACK)

    def _allowed(self, length: int) -> Iterator[int]:
        """The distances with which words of this length may be asked for."""
        last = -1
        for longer in range(length, 2 * length + 2):
            most = self._most(longer)
            if longer - length > most:
                return
            if most != last:
                yield most
                last = most


def _borders(length: int, pieces: int) -> list[tuple[int, int]]:
    """Where so many pieces begin and end, as even as can be.

    >>> _borders(11, 3)
    [(0, 3), (3, 7), (7, 11)]
    """
    short, longer = divmod(length, pieces)
    places, start = [], 0
    for number in range(pieces):
        end = start + short + (number >= pieces - longer)
        places.append((start, end))
        start = end
    return places
