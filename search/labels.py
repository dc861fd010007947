"""What a phrase matches in a wiki: the senses of every label that has its stem, without the rare ones.

A label is a text that links use for an article, or one of its titles. Its senses are taken, most used first, until they cover
a share of its uses; the sense that reaches the share is taken too. Shares are compared as whole numbers, so that none is lost
to rounding at the border.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Generic, NamedTuple

from .view import N

if TYPE_CHECKING:
    from .transitions import Parameters


class Labelled(NamedTuple, Generic[N]):
    """A label of a wiki: its text, and the articles that it is used for, each with the number of uses."""

    text: str
    senses: tuple[tuple[N, int], ...]


class Stemmed(NamedTuple, Generic[N]):
    """What a wiki has under one stem: labels, and articles with the label that they have without their bracketed end."""

    labels: Sequence[Labelled[N]] = ()
    bracketed: Sequence[tuple[N, str]] = ()


class Taken(NamedTuple, Generic[N]):
    """A sense that the rules let through: the article, the label that leads to it, its uses for that, and its share of all."""

    node: N
    label: str
    uses: int
    prior: float
    rank: int


def match_targets(found: Stemmed[N], parameters: Parameters) -> dict[N, str]:
    """The articles that a phrase with this stem means, most used first, each with the label that it is most used for.

    >>> from .transitions import Parameters
    >>> jaguar = Labelled("jaguar", (("Jaguar", 990), ("Jaguar Cars", 9), ("Jaguar (band)", 1)))
    >>> match_targets(Stemmed([jaguar, Labelled("jaguars", (("Jaguar", 7),))]), Parameters())
    {'Jaguar': 'jaguar'}
    """
    best: dict[N, str] = {}
    uses: dict[N, int] = {}
    for each in taken(found, parameters):
        best.setdefault(each.node, each.label)
        uses[each.node] = uses.get(each.node, 0) + each.uses
    return {node: best[node] for node in sorted(best, key=lambda node: (-uses[node], node))}


def taken(found: Stemmed[N], parameters: Parameters) -> list[Taken[N]]:
    """The senses that are taken of all labels with one stem, most used first."""
    kept = [each for label in _labels(found, parameters) for each in _cut(label, parameters)]
    return sorted(kept, key=lambda each: (-each.uses, each.label, each.rank))


def _labels(found: Stemmed[N], parameters: Parameters) -> Iterable[Labelled[N]]:
    if not parameters.bracketed or not found.bracketed:
        return found.labels
    uses = {label.text: dict(label.senses) for label in found.labels}
    for node, text in found.bracketed:
        senses = uses.setdefault(text, {})
        senses[node] = senses.get(node, 0) + 1
    return [Labelled(text, tuple(senses.items())) for text, senses in uses.items()]


def _cut(label: Labelled[N], parameters: Parameters) -> Iterable[Taken[N]]:
    """The senses of one label up to the one that reaches the coverage; equally used ones in the order of their titles."""
    whole = sum(uses for _, uses in label.senses)
    coverage, least = _fraction(parameters.prior_coverage), _fraction(parameters.prior_least)
    running = 0
    for rank, (node, uses) in enumerate(sorted(label.senses, key=lambda sense: (-sense[1], sense[0])), start=1):
        if running * coverage.denominator >= coverage.numerator * whole or uses * least.denominator < least.numerator * whole:
            return
        running += uses
        yield Taken(node, label.text, uses, uses / whole, rank)


@lru_cache(16)
def _fraction(share: float) -> Fraction:
    """The number that was written down, not the nearest one to it that a float can be."""
    return Fraction(repr(share))
