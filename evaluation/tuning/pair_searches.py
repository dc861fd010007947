"""Score the same pairs under many parameters: only the weights of the search change, so the store is never touched.

The target sets of all phrases are looked up once; parameters weigh them and the projection again. A whole population is scored
question by question (section 6.2): all its members search from one source before the next source begins, so that the graph
around the source is in the processor's cache.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from ...core.arrays import FloatArray
from ...search.bases.projection import Projection
from ...search.paths.bidirectional import search_both_ends
from ...search.paths.native_search import open_native_search
from ...search.paths.target_sets import TargetSet, TargetSets
from ...search.paths.weighted import WeightedView
from ...search.scoring.parameters import Parameters
from ...search.scoring.scorer import Scorer, combine_aspects
from ...search.scoring.sense_weights import Senses, sense_powers, weigh_senses
from ..agreement.statistics import Indices
from ..errors import TuningError
from .objectives import Pair
from .space import MATCHING

GROUP = 16
"""How many members of a population search side by side; each has a workspace of some megabytes."""


class Question(NamedTuple):
    """The number of a source set, and those of the target sets that it is scored against."""

    source: int
    targets: array[int]


class Plan:
    """The searches that the scores of pairs consist of.

    - ``questions``: the searches, those from one source together
    - ``unknown``: whether a pair has a phrase without aspects
    """

    def __init__(self, scorer: Scorer[int], pairs: Sequence[Pair]) -> None:
        aspects = {phrase: scorer.aspects(phrase) for pair in pairs for phrase in pair}
        numbers: dict[tuple[tuple[int, ...], tuple[Senses, ...]], int] = {}
        phrases = {
            phrase: [numbers.setdefault((each.targets, each.senses), len(numbers)) for each in found]
            for phrase, found in aspects.items()
        }
        self._ends = list(numbers)
        of_number = {numbers[each.targets, each.senses]: each for found in aspects.values() for each in found}
        self.unknown = np.array([not (phrases[first] and phrases[second]) for first, second in pairs], dtype=bool)
        wanted: dict[int, dict[int, None]] = {}
        for first, second in pairs:
            for source in phrases[first]:
                wanted.setdefault(source, {}).update(dict.fromkeys(phrases[second]))
        self.questions = [Question(source, array("i", found)) for source, found in wanted.items()]
        order = ((source, target) for source, found in wanted.items() for target in found)
        places = {search: place for place, search in enumerate(order)}
        self.searches = len(places)
        self._are_antonyms = np.array(
            [of_number[source].find_antonyms(of_number[target]) is not None for source, target in places], dtype=bool
        )
        # Most pairs are one search; the others combine several (Algorithm 3).
        self._simple = np.zeros(len(pairs), dtype=np.intp)
        self._is_simple = np.zeros(len(pairs), dtype=bool)
        self._combined: list[tuple[int, list[list[int]]]] = []
        for number, (first, second) in enumerate(pairs):
            grid = [[places[source, target] for target in phrases[second]] for source in phrases[first]]
            if len(grid) == 1 and len(grid[0]) == 1:
                self._simple[number], self._is_simple[number] = grid[0][0], True
            elif not self.unknown[number]:
                self._combined.append((number, grid))

    def weigh(self, parameters: Parameters) -> list[TargetSet]:
        """Return the target sets with their weights."""
        powers = sense_powers(parameters)
        return [(targets, weigh_senses(senses, powers) if powers else None) for targets, senses in self._ends]

    def combine(self, found: FloatArray, parameters: Parameters) -> FloatArray:
        """Return the scores of the pairs under some parameters, given those of the searches; 0 for an unknown pair."""
        found = np.where(self._are_antonyms, found * parameters.antonym, found)
        scores: FloatArray = np.where(self._is_simple, found[self._simple] if len(found) else 0.0, 0.0)
        for number, grid in self._combined:
            scores[number] = combine_aspects([[float(found[place]) for place in row] for row in grid])
        return scores


class PairSearches:
    """Scores pairs in one projection under any parameters.

    Args:
        scorer: A scorer over the projection, with the profile around which parameters are tuned.
        pairs: The pairs; equal ones are searched once.

    Attributes:
        seconds: The time spent in searches so far.
    """

    def __init__(self, scorer: Scorer[int], pairs: Iterable[Pair]) -> None:
        if not isinstance(scorer.view.view, Projection):
            raise TuningError("a live view cannot be weighed again; tune with a projection")
        self.projection: Projection = scorer.view.view
        self._stop_words = scorer.stop_words
        self._pairs = list(dict.fromkeys(pairs))
        self._places = {pair: place for place, pair in enumerate(self._pairs)}
        self._plan_key, self._plan = _matching(scorer.view.parameters), Plan(scorer, self._pairs)
        self.seconds = 0.0

    def find(self, pairs: Iterable[Pair]) -> Indices:
        """Return the positions of pairs in the scores."""
        return np.array([self._places[pair] for pair in pairs], dtype=np.intp)

    @property
    def unknown(self) -> FloatArray:
        """Whether each pair has a phrase that the base does not know."""
        return self._plan.unknown

    def scores(self, population: Sequence[Parameters]) -> FloatArray:
        """Return a row of scores for each set of parameters."""
        rows: list[FloatArray] = []
        for _, members in groupby(population, key=_matching):
            alike = list(members)
            plan = self._find_plan(alike[0])
            for start in range(0, len(alike), GROUP):
                group = alike[start : start + GROUP]
                rows += map(plan.combine, self._search(plan, group), group)
        return np.array(rows).reshape(len(population), len(self._pairs))

    def _find_plan(self, parameters: Parameters) -> Plan:
        """Return the searches; they are planned again if the entities change, which the projection knows."""
        if (key := _matching(parameters)) != self._plan_key:
            view: WeightedView[int] = WeightedView(self.projection, parameters)  # type: ignore[arg-type]
            self._plan_key, self._plan = key, Plan(Scorer(view, stop_words=self._stop_words), self._pairs)
        return self._plan

    def _search(self, plan: Plan, members: Sequence[Parameters]) -> FloatArray:
        """Return the score of every search, a row for each member."""
        found = np.zeros((len(members), plan.searches))
        searches = [self._open(plan, each) for each in members]
        begun, first = time.perf_counter(), 0
        for question in plan.questions:
            last = first + len(question.targets)
            for row, search in enumerate(searches):
                found[row, first:last] = search(question)
            first = last
        self.seconds += time.perf_counter() - begun
        return found

    def _open(self, plan: Plan, parameters: Parameters) -> Any:
        """Return the function that searches under these parameters, in C if it is compiled."""
        ends = plan.weigh(parameters)
        native = open_native_search(self.projection, parameters)
        if native is None:
            view: WeightedView[int] = WeightedView(self.projection, parameters)  # type: ignore[arg-type]
            return partial(_search_in_python, view, ends)
        sets = TargetSets()
        for each in ends:
            sets.append(*each)

        def search(question: Question) -> Sequence[float]:
            sources, weights = ends[question.source]
            return native.scores(sources, sets, question.targets, weights)

        return search


def _search_in_python(view: WeightedView[int], ends: Sequence[TargetSet], question: Question) -> list[float]:
    sources, source_weights = ends[question.source]
    scores = []
    for number in question.targets:
        targets, weights = ends[number]
        path = search_both_ends(view, sources, targets, source_weights, weights)
        scores.append(path.score if path else 0.0)
    return scores


def _matching(parameters: Parameters) -> tuple[Any, ...]:
    """Return the parameters that decide which entities a phrase means, and whether their senses and antonyms matter."""
    return tuple(getattr(parameters, name) for name in (*MATCHING, "bracketed", "weighs_senses", "weighs_antonyms"))
