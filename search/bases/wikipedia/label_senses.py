"""What a phrase matches in a wiki: the senses of every label that has its stem, without the rare ones.

A label is a text that links use for an article, or one of its titles. Its senses are taken, most used first, until they cover
a share of its uses; the sense that reaches the share is taken too. Shares are compared as whole numbers, so that none is lost
to rounding at the border.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol

from ....core.normalization import fold
from ...results import Target
from ..view import N

if TYPE_CHECKING:
    from ....core.stemming import Stemmer
    from ...scoring.parameters import Parameters
    from ..view import View


class LabelUses(NamedTuple, Generic[N]):
    """A label of a wiki: its text, and the articles that it is used for, each with the number of uses."""

    text: str
    senses: tuple[tuple[N, int], ...]


class StemEntry(NamedTuple, Generic[N]):
    """What a wiki has under one stem: labels, and articles with the label that they have without their bracketed end."""

    labels: Sequence[LabelUses[N]] = ()
    bracketed: Sequence[tuple[N, str]] = ()


class LabelSense(NamedTuple, Generic[N]):
    """A sense that the rules let through: the article, the label that leads to it, its uses for that, and its share of all."""

    node: N
    label: str
    uses: int
    prior: float
    rank: int


class LabelView(Protocol[N]):
    """A base whose labels are found by their stems."""

    @property
    def stem(self) -> Stemmer:
        """The stemmer by which its labels were stored."""

    def stemmed(self, stem: str, *, bracketed: bool = True) -> StemEntry[N]:
        """The labels with a stem, and the articles whose title has it without the bracketed end."""

    def folded(self, stem: str, *, bracketed: bool = True) -> StemEntry[N]:
        """The same for labels and titles whose folded form has the stem."""


def find_senses(view: LabelView[N], text: str, parameters: Parameters) -> list[LabelSense[N]]:
    """The senses that a phrase has by its stem; only if there are none, those that it has by its folded stem."""
    found = select_senses(view.stemmed(view.stem(text), bracketed=parameters.bracketed), parameters)
    if found:
        return found
    folded = fold(text)
    return select_senses(view.folded(view.stem(folded), bracketed=parameters.bracketed), parameters) if folded else []


def join_folded(own: StemEntry[N], folded: StemEntry[N], stem: str, stemmer: Stemmer) -> StemEntry[N]:
    """Everything whose folded form has a stem: what is stored under it as such, and of what has the stem itself the rest."""

    def fits(text: str) -> bool:
        return stemmer(fold(text)) == stem

    return StemEntry(
        [*(label for label in own.labels if fits(label.text)), *folded.labels],
        [*(each for each in own.bracketed if fits(each[1])), *folded.bracketed],
    )


def match_targets(found: Iterable[LabelSense[N]]) -> dict[N, str]:
    """The articles of these senses, most used first, each with the label that it is most used for.

    >>> from wayword.search.scoring.parameters import Parameters
    >>> jaguar = LabelUses("jaguar", (("Jaguar", 990), ("Jaguar Cars", 9), ("Jaguar (band)", 1)))
    >>> match_targets(select_senses(StemEntry([jaguar, LabelUses("jaguars", (("Jaguar", 7),))]), Parameters()))
    {'Jaguar': 'jaguar'}
    """
    best: dict[N, str] = {}
    uses: dict[N, int] = {}
    for each in found:
        best.setdefault(each.node, each.label)
        uses[each.node] = uses.get(each.node, 0) + each.uses
    return {node: best[node] for node in sorted(best, key=lambda node: (-uses[node], node))}


def select_senses(found: StemEntry[N], parameters: Parameters) -> list[LabelSense[N]]:
    """The senses that are taken of all labels with one stem, most used first."""
    kept = [each for label in _labels(found, parameters) for each in _cut(label, parameters)]
    return sorted(kept, key=lambda each: (-each.uses, each.label, each.rank))


def _labels(found: StemEntry[N], parameters: Parameters) -> Iterable[LabelUses[N]]:
    if not parameters.bracketed or not found.bracketed:
        return found.labels
    uses = {label.text: dict(label.senses) for label in found.labels}
    for node, text in found.bracketed:
        senses = uses.setdefault(text, {})
        senses[node] = senses.get(node, 0) + 1
    return [LabelUses(text, tuple(senses.items())) for text, senses in uses.items()]


def _cut(label: LabelUses[N], parameters: Parameters) -> Iterable[LabelSense[N]]:
    """The senses of one label up to the one that reaches the coverage; equally used ones in the order of their titles."""
    whole = sum(uses for _, uses in label.senses)
    coverage, least = _fraction(parameters.prior_coverage), _fraction(parameters.prior_least)
    running = 0
    for rank, (node, uses) in enumerate(sorted(label.senses, key=lambda sense: (-sense[1], sense[0])), start=1):
        if running * coverage.denominator >= coverage.numerator * whole or uses * least.denominator < least.numerator * whole:
            return
        running += uses
        yield LabelSense(node, label.text, uses, uses / whole, rank)


@lru_cache(16)
def _fraction(share: float) -> Fraction:
    """The number that was written down, not the nearest one to it that a float can be."""
    return Fraction(repr(share))


def describe_senses(view: View[N], found: Iterable[LabelSense[N]]) -> Iterator[Target]:
    """The articles in full, most used first; one that several labels lead to comes with the label it is most used for."""
    seen = set()
    for each in found:
        if each.node not in seen:
            seen.add(each.node)
            (entity,) = view.entities([each.node])
            yield Target(entity.id, entity.name, entity.gloss, each.label, None, each.uses, each.prior, each.rank)
