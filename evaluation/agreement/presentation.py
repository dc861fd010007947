"""Reports of agreement: figures with intervals, differences between systems, and their ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isnan
from typing import Any

from ...core.left_out import describe_left_out
from ...rendering.reports import Report, Table
from .calibration import Bin
from .graded_measures import GradedAgreement
from .question_measures import MEASURES as QUESTION_MEASURES
from .question_measures import Measured, QuestionAgreement
from .significance import SIGNIFICANCE, Comparison
from .statistics import Interval, none_if_nan
from .substitute_measures import SubstituteAgreement

NAMES = {
    "cw": "CW",
    "gs": "GS",
    "bs": "BS",
    "combo": "Combo",
    "sr": "SR",
    "spearman": "Spearman",
    "kendall": "Kendall",
    "pearson": "Pearson",
    "gap": "GAP",
    "p_at_1": "P@1",
    "p_at_3": "P@3",
    "r_at_10": "R@10",
    "precision": "P",
    "recall": "R",
    "f": "F",
}
"""The measures as tables name them."""

PEOPLE = "people"
"""The row of people, each compared with the others: what a matcher can hope for."""

Figures = Mapping[str, Interval]


def name_measure(name: str) -> str:
    """Return the name of a measure in tables.

    >>> name_measure("p_at_1"), name_measure("single_gold.spearman")
    ('P@1', 'single gold Spearman')
    """
    return " ".join(NAMES.get(part, part.replace("_", " ")) for part in name.split("."))


def format_interval(interval: Interval) -> str:
    """Format a figure with its interval.

    >>> format_interval(Interval(0.5, 0.25, 0.625)), format_interval(Interval(0.5)), format_interval(Interval(float("nan")))
    ('0.500 [0.250, 0.625]', '0.500', '-')
    """
    if isnan(interval.value):
        return "-"
    bounds = "" if isnan(interval.low) else f" [{interval.low:.3f}, {interval.high:.3f}]"
    return f"{interval.value:.3f}{bounds}"


def report_questions(
    agreement: QuestionAgreement, resamples: int, seed: int, people: Mapping[str, Measured] | None = None
) -> Report:
    """Return the report of systems on questions.

    Args:
        agreement: The result.
        resamples: The number of resamples of the intervals.
        seed: Their seed.
        people: The agreement of volunteers with each other, if it could be measured.
    """
    figures = {each.system: _intervals(each.measures) for each in agreement.systems}
    document = agreement.to_dict()
    if people is not None:
        figures[PEOPLE] = _intervals(people)
        document["people"] = {name: each.to_dict() for name, each in people.items()}
    applies = {"cw": agreement.subsets["cw"], "gs": agreement.subsets["gs"], "bs": agreement.subsets["bs"]}
    counts = ", ".join(f"{name_measure(name)} applies to {count:,}" for name, count in applies.items())
    tables = [_figures_table("", "system", figures)]
    known = {each.system: each.known for each in agreement.systems if each.known is not None}
    if known:
        rows = tuple(
            (name, measures["sr"].questions, *map(format_interval, _intervals(measures).values()))
            for name, measures in known.items()
        )
        header = ("system", "questions", *(name_measure(name) for name in QUESTION_MEASURES))
        tables.append(Table("Only questions without a missing score", header, rows))
    notes = [f"{agreement.questions:,} questions; {counts}"]
    notes += [
        f"{each.system}: {each.missing_scores:,} of {4 * agreement.questions:,} scores are missing and count as 0"
        for each in agreement.systems
        if each.missing_scores
    ]
    return make_report(
        tables, notes, figures, agreement.comparison, "permutation tests", resamples, seed, document, headline="sr"
    )


def report_graded(
    agreement: GradedAgreement, resamples: int, seed: int, calibration: Mapping[str, Sequence[Bin]] | None = None
) -> Report:
    """Return the report of matchers on graded judgements, with their calibration if it is given; see ``report_questions``."""
    figures: dict[str, Figures] = {
        each.matcher: {"spearman": each.spearman, "kendall": each.kendall, "pearson": each.pearson}
        for each in agreement.matchers
    }
    unknown = {each.matcher: each.unknown for each in agreement.matchers}
    tables = [_figures_table("", "matcher", figures, {"unknown": unknown})]
    notes = [f"{agreement.pairs:,} pairs; unknown ones count as 0"]
    document = agreement.to_dict()
    if calibration is not None:
        tables += [_calibration_table(name, bins) for name, bins in calibration.items()]
        document["calibration"] = {name: [each.to_dict() for each in bins] for name, bins in calibration.items()}
    return make_report(
        tables, notes, figures, agreement.comparison, "Williams' tests", resamples, seed, document, headline="spearman"
    )


def _calibration_table(name: str, bins: Sequence[Bin]) -> Table:
    rows = tuple((_format_range(each), each.pairs, format_interval(each.judgement)) for each in bins)
    return Table(f"Mean judgement by score of {name}", ("score", "pairs", "mean judgement"), rows)


def _format_range(bin: Bin) -> str:
    return f"{bin.low:g}" if bin.low == bin.high else f"{bin.low:g} to {bin.high:g}"


def report_substitutes(agreement: SubstituteAgreement, resamples: int, seed: int) -> Report:
    """Return the report of matchers on substitutes; see ``report_questions``."""
    figures = {each.matcher: each.measures for each in agreement.matchers}
    unknown = {each.matcher: each.unknown for each in agreement.matchers}
    tables = [_figures_table("", "matcher", figures, {"unknown": unknown})]
    notes = [f"{agreement.targets:,} targets with {agreement.substitutes:,} substitutes; unknown ones count as 0"]
    if agreement.left_out:
        notes.append(f"left out: {', '.join(describe_left_out(*each) for each in agreement.left_out.items())}")
    document = agreement.to_dict()
    return make_report(
        tables, notes, figures, agreement.comparison, "permutation tests", resamples, seed, document, headline="gap"
    )


def _intervals(measures: Mapping[str, Measured]) -> dict[str, Interval]:
    return {name: each.interval for name, each in measures.items()}


def _figures_table(
    caption: str, system: str, figures: Mapping[str, Figures], counts: Mapping[str, Mapping[str, int]] | None = None
) -> Table:
    """Return a table with a row for each system, its figures and its counts."""
    counts = counts or {}
    measures = next(iter(figures.values()))
    rows = tuple(
        (name, *map(format_interval, intervals.values()), *(each[name] for each in counts.values()))
        for name, intervals in figures.items()
    )
    return Table(caption, (system, *(name_measure(name) for name in measures), *counts), rows)


def make_report(
    tables: Sequence[Table],
    notes: Sequence[str],
    figures: Mapping[str, Figures],
    comparison: Comparison,
    tests: str,
    resamples: int,
    seed: int,
    document: Mapping[str, Any],
    *,
    headline: str,
) -> Report:
    """Make the report of an evaluation.

    Args:
        tables: The tables for people, the main one first.
        notes: Lines about unknown and left-out items.
        figures: The content of the CSV, by system and measure.
        comparison: The differences between the systems, which get tables of their own.
        tests: The tests of the differences, in words.
        resamples: The number of resamples.
        seed: The seed.
        document: The content of the JSON.
        headline: The measure by which the best system is named in the list of runs.
    """
    is_tested = resamples and comparison.differences
    added = [_ranks_table(comparison, tests), _differences_table(comparison)] if is_tested else []
    notes = [*notes, *_describe_resamples(figures, resamples, seed)]
    document = {**document, "resamples": resamples, "seed": seed}
    return Report((*tables, *added), tuple(notes), _list_figures(figures), document, _summarise(figures, headline))


def _summarise(figures: Mapping[str, Figures], headline: str) -> str:
    """Return the best system by a measure; nothing if none has a value."""
    values = {name: each[headline].value for name, each in figures.items() if name != PEOPLE}
    best = max((name for name, value in values.items() if not isnan(value)), key=values.__getitem__, default=None)
    return "" if best is None else f"{best}: {name_measure(headline)} {values[best]:.3f}"


def _ranks_table(comparison: Comparison, tests: str) -> Table:
    """Return the ranks of systems by each measure: the first and the last that the tests allow."""
    ranks = {
        measure: {each.system: _format_rank(each.rank, each.last_rank) for each in ranking}
        for measure, ranking in comparison.rankings.items()
    }
    order = [each.system for each in next(iter(comparison.rankings.values()))]
    systems = list(dict.fromkeys([*order, *(name for ranking in ranks.values() for name in ranking)]))
    rows = tuple((name, *(ranking.get(name, "-") for ranking in ranks.values())) for name in systems)
    caption = f"Ranks; those that overlap are tied ({tests} with Holm's correction, p < {SIGNIFICANCE:g})"
    return Table(caption, ("rank of", *(name_measure(name) for name in ranks)), rows)


def _format_rank(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _differences_table(comparison: Comparison) -> Table:
    """Return the differences between all pairs of systems, a column for each measure."""
    measures = list(comparison.rankings)
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for each in comparison.differences:
        p = "" if isnan(each.p_holm) else " (p < 0.001)" if each.p_holm < 0.001 else f" (p {each.p_holm:.3f})"
        cells.setdefault((each.first, each.second), {})[each.measure] = "-" if isnan(each.value) else f"{each.value:+.3f}{p}"
    rows = tuple((*pair, *(found[measure] for measure in measures)) for pair, found in cells.items())
    return Table("Differences, with corrected p-values", ("first", "minus", *(name_measure(name) for name in measures)), rows)


def _describe_resamples(figures: Mapping[str, Figures], resamples: int, seed: int) -> Iterator[str]:
    if not resamples:
        return
    yield f"intervals at 95 % from {resamples:,} resamples (seed {seed})"
    for system, intervals in figures.items():
        measures: dict[int, list[str]] = {}
        for name, interval in intervals.items():
            measures.setdefault(interval.undefined, []).append(name_measure(name))
        for count, names in measures.items():
            if count:
                yield f"{system}: {count:,} of {resamples:,} resamples have no {' or '.join(names)} and are left out"


def _list_figures(figures: Mapping[str, Figures]) -> Table:
    def rows() -> Iterable[tuple[Any, ...]]:
        for system, intervals in figures.items():
            for name, each in intervals.items():
                yield system, name, *map(none_if_nan, (each.value, each.low, each.high))

    return Table("", ("system", "measure", "value", "low", "high"), tuple(rows()))
