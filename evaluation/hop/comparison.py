"""Experiments side by side: how many traversals reached the target (table 1 of the paper), after how many hops (table 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from ...core.progress import Progress, no_progress
from ..errors import RunUnknown
from .experiment import KIND, Experiment, run_experiment
from .results import Summary

if TYPE_CHECKING:
    from ...graph.store import Store
    from ...search.traversal.link_graph import LinkGraph
    from ..runs.ledger import Ledger
    from ..runs.records import Run

Form = Literal["text", "csv", "latex"]

BY_MEANING = ("wordnet", "vectors", "contextual")

SAME = (
    "base",
    "target",
    "starters",
    *(f"parameters.{name}" for name in ("starters", "count", "titles", "drawn_by", "ratings")),
    *(f"parameters.{name}" for name in ("limit", "first_links", "keep_parentheses", "no_revisit")),
)
"""What should be the same in experiments that are compared."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The summaries of some experiments, in the order in which they were named."""

    summaries: tuple[Summary, ...]

    @property
    def by_reached(self) -> list[Summary]:
        """Those that reached the target least often first, as in table 1."""
        return sorted(self.summaries, key=lambda each: each.share)

    @property
    def by_hops(self) -> list[Summary]:
        """Those with the fewest hops first, as in table 2; those without any last."""
        return sorted(self.summaries, key=lambda each: float("inf") if each.hop_value is None else each.hop_value)

    @property
    def differences(self) -> dict[str, list[Any]]:
        """What should be the same and is not, with the values of all."""
        plain = [each.to_dict() for each in self.summaries]
        values = {name: [_inside(each, name) for each in plain] for name in SAME}
        return {name: found for name, found in values.items() if len(set(map(repr, found))) > 1}

    def to_dict(self) -> dict[str, Any]:
        """The same as plain dictionaries and lists, ready for JSON."""
        return {"runs": [each.to_dict() for each in self.summaries], "differences": self.differences}

    def shown(self, form: Form = "text") -> str:
        """Both tables, as text, CSV or LaTeX."""
        from .presentation.tables import comparison_table

        return comparison_table(self, form)

    def __str__(self) -> str:
        return self.shown()


def _inside(plain: Any, name: str) -> Any:
    for part in name.split("."):
        plain = plain.get(part) if isinstance(plain, dict) else None
    return plain


def _experiment(ledger: Ledger, number: int) -> Run:
    """The run of this number, which has to be an experiment."""
    found = ledger.run(number)
    if found.kind != KIND:
        raise RunUnknown(f"run {found.id} is no HOP experiment but of the kind {found.kind}; `wayword runs` lists them")
    return found


def read_summary(ledger: Ledger, number: int) -> Summary:
    """The summary of a run of the ledger."""
    found = _experiment(ledger, number)
    if found.result is None:
        raise RunUnknown(f"run {found.id} has not ended; run it again with the same options, and it goes on where it was")
    return Summary(**found.result)


def compare_runs(ledger: Ledger, numbers: Sequence[int]) -> Comparison:
    """The runs of these numbers side by side."""
    return Comparison(tuple(read_summary(ledger, number) for number in dict.fromkeys(numbers)))


def read_experiment(ledger: Ledger, number: int) -> Experiment:
    """What was asked in a run of the ledger."""
    found = _experiment(ledger, number)
    listed = found.parameters["starters"] == "listed"
    if listed and found.result is None:
        raise RunUnknown(f"run {number} has not ended, and its list of starters is not kept; run it again with its list")
    titles = [each.starter for each in ledger.walked(number)] if listed else ()
    unused = {reason: count for reason, count in (found.result or {}).get("left_out", {}).items() if "starters" in reason}
    return Experiment.of(found.parameters, found.seed, titles, unused)


def rerun_with_shared_vocabulary(
    store: Store, world: LinkGraph, ledger: Ledger, numbers: Sequence[int], progress: Progress = no_progress
) -> Comparison:
    """The runs of these numbers anew, following only links of which every one of their strategies knows something.

    A strategy that asks for no meaning knows every link. What the paper supposes in section 8, and did not measure.
    """
    summaries = [read_summary(ledger, number) for number in numbers]
    for name in ("base", "target"):
        values = dict.fromkeys(getattr(each, name) for each in summaries)
        if len(values) > 1:
            raise RunUnknown(f"the runs are of more than one {name} ({', '.join(values)}); compare those of one")
    asked = [read_experiment(ledger, number) for number in dict.fromkeys(numbers)]
    choices = tuple(dict.fromkeys(each.choice for each in asked if each.choice.strategy in BY_MEANING))
    return Comparison(
        tuple(run_experiment(store, world, replace(each, vocabularies=choices), ledger, progress) for each in asked)
    )
