"""Reports of extracted keyphrases and of human indexers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...core.left_out import describe_left_out
from ...rendering.reports import Report, Table
from ..agreement.presentation import format_interval, make_report, name_measure
from ..agreement.significance import Comparison
from ..agreement.statistics import Interval
from .extraction import FIGURES, ExtractionEvaluation
from .indexers import IndexerEvaluation, IndexerFigures

LONGEST_LIST = 50
"""Rows of the longest list of indexers that a report shows."""


def report_extraction(evaluation: ExtractionEvaluation, resamples: int, seed: int, *, each: bool = False) -> Report:
    """Return the report of extracted keyphrases.

    Args:
        evaluation: The result.
        resamples: The number of resamples.
        seed: Their seed.
        each: Whether to show the figures of each document too.
    """
    figures = {
        found.matcher: {
            f"{kind}.{name}": mean
            for kind, means in (("macro", found.macro), ("micro", found.micro))
            for name, mean in means.items()
        }
        for found in evaluation.matchers
    }
    header = ("matcher", *map(name_measure, next(iter(figures.values()))), "unknown")
    rows = tuple(
        (found.matcher, *map(format_interval, figures[found.matcher].values()), found.unknown) for found in evaluation.matchers
    )
    tables = [_list_documents(evaluation), Table("", header, rows)] if each else [Table("", header, rows)]
    document = evaluation.to_dict(each=each)
    return make_report(
        tables,
        list(_note_extraction(evaluation)),
        figures,
        Comparison((), {}),
        "",
        resamples,
        seed,
        document,
        headline="macro.f",
    )


def _list_documents(evaluation: ExtractionEvaluation) -> Table:
    rows = []
    for found in evaluation.matchers:
        for document, tally in found.documents.items():
            shown = (f"{getattr(tally, figure):.3f}" for figure in ("tp", *FIGURES))
            rows.append((document, found.matcher, tally.candidates, tally.gold, *shown))
    return Table("", ("document", "matcher", "candidates", "gold", "TP", "P", "R", "F"), tuple(rows))


def _note_extraction(evaluation: ExtractionEvaluation) -> Iterator[str]:
    yield f"{_count_documents(evaluation.documents)}; unknown pairs count as 0"
    if evaluation.without_candidates:
        yield f"{evaluation.without_candidates:,} of them without candidates, which counts as 0"
    if evaluation.left_out:
        yield f"left out: {describe_left_out('document_without_gold', evaluation.left_out)}"
    for found in evaluation.matchers:
        if found.over_recalled:
            yield (
                f"{found.matcher}: recall is above 1 in {found.over_recalled:,} of {evaluation.documents:,} documents, because "
                "several candidates may match one gold keyphrase (1.4)"
            )


def report_indexers(evaluation: IndexerEvaluation, resamples: int, seed: int) -> Report:
    """Return the report of human indexers; see ``report_extraction``."""
    figures = {found.matcher: _name_figures(found) for found in evaluation.matchers}
    measures = next(iter(figures.values()))
    header = ("matcher", *map(name_measure, measures), "unknown")
    rows = tuple(
        (found.matcher, *map(format_interval, figures[found.matcher].values()), found.unknown) for found in evaluation.matchers
    )
    tables = [Table("", header, rows)]
    teams = list(evaluation.matchers[0].teams)
    if len(teams) <= LONGEST_LIST:
        by_team = tuple((team, *(f"{found.teams[team]:.3f}" for found in evaluation.matchers)) for team in teams)
        tables.append(Table("Consistency with the others", ("indexer", *figures), by_team))
    notes = list(_note_indexers(evaluation))
    compared = evaluation.differences
    document = evaluation.to_dict()
    return make_report(tables, notes, figures, compared, "permutation tests", resamples, seed, document, headline="consistency")


def _name_figures(found: IndexerFigures) -> Mapping[str, Interval]:
    return {
        "consistency": found.consistency,
        "single_gold.spearman": found.single_gold.spearman,
        "single_gold.kendall": found.single_gold.kendall,
        "pooled.spearman": found.pooled.spearman,
        "pooled.kendall": found.pooled.kendall,
    }


def _note_indexers(evaluation: IndexerEvaluation) -> Iterator[str]:
    yield f"consistency in {_count_documents(evaluation.documents)}; unknown pairs count as 0"
    yield (
        f"Spearman's ρ and Kendall's τ of F and the verdict of the other indexers in {evaluation.meta_documents:,} documents "
        "with three or more; pooled keyphrases and verdicts come from the same people, which favours exact matches"
    )
    for code, count in (("single_indexer", evaluation.single_indexer), ("empty_list", evaluation.empty)):
        if count:
            yield f"left out: {describe_left_out(code, count)}"
    for found in evaluation.matchers:
        for name, meta in (("single gold", found.single_gold), ("pooled", found.pooled)):
            if meta.undefined:
                yield f"{found.matcher}: {meta.undefined:,} rankings ({name}) have no correlation: all values are equal"


def _count_documents(number: int) -> str:
    return "1 document" if number == 1 else f"{number:,} documents"
