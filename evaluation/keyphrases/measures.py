"""Precision, recall and F of keyphrases under any matcher."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np

from ...core.progress import Progress, no_progress
from ..agreement.pair_scores import score_pairs
from ..agreement.statistics import Interval
from ..matchers import Matcher
from .keyphrase_lists import Keyphrase, Keyphrases

Pair = tuple[str, str]
"""A candidate and a gold phrase."""

Scores = Mapping[Pair, float]
"""Scores from 0 to 1 by candidate and gold phrase."""

HIGHEST = 1 + 1e-6
"""The highest score of a matcher: the cosine of equal vectors can be rounded to more than 1."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The true positives (1.4) of candidates among gold keyphrases, and the sizes of both sets.

    Nothing is assigned: several candidates may match one gold keyphrase, so recall and F can exceed 1. The figures of empty
    sets are 0.

    >>> tally = Tally(tp=1.5, candidates=3, gold=2)
    >>> tally.precision, tally.recall, tally.f
    (0.5, 0.75, 0.6)
    """

    tp: float
    candidates: int
    gold: int

    @property
    def precision(self) -> float:
        """The share of the candidates that match (1.1)."""
        return self.tp / self.candidates if self.candidates else 0.0

    @property
    def recall(self) -> float:
        """The matches per gold keyphrase (1.2)."""
        return self.tp / self.gold if self.gold else 0.0

    @property
    def f(self) -> float:
        """The harmonic mean of precision and recall (1.3)."""
        # 2PR / (P + R) with P = TP / C and R = TP / G, which is also the form of Rolling's consistency.
        return 2 * self.tp / (self.candidates + self.gold) if self.tp else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain values, ready for JSON."""
        return {
            "tp": self.tp,
            "candidates": self.candidates,
            "gold": self.gold,
            "precision": self.precision,
            "recall": self.recall,
            "f": self.f,
        }


def pair_forms(candidates: Keyphrases, gold: Keyphrases) -> Iterator[Pair]:
    """Yield every pair of a candidate, by its first form, and a form of a gold keyphrase."""
    for candidate in candidates:
        for keyphrase in gold:
            for form in keyphrase:
                yield candidate[0], form


def score_forms(
    name: str, matcher: Matcher, pairs: Iterable[Pair], progress: Progress = no_progress
) -> tuple[dict[Pair, float], int]:
    """Score pairs, each once, by a matcher.

    Args:
        name: The name of the matcher, for errors.
        matcher: The matcher.
        pairs: Candidates, each with a gold phrase; they may be repeated.
        progress: Receives the number of pairs scored.

    Returns:
        The scores, and the number of different pairs that the matcher does not know. These score 0, and so do negative cosines:
        a candidate cannot match less than not at all.

    Raises:
        MatcherError: The matcher fails, or a score is above 1, so that it cannot be a share of a match.
    """
    unique = list(dict.fromkeys(pairs))
    scores = score_pairs(name, matcher, unique, low=-HIGHEST, high=HIGHEST, progress=progress)
    unknown = int(np.isnan(scores).sum())
    return dict(zip(unique, np.clip(np.nan_to_num(scores), 0.0, 1.0).tolist(), strict=True)), unknown


def find_best(candidate: Keyphrase, gold: Keyphrases, scores: Scores) -> float:
    """Return the best score of a candidate with any form of any gold keyphrase: the maximum in (1.4); 0 without gold."""
    return max((scores[candidate[0], form] for keyphrase in gold for form in keyphrase), default=0.0)


def count_matches(candidates: Keyphrases, gold: Keyphrases, scores: Scores) -> Tally:
    """Compare candidates with gold keyphrases; ``scores`` has every pair of ``pair_forms``."""
    tp = fsum(find_best(candidate, gold, scores) for candidate in candidates)
    return Tally(tp, len(candidates), len(gold))


def split_intervals(figures: Mapping[str, Interval]) -> dict[str, Any]:
    """Return figures as plain values, ready for JSON, with their intervals under a key of their own."""
    fields = {name: figure.to_dict() for name, figure in figures.items()}
    return {name: each.pop("value") for name, each in fields.items()} | {"intervals": fields}
