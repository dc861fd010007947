"""The weights of the senses of a phrase, with which a rare sense costs something at either end of a path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..bases.view import N, TargetLabel

if TYPE_CHECKING:
    from .parameters import Parameters


def weigh_targets(
    targets: Mapping[N, TargetLabel], senses: Sequence[tuple[N, int, int]], parameters: Parameters
) -> dict[N, TargetLabel]:
    """Return a target set with the weights of its senses; if several labels lead to an entity, its greatest weight counts.

    The weight of a sense is ``rank ^ -rank_power * ((uses + 1) / (most_uses + 1)) ^ uses_power``, divided by the greatest
    weight in the target set, so that the best sense has 1. One is added because most senses in a lexicon have no uses.

    Args:
        targets: The target set, of one base.
        senses: Each target, once for each label that leads to it, with the rank (0 if unknown) and the uses of that sense.
        parameters: The two powers.

    >>> from wayword.search.scoring.parameters import Parameters
    >>> targets = dict.fromkeys(("canine", "cad", "to follow"), TargetLabel("dog"))
    >>> senses = [("canine", 1, 39), ("cad", 2, 9), ("to follow", 1, 3)]
    >>> found = weigh_targets(targets, senses, Parameters(rank_power=1.0, uses_power=0.5))
    >>> [round(label.weight, 3) for label in found.values()]
    [1.0, 0.25, 0.316]
    """
    most = max((uses for _, _, uses in senses), default=0)
    weights = dict.fromkeys(targets, 0.0)
    for node, rank, uses in senses:
        weight = max(rank, 1) ** -parameters.rank_power * ((uses + 1) / (most + 1)) ** parameters.uses_power
        weights[node] = max(weight, weights[node])
    best = max(weights.values(), default=1.0)
    return {node: TargetLabel(label.text, weights[node] / best) for node, label in targets.items()}
