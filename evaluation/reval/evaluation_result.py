"""The result of evaluating recommendations: the ratios of each, and their averages for each k."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.left_out import describe_left_out
from ...rendering.tables import align_columns

if TYPE_CHECKING:
    from ...core.arrays import FloatArray, IntArray
    from .measures import Weights

LEFT_OUT_CODES = {1: "no_recommendation", 2: "no_gold", 3: "no_recommendation_or_gold"}
"""The codes of pairs that are left out, by their empty sets: 1 for recommended hashtags, 2 for gold hashtags, 3 for both."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The averages for one k.

    - ``hit_ratio``, ``reval_hit_ratio``: the averages over ``pairs`` recommendations; None if there are none
    - ``left_out``: the pairs with an empty set, counted by code
    """

    k: int
    hit_ratio: float | None
    reval_hit_ratio: float | None
    pairs: int
    left_out: dict[str, int] = field(default_factory=dict)
    weights: Weights = "none"

    def to_dict(self) -> dict[str, Any]:
        """Return the evaluation as plain values, ready for JSON: ``left_out`` is a number, ``left_out_why`` its parts."""
        return {
            "k": self.k,
            "hit_ratio": self.hit_ratio,
            "reval_hit_ratio": self.reval_hit_ratio,
            "pairs": self.pairs,
            "left_out": sum(self.left_out.values()),
            "left_out_why": dict(self.left_out),
            "weights": self.weights,
        }


@dataclass(frozen=True, slots=True)
class JudgedPairs:
    """The ratios of a batch of recommendations, in order.

    - ``recommended``, ``gold``: the sizes of the sets of each pair
    - ``hit_ratio``: the hit ratio of each pair, NaN if a set is empty
    - ``reval_hit_ratios``: for each k the #REval-hit-ratio of each pair, NaN if a set is empty
    """

    recommended: IntArray
    gold: IntArray
    hit_ratio: FloatArray
    reval_hit_ratios: tuple[FloatArray, ...]

    @property
    def empty_sets(self) -> IntArray:
        """For each pair 0, or the key of ``LEFT_OUT_CODES`` for its empty sets."""
        found: IntArray = (self.recommended == 0) + 2 * (self.gold == 0)
        return found

    def evaluate_each(self, ks: Sequence[int], weights: Weights) -> Iterator[list[Evaluation]]:
        """Yield the evaluations of each pair by itself, one for each k."""
        columns = (self.hit_ratio, *self.reval_hit_ratios)
        hits, *ratios = ([None if value != value else value for value in column.tolist()] for column in columns)
        for index, empty in enumerate(self.empty_sets.tolist()):
            left_out = {LEFT_OUT_CODES[empty]: 1} if empty else {}
            yield [
                Evaluation(k, hits[index], ratio[index], 0 if empty else 1, left_out, weights)
                for k, ratio in zip(ks, ratios, strict=True)
            ]


def average_pairs(judged: Iterable[JudgedPairs], ks: Sequence[int], weights: Weights = "none") -> tuple[Evaluation, ...]:
    """Average the ratios of batches: one evaluation for each k."""
    count, left_out = 0, Counter[str]()
    hits: list[float] = []
    sums: list[list[float]] = [[] for _ in ks]
    for batch in judged:
        defined = ~np.isnan(batch.hit_ratio)
        count += int(defined.sum())
        empty_sets = batch.empty_sets
        left_out.update({code: found for key, code in LEFT_OUT_CODES.items() if (found := int((empty_sets == key).sum()))})
        hits.append(float(batch.hit_ratio[defined].sum()))
        for batch_sums, ratios in zip(sums, batch.reval_hit_ratios, strict=True):
            batch_sums.append(float(ratios[defined].sum()))
    hit_ratio = fsum(hits) / count if count else None
    return tuple(
        Evaluation(k, hit_ratio, fsum(batch_sums) / count if count else None, count, dict(left_out), weights)
        for k, batch_sums in zip(ks, sums, strict=True)
    )


def evaluation_table(evaluations: Sequence[Evaluation]) -> str:
    """Return a table of the averages for each k, above the number of recommendations.

    >>> print(evaluation_table([Evaluation(0, 0.5, 0.5, 2, {"no_gold": 1}), Evaluation(10, 0.5, 1.0, 2, {"no_gold": 1})]))
     k  hit ratio  #REval-hit-ratio
     0  0.5000     0.5000
    10  0.5000     1.0000
    <BLANKLINE>
    2 recommendations; left out: 1 tweet without gold hashtags
    """
    rows = [(each.k, format_ratio(each.hit_ratio), format_ratio(each.reval_hit_ratio)) for each in evaluations]
    table = align_columns(("k", "hit ratio", "#REval-hit-ratio"), rows)
    first = next(iter(evaluations), None)
    if first is None:
        return table
    text = f"{first.pairs:,} recommendation{'' if first.pairs == 1 else 's'}"
    if first.left_out:
        text += f"; left out: {', '.join(describe_left_out(code, count) for code, count in first.left_out.items())}"
    if first.weights != "none":
        text += f"; {first.weights} weights: synonyms of a higher rank count less"
    return f"{table}\n\n{text}"


def format_ratio(ratio: float | None) -> str:
    """Format a ratio with four decimals, None as a dash."""
    return "-" if ratio is None else f"{ratio:.4f}"
