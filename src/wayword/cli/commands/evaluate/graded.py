"""``wayword evaluate graded``: correlation with graded judgements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...evaluation_options import evaluation_options
from ...matcher_options import matcher_options
from ...output import reject_empty

if TYPE_CHECKING:
    from ....matcher_request import MatcherRequest
    from ...evaluation_options import EvaluationOptions
    from ...settings import Settings


@click.command()
@click.argument("file", callback=reject_empty)
@click.option("--reverse", is_flag=True, help="Exchange the two phrases of each pair.")
@evaluation_options
@matcher_options
def graded(settings: Settings, request: MatcherRequest, options: EvaluationOptions, file: str, reverse: bool) -> None:
    """Measure correlation with graded judgements.

    \b
    wayword evaluate graded SimLex-999.txt --matcher wayword --matcher path
    wayword evaluate graded hyperlex_dev_all_random.txt --reverse

    FILE is HyperLex, SimLex-999, SimVerb-3500, WordSim-353 or MEN, or has two phrases and a score in each row. The first phrase
    is the substitute; of HyperLex it is the second, which is the more general one. Unknown pairs count as 0. The correlations
    are Spearman's rho, Kendall's tau-b and Pearson's r.
    """
    from ....evaluation.agreement.graded_files import read_judged_pairs
    from ....evaluation.agreement.graded_measures import evaluate_graded
    from ....evaluation.agreement.pair_scores import score_pairs
    from ....evaluation.agreement.presentation import report_graded

    judged = read_judged_pairs(file)
    if reverse:
        judged = [pair.reverse() for pair in judged]
    with options.evaluate(settings, request, "graded", [file], {"reverse": reverse}) as (matchers, progress, finish):
        pairs = [(pair.substitute, pair.substitutee) for pair in judged]
        scores = {name: score_pairs(name, matcher, pairs, progress=progress) for name, matcher in matchers.items()}
        agreement = evaluate_graded(judged, scores, resamples=options.resamples, seed=options.seed)
        finish(report_graded(agreement, options.resamples, options.seed))
