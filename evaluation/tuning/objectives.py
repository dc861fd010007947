"""Objectives: judgements of people, and the figure by which scores agree with them.

An objective has *items*, such as questions or pairs, of which folds and resamples consist. Its figure is a statistic of how
often each item counts, as in ``agreement.statistics``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite, nan
from pathlib import Path
from typing import Any

import numpy as np

from ...core.arrays import FloatArray
from ...core.messages import quote_value
from ...core.suggestions import suggest
from ..agreement.comparisons import Ballot, collect_ballots, compare_scores
from ..agreement.correlation import CountStatistic, spearman_statistic
from ..agreement.graded_files import JudgedPair, read_judged_pairs
from ..agreement.judgements import read_judgements
from ..agreement.question_measures import Volunteers, combine
from ..agreement.questions import PRINTED, PRINTED_FILE, Question, read_questions
from ..agreement.statistics import Indices, mean_statistic
from ..agreement.substitute_files import Target, read_swords
from ..agreement.substitute_measures import generalised_average_precision, rank_weights
from ..errors import TuningError

Pair = tuple[str, str]
Measure = Callable[[FloatArray], CountStatistic]
"""Maps the scores of all pairs of some items to the statistic of these items."""


@dataclass(frozen=True, slots=True)
class ObjectiveKind:
    """A kind of objective.

    - ``name``: what users type
    - ``figure``: what it measures, in a few words
    - ``low``, ``high``: the range of the figure
    - ``read``: reads the items of a file
    - ``pairs``: returns the pairs of an item that have to be scored
    - ``measure``: returns the measure of items
    - ``is_defined``: whether the figure of items is defined, given scores that are not all equal
    - ``is_absolute``: whether the figure of an item depends on its own scores only, so that items scored under different
      parameters may be averaged; ranks need all scores under the same ones
    - ``needs_known``: whether items with an unknown phrase are left out of the learning, as in section 5.3.5
    """

    name: str
    figure: str
    low: float
    high: float
    read: Callable[[Path], Sequence[Any]]
    pairs: Callable[[Any], list[Pair]]
    measure: Callable[[Sequence[Any]], Measure]
    is_defined: Callable[[Sequence[Any]], bool] = bool
    is_absolute: bool = True
    needs_known: bool = False


def measure_questions(items: Sequence[Question]) -> Measure:
    """Return Combo (4.20) times SR (4.27), the objective of section 5.3.5."""
    volunteers = Volunteers(items)

    def measure(scores: FloatArray) -> CountStatistic:
        judged = volunteers.judge(scores.reshape(len(items), -1))
        good, bad, order = (mean_statistic(judged[name]) for name in ("gs", "bs", "sr"))
        return lambda counts: combine(good(counts), bad(counts)) * order(counts)

    return measure


def has_good_and_bad(items: Sequence[Question]) -> bool:
    """Whether some questions have a good substitute and some a bad one, so that Combo is defined."""
    if not items:
        return False
    volunteers = Volunteers(items)
    return bool(volunteers.good.any() and volunteers.bad.any())


def measure_graded(items: Sequence[JudgedPair]) -> Measure:
    """Return Spearman's correlation with the judgements."""
    gold = np.array([each.score for each in items])
    return lambda scores: spearman_statistic(scores, gold)


def measure_symmetric(items: Sequence[JudgedPair]) -> Measure:
    """Return Spearman's correlation of the mean scores of both directions with the judgements."""
    correlate = measure_graded(items)
    return lambda scores: correlate(scores.reshape(len(items), 2).mean(axis=1))


def has_different_scores(items: Sequence[JudgedPair]) -> bool:
    """Whether people judged some pairs differently, so that there is an order to agree with."""
    return len({each.score for each in items}) > 1


def measure_substitutes(items: Sequence[Target]) -> Measure:
    """Return the mean GAP of the rankings of substitutes."""

    def measure(scores: FloatArray) -> CountStatistic:
        values, start = np.empty(len(items)), 0
        for number, target in enumerate(items):
            end = start + len(target.weights)
            values[number] = generalised_average_precision(rank_weights(target.weights, scores[start:end].tolist()))
            start = end
        return mean_statistic(values)

    return measure


def measure_comparisons(items: Sequence[Ballot]) -> Measure:
    """Return the mean share of the judges who say the same."""

    def measure(scores: FloatArray) -> CountStatistic:
        pairs = scores.reshape(len(items), 2).tolist()
        shares = [ballot.share(compare_scores(*pair)) for ballot, pair in zip(items, pairs, strict=True)]
        return mean_statistic(np.array(shares))

    return measure


