"""Looks up many hashtags at once: their numbers in a thesaurus, and their ranks among the synonyms of others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ...core.thesaurus import normalise_hashtag

if TYPE_CHECKING:
    from ...core.arrays import IntArray
    from ...core.thesaurus import Thesaurus

NOT_A_SYNONYM = 1 << 40
"""In place of a rank: greater than any k."""

EMPTY, _NOT_FOUND = -1, -2
"""In place of a number: the text is no hashtag; the exact text is not in the thesaurus."""

_FILTER_BITS = 25
_HASH_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


class HashtagNumbers:
    """Numbers hashtags: those of a thesaurus by their index there, others from its size on.

    >>> import numpy as np
    >>> from wayword.core.thesaurus import Thesaurus
    >>> nothing = np.array([], np.int64)
    >>> two = Thesaurus(["#swim", "#dive"], np.array([0, 0, 0]), nothing, nothing.astype(float))
    >>> HashtagNumbers(two).look_up(["#dive", "Swim", "#", "#flu", "#FLU"]).tolist()
    [1, 0, -1, 2, 2]
    """

    def __init__(self, thesaurus: Thesaurus) -> None:
        self._numbers = thesaurus.numbers
        self._hashtags = _to_arrow(thesaurus.hashtags)

    def look_up(self, texts: Sequence[str]) -> IntArray:
        """Return the number of each text, ``EMPTY`` for an empty one; those of unknown hashtags are valid for this call only.

        Most texts are written exactly as in the thesaurus, so Arrow looks all up first; only the others are normalised.
        """
        normalising = _NormalisingNumbers(self._numbers)
        column = _to_arrow(texts)
        if column is None or self._hashtags is None:
            return np.fromiter(map(normalising.__getitem__, texts), np.int64, len(texts))
        found = pc.index_in(column, value_set=self._hashtags)
        numbers: IntArray = found.fill_null(_NOT_FOUND).to_numpy(zero_copy_only=False).astype(np.int64)
        others = np.flatnonzero(numbers == _NOT_FOUND)
        if len(others):
            encoded = column.take(pa.array(others)).dictionary_encode()
            distinct = encoded.dictionary.to_pylist()
            distinct_numbers = np.fromiter(map(normalising.__getitem__, distinct), np.int64, len(distinct))
            numbers[others] = distinct_numbers[encoded.indices.to_numpy()]
        return numbers


def _to_arrow(texts: Sequence[str]) -> pa.Array | None:
    """Convert texts to an Arrow column; None if one cannot be encoded, such as half a surrogate pair from JSON."""
    try:
        return pa.array(texts, pa.string())
    except UnicodeError:
        return None


class _NormalisingNumbers(dict[str, int]):
    """A cache of numbers by text that normalises each text once."""

    def __init__(self, known: dict[str, int]) -> None:
        super().__init__()
        self._known, self._new = known, dict[str, int]()

    def __missing__(self, text: str) -> int:
        name = normalise_hashtag(text.strip())
        number = self._known.get(name)
        if number is None:
            number = EMPTY if name == "#" else self._new.setdefault(name, len(self._known) + len(self._new))
        self[text] = number
        return number


class SynonymRanks:
    """The ranks of hashtags among the k nearest synonyms of others, by their numbers.

    Each pair of a hashtag and a synonym is one integer key; the keys are sorted, and pairs are looked up by binary search.
    Since most pairs are no synonyms, a table of hashed keys (a Bloom filter with one hash function) rejects most of them first.
    """

    def __init__(self, thesaurus: Thesaurus, k: int) -> None:
        self._size = len(thesaurus)
        sizes = np.diff(thesaurus.offsets)
        hashtag = np.repeat(np.arange(self._size), sizes)
        rank = np.arange(len(hashtag)) - np.repeat(thesaurus.offsets[:-1], sizes) + 1
        within = rank <= k
        keys = (hashtag * self._size + thesaurus.synonyms)[within]
        order = np.argsort(keys)
        self._keys, self._ranks = keys[order], rank[within][order].astype(np.int32)
        self._filter = np.zeros(1 << _FILTER_BITS, np.bool_)
        self._filter[_hash(self._keys)] = True

    def look_up(self, recommended: IntArray, gold: IntArray) -> IntArray:
        """Return the rank of each gold hashtag among the synonyms of the recommended one at the same index.

        A hashtag has rank 0 for itself; the rank is ``NOT_A_SYNONYM`` if it is not among the k nearest.
        """
        ranks = np.where(recommended == gold, 0, NOT_A_SYNONYM)
        known = np.flatnonzero((recommended < self._size) & (gold < self._size) & (ranks > 0))
        keys = recommended[known] * self._size + gold[known]
        possible = self._filter[_hash(keys)]
        known, keys = known[possible], keys[possible]
        order = np.argsort(keys)  # searching in order uses the processor's cache
        known, keys = known[order], keys[order]
        positions = np.searchsorted(self._keys, keys)
        found = positions < len(self._keys)
        found[found] = self._keys[positions[found]] == keys[found]
        ranks[known[found]] = self._ranks[positions[found]]
        return ranks


def _hash(keys: IntArray) -> npt.NDArray[np.uint64]:
    """Hash keys to indices of the filter (Fibonacci hashing)."""
    hashes: npt.NDArray[np.uint64] = (keys.astype(np.uint64) * _HASH_MULTIPLIER) >> np.uint64(64 - _FILTER_BITS)
    return hashes
