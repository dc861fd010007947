"""What people say, on average, of a pair with a given score: the scores of a profile on the scale of HyperLex, 0 to 10."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .profiles import PROFILES

if TYPE_CHECKING:
    from ..paths.weighted import WeightedView

Curve = Sequence[tuple[float, float]]
"""Scores with their judgements, both ascending; between them the judgement changes evenly."""

CURVES: Mapping[str, Curve] = {
    "people": (
        *((0.0, 1.1), (0.012, 2.2), (0.045, 3.3), (0.079, 4.2), (0.125, 5.3)),
        *((0.17, 6.8), (0.251, 7.3), (0.354, 7.6), (0.453, 8.1), (1.0, 8.1)),
    )
}
"""The curve of each profile in a WordNet, fitted as ``docs/papers.md`` says."""


def find_curve(profile: str, view: WeightedView[Any]) -> Curve | None:
    """Return the curve of a profile; None if it has none, if a parameter was changed, or if the view is not one WordNet."""
    is_wordnet = len(view.view.bases) == 1 and view.view.has_word_derivations
    return CURVES.get(profile) if is_wordnet and view.parameters == PROFILES.get(profile) else None


def estimate_judgement(score: float, curve: Curve) -> float:
    """Return the judgement that belongs to a score.

    >>> estimate_judgement(0.25, ((0.0, 1.0), (0.5, 3.0), (1.0, 9.0)))
    2.0
    """
    place = min(max(bisect_right(curve, score, key=lambda knot: knot[0]), 1), len(curve) - 1)
    (low, least), (high, most) = curve[place - 1 : place + 1]
    return least + (most - least) * (score - low) / (high - low)
