"""Tune parameters on each of k folds and on all items, each in one pass or several.

All passes advance together: the points that they propose are one population, which is evaluated question by question and in
parallel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, nan
from typing import TYPE_CHECKING

import numpy as np

from ...core.arrays import FloatArray
from ...core.optional_packages import require_package
from ...core.progress import Progress, no_progress
from ...search.scoring.parameters import Parameters
from ..agreement.statistics import RESAMPLES, Interval
from ..errors import TuningError
from .evaluator import Candidate, Evaluator, Outcome, Population, mix
from .held_out import Stratum, bootstrap_strata
from .results import CurvePoint, ObjectiveResult, SplitResult, Tuning
from .space import MATCHING, Point, Space

if TYPE_CHECKING:
    from .journal import Journal
    from .methods import Method

STEPS = 1_500
"""The steps of a pass in the thesis."""

FOLDS = 5


@dataclass(frozen=True, slots=True)
class TuningOptions:
    """How to tune.

    - ``method``: the method
    - ``steps``: the evaluations of a pass
    - ``passes``: how often the method begins anew on each split; the best pass counts
    - ``folds``: the number of folds
    - ``seed``: the seed of folds, methods and resamples
    - ``resamples``: how many resamples the intervals are from; 0 for none
    """

    method: Method = "annealing"
    steps: int = STEPS
    passes: int = 1
    folds: int = FOLDS
    seed: int = 0
    resamples: int = RESAMPLES


class Pass:
    """One pass of a method on a split: its proposals, and the best of them so far.

    Args:
        space: The space.
        options: How to tune.
        split: The number of the split.
        number: The number of the pass; the first one may begin at a given point.
        start: Where it begins if an earlier tuning is continued; by default at the profile.
    """

    def __init__(self, space: Space, options: TuningOptions, split: int, number: int, start: Parameters | None = None) -> None:
        from .methods import Optimiser

        self.split, self._space = split, space
        seed = int(np.random.SeedSequence([options.seed, split, number]).generate_state(1)[0])
        first = space.point(start or space.base) if number == 0 else None
        self._optimiser = Optimiser(options.method, space, seed, first, options.steps, is_tuned=start is not None)
        self._points: list[Point] = []
        self.best = SplitResult(space.base, -inf, nan, (), ())
        self._curve: list[CurvePoint] = []
        self._scores: list[float] = []

    def ask(self) -> list[Candidate]:
        """Return the candidates to evaluate next, none at the end."""
        self._points = [dict(point) for point in self._optimiser.ask()]
        return [Candidate(self.split, self._space.parameters(point)) for point in self._points]

    def tell(self, candidates: Sequence[Candidate], outcomes: Sequence[Outcome]) -> None:
        """Learn from the outcomes of the candidates that were asked for last."""
        self._optimiser.tell([each.training for each in outcomes])
        for candidate, outcome in zip(candidates, outcomes, strict=True):
            self._scores.append(outcome.training)
            if outcome.training > self.best.training:
                self._curve.append(CurvePoint(len(self._scores), *outcome))
                self.best = SplitResult(candidate.parameters, *outcome, (), ())

    def finish(self) -> SplitResult:
        """Return the best point, with the curve that led to it."""
        best = self.best
        return SplitResult(best.parameters, best.training, best.held_out, tuple(self._curve), tuple(self._scores))


def tune(
    evaluator: Evaluator,
    space: Space,
    options: TuningOptions,
    population: Population | None = None,
    journal: Journal | None = None,
    progress: Progress = no_progress,
    starts: Sequence[Parameters] | None = None,
    report: Callable[[Sequence[Candidate], Sequence[Outcome]], None] | None = None,
) -> Tuning:
    """Tune parameters.

    Args:
        evaluator: Scores parameters on the splits of the objectives.
        space: The parameters that vary, around a profile.
        options: How to tune; the folds and the seed are those of the evaluator.
        population: Evaluates populations, possibly in several processes; by default in this one.
        journal: Outcomes of an interrupted tuning with the same options, and the place to record further ones.
        progress: Receives the number of evaluations done, with the best figure so far.
        starts: The parameters that an earlier tuning found without each fold, and those that it found with all items: to
            continue it. By default every fold begins at the profile.
        report: Receives the candidates of each population with their outcomes.

    Returns:
        The result, which depends on the seed but not on processes and interruptions.

    Raises:
        TuningError: The parameters cannot be tuned in this base or by this method.
        PackageMissing: optuna or cmaes is not installed.
    """
    require_packages()
    _check(evaluator, space, options)
    population = population or Population(evaluator)
    begun: Sequence[Parameters | None] = starts or [None] * len(evaluator.splits)
    passes = [
        Pass(space, options, split, number, start) for split, start in enumerate(begun) for number in range(options.passes)
    ]
    total, done = len(passes) * options.steps, 0
    progress("tuning (evaluations)", 0, 0.0)
    while asked := [(each, candidates) for each in passes if (candidates := each.ask())]:
        together = [candidate for _, candidates in asked for candidate in candidates]
        outcomes = journal.take(len(together)) if journal is not None else []
        if not outcomes:
            outcomes = population.evaluate(together)
            if journal is not None:
                journal.add(outcomes)
        if report is not None:
            report(together, outcomes)
        first = 0
        for each, candidates in asked:
            each.tell(candidates, outcomes[first : first + len(candidates)])
            first += len(candidates)
        done += len(together)
        best = max(each.best.training for each in passes if each.split == options.folds)
        progress(f"tuning; best {best:.4f} (evaluations)", done, done / total)
    results = [
        max((each.finish() for each in passes if each.split == split), key=lambda each: each.training)
        for split in range(len(evaluator.splits))
    ]
    progress("measuring held-out items", 0, None)
    return _measure(evaluator, space, options, results, population, starts or [space.base] * len(results))


def require_packages() -> None:
    """Raise if a package that tuning needs is not installed.

    Raises:
        PackageMissing: It is not.
    """
    for package in ("optuna", "cmaes"):
        require_package(package, "tuning needs")


def _check(evaluator: Evaluator, space: Space, options: TuningOptions) -> None:
    """Raise if parameters cannot be tuned in this base, or by this method."""
    names = [each.name for each in space.dimensions]
    if not names:
        raise TuningError("no parameter changes a transition of this base; name some")
    if options.method == "cmaes" and len(names) < 2:
        raise TuningError("cmaes tunes two parameters or more; name another one, or choose another method")
    fixed = next((name for name in names if name in MATCHING), None)
    if fixed is not None and len(evaluator.searches.projection.bases) > 1:
        raise TuningError(f"the crossings between bases are stored for one {fixed}, so it cannot be tuned; leave it out")


def _measure(
    evaluator: Evaluator,
    space: Space,
    options: TuningOptions,
    by_split: Sequence[SplitResult],
    population: Population,
    starts: Sequence[Parameters],
) -> Tuning:
    """Measure the tuned parameters and those at the start on all items and on the held-out items of each fold."""
    *folds, final = by_split
    *before_by_fold, base = evaluator.searches.scores(starts)
    tuned, *by_fold = evaluator.searches.scores([each.parameters for each in (final, *folds)])
    results, strata = [], list[Stratum]()
    for number, objective in enumerate(evaluator.objectives):
        places = evaluator.places[number]
        found = _make_strata(evaluator, number, *([row[places] for row in rows] for rows in (before_by_fold, by_fold)))
        before, held_out, gain = _bootstrap(found, options)
        results.append(
            ObjectiveResult(
                objective.name,
                objective.file,
                objective.digest(),
                objective.weight,
                objective.kind.figure,
                objective.kind.low,
                objective.kind.high,
                len(objective.items),
                evaluator.left_out[number],
                objective.score(base[places]),
                objective.score(tuned[places]),
                before,
                held_out,
                gain,
            )
        )
        strata += found
    weights = [each.weight for each in evaluator.objectives]
    before, held_out, gain = _bootstrap(strata, options)
    timing = population.timing
    return Tuning(
        options.method,
        options.steps,
        options.passes,
        options.seed,
        options.resamples,
        space.base,
        tuple(folds),
        final,
        mix(list(zip(weights, (each.before for each in results), strict=True))),
        mix(list(zip(weights, (each.tuned for each in results), strict=True))),
        before,
        held_out,
        gain,
        tuple(results),
        {each.name: (each.low, each.high) for each in space.dimensions},
        options.steps * options.passes * len(by_split),
        timing.evaluations / timing.elapsed if timing.evaluations else nan,
        1.0 - timing.search_seconds / timing.seconds if timing.evaluations else nan,
    )


def _make_strata(evaluator: Evaluator, number: int, before: Sequence[FloatArray], after: Sequence[FloatArray]) -> list[Stratum]:
    """Return what an objective is resampled from: all items if their figures may be averaged over folds, else each fold.

    Args:
        evaluator: The evaluator.
        number: The number of the objective.
        before: For each fold the scores of its pairs under the parameters with which it begins.
        after: Their scores under the parameters tuned without the fold.
    """
    objective = evaluator.objectives[number]
    folds = [split.held_out[number] for split in evaluator.splits[:-1]]
    places = [objective.select_pairs(fold) for fold in folds]
    if objective.kind.is_absolute:
        held_out = np.empty((2, len(objective.pairs)))
        for pairs, *scores in zip(places, before, after, strict=True):
            held_out[:, pairs] = [each[pairs] for each in scores]
        measure = objective.kind.measure(objective.items)
        return [Stratum(measure(held_out[0]), measure(held_out[1]), len(objective.items), objective.weight)]
    strata = []
    for fold, pairs, first, last in zip(folds, places, before, after, strict=True):
        measure = objective.kind.measure(objective.select(fold).items)
        strata.append(Stratum(measure(first[pairs]), measure(last[pairs]), len(fold), objective.weight / len(folds)))
    return strata


def _bootstrap(strata: Sequence[Stratum], options: TuningOptions) -> tuple[Interval, Interval, Interval]:
    return bootstrap_strata(strata, resamples=options.resamples, seed=options.seed)
