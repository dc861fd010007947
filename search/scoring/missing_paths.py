"""Say why two aspects score 0: what the search would find without a threshold, and beyond steps that keep nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from ..bases.view import N
from ..paths.best_first import BestPath, search_forwards
from ..paths.bidirectional import search_both_ends
from ..paths.weighted import WeightedView
from ..results import MissingPath
from .parameters import Parameters

if TYPE_CHECKING:
    from ..results import MissingCause, Step
    from .aspects import Aspect
    from .scorer import Scorer

ALMOST_NOTHING = 1e-30
"""The weight of steps that keep nothing: so small that the best path has as few of them as possible."""


class _Boundless(Parameters):
    """Parameters without a threshold, under which every step of a base keeps at least a trace."""

    __slots__ = ()

    def weight_before_content(self, kind: int, breadth: int, *, changes_pos: bool) -> float:
        weight = Parameters.weight_before_content(self, kind, breadth, changes_pos=changes_pos)
        return weight if kind in self.unused_kinds else max(weight, ALMOST_NOTHING)


def find_missing_path(scorer: Scorer[N], ours: Aspect[N], theirs: Aspect[N]) -> MissingPath:
    """Return why two aspects have no path; this takes longer than scoring them."""
    parameters = scorer.view.parameters
    boundless = WeightedView(scorer.view.view, _Boundless(**{**asdict(parameters), "threshold": 0.0}))
    is_forward = scorer.view.view.forward_only
    search = search_forwards if is_forward else search_both_ends
    path = search(boundless, ours.targets, theirs.targets, ours.weights, theirs.weights)
    steps: tuple[Step, ...] = () if path is None else scorer.describe_steps(ours, theirs, path, boundless)
    stop = next((index for index, step in enumerate(steps) if not step.factor), None)
    cause: MissingCause = "unconnected" if path is None else "threshold" if stop is None else "zero_step"
    if cause == "threshold":
        stop = next(index for index, step in enumerate(steps) if step.score < parameters.threshold)
    return MissingPath(
        substitute=ours.text,
        substitutee=theirs.text,
        cause=cause,
        path=steps,
        stop=stop,
        zero_breadth=_zero_breadth(parameters, None if stop is None else steps[stop]),
        first_step=_best_step(scorer, ours, theirs, _steps_out(scorer, ours.targets)),
        last_step=None if is_forward else _best_step(scorer, ours, theirs, _steps_into(scorer, theirs.targets)),
        reverse=scorer.score_aspects(theirs, ours),
        substitute_weight=1.0 if path is None else ours.weight_of(path.nodes[0]),
        substitutee_weight=1.0 if path is None else theirs.weight_of(path.nodes[-1]),
        antonym=scorer.antonym_factor(ours, theirs),
        antonyms=scorer.describe_antonyms(ours, theirs),
    )


def _zero_breadth(parameters: Parameters, step: Step | None) -> int | None:
    """Return the smallest breadth at which a generalisation like this step keeps nothing."""
    return (parameters.of_wiki if step is not None and step.is_between_categories else parameters).zero_breadth


def _steps_out(scorer: Scorer[N], nodes: Iterable[N]) -> Iterator[tuple[N, N, float]]:
    """Yield the steps out of some nodes that keep something, each with its ends and its weight."""
    for node in nodes:
        yield from ((node, other, weight) for weight, other, _ in scorer.view.transitions(node, "out"))


def _steps_into(scorer: Scorer[N], nodes: Iterable[N]) -> Iterator[tuple[N, N, float]]:
    """Yield the steps into some nodes that keep something, each with its ends and its weight."""
    for node in nodes:
        yield from ((other, node, weight) for weight, other, _ in scorer.view.transitions(node, "in"))


def _best_step(scorer: Scorer[N], ours: Aspect[N], theirs: Aspect[N], steps: Iterable[tuple[N, N, float]]) -> tuple[Step, ...]:
    """Describe the step with the largest factor, among equals that with the smallest ids; empty without steps."""
    best = min(steps, key=lambda step: (-step[2], step[0], step[1]), default=None)
    if best is None:
        return ()
    start, end, weight = best
    return scorer.describe_steps(ours, theirs, BestPath(weight, (start, end), (1.0, weight)), scorer.view)
