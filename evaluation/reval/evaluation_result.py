"""What comes of judging recommendations: the ratios of each, and for each k their averages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...rendering.tables import align_columns

if TYPE_CHECKING:
    from .measures import Weights

Whole = npt.NDArray[np.int64]
Real = npt.NDArray[np.float64]

WHY = {1: "no recommendation", 2: "no gold", 3: "neither"}
"""Why a recommendation is left out."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The averages for one k, over the ``pairs`` that have them (None: no pair has), and how many were left out for what."""

    k: int
    hit_ratio: float | None
    reval_hit_ratio: float | None
    pairs: int
    left_out: dict[str, int] = field(default_factory=dict)
    weights: Weights = "none"

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values, ready for JSON; ``left_out`` is a number, and why is told beside it."""
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
    """Some recommendations in their order: how many hashtags are in each and its gold, and its ratios, NaN if it has none."""

    recommended: Whole
    gold: Whole
    hit_ratio: Real
    ratios: tuple[Real, ...]
    """The #REval-hit-ratios, for each k."""

    def each(self, ks: Sequence[int], weights: Weights) -> Iterator[list[Evaluation]]:
        """What is to be said of each one by itself, for each k."""
        missing = ((self.recommended == 0) + 2 * (self.gold == 0)).tolist()
        hits, *ratios = ([None if each != each else each for each in one.tolist()] for one in (self.hit_ratio, *self.ratios))
        for place, none in enumerate(missing):
            why = {WHY[none]: 1} if none else {}
            yield [
                Evaluation(k, hits[place], found[place], 0 if none else 1, why, weights)
                for k, found in zip(ks, ratios, strict=True)
            ]


def averages(judged: Iterable[JudgedPairs], ks: Sequence[int], weights: Weights = "none") -> tuple[Evaluation, ...]:
    """What was judged, on average."""
    count, left_out = 0, Counter[str]()
    hits: list[float] = []
    sums: list[list[float]] = [[] for _ in ks]
    for each in judged:
        there = ~np.isnan(each.hit_ratio)
        count += int(there.sum())
        missing = (each.recommended == 0) + 2 * (each.gold == 0)
        left_out.update({why: missed for code, why in WHY.items() if (missed := int((missing == code).sum()))})
        hits.append(float(each.hit_ratio[there].sum()))
        for held, ratios in zip(sums, each.ratios, strict=True):
            held.append(float(ratios[there].sum()))
    mean = fsum(hits) / count if count else None
    return tuple(
        Evaluation(k, mean, fsum(held) / count if count else None, count, dict(left_out), weights)
        for k, held in zip(ks, sums, strict=True)
    )


def evaluation_table(evaluations: Sequence[Evaluation]) -> str:
    """The averages for each k, one below the other, and what they are of.

    >>> print(evaluation_table([Evaluation(0, 0.5, 0.5, 2, {"no gold": 1}), Evaluation(10, 0.5, 1.0, 2, {"no gold": 1})]))
     k  hit ratio  #REval-hit-ratio
     0  0.5000     0.5000
    10  0.5000     1.0000
    <BLANKLINE>
    2 recommendations, 1 left out (no gold: 1)
    """
    rows = [(each.k, format_ratio(each.hit_ratio), format_ratio(each.reval_hit_ratio)) for each in evaluations]
    table = align_columns(("k", "hit ratio", "#REval-hit-ratio"), rows)
    first = next(iter(evaluations), None)
    if first is None:
        return table
    text = f"{first.pairs:,} recommendation{'' if first.pairs == 1 else 's'}"
    if first.left_out:
        why = ", ".join(f"{reason}: {count:,}" for reason, count in first.left_out.items())
        text += f", {sum(first.left_out.values()):,} left out ({why})"
    if first.weights != "none":
        text += f"; synonyms weigh less the farther they are: {first.weights}"
    return f"{table}\n\n{text}"


def format_ratio(ratio: float | None) -> str:
    """A ratio with four digits, - for none."""
    return "-" if ratio is None else f"{ratio:.4f}"
