"""``wayword evaluate comparisons``: matchers beside people who compared two substitutions at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...evaluation_options import evaluation_options
from ...matcher_options import matcher_options
from ...output import reject_empty, reject_nan

if TYPE_CHECKING:
    from ....matcher_request import MatcherRequest
    from ...evaluation_options import EvaluationOptions
    from ...settings import Settings


@click.command()
@click.argument("file", callback=reject_empty)
@click.option(
    "--same",
    type=click.FloatRange(0, 1),
    callback=reject_nan,
    default=0.1,
    show_default=True,
    metavar="X",
    help="Largest difference of scores that are as good.",
)
@evaluation_options
@matcher_options
def comparisons(settings: Settings, request: MatcherRequest, options: EvaluationOptions, file: str, same: float) -> None:
    """Measure agreement with people who compared substitutions.

    \b
    wayword sheets pairs.csv --output sheets.csv
    wayword evaluate comparisons sheets.csv --matcher wayword --matcher r_precision

    FILE says whether A for B is better than C for D: CSV, or a folder of CSV files, as wayword sheets writes it. Agreement is
    the share of the judges who say the same, majority that of the comparisons where most judges do; both are also measured for
    people, each against the others. The judgements imply an order of the substitutions (Bradley-Terry), which is correlated
    with that of a matcher (Kendall).
    """
    from ....evaluation.agreement.comparison_report import report_comparisons
    from ....evaluation.agreement.comparisons import evaluate_comparisons
    from ....evaluation.agreement.judgements import read_judgements

    judgements = read_judgements(file)
    with options.evaluate(settings, request, "comparisons", [file], {"same": same}) as (matchers, progress, finish):
        agreement = evaluate_comparisons(
            judgements, matchers, same=same, resamples=options.resamples, seed=options.seed, progress=progress
        )
        finish(report_comparisons(agreement, options.resamples, options.seed))
