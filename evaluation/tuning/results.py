"""The result of a tuning, and its report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isnan
from typing import Any

from ...rendering.reports import Report, Table
from ...search.scoring.parameters import Parameters
from ..agreement.presentation import format_interval
from ..agreement.statistics import Interval, none_if_nan


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A step of a pass at which a better point was found, with the outcome of that point."""

    step: int
    training: float
    held_out: float


@dataclass(frozen=True, slots=True)
class SplitResult:
    """The result of tuning on one split, by the best of its passes.

    - ``parameters``: the best parameters
    - ``training``, ``held_out``: the mixed figure of these parameters on the training items, and on the held-out items; NaN
      without items
    - ``curve``: the steps at which a better point was found
    - ``scores``: the figure on the training items at each step
    """

    parameters: Parameters
    training: float
    held_out: float
    curve: tuple[CurvePoint, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ObjectiveResult:
    """The figures of one objective.

    - ``name``, ``file``, ``weight``: as in the request
    - ``digest``: the SHA-256 of the file
    - ``figure``, ``low``, ``high``: what it measures, and the range of that
    - ``items``, ``left_out``: the number of its items, and how many were not used for training because a phrase is unknown
    - ``before``, ``tuned``: the figures of the profile and of the tuned parameters on all items
    - ``held_out_before``, ``held_out``: the same on held-out items
    - ``gain``: ``held_out`` minus ``held_out_before``
    """

    name: str
    file: str
    digest: str
    weight: float
    figure: str
    low: float
    high: float
    items: int
    left_out: int
    before: float
    tuned: float
    held_out_before: Interval
    held_out: Interval
    gain: Interval

    def to_dict(self) -> dict[str, Any]:
        """Return the fields ready for JSON."""
        return {
            name: value.to_dict() if isinstance(value, Interval) else none_if_nan(value) if isinstance(value, float) else value
            for name, value in ((name, getattr(self, name)) for name in self.__dataclass_fields__)
        }


@dataclass(frozen=True, slots=True)
class Tuning:
    """The result of a tuning.

    - ``method``, ``steps``, ``passes``, ``seed``, ``resamples``: how it was done
    - ``profile``: the parameters that it began with
    - ``folds``: the results of tuning without each fold
    - ``final``: the result of tuning on all items, whose parameters are the tuned ones
    - ``before``, ``tuned``: the mixed figures of the profile and of the tuned parameters on all items
    - ``held_out_before``, ``held_out``, ``gain``: the same on items held out, with intervals; the mean over folds
    - ``objectives``: the figures by objective
    - ``bounds``: the lower and the upper bound of each parameter that varied
    - ``evaluations``: how many points were evaluated, including those taken from a journal
    - ``rate``: evaluations a second; NaN if all were taken from a journal
    - ``outside``: the share of the time that was spent outside the searches
    """

    method: str
    steps: int
    passes: int
    seed: int
    resamples: int
    profile: Parameters
    folds: tuple[SplitResult, ...]
    final: SplitResult
    before: float
    tuned: float
    held_out_before: Interval
    held_out: Interval
    gain: Interval
    objectives: tuple[ObjectiveResult, ...]
    bounds: Mapping[str, tuple[float, float]]
    evaluations: int
    rate: float
    outside: float

    def to_dict(self) -> dict[str, Any]:
        """Return the result ready for JSON."""
        return {
            "method": self.method,
            "steps": self.steps,
            "passes": self.passes,
            "seed": self.seed,
            "resamples": self.resamples,
            "folds": [
                {
                    "tuned": none_if_nan(each.training),
                    "held_out": none_if_nan(each.held_out),
                    "parameters": {name: getattr(each.parameters, name) for name in self.bounds},
                }
                for each in self.folds
            ],
            "before": none_if_nan(self.before),
            "tuned": none_if_nan(self.tuned),
            "held_out_before": self.held_out_before.to_dict(),
            "held_out": self.held_out.to_dict(),
            "gain": self.gain.to_dict(),
            "objectives": [each.to_dict() for each in self.objectives],
            "bounds": {name: list(each) for name, each in self.bounds.items()},
            "parameters": asdict(self.final.parameters),
            "curve": [asdict(each) | {"held_out": none_if_nan(each.held_out)} for each in self.final.curve],
            "evaluations": self.evaluations,
            "evaluations_per_second": none_if_nan(self.rate),
            "share_outside_search": none_if_nan(self.outside),
        }


def report_tuning(tuning: Tuning) -> Report:
    """Return the report of a tuning."""
    rows = [
        (f"{each.name} ({each.figure})", _format(each.before), _format(each.tuned), *map(format_interval, _intervals(each)))
        for each in tuning.objectives
    ]
    if len(rows) > 1:
        rows.append(("mix", _format(tuning.before), _format(tuning.tuned), *map(format_interval, _intervals(tuning))))
    figures = Table("", ("objective", "before", "tuned", "held out, before", "held out, tuned", "gain held out"), tuple(rows))
    header = ("parameter", "before", "tuned", *(f"fold {number}" for number in range(1, len(tuning.folds) + 1)))
    values = tuple(
        (
            name,
            f"{getattr(tuning.profile, name):.3f}",
            *(f"{getattr(each.parameters, name):.3f}" for each in (tuning.final, *tuning.folds)),
        )
        for name in tuning.bounds
    )
    folds = tuple(
        (f"{number}", _format(each.training), _format(each.held_out)) for number, each in enumerate(tuning.folds, start=1)
    )
    tables = (
        figures,
        Table("Tuned without each fold", ("fold", "tuned", "held out"), folds),
        Table("Parameters", header, values),
    )
    return Report(tables, tuple(_describe(tuning)), _list_figures(tuning), tuning.to_dict())


def _intervals(result: ObjectiveResult | Tuning) -> tuple[Interval, Interval, Interval]:
    return result.held_out_before, result.held_out, result.gain


def _format(figure: float) -> str:
    return "-" if isnan(figure) else f"{figure:.3f}"


def _describe(tuning: Tuning) -> list[str]:
    notes = [f"{each.items:,} items in {each.file}" for each in tuning.objectives]
    notes += [
        f"{each.left_out:,} of them are not used for training, because a phrase is unknown"
        for each in tuning.objectives
        if each.left_out
    ]
    if tuning.resamples:
        notes.append(f"intervals at 95 % from {tuning.resamples:,} resamples (seed {tuning.seed})")
    speed = "" if isnan(tuning.rate) else f", {tuning.rate:,.1f} a second, {tuning.outside:.0%} of the time outside the search"
    passes = f"{tuning.passes} passes of {tuning.steps:,} steps" if tuning.passes > 1 else f"{tuning.steps:,} steps"
    notes.append(f"{tuning.method}: {passes} for each fold and for all; {tuning.evaluations:,} evaluations{speed}")
    return notes


def _list_figures(tuning: Tuning) -> Table:
    rows: list[tuple[Any, ...]] = []
    results: list[tuple[str, ObjectiveResult | Tuning]] = [(each.name, each) for each in tuning.objectives]
    for name, result in (*results, ("mix", tuning)):
        figures = {"before": Interval(result.before), "tuned": Interval(result.tuned)}
        figures |= dict(zip(("held_out_before", "held_out", "gain"), _intervals(result), strict=True))
        rows += [(name, measure, *map(none_if_nan, (each.value, each.low, each.high))) for measure, each in figures.items()]
    return Table("", ("objective", "measure", "value", "low", "high"), tuple(rows))
