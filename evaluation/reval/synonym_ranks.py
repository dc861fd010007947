"""Very many hashtags at once: their numbers in a thesaurus, and the ranks of some among the synonyms of others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ...core.thesaurus import normalise_hashtag

if TYPE_CHECKING:
    from ...core.thesaurus import Thesaurus

Whole = npt.NDArray[np.int64]

FAR = 1 << 40
"""The rank of what is no synonym."""

NAMELESS, _ELSE = -1, -2

_BITS = 25
_MIXED = np.uint64(0x9E3779B97F4A7C15)


class HashtagNumbers:
    """The numbers of hashtags as they are written: those of a thesaurus, or others where it does not know them.

    >>> import numpy as np
    >>> from wayword.core.thesaurus import Thesaurus
    >>> nothing = np.array([], np.int64)
    >>> two = Thesaurus(["#swim", "#dive"], np.array([0, 0, 0]), nothing, nothing.astype(float))
    >>> HashtagNumbers(two).of(["#dive", "Swim", "#", "#flu", "#FLU"]).tolist()
    [1, 0, -1, 2, 2]
    """

    def __init__(self, thesaurus: Thesaurus) -> None:
        self._known = thesaurus.numbers
        self._names = _strings(thesaurus.hashtags)

    def of(self, texts: Sequence[str]) -> Whole:
        """The number of each text, ``NAMELESS`` where it has no name; those of unknown hashtags hold for these texts only."""
        spelled = _Spelled(self._known)
        written = _strings(texts)
        if written is None or self._names is None:
            return np.fromiter(map(spelled.__getitem__, texts), np.int64, len(texts))
        found = pc.index_in(written, value_set=self._names)
        numbers: Whole = found.fill_null(_ELSE).to_numpy(zero_copy_only=False).astype(np.int64)
        others = np.flatnonzero(numbers == _ELSE)
        if len(others):
            coded = written.take(pa.array(others)).dictionary_encode()
            each = coded.dictionary.to_pylist()
            numbers[others] = np.fromiter(map(spelled.__getitem__, each), np.int64, len(each))[coded.indices.to_numpy()]
        return numbers


def _strings(texts: Sequence[str]) -> pa.Array | None:
    """The texts for arrow; None where one is no text that can be written, such as half a character out of JSON."""
    try:
        return pa.array(texts, pa.string())
    except UnicodeError:
        return None


class _Spelled(dict[str, int]):
    def __init__(self, known: dict[str, int]) -> None:
        super().__init__()
        self._known, self._new = known, dict[str, int]()

    def __missing__(self, text: str) -> int:
        name = normalise_hashtag(text.strip())
        number = self._known.get(name)
        if number is None:
            number = NAMELESS if name == "#" else self._new.setdefault(name, len(self._known) + len(self._new))
        self[text] = number
        return number


class SynonymRanks:
    """The rank of a hashtag among the nearest synonyms of another, by their numbers."""

    def __init__(self, thesaurus: Thesaurus, most: int) -> None:
        self._size = len(thesaurus)
        sizes = np.diff(thesaurus.offsets)
        hashtag = np.repeat(np.arange(self._size), sizes)
        rank = np.arange(len(hashtag)) - np.repeat(thesaurus.offsets[:-1], sizes) + 1
        near = rank <= most
        key = (hashtag * self._size + thesaurus.synonyms)[near]
        order = np.argsort(key)
        self._keys, self._ranks = key[order], rank[near][order].astype(np.int32)
        self._seen = np.zeros(1 << _BITS, np.bool_)
        self._seen[_slots(self._keys)] = True

    def of(self, recommended: Whole, gold: Whole) -> Whole:
        """0 for a hashtag and itself, and ``FAR`` where the second is no synonym of the first."""
        ranks = np.where(recommended == gold, 0, FAR)
        known = np.flatnonzero((recommended < self._size) & (gold < self._size) & (ranks > 0))
        wanted = recommended[known] * self._size + gold[known]
        likely = self._seen[_slots(wanted)]  # most are no synonyms, which this tells of most, and sooner than a search
        known, wanted = known[likely], wanted[likely]
        order = np.argsort(wanted)  # those that are near to each other are found faster one after the other
        known, wanted = known[order], wanted[order]
        places = np.searchsorted(self._keys, wanted)
        found = places < len(self._keys)
        found[found] = self._keys[places[found]] == wanted[found]
        ranks[known[found]] = self._ranks[places[found]]
        return ranks


def _slots(keys: Whole) -> npt.NDArray[np.uint64]:
    """Places that keys have in a table, evenly strewn."""
    slots: npt.NDArray[np.uint64] = (keys.astype(np.uint64) * _MIXED) >> np.uint64(64 - _BITS)
    return slots
