"""Match phrases in a wiki: a phrase means the senses of all labels with its stem, without the rare senses.

A label is the text of links to an article, or one of its titles. Its senses are accepted, most used first, until they cover a
share of its uses; the sense that reaches the share is accepted too. Shares are compared as whole numbers, so that rounding
never decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol

from ....core.normalisation import fold
from ...results import Target
from ...scoring.sense_weights import add_senses
from ..view import N, TargetLabel

if TYPE_CHECKING:
    from ....core.stemming import Stemmer
    from ...scoring.parameters import Parameters
    from ..view import View


class LabelUses(NamedTuple, Generic[N]):
    """A label: its text, and the articles it is used for, each with the number of uses."""

    text: str
    senses: tuple[tuple[N, int], ...]


class StemEntry(NamedTuple, Generic[N]):
    """The labels with one stem, and the articles whose title has it without brackets, each with that label."""

    labels: Sequence[LabelUses[N]] = ()
    bracketed: Sequence[tuple[N, str]] = ()


class LabelSense(NamedTuple, Generic[N]):
    """An accepted sense: the article, the label, its uses for the article, their share of all its uses, and their rank."""

    node: N
    label: str
    uses: int
    prior: float
    rank: int


class LabelView(Protocol[N]):
    """A view whose labels are looked up by their stems."""

    @property
    def stem(self) -> Stemmer:
        """The stemmer that the labels were stored by."""

    def entry_by_stem(self, stem: str, *, bracketed: bool = True) -> StemEntry[N]:
        """Return the labels with a stem, and if requested the articles whose title has it without brackets."""

    def entry_by_folded_stem(self, stem: str, *, bracketed: bool = True) -> StemEntry[N]:
        """Return the same for labels and titles whose folded form has the stem."""


def find_label_senses(view: LabelView[N], text: str, parameters: Parameters) -> list[LabelSense[N]]:
    """Return the accepted senses of a phrase by its stem; only if there are none, by its folded stem."""
    senses = select_senses(view.entry_by_stem(view.stem(text), bracketed=parameters.bracketed), parameters)
    if senses:
        return senses
    folded = fold(text)
    if not folded:
        return []
    return select_senses(view.entry_by_folded_stem(view.stem(folded), bracketed=parameters.bracketed), parameters)


def join_folded(own: StemEntry[N], folded: StemEntry[N], stem: str, stemmer: Stemmer) -> StemEntry[N]:
    """Return all labels and titles whose folded form has a stem.

    ``folded`` are those stored under the folded stem. Those in ``own`` have the stem as written; they are included if their
    folded form has it too.
    """

    def has_folded_stem(text: str) -> bool:
        return stemmer(fold(text)) == stem

    return StemEntry(
        [*(label for label in own.labels if has_folded_stem(label.text)), *folded.labels],
        [*(each for each in own.bracketed if has_folded_stem(each[1])), *folded.bracketed],
    )


def match_targets(senses: Iterable[LabelSense[N]], parameters: Parameters) -> dict[N, TargetLabel]:
    """Return the articles of these senses, most used first, each with its most used label.

    An article's uses are those under all labels with the stem, and its rank is its position in that order. If the stem has only
    one label, as most have, this is the order of the priors, and the uses have the same proportions as the priors.

    >>> from wayword.search.scoring.parameters import Parameters
    >>> jaguar = LabelUses("jaguar", (("Jaguar", 990), ("Jaguar Cars", 9), ("Jaguar (band)", 1)))
    >>> parameters = Parameters()
    >>> match_targets(select_senses(StemEntry([jaguar, LabelUses("jaguars", (("Jaguar", 7),))]), parameters), parameters)
    {'Jaguar': TargetLabel(text='jaguar', senses=(), opposites=())}
    """
    best: dict[N, str] = {}
    uses: dict[N, int] = {}
    for each in senses:
        best.setdefault(each.node, each.label)
        uses[each.node] = uses.get(each.node, 0) + each.uses
    ordered = sorted(best, key=lambda node: (-uses[node], node))
    found = {node: TargetLabel(best[node]) for node in ordered}
    if not parameters.of_wiki.weighs_senses:
        return found
    return add_senses(found, [(node, rank, uses[node]) for rank, node in enumerate(ordered, start=1)], of_wiki=True)


def select_senses(entry: StemEntry[N], parameters: Parameters) -> list[LabelSense[N]]:
    """Return the accepted senses of all labels with one stem, most used first."""
    senses = [each for label in _add_bracketed(entry, parameters) for each in _select_of_label(label, parameters)]
    return sorted(senses, key=lambda each: (-each.uses, each.label, each.rank))


def _add_bracketed(entry: StemEntry[N], parameters: Parameters) -> Iterable[LabelUses[N]]:
    """Return the labels, with one more use for each article whose title without brackets is the label."""
    if not parameters.bracketed or not entry.bracketed:
        return entry.labels
    uses = {label.text: dict(label.senses) for label in entry.labels}
    for node, text in entry.bracketed:
        senses = uses.setdefault(text, {})
        senses[node] = senses.get(node, 0) + 1
    return [LabelUses(text, tuple(senses.items())) for text, senses in uses.items()]


def _select_of_label(label: LabelUses[N], parameters: Parameters) -> Iterable[LabelSense[N]]:
    """Yield the senses of one label up to the one that reaches the coverage; ties are ordered by title."""
    total = sum(uses for _, uses in label.senses)
    coverage, least = _fraction(parameters.prior_coverage), _fraction(parameters.prior_least)
    running = 0
    for rank, (node, uses) in enumerate(sorted(label.senses, key=lambda sense: (-sense[1], sense[0])), start=1):
        if running * coverage.denominator >= coverage.numerator * total or uses * least.denominator < least.numerator * total:
            return
        running += uses
        yield LabelSense(node, label.text, uses, uses / total, rank)


@lru_cache(16)
def _fraction(share: float) -> Fraction:
    """Convert a decimal number exactly as written, without the rounding error of its float."""
    return Fraction(repr(share))


def describe_senses(view: View[N], senses: Iterable[LabelSense[N]]) -> Iterator[Target]:
    """Yield the articles as targets, most used first, each once with its most used label."""
    seen = set()
    for each in senses:
        if each.node not in seen:
            seen.add(each.node)
            (entity,) = view.entities([each.node])
            yield Target(entity.id, entity.name, entity.gloss, each.label, None, each.uses, each.prior, each.rank)
