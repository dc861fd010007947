"""Reports of comparisons of substitutions."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.left_out import describe_left_out
from ...rendering.reports import Report, Table
from .comparisons import ComparisonAgreement
from .presentation import PEOPLE, format_interval, make_report

LONGEST_RANKING = 20
"""Rows of the longest ranking that a report shows in full; of longer ones it shows the ends."""


def report_comparisons(agreement: ComparisonAgreement, resamples: int, seed: int) -> Report:
    """Return the report of matchers, and of people, on comparisons; see ``report_questions``."""
    people = {"agreement": agreement.people.agreement, "majority": agreement.people.majority}
    figures = {
        PEOPLE: people,
        **{
            each.matcher: {"agreement": each.agreement, "majority": each.majority, "order": each.order}
            for each in agreement.matchers
        },
    }
    rows = [(each.matcher, *map(format_interval, figures[each.matcher].values()), each.unknown) for each in agreement.matchers]
    rows.append((PEOPLE, *map(format_interval, people.values()), None, None))
    tables = [Table("", ("matcher", "agreement", "majority", "order", "unknown"), tuple(rows)), _rank(agreement)]
    notes = list(_note(agreement))
    return make_report(
        tables,
        notes,
        figures,
        agreement.differences,
        "permutation tests",
        resamples,
        seed,
        agreement.to_dict(),
        headline="order",
    )


def _rank(agreement: ComparisonAgreement) -> Table:
    """Return the substitutions of the largest group from best to worst."""
    strengths, groups = agreement.ranking.strengths, agreement.ranking.groups
    ranked = sorted((each for each in strengths if groups[each] == 0), key=lambda each: (-strengths[each], each))
    rows = [(place, *each, f"{strengths[each]:.2f}") for place, each in enumerate(ranked, start=1)]
    half = LONGEST_RANKING // 2
    if len(rows) > LONGEST_RANKING:
        rows[half:-half] = [("...", "", "", "")]  # type: ignore[list-item]
    return Table("Substitutions from best to worst", ("place", "substitute", "substitutee", "strength"), tuple(rows))


def _note(agreement: ComparisonAgreement) -> Iterator[str]:
    judges = f" of {agreement.judges:,} judges" if agreement.judges else ""
    yield (
        f"{agreement.judgements:,} judgements{judges} on {agreement.comparisons:,} comparisons; contested: "
        f"{agreement.contested:,}, without a majority: {agreement.without_majority:,}"
    )
    yield f"scores that differ by at most {agreement.same:g} say that both are as good; unknown substitutions score 0"
    if agreement.left_out:
        yield f"left out: {', '.join(describe_left_out(*each) for each in agreement.left_out.items())}"
    ranking = agreement.ranking
    groups = len(set(ranking.groups.values()))
    if groups > 1:
        left = sum(group > 0 for group in ranking.groups.values())
        yield (
            f"the comparisons fall into {groups:,} groups with none between them, so they have no common order: order is of "
            f"the largest, without {left:,} substitutions"
        )
    if ranking.has_prior:
        yield "some substitutions always won or always lost: strengths are held finite by half a win and half a loss for each"
    if not ranking.converged:
        yield "the strengths did not converge; their order is approximate"
