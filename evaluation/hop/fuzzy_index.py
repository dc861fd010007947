"""Finds the most similar word of a list by normalised Levenshtein similarity, without comparing all of them.

If the edit distance of two words is at most d and one of them is cut into d + 1 pieces, the other contains at least one of the
pieces unchanged, at most d positions away: each edit touches one piece (the partition scheme of PASS-JOIN: Li, Deng, Wang and
Feng, 2011). So words are indexed by their pieces, and only those that share a piece with the query are compared.

The similarity is 1 - distance / length of the longer word, so the largest allowed distance depends on both lengths: each word
is indexed once for every number of pieces that a query can ask for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from rapidfuzz.distance import Levenshtein

SIMILARITY = 0.9
"""The least similarity of two words that count as the same (the threshold in section 5 of the paper)."""

_ROUNDING = 1e-9


class FuzzyIndex:
    """An index of words by their pieces.

    >>> FuzzyIndex(["characterise", "characteristic"]).nearest("characterize")
    'characterise'
    """

    def __init__(self, words: Sequence[str], similarity: float = SIMILARITY) -> None:
        self._words, self._similarity = words, similarity
        self._lengths = {len(word) for word in words}
        # (length of the word, largest distance, number of the piece, piece) -> numbers of the words
        self._pieces: dict[tuple[int, int, int, str], list[int]] = defaultdict(list)
        for number, word in enumerate(words):
            for distance in self._possible_distances(len(word)):
                for index, (start, end) in enumerate(_partition(len(word), distance + 1)):
                    self._pieces[len(word), distance, index, word[start:end]].append(number)

    def nearest(self, word: str) -> str | None:
        """Return the most similar word, of ties the first; None if none is similar enough."""
        best: tuple[float, int] | None = None
        for number in self._candidates(word):
            other = self._words[number]
            longest = max(len(word), len(other))
            max_distance = self._max_distance(longest)
            distance = Levenshtein.distance(word, other, score_cutoff=max_distance)
            if distance <= max_distance:
                found = (distance / max(longest, 1), number)
                best = found if best is None else min(best, found)
        return None if best is None else self._words[best[1]]

    def _candidates(self, word: str) -> set[int]:
        found: set[int] = set()
        for length in self._lengths:
            max_distance = self._max_distance(max(length, len(word)))
            if abs(length - len(word)) <= max_distance:
                found.update(self._words_with_shared_piece(word, length, max_distance))
        return found

    def _words_with_shared_piece(self, word: str, length: int, max_distance: int) -> Iterator[int]:
        """Yield the words of a length with a piece that the given word contains, at most ``max_distance`` positions away."""
        for index, (start, end) in enumerate(_partition(length, max_distance + 1)):
            last = min(len(word) - (end - start), start + max_distance)
            for position in range(max(0, start - max_distance), last + 1):
                yield from self._pieces.get((length, max_distance, index, word[position : position + end - start]), ())

    def _max_distance(self, longest: int) -> int:
        """Return the largest distance of two similar words, given the length of the longer one."""
        return int((1 - self._similarity) * longest + _ROUNDING)

    def _possible_distances(self, length: int) -> Iterator[int]:
        """Yield the distances up to which words of this length can be queried: one for each length of a longer query."""
        previous = -1
        for longest in range(length, 2 * length + 2):
            distance = self._max_distance(longest)
            if longest - length > distance:
                return
            if distance != previous:
                yield distance
                previous = distance


def _partition(length: int, pieces: int) -> list[tuple[int, int]]:
    """Cut a word of this length into pieces that are as even as possible, the longer ones last.

    >>> _partition(11, 3)
    [(0, 3), (3, 7), (7, 11)]
    """
    size, longer = divmod(length, pieces)
    bounds, start = [], 0
    for number in range(pieces):
        end = start + size + (number >= pieces - longer)
        bounds.append((start, end))
        start = end
    return bounds
