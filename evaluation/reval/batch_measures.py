"""Equations (3) and (4) of the paper for any number of recommendations and all k at once, in constant memory.

Equation (4) depends only on the rank of each gold hashtag among the synonyms of each recommended one. These ranks are looked up
once, for many pairs of hashtags together, and reduced to the best rank of each hashtag of the smaller set. For every k a hit is
then a comparison, best rank <= k, and its weight a function of the rank. ``measures`` computes the same for one recommendation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from .evaluation_result import Evaluation, JudgedPairs, average_pairs
from .synonym_ranks import EMPTY, HashtagNumbers, SynonymRanks

if TYPE_CHECKING:
    from ...core.arrays import BoolArray, FloatArray, IntArray
    from ...core.thesaurus import Thesaurus
    from .hashtag_lists import Pair
    from .measures import Weights

BATCH_PAIRS = 1 << 14
"""The largest number of recommendations in a batch."""

BATCH_HASHTAGS = 1 << 18
"""The number of hashtags after which a batch ends."""

BLOCK = 1 << 21
"""The pairs of hashtags whose ranks are looked up together."""


def evaluate(
    pairs: Iterable[Pair], thesaurus: Thesaurus, ks: Sequence[int], weights: Weights = "none"
) -> tuple[Evaluation, ...]:
    """Average the hit ratio and the #REval-hit-ratio over recommendations.

    Args:
        pairs: The recommended and the gold hashtags of each tweet; read once.
        thesaurus: The synonyms of hashtags.
        ks: The numbers of synonyms.
        weights: How much a hit counts by the rank of its best synonym.

    Returns:
        An evaluation for each k. Tweets without recommended or gold hashtags are left out and counted.

    >>> import numpy as np
    >>> from wayword.core.thesaurus import Thesaurus
    >>> swim = Thesaurus(["#swim", "#dive", "#sport"], np.array([0, 2, 2, 2]), np.array([1, 2]), np.array([0.1, 0.2]))
    >>> pairs = [(["#swim"], ["#sport"]), (["#dive"], ["#Dive"]), ([], ["#sport"])]
    >>> for each in evaluate(pairs, swim, [0, 2]):
    ...     print(each.k, each.hit_ratio, each.reval_hit_ratio, each.pairs, each.left_out)
    0 0.5 0.5 2 {'no_recommendation': 1}
    2 0.5 1.0 2 {'no_recommendation': 1}
    """
    return average_pairs(judge_pairs(pairs, thesaurus, ks, weights), ks, weights)


def judge_pairs(
    pairs: Iterable[Pair], thesaurus: Thesaurus, ks: Sequence[int], weights: Weights = "none"
) -> Iterator[JudgedPairs]:
    """Yield the ratios of each recommendation, in order, in batches; the arguments are those of ``evaluate``."""
    ranks, numbers = SynonymRanks(thesaurus, max(ks, default=0)), HashtagNumbers(thesaurus)
    for batch in _batches(pairs):
        hashtags = numbers.look_up(batch.recommended + batch.gold)
        recommended = _to_sets(hashtags[: len(batch.recommended)], batch.recommended_lengths)
        gold = _to_sets(hashtags[len(batch.recommended) :], batch.gold_lengths)
        yield _judge(recommended, gold, ranks, ks, weights)


@dataclass(frozen=True, slots=True)
class _Batch:
    """Pairs of lists, concatenated, with the length of each list: a Python object per list would cost too much."""

    recommended: list[str] = field(default_factory=list)
    gold: list[str] = field(default_factory=list)
    recommended_lengths: list[int] = field(default_factory=list)
    gold_lengths: list[int] = field(default_factory=list)


def _batches(pairs: Iterable[Pair]) -> Iterator[_Batch]:
    batch = _Batch()
    for recommended, gold in pairs:
        batch.recommended.extend(recommended)
        batch.gold.extend(gold)
        batch.recommended_lengths.append(len(recommended))
        batch.gold_lengths.append(len(gold))
        if len(batch.gold_lengths) == BATCH_PAIRS or len(batch.recommended) + len(batch.gold) >= BATCH_HASHTAGS:
            yield batch
            batch = _Batch()
    if batch.gold_lengths:
        yield batch


@dataclass(frozen=True, slots=True)
class _Sets:
    """Sets of hashtags, concatenated: set n is ``members[starts[n] : starts[n] + sizes[n]]``."""

    members: IntArray
    sizes: IntArray

    @property
    def starts(self) -> IntArray:
        starts: IntArray = np.cumsum(self.sizes) - self.sizes
        return starts


def _to_sets(members: IntArray, lengths: Sequence[int]) -> _Sets:
    """Drop duplicates and empty hashtags from concatenated lists."""
    owner = np.repeat(np.arange(len(lengths)), lengths)
    valid = members != EMPTY
    base = int(members.max(initial=0)) + 1
    keys = np.sort(owner[valid] * base + members[valid])  # list and hashtag as one number, so that one sort does both
    distinct = keys[np.diff(keys, prepend=-1) > 0]
    return _Sets(distinct % base, np.bincount(distinct // base, minlength=len(lengths)))


def _judge(recommended: _Sets, gold: _Sets, ranks: SynonymRanks, ks: Sequence[int], weights: Weights) -> JudgedPairs:
    smaller = np.minimum(recommended.sizes, gold.sizes)
    defined = smaller > 0
    best = _best_ranks(recommended, gold, defined, ranks)
    owner = np.repeat(np.arange(len(smaller)), np.where(defined, smaller, 0))

    def ratios(hits: FloatArray) -> FloatArray:
        """Sum the hits of each pair and divide by min(|R|, |G|)."""
        found = np.full(len(smaller), np.nan)
        found[defined] = np.bincount(owner, hits, len(smaller))[defined] / smaller[defined]
        return found

    hit_ratio = ratios((best == 0).astype(np.float64))
    return JudgedPairs(recommended.sizes, gold.sizes, hit_ratio, tuple(ratios(_weights(best, k, weights)) for k in ks))


def _best_ranks(recommended: _Sets, gold: _Sets, defined: BoolArray, ranks: SynonymRanks) -> IntArray:
    """Return the best rank of each hashtag of the smaller set of each pair: the two cases of equation (4).

    If |R| <= |G|, these are the recommended hashtags, each compared with all gold ones; otherwise the gold hashtags, each
    compared with all recommended ones. Either way the rank is that of the gold hashtag for the recommended one.
    """
    counts_gold = recommended.sizes > gold.sizes
    hits = np.where(defined, np.minimum(recommended.sizes, gold.sizes), 0)
    owner = np.repeat(np.arange(len(hits)), hits)  # the pair of each hashtag of a smaller set
    is_gold = counts_gold[owner]
    index_in_set = np.arange(len(owner)) - np.repeat(np.cumsum(hits) - hits, hits)
    position = np.where(counts_gold, gold.starts, recommended.starts)[owner] + index_in_set
    hashtag = _take_from(is_gold, gold.members, recommended.members, position)
    # each is compared with all hashtags of the larger set: a range of its members
    count = np.where(counts_gold, recommended.sizes, gold.sizes)[owner]
    start = np.where(counts_gold, recommended.starts, gold.starts)[owner]
    best = np.empty(len(owner), np.int64)
    for first, last in _blocks(count):
        counts = count[first:last]
        block_starts = np.cumsum(counts) - counts
        positions = np.arange(int(counts.sum())) + np.repeat(start[first:last] - block_starts, counts)
        swapped = np.repeat(is_gold[first:last], counts)
        other = _take_from(swapped, recommended.members, gold.members, positions)
        one = np.repeat(hashtag[first:last], counts)
        found = ranks.look_up(np.where(swapped, other, one), np.where(swapped, one, other))
        best[first:last] = np.minimum.reduceat(found, block_starts)
    return best


def _take_from(mask: BoolArray, ones: IntArray, others: IntArray, positions: IntArray) -> IntArray:
    """Take the element at each position from ``ones`` where the mask is set, else from ``others``."""
    found = np.empty(len(positions), np.int64)
    found[mask], found[~mask] = ones[positions[mask]], others[positions[~mask]]
    return found


def _blocks(counts: IntArray) -> Iterator[tuple[int, int]]:
    """Cut counts into ranges whose sums are at most ``BLOCK``; a greater single count is a range of its own."""
    ends = np.cumsum(counts)
    first, before = 0, 0
    while first < len(counts):
        last = max(first + 1, int(np.searchsorted(ends, before + BLOCK, side="right")))
        yield first, last
        first, before = last, int(ends[last - 1])


def _weights(ranks: IntArray, k: int, weights: Weights) -> FloatArray:
    """Return how much each hit counts by its best rank, 0 beyond k; ``measures.weight`` for arrays."""
    within = ranks <= k
    counted_ranks = np.where(within, ranks, 0).astype(np.float64)
    match weights:
        case "none":
            return within.astype(np.float64)
        case "reciprocal":
            return within / (1 + counted_ranks)
        case "logarithmic":
            return within / np.log2(2 + counted_ranks)
        case "linear":
            return within * (1 - counted_ranks / (k + 1))
    raise ValueError(f"unknown weights {weights!r}; choose none, reciprocal, logarithmic or linear")