KINDS = {
    kind.name: kind
    for kind in (
        ObjectiveKind(
            "questions",
            "Combo x SR",
            0.0,
            1.0,
            lambda path: read_questions(PRINTED_FILE if str(path) == PRINTED else path),
            lambda question: list(question.pairs()),
            measure_questions,
            has_good_and_bad,
            needs_known=True,
        ),
        ObjectiveKind(
            "graded",
            "Spearman",
            -1.0,
            1.0,
            read_judged_pairs,
            lambda pair: [(pair.substitute, pair.substitutee)],
            measure_graded,
            has_different_scores,
            is_absolute=False,
        ),
        ObjectiveKind(
            "symmetric",
            "Spearman, both directions",
            -1.0,
            1.0,
            read_judged_pairs,
            lambda pair: [(pair.substitute, pair.substitutee), (pair.substitutee, pair.substitute)],
            measure_symmetric,
            has_different_scores,
            is_absolute=False,
        ),
        ObjectiveKind(
            "substitutes",
            "GAP",
            0.0,
            1.0,
            lambda path: read_swords(path).targets,
            lambda target: [(substitute, target.word) for substitute in target.substitutes],
            measure_substitutes,
        ),
        ObjectiveKind(
            "comparisons",
            "agreement",
            0.0,
            1.0,
            lambda path: collect_ballots(read_judgements(path).answered),
            lambda ballot: [ballot.first, ballot.second],
            measure_comparisons,
        ),
    )
}
"""The kinds of objectives by name."""

DATA_SETS = {
    "hyperlex": "graded",
    "simlex": "symmetric",
    "simverb": "symmetric",
    "wordsim": "symmetric",
    "men": "symmetric",
    "swords": "substitutes",
}
"""Data sets that can be named instead of the kind of their judgements."""


@dataclass(frozen=True)
class Objective:
    """Judgements, and the weight of their figure in the mix that is maximised.

    - ``name``: what the user typed
    - ``file``: the path of the judgements
    - ``weight``: above 0
    - ``items``: the items
    """

    name: str
    file: str
    weight: float
    items: tuple[Any, ...] = field(repr=False)

    @property
    def kind(self) -> ObjectiveKind:
        """The kind of the judgements."""
        return KINDS[DATA_SETS.get(self.name, self.name)]

    @cached_property
    def pairs(self) -> list[Pair]:
        """The pairs to be scored, those of the first item first."""
        return [pair for item in self.items for pair in self.kind.pairs(item)]

    @cached_property
    def starts(self) -> Indices:
        """The position of the first pair of each item, and the number of pairs."""
        return np.cumsum([0, *(len(self.kind.pairs(item)) for item in self.items)])

    def select(self, items: Indices) -> Objective:
        """Return the objective of some of the items, by their numbers."""
        return replace(self, items=tuple(self.items[int(each)] for each in items))

    def select_pairs(self, items: Indices) -> Indices:
        """Return the positions of the pairs of some of the items."""
        spans = [np.arange(self.starts[each], self.starts[each + 1]) for each in items]
        return np.concatenate(spans) if spans else np.zeros(0, dtype=np.intp)

    def score(self, scores: FloatArray) -> float:
        """Return the figure for the scores of all pairs; NaN if it is undefined."""
        return compute_figure(self.kind.measure(self.items)(scores), len(self.items))

    def digest(self) -> str:
        """Return the SHA-256 of the file, or of all files of a folder."""
        path = PRINTED_FILE if self.file == PRINTED else Path(self.file)
        digest = hashlib.sha256()
        for each in sorted(path.glob("*.csv")) if path.is_dir() else [path]:
            digest.update(each.read_bytes())
        return digest.hexdigest()


def compute_figure(statistic: CountStatistic, size: int) -> float:
    """Return a statistic of items that count once each; NaN without items."""
    return float(statistic(np.ones((size, 1)))[0]) if size else nan


def read_objective(request: str) -> Objective:
    """Read an objective.

    Args:
        request: ``NAME=FILE``, or ``NAME:WEIGHT=FILE`` for a weight in the mix other than 1.

    Raises:
        TuningError: The request is invalid.
        GoldError: The file cannot be read.

    >>> objective = read_objective("questions:0.5=printed")
    >>> objective.weight, len(objective.items), len(objective.pairs)
    (0.5, 7, 28)
    """
    left, sign, file = request.partition("=")
    name, colon, weight = left.partition(":")
    if not sign or not name or not file:
        raise TuningError(f"{quote_value(request)} is not NAME=FILE or NAME:WEIGHT=FILE; write it like hyperlex:2=train.txt")
    known = [*KINDS, *DATA_SETS]
    if name not in known:
        raise TuningError(f"there is no objective {quote_value(name)}, only {', '.join(known)}", *suggest(name, known))
    objective = Objective(name, file, _parse_weight(request, weight) if colon else 1.0, ())
    return replace(objective, items=tuple(objective.kind.read(Path(file))))


def _parse_weight(request: str, text: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = nan
    if not (isfinite(weight) and weight > 0.0):
        raise TuningError(f"the weight in {quote_value(request)} is {quote_value(text)}; give a number above 0")
    return weight


def read_objectives(requests: Iterable[str]) -> list[Objective]:
    """Read objectives, see ``read_objective``; each file may be named once for each kind."""
    found: dict[tuple[str, str], Objective] = {}
    for request in requests:
        objective = read_objective(request)
        key = objective.kind.name, objective.file
        if key in found:
            raise TuningError(f"the objective {objective.name}={objective.file} is named twice; give it a weight instead")
        found[key] = objective
    return list(found.values())
