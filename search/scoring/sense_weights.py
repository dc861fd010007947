"""The weights of the senses of a phrase, with which a rare sense costs something at either end of a path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..bases.view import N, SenseCounts, TargetLabel

if TYPE_CHECKING:
    from .parameters import Parameters

Senses = tuple[SenseCounts, ...]
"""The senses that lead to a target, see ``TargetLabel``."""

SensePowers = tuple[tuple[float, float], tuple[float, float]]
"""``rank_power`` and ``uses_power`` in a lexicon, and in a wiki."""


def add_senses(
    targets: Mapping[N, TargetLabel], senses: Sequence[tuple[N, int, int]], *, of_wiki: bool
) -> dict[N, TargetLabel]:
    """Return a target set with the senses that lead to each target.

    Args:
        targets: The target set, of one base.
        senses: Each target, once for each label that leads to it, with the rank (0 if unknown) and the uses of that sense.
        of_wiki: Whether the base is a wiki.

    >>> targets = dict.fromkeys(("canine", "cad"), TargetLabel("dog"))
    >>> add_senses(targets, [("canine", 1, 39), ("cad", 2, 9)], of_wiki=False)["cad"].senses
    (SenseCounts(rank=2, share=0.25, of_wiki=False),)
    """
    most = max((uses for _, _, uses in senses), default=0)
    found: dict[N, list[SenseCounts]] = {node: [] for node in targets}
    for node, rank, uses in senses:
        found[node].append(SenseCounts(max(rank, 1), (uses + 1) / (most + 1), of_wiki))
    return {node: label._replace(senses=tuple(found[node])) for node, label in targets.items()}


def sense_powers(parameters: Parameters) -> SensePowers | None:
    """Return the powers of ``weigh_senses``; None if all senses weigh 1."""
    lexicon, wiki = ((each.rank_power, each.uses_power) for each in (parameters, parameters.of_wiki))
    return (lexicon, wiki) if any((*lexicon, *wiki)) else None


def weigh_senses(targets: Sequence[Senses], powers: SensePowers) -> tuple[float, ...] | None:
    """Return the weights of a target set, given the senses of each target; None if each is 1.

    The weight of a sense is ``rank ^ -rank_power * share ^ uses_power``. A target has the greatest weight of its senses, and
    all are divided by the greatest one.

    >>> from wayword.search.scoring.parameters import Parameters
    >>> senses = [(SenseCounts(1, 1.0),), (SenseCounts(2, 0.25),)]
    >>> [round(weight, 3) for weight in weigh_senses(senses, sense_powers(Parameters(rank_power=1.0, uses_power=0.5)))]
    [1.0, 0.25]
    """

    def weigh(sense: SenseCounts) -> float:
        rank, share, of_wiki = sense
        rank_power, uses_power = powers[of_wiki]
        weight: float = rank**-rank_power * share**uses_power
        return weight

    weights = [max(map(weigh, senses), default=1.0) for senses in targets]
    best, least = max(weights), min(weights)
    return None if least == best else tuple([weight / best for weight in weights])
