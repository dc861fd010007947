"""Repeat a run of the ledger with the same parameters and compare the results."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .core.errors import hint
from .core.progress import Progress, no_progress
from .evaluation.errors import RunUnknown
from .rendering.text import clean

if TYPE_CHECKING:
    from .evaluation.runs.ledger import Ledger
    from .evaluation.runs.records import Run

_NOT_COMPARED = {"run", "parameters"}


@dataclass(frozen=True, slots=True)
class RepeatedRun:
    """A run and its repetition."""

    before: Run
    after: Run

    @property
    def differences(self) -> dict[str, list[Any]]:
        """The figures that differ, before and after."""
        before, after = self.before.result or {}, self.after.result or {}
        return {
            name: [before.get(name), after.get(name)]
            for name in {**before, **after}
            if name not in _NOT_COMPARED and before.get(name) != after.get(name)
        }

    @property
    def changes(self) -> dict[str, list[Any]]:
        """The bases and the versions of programs, if they differ."""
        pairs = {"bases": (self.before.bases, self.after.bases), "versions": (self.before.versions, self.after.versions)}
        return {name: [before, after] for name, (before, after) in pairs.items() if before != after}

    def to_dict(self) -> dict[str, Any]:
        """Return a dictionary for JSON."""
        return {
            "repeated": self.before.id,
            "run": self.after.id,
            "same": not self.differences,
            "differences": self.differences,
            "changes": self.changes,
            "result": self.after.result,
        }

    def __str__(self) -> str:
        if not self.differences:
            return f"run {self.after.id} has the same figures as run {self.before.id}"
        lines = [f"run {self.after.id} differs from run {self.before.id}:"]
        lines += [f"  {name}: {before} then, {after} now" for name, (before, after) in self.differences.items()]
        lines += [f"  the {name} differ; compare the two runs" for name in self.changes]
        return "\n".join(map(clean, lines))


def repeat_run(ledger: Ledger, number: int, store: str | None = None, progress: Progress = no_progress) -> RepeatedRun:
    """Repeat a run of the ledger; the repetition is a new run.

    Args:
        ledger: The ledger that has the run and records the new one.
        number: The number of the run.
        store: The address of the store; by default that of the run.
        progress: Receives the current step, the number of rows done, and the share done (None: unknown).
    """
    before = ledger.run(number)
    if before.result is None:
        raise RunUnknown(f"run {number} has not finished, so there is nothing to compare with; start it again instead")
    after = _RERUNS[before.kind](ledger, before, store or before.store, progress)
    assert after is not None  # noqa: S101 - it was recorded
    return RepeatedRun(before, ledger.run(after))


def _rerun_hop(ledger: Ledger, run: Run, store: str, progress: Progress) -> int | None:
    from .evaluation.hop.comparison import read_experiment
    from .evaluation.hop.experiment import run_experiment
    from .graph import open_store
    from .search.traversal.link_graph import open_link_graph

    with open_store(store) as opened:
        graph = open_link_graph(opened, [(run.result or {})["base"]], progress)
        return run_experiment(opened, graph, read_experiment(ledger, run.id), ledger, progress).run


def _rerun_reval(ledger: Ledger, run: Run, _store: str, progress: Progress) -> int | None:
    from .evaluation.reval.experiment import Experiment
    from .hashtags import run_experiment

    experiment = Experiment.from_run(run.parameters, run.seed)
    if "-" in experiment.sources:
        raise RunUnknown(f"the tweets of run {run.id} came from stdin and are not stored; run the experiment on them again")
    return run_experiment(experiment, ledger, progress=progress).run


def _rerun_pairs(ledger: Ledger, run: Run, store: str, progress: Progress) -> int | None:
    from .matcher_request import OPTIONS, MatcherRequest
    from .pairs.options import FileOptions
    from .pairs.score_file import score_file
    from .query import Query

    options = dict(run.parameters)
    source, skip_bad = options.pop("file"), options.pop("skip_bad")
    if source == "-":
        raise RunUnknown(f"the pairs of run {run.id} came from stdin and are not stored; score them again")
    weights = options.pop("weights", {})
    options.pop("other_queries", None)  # opened by the names of their matchers
    file_options = {field.name: options.pop(field.name) for field in fields(FileOptions) if field.name in options}
    if file_options.get("columns"):
        file_options["columns"] = tuple(file_options["columns"])
    named = {name: options.pop(name, None) for name in ("matchers", *OPTIONS)}
    profile = Path(options.setdefault("profile", "thesis"))
    if profile.suffix and not profile.is_file():  # the run recorded its values as weights
        options["profile"] = "thesis"
    query = Query(store or None, {**options, **weights, "base": tuple(options["base"]) if options.get("base") else None})
    matchers = MatcherRequest(query, tuple(named.pop("matchers")), **named) if named["matchers"] else None
    with tempfile.TemporaryDirectory() as folder:
        output = str(Path(folder) / "scored.csv")
        return score_file(
            query,
            source,
            output,
            options=FileOptions(**file_options),
            skip_bad=skip_bad,
            progress=progress,
            ledger=ledger,
            matchers=matchers,
        ).run


def _refuse(_ledger: Ledger, run: Run, _store: str, _progress: Progress) -> int | None:
    raise RunUnknown(
        f"run {run.id} is of the kind {run.kind}, which cannot be repeated by its number; start it again with the same options",
        hint("show_run", run=run.id),
    )


_RERUNS: Mapping[str, Callable[[Ledger, Run, str, Progress], int | None]] = {
    "hop": _rerun_hop,
    "reval": _rerun_reval,
    "pairs": _rerun_pairs,
    "evaluation": _refuse,
    "tuning": _refuse,
}
"""How to repeat each kind of run; returns the number of the new run."""
