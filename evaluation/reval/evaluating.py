"""Both measures for any number of recommendations and all k at once, in one pass and in memory that does not grow.

All that matters of a recommended and a gold hashtag is the rank of one among the synonyms of the other. It is looked up for
many pairs together; then every k, with every weight, is a comparison. ``measures`` says the same for one recommendation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...graph.thesaurus import hashtag_of
from .results import Evaluation, Judged, averages

if TYPE_CHECKING:
    from ...graph.thesaurus import Thesaurus
    from .lists import Pair
    from .measures import Weights

Whole = npt.NDArray[np.int64]
Real = npt.NDArray[np.float64]
Truth = npt.NDArray[np.bool_]

AT_ONCE = 1 << 14
"""Recommendations that are looked at together."""

LONG = 1 << 18
"""Hashtags of so many lists are looked at together, at most, and the last list."""

MOST_PAIRS = 1 << 21
"""Pairs of hashtags that are looked up together."""

SPELLINGS = 1 << 18
"""Ways of writing hashtags that are remembered, or twice as many as there are hashtags in the thesaurus, if that is more."""

FAR = 1 << 40
"""The rank of what is no synonym."""


def evaluate(
    pairs: Iterable[Pair], thesaurus: Thesaurus, ks: Sequence[int], weights: Weights = "none"
) -> tuple[Evaluation, ...]:
    """The average hit ratio and #REval-hit-ratio of recommendations, for each k.

    >>> import numpy as np
    >>> from wayword.graph.thesaurus import Thesaurus
    >>> swim = Thesaurus(["#swim", "#dive", "#sport"], np.array([0, 2, 2, 2]), np.array([1, 2]), np.array([0.1, 0.2]))
    >>> pairs = [(["#swim"], ["#sport"]), (["#dive"], ["#Dive"]), ([], ["#sport"])]
    >>> for each in evaluate(pairs, swim, [0, 2]):
    ...     print(each.k, each.hit_ratio, each.reval_hit_ratio, each.pairs, each.left_out)
    0 0.5 0.5 2 {'no recommendation': 1}
    2 0.5 1.0 2 {'no recommendation': 1}
    """
    return averages(judge(pairs, thesaurus, ks, weights), ks, weights)


def judge(pairs: Iterable[Pair], thesaurus: Thesaurus, ks: Sequence[int], weights: Weights = "none") -> Iterator[Judged]:
    """Both ratios of each recommendation, in order, many at once; see ``evaluate``."""
    ranks, numbers = _Ranks(thesaurus, max(ks, default=0)), _Numbers(thesaurus.numbers)
    for some in _portions(pairs):
        recommended, gold = (_sets([pair[side] for pair in some], numbers) for side in (0, 1))
        yield _judged(recommended, gold, ranks, ks, weights)
        numbers.forget()


def _portions(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    """The pairs, as many at once as are neither too many nor too long together."""
    portion: list[Pair] = []
    held = 0
    for pair in pairs:
        portion.append(pair)
        held += len(pair[0]) + len(pair[1])
        if len(portion) == AT_ONCE or held >= LONG:
            yield portion
            portion, held = [], 0
    if portion:
        yield portion


class _Ranks:
    """The rank of a hashtag among the synonyms of another, for many at once."""

    def __init__(self, thesaurus: Thesaurus, most: int) -> None:
        self._size = len(thesaurus)
        sizes = np.diff(thesaurus.offsets)
        hashtag = np.repeat(np.arange(self._size), sizes)
        rank = np.arange(len(hashtag)) - np.repeat(thesaurus.offsets[:-1], sizes) + 1
        near = rank <= most
        key = (hashtag * self._size + thesaurus.synonyms)[near]
        order = np.argsort(key)
        self._keys, self._ranks = key[order], rank[near][order].astype(np.int32)

    def of(self, recommended: Whole, gold: Whole) -> Whole:
        """0 for a hashtag and itself, and ``FAR`` where the second is no synonym of the first."""
        ranks = np.where(recommended == gold, 0, FAR)
        known = np.flatnonzero((recommended < self._size) & (gold < self._size) & (ranks > 0))
        wanted = recommended[known] * self._size + gold[known]
        order = np.argsort(wanted)  # those that are near to each other are found faster one after the other
        known, wanted = known[order], wanted[order]
        places = np.searchsorted(self._keys, wanted)
        found = places < len(self._keys)
        found[found] = self._keys[places[found]] == wanted[found]
        ranks[known[found]] = self._ranks[places[found]]
        return ranks


class _Numbers(dict[str, int]):
    """The number of each hashtag as it is written: that of the thesaurus, else a new one, or -1 for what has no name."""

    def __init__(self, known: dict[str, int]) -> None:
        super().__init__()
        self._known, self._new = known, dict[str, int]()

    def __missing__(self, text: str) -> int:
        name = hashtag_of(text.strip())
        number = self._known.get(name)
        if number is None:
            number = -1 if name == "#" else self._new.setdefault(name, len(self._known) + len(self._new))
        self[text] = number
        return number

    def forget(self) -> None:
        """Begin anew where there are too many, for there is no end to what is written."""
        if len(self) > max(SPELLINGS, 2 * len(self._known)):
            self.clear()
            self._new.clear()


@dataclass(frozen=True, slots=True)
class _Sets:
    """Sets of hashtags: ``members`` of set n are those from ``begins[n]`` on, ``sizes[n]`` of them."""

    members: Whole
    sizes: Whole

    @property
    def begins(self) -> Whole:
        begins: Whole = np.cumsum(self.sizes) - self.sizes
        return begins


def _sets(lists: Sequence[Sequence[str]], numbers: _Numbers) -> _Sets:
    lengths = np.fromiter(map(len, lists), np.int64, len(lists))
    members = np.fromiter(map(numbers.__getitem__, chain.from_iterable(lists)), np.int64, int(lengths.sum()))
    of = np.repeat(np.arange(len(lists)), lengths)
    named = members >= 0
    most = int(members.max(initial=0)) + 1
    all_ = np.sort(of[named] * most + members[named])
    once = all_[np.diff(all_, prepend=-1) > 0]
    return _Sets(once % most, np.bincount(once // most, minlength=len(lists)))


def _judged(recommended: _Sets, gold: _Sets, ranks: _Ranks, ks: Sequence[int], weights: Weights) -> Judged:
    smaller = np.minimum(recommended.sizes, gold.sizes)
    defined = smaller > 0
    best = _best(recommended, gold, defined, ranks)
    of = np.repeat(np.arange(len(smaller)), np.where(defined, smaller, 0))

    def ratios(hits: Real) -> Real:
        found = np.full(len(smaller), np.nan)
        found[defined] = np.bincount(of, hits, len(smaller))[defined] / smaller[defined]
        return found

    hit_ratio = ratios((best == 0).astype(np.float64))
    return Judged(recommended.sizes, gold.sizes, hit_ratio, tuple(ratios(_weighed(best, k, weights)) for k in ks))


def _best(recommended: _Sets, gold: _Sets, defined: Truth, ranks: _Ranks) -> Whole:
    """For each hashtag that can be a hit the best rank by which it is one: of the smaller set, R if they are alike in size."""
    by_gold = recommended.sizes > gold.sizes
    hits = np.where(defined, np.minimum(recommended.sizes, gold.sizes), 0)
    of = np.repeat(np.arange(len(hits)), hits)
    turned = by_gold[of]
    inside = np.arange(len(of)) - np.repeat(np.cumsum(hits) - hits, hits)
    place = np.where(by_gold, gold.begins, recommended.begins)[of] + inside
    hit = _either(turned, gold.members, recommended.members, place)
    count = np.where(by_gold, recommended.sizes, gold.sizes)[of]
    begin = np.where(by_gold, recommended.begins, gold.begins)[of]
    best = np.empty(len(of), np.int64)
    for first, last in _blocks(count):
        counts = count[first:last]
        starts = np.cumsum(counts) - counts
        whole = int(counts.sum())
        places = np.arange(whole) + np.repeat(begin[first:last] - starts, counts)
        over = np.repeat(turned[first:last], counts)
        other = _either(over, recommended.members, gold.members, places)
        one = np.repeat(hit[first:last], counts)
        found = ranks.of(np.where(over, other, one), np.where(over, one, other))
        best[first:last] = np.minimum.reduceat(found, starts)
    return best


def _either(first: Truth, ones: Whole, others: Whole, places: Whole) -> Whole:
    """What stands at these places, in the one array or in the other."""
    found = np.empty(len(places), np.int64)
    found[first], found[~first] = ones[places[first]], others[places[~first]]
    return found


def _blocks(counts: Whole) -> Iterator[tuple[int, int]]:
    """From where to where the counts are together no more than are looked up at once, or are a single one."""
    ends = np.cumsum(counts)
    first, before = 0, 0
    while first < len(counts):
        last = max(first + 1, int(np.searchsorted(ends, before + MOST_PAIRS, side="right")))
        yield first, last
        first, before = last, int(ends[last - 1])


def _weighed(rank: Whole, k: int, weights: Weights) -> Real:
    """How much a hit counts by its best rank, nothing beyond k; as ``measures.weight`` says it of one."""
    within = rank <= k
    near = np.where(within, rank, 0).astype(np.float64)
    match weights:
        case "none":
            return within.astype(np.float64)
        case "reciprocal":
            return within / (1 + near)
        case "logarithmic":
            return within / np.log2(2 + near)
        case "linear":
            return within * (1 - near / (k + 1))
    raise ValueError(f"no weights are called {weights!r}")
