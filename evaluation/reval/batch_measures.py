"""Both measures for any number of recommendations and all k at once, in one pass and in memory that does not grow.

All that matters of a recommended and a gold hashtag is the rank of one among the synonyms of the other. It is looked up for
many pairs together; then every k, with every weight, is a comparison. ``measures`` says the same for one recommendation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .evaluation_result import Evaluation, JudgedPairs, averages
from .synonym_ranks import NAMELESS, HashtagNumbers, SynonymRanks

if TYPE_CHECKING:
    from ...core.thesaurus import Thesaurus
    from .hashtag_lists import Pair
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


def evaluate(
    pairs: Iterable[Pair], thesaurus: Thesaurus, ks: Sequence[int], weights: Weights = "none"
) -> tuple[Evaluation, ...]:
    """The average hit ratio and #REval-hit-ratio of recommendations, for each k.

    >>> import numpy as np
    >>> from wayword.core.thesaurus import Thesaurus
    >>> swim = Thesaurus(["#swim", "#dive", "#sport"], np.array([0, 2, 2, 2]), np.array([1, 2]), np.array([0.1, 0.2]))
    >>> pairs = [(["#swim"], ["#sport"]), (["#dive"], ["#Dive"]), ([], ["#sport"])]
    >>> for each in evaluate(pairs, swim, [0, 2]):
    ...     print(each.k, each.hit_ratio, each.reval_hit_ratio, each.pairs, each.left_out)
    0 0.5 0.5 2 {'no recommendation': 1}
    2 0.5 1.0 2 {'no recommendation': 1}
    """
    return averages(judge_pairs(pairs, thesaurus, ks, weights), ks, weights)


def judge_pairs(
    pairs: Iterable[Pair], thesaurus: Thesaurus, ks: Sequence[int], weights: Weights = "none"
) -> Iterator[JudgedPairs]:
    """Both ratios of each recommendation, in order, many at once; see ``evaluate``."""
    ranks, numbers = SynonymRanks(thesaurus, max(ks, default=0)), HashtagNumbers(thesaurus)
    for some in _portions(pairs):
        members = numbers.of(some.recommended + some.gold)
        recommended = _sets(members[: len(some.recommended)], some.recommended_lengths)
        gold = _sets(members[len(some.recommended) :], some.gold_lengths)
        yield _judged(recommended, gold, ranks, ks, weights)


@dataclass(frozen=True, slots=True)
class _Portion:
    """Some pairs: all hashtags one after the other, for there are too many lists to keep each, and how many are of each."""

    recommended: list[str] = field(default_factory=list)
    gold: list[str] = field(default_factory=list)
    recommended_lengths: list[int] = field(default_factory=list)
    gold_lengths: list[int] = field(default_factory=list)


def _portions(pairs: Iterable[Pair]) -> Iterator[_Portion]:
    """The pairs, as many at once as are neither too many nor too long together."""
    portion = _Portion()
    for recommended, gold in pairs:
        portion.recommended.extend(recommended)
        portion.gold.extend(gold)
        portion.recommended_lengths.append(len(recommended))
        portion.gold_lengths.append(len(gold))
        if len(portion.gold_lengths) == AT_ONCE or len(portion.recommended) + len(portion.gold) >= LONG:
            yield portion
            portion = _Portion()
    if portion.gold_lengths:
        yield portion


@dataclass(frozen=True, slots=True)
class _Sets:
    """Sets of hashtags: ``members`` of set n are those from ``begins[n]`` on, ``sizes[n]`` of them."""

    members: Whole
    sizes: Whole

    @property
    def begins(self) -> Whole:
        begins: Whole = np.cumsum(self.sizes) - self.sizes
        return begins


def _sets(members: Whole, lengths: Sequence[int]) -> _Sets:
    """What is in lists of these lengths, each hashtag once."""
    of = np.repeat(np.arange(len(lengths)), lengths)
    named = members != NAMELESS
    most = int(members.max(initial=0)) + 1
    ordered = np.sort(of[named] * most + members[named])
    once = ordered[np.diff(ordered, prepend=-1) > 0]
    return _Sets(once % most, np.bincount(once // most, minlength=len(lengths)))


def _judged(recommended: _Sets, gold: _Sets, ranks: SynonymRanks, ks: Sequence[int], weights: Weights) -> JudgedPairs:
    smaller = np.minimum(recommended.sizes, gold.sizes)
    defined = smaller > 0
    best = _best(recommended, gold, defined, ranks)
    of = np.repeat(np.arange(len(smaller)), np.where(defined, smaller, 0))

    def ratios(hits: Real) -> Real:
        found = np.full(len(smaller), np.nan)
        found[defined] = np.bincount(of, hits, len(smaller))[defined] / smaller[defined]
        return found

    hit_ratio = ratios((best == 0).astype(np.float64))
    return JudgedPairs(recommended.sizes, gold.sizes, hit_ratio, tuple(ratios(_weighed(best, k, weights)) for k in ks))


def _best(recommended: _Sets, gold: _Sets, defined: Truth, ranks: SynonymRanks) -> Whole:
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
