"""A run of the ledger once more, as its row says, and whether it comes to the same."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .core.progress import Progress, no_progress
from .evaluation.errors import RunUnknown
from .pairs.reader import ColumnOptions
from .pairs.run_record import KIND as PAIRS
from .query import Query
from .rendering.text import clean

if TYPE_CHECKING:
    from .evaluation.runs.ledger import Ledger
    from .evaluation.runs.records import Run

REVAL = "reval"

_NOT_FIGURES = {"run", "parameters"}


@dataclass(frozen=True, slots=True)
class RepeatedRun:
    """A run and the same one again."""

    before: Run
    after: Run

    @property
    def differences(self) -> dict[str, list[Any]]:
        """The figures that are not the same, then and now."""
        then, now = self.before.result or {}, self.after.result or {}
        return {
            name: [then.get(name), now.get(name)]
            for name in {**then, **now}
            if name not in _NOT_FIGURES and then.get(name) != now.get(name)
        }

    @property
    def changes(self) -> dict[str, list[Any]]:
        """What else is not the same: the bases and the versions of programs."""
        pairs = {"bases": (self.before.bases, self.after.bases), "versions": (self.before.versions, self.after.versions)}
        return {name: [then, now] for name, (then, now) in pairs.items() if then != now}

    def to_dict(self) -> dict[str, Any]:
        """The same as plain dictionaries and lists, ready for JSON."""
        same = not self.differences
        return {
            "repeated": self.before.id,
            "run": self.after.id,
            "same": same,
            "differences": self.differences,
            "changes": self.changes,
            "result": self.after.result,
        }

    def __str__(self) -> str:
        if not self.differences:
            return f"run {self.after.id} has the same figures as run {self.before.id}"
        lines = [f"run {self.after.id} differs from run {self.before.id}:"]
        lines += [f"  {name}: {then} then, {now} now" for name, (then, now) in self.differences.items()]
        lines += [f"  {name} are not the same: wayword runs show tells both" for name in self.changes]
        return "\n".join(map(clean, lines))


def repeat_run(ledger: Ledger, number: int, store: str | None, progress: Progress = no_progress) -> RepeatedRun:
    """Repeat a run over this store, by default over the one that it was of."""
    before = ledger.run(number)
    if before.result is None:
        raise RunUnknown(f"run {number} has not come to its end, so there is nothing to repeat; run it again instead")
    store = store or before.store
    if before.kind == REVAL:
        after = _reval(ledger, before, progress)
    else:
        after = _pairs(ledger, before, store) if before.kind == PAIRS else _hop(ledger, before, store, progress)
    return RepeatedRun(before, ledger.run(after))


def _hop(ledger: Ledger, before: Run, store: str, progress: Progress) -> int:
    from .evaluation.hop.comparison import read_experiment
    from .evaluation.hop.experiment import run_experiment
    from .graph import open_store
    from .search.traversal.link_graph import open_link_graph

    with open_store(store) as opened:
        graph = open_link_graph(opened, [(before.result or {})["base"]], progress)
        found = run_experiment(opened, graph, read_experiment(ledger, before.id), ledger, progress)
    assert found.run is not None  # noqa: S101 - it has just been written
    return found.run


def _reval(ledger: Ledger, before: Run, progress: Progress) -> int:
    from .evaluation.reval.experiment import Experiment
    from .hashtags import run_experiment

    asked = Experiment.from_run(before.parameters, before.seed)
    if "-" in asked.sources:
        raise RunUnknown(f"the tweets of run {before.id} came by stdin and are not kept; pipe them into the experiment again")
    found = run_experiment(asked, ledger, progress=progress)
    assert found.run is not None  # noqa: S101 - it has just been written
    return found.run


def _pairs(ledger: Ledger, before: Run, store: str) -> int:
    from .pairs.score_file import score_file

    given = dict(before.parameters)
    source, skip_bad = given.pop("file"), given.pop("skip_bad")
    if source == "-":
        raise RunUnknown(f"the pairs of run {before.id} came by stdin and are not kept; pipe them into wayword score --pairs -")
    weights, columns = given.pop("weights"), given.pop("columns", None)
    if Path(given["profile"]).suffix and not Path(given["profile"]).is_file():  # what it said is in the weights
        given["profile"] = "thesis"
    column_options = ColumnOptions(given.pop("header", None), tuple(columns) if columns else None)
    question = Query(store, {**given, **weights, "base": tuple(given["base"]) if given.get("base") else None})
    with tempfile.TemporaryDirectory() as folder:
        output = str(Path(folder) / "scored.csv")
        tally = score_file(question, source, output, columns=column_options, skip_bad=skip_bad, ledger=ledger)
    assert tally.run is not None  # noqa: S101 - it has just been written
    return tally.run
