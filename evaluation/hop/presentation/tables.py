"""Tables 1 and 2 of the paper, as text, CSV or LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....rendering.latex import format_latex
from ....rendering.tables import align_columns, format_csv
from ....rendering.text import clean

if TYPE_CHECKING:
    from ..comparison import Comparison, Form
    from ..results import Summary

_CALLED = {
    "random": "Random",
    "first": "1st link",
    "second": "2nd link",
    "wordnet": "WordNet",
    "vectors": "Word vectors",
    "contextual": "Contextual",
}
"""What the paper's tables call the strategies; its word2vec and BERT are whatever was given."""

_REACHED = ("Selection", "Run", "Reached", "Reached (%)", "Cycle", "Dead end", "Limit", "Starters")
_HOPS = ("Selection", "Run", "HOP-value", "Std", "Count", "Min", "Max")

RANDOM = "(The paper counts those that were given up as reached.)"


def comparison_table(comparison: Comparison, form: Form) -> str:
    """Both tables of a comparison."""
    target = comparison.summaries[0].target
    first = f"Traversals that reached {target}"
    second = f"Hops to {target} of those that reached it"
    reached = [_reached(each) for each in comparison.by_reached]
    hops = [_hops(each) for each in comparison.by_hops]
    if form == "csv":
        return format_csv(_REACHED, reached) + "\n" + format_csv(_HOPS, hops)
    notes = list(_notes(comparison))
    if form == "latex":
        tables = [format_latex(first, _REACHED, reached), format_latex(second, _HOPS, hops), *(f"% {note}" for note in notes)]
        return "\n\n".join(tables)
    parts = [f"{clean(first)}\n\n{align_columns(_REACHED, _even(reached))}"]
    parts += [f"{clean(second)}\n\n{align_columns(_HOPS, _even(hops))}", *map(clean, notes)]
    return "\n\n".join(parts)


def _even(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """The rows with fractions below each other."""
    short = [_short(row) for row in rows]
    for column in range(len(short[0])):
        fractions = any(isinstance(row[column], float) for row in rows)
        widest = max(len(str(row[column] or "")) for row in short) if fractions else 0
        for row in short:
            row[column] = str(row[column] or "").rjust(widest) if fractions else row[column]
    return short


def strategy_label(summary: Summary) -> str:
    """What a table calls the strategy of an experiment."""
    name = _CALLED.get(summary.strategy, summary.strategy)
    return f"{name}, shared words" if summary.parameters.get("vocabularies") else name


def _reached(each: Summary) -> tuple[Any, ...]:
    share = 100 * each.share
    return strategy_label(each), each.run, each.reached, share, each.cycle, each.dead_end, each.limit, each.starters


def _hops(each: Summary) -> tuple[Any, ...]:
    return strategy_label(each), each.run, each.hop_value, each.std, each.reached, each.min, each.max


def _short(row: Sequence[Any]) -> list[Any]:
    return [f"{value:.2f}" if isinstance(value, float) else value for value in row]


def _notes(comparison: Comparison) -> Sequence[str]:
    notes = [f"The runs differ in {name}: {', '.join(map(str, values))}." for name, values in comparison.differences.items()]
    for each in comparison.summaries:
        if each.exact is not None:
            mean = "" if each.exact["hop_value"] is None else f" after {each.exact['hop_value']:.2f} hops on average"
            share = 100 * (each.exact["reached"] or 0.0)
            notes.append(f"Run {each.run}, exactly: {share:.2f} % of random traversals reach the target{mean}. {RANDOM}")
    return notes
