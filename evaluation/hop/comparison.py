"""Experiments side by side: how many traversals reached the target (table 1 of the paper), after how many hops (table 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from ...core.errors import hint
from ...core.progress import Progress, no_progress
from ..errors import RunUnknown
from .experiment import KIND, Experiment, run_experiment
from .results import Summary
from .starters import LIST_CODES

if TYPE_CHECKING:
    from ...graph.store import Store
    from ...search.traversal.link_graph import LinkGraph
    from ..runs.ledger import Ledger
    from ..runs.records import Run

Form = Literal["table", "csv", "latex"]

EXPECTED_EQUAL = (
    "base",
    "target",
    "starters",
    *(f"parameters.{name}" for name in ("starters", "count", "titles", "drawn_by", "ratings")),
    *(f"parameters.{name}" for name in ("limit", "first_links", "keep_parentheses", "no_revisit")),
)
"""The fields of summaries that should be equal for a comparison to be fair."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The summaries of several experiments, in the order in which their runs were named."""

    summaries: tuple[Summary, ...]

    @property
    def by_reached(self) -> list[Summary]:
        """The summaries by the share that reached the target, the lowest first, as in table 1."""
        return sorted(self.summaries, key=lambda each: each.share)

    @property
    def by_hops(self) -> list[Summary]:
        """The summaries by HOP-value, the lowest first, as in table 2; those without one last."""
        return sorted(self.summaries, key=lambda each: float("inf") if each.hop_value is None else each.hop_value)

    @property
    def differences(self) -> dict[str, list[Any]]:
        """The fields that should be equal and are not, with the value of each summary."""
        documents = [each.to_dict() for each in self.summaries]
        values = {name: [_look_up(each, name) for each in documents] for name in EXPECTED_EQUAL}
        return {name: found for name, found in values.items() if len(set(map(repr, found))) > 1}

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain dictionaries and lists, ready for JSON."""
        return {"runs": [each.to_dict() for each in self.summaries], "differences": self.differences}

    def format(self, form: Form = "table") -> str:
        """Return both tables as text, CSV or LaTeX."""
        from .presentation.tables import comparison_table

        return comparison_table(self, form)

    def __str__(self) -> str:
        return self.format()


def _look_up(document: Any, path: str) -> Any:
    for name in path.split("."):
        document = document.get(name) if isinstance(document, dict) else None
    return document


def _read_run(ledger: Ledger, number: int) -> Run:
    found = ledger.run(number)
    if found.kind != KIND:
        raise RunUnknown(f"run {found.id} is of kind {found.kind}, not a HOP experiment", hint("list_runs", kind=KIND))
    return found


def read_summary(ledger: Ledger, number: int) -> Summary:
    """Read the summary of a finished run."""
    from ..runs.database import translate_damage

    found = _read_run(ledger, number)
    if found.result is None:
        raise RunUnknown(f"run {found.id} has not finished; run it again with the same options to resume it")
    with translate_damage(ledger.name):
        return Summary(**found.result)


def compare_runs(ledger: Ledger, numbers: Sequence[int]) -> Comparison:
    """Compare finished runs.

    Args:
        ledger: The ledger that holds them.
        numbers: The numbers of the runs; a repeated one counts once.

    Raises:
        RunUnknown: A run does not exist, is no HOP experiment, or has not finished.
    """
    return Comparison(tuple(read_summary(ledger, number) for number in dict.fromkeys(numbers)))


def read_experiment(ledger: Ledger, number: int) -> Experiment:
    """Read the experiment of a run, so that it can be repeated.

    The ledger does not store a list of starters, but the traversals of a finished run say which of them were used, and its
    result how many were left out.
    """
    from ..runs.database import translate_damage

    found = _read_run(ledger, number)
    with translate_damage(ledger.name):
        return _restore_experiment(ledger, found)


def _restore_experiment(ledger: Ledger, found: Run) -> Experiment:
    number = found.id
    listed = found.parameters["starters"] == "listed"
    if listed and found.result is None:
        raise RunUnknown(f"run {number} has not finished, and its list of starters is not stored; run it again with its list")
    titles = [each.starter for each in ledger.traversals(number)] if listed else ()
    left_out = {code: count for code, count in (found.result or {}).get("left_out", {}).items() if code in LIST_CODES}
    return Experiment.from_run(found.parameters, found.seed, titles, left_out)


def rerun_with_shared_vocabulary(
    store: Store, graph: LinkGraph, ledger: Ledger, numbers: Sequence[int], progress: Progress = no_progress
) -> Comparison:
    """Repeat runs along links that all of their strategies know: the comparison that section 8 of the paper proposes.

    A strategy that does not score links knows every link.

    Args:
        store: The store that holds the wiki of the runs.
        graph: The link graph of the wiki.
        ledger: The ledger that holds the runs; the new runs are recorded there too.
        numbers: The numbers of the runs, which have the same wiki and target.
        progress: Receives the progress of the experiments.

    Raises:
        RunUnknown: A run does not exist or cannot be repeated, or the runs differ in wiki or target.
    """
    summaries = [read_summary(ledger, number) for number in numbers]
    for name in ("base", "target"):
        values = dict.fromkeys(getattr(each, name) for each in summaries)
        if len(values) > 1:
            raise RunUnknown(f"the runs have more than one {name} ({', '.join(values)}); choose runs with the same {name}")
    experiments = [read_experiment(ledger, number) for number in dict.fromkeys(numbers)]
    vocabularies = tuple(dict.fromkeys(each.options for each in experiments if each.options.registered.has_vocabulary))
    return Comparison(
        tuple(run_experiment(store, graph, replace(each, vocabularies=vocabularies), ledger, progress) for each in experiments)
    )
