"""Tables 1 and 2 of the paper, as text, CSV or LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....rendering.latex import format_latex
from ....rendering.tables import align_columns, format_csv
from ....rendering.text import clean
from ....search.traversal.strategies import STRATEGIES

if TYPE_CHECKING:
    from ..comparison import Comparison, Form
    from ..results import Summary

_REACHED_HEADER = ("Selection", "Run", "Reached", "Reached (%)", "Cycle", "Dead end", "Limit", "Starters")
_HOPS_HEADER = ("Selection", "Run", "HOP-value", "Std", "Count", "Min", "Max")

LIMIT_NOTE = "(The paper counts traversals that hit the limit as reached.)"
"""Why the exact figures of the random strategy differ from tables 1 and 2."""


def comparison_table(comparison: Comparison, form: Form) -> str:
    """Return both tables of a comparison, below each other."""
    target = comparison.summaries[0].target
    reached_title, hops_title = f"Traversals that reached {target}", f"Hops to {target} of those that reached it"
    reached = [_reached_row(each) for each in comparison.by_reached]
    hops = [_hops_row(each) for each in comparison.by_hops]
    if form == "csv":
        return format_csv(_REACHED_HEADER, reached) + "\n" + format_csv(_HOPS_HEADER, hops)
    notes = list(_notes(comparison))
    if form == "latex":
        tables = [format_latex(reached_title, _REACHED_HEADER, reached), format_latex(hops_title, _HOPS_HEADER, hops)]
        return "\n\n".join([*tables, *(f"% {note}" for note in notes)])
    parts = [f"{clean(reached_title)}\n\n{align_columns(_REACHED_HEADER, _align_decimals(reached))}"]
    parts += [f"{clean(hops_title)}\n\n{align_columns(_HOPS_HEADER, _align_decimals(hops))}", *map(clean, notes)]
    return "\n\n".join(parts)


def _align_decimals(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Format fractions with two decimals, and pad their columns so that the decimal points are below each other."""
    formatted = [[f"{value:.2f}" if isinstance(value, float) else value for value in row] for row in rows]
    for column in range(len(formatted[0])):
        if any(isinstance(row[column], float) for row in rows):
            width = max(len(str(row[column] or "")) for row in formatted)
            for row in formatted:
                row[column] = str(row[column] or "").rjust(width)
    return formatted


def strategy_label(summary: Summary) -> str:
    """Return the name of an experiment's strategy in tables."""
    label = strategy_name(summary.strategy)
    return f"{label}, shared words" if summary.parameters.get("vocabularies") else label


def strategy_name(strategy: str) -> str:
    """Return the name of a strategy in tables; of an unregistered one the name it is called by."""
    return STRATEGIES[strategy].label if strategy in STRATEGIES else strategy


def _reached_row(each: Summary) -> tuple[Any, ...]:
    share = 100 * each.share
    return strategy_label(each), each.run, each.reached, share, each.cycle, each.dead_end, each.limit, each.starters


def _hops_row(each: Summary) -> tuple[Any, ...]:
    return strategy_label(each), each.run, each.hop_value, each.std, each.reached, each.min, each.max


def _notes(comparison: Comparison) -> Sequence[str]:
    notes = [f"The runs differ in {name}: {', '.join(map(str, values))}." for name, values in comparison.differences.items()]
    for each in comparison.summaries:
        if each.exact is not None:
            mean = "" if each.exact["hop_value"] is None else f" after {each.exact['hop_value']:.2f} hops on average"
            share = 100 * (each.exact["reached"] or 0.0)
            notes.append(f"Run {each.run}, exactly: {share:.2f} % of random traversals reach the target{mean}. {LIMIT_NOTE}")
    return notes
