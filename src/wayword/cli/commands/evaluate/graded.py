"""``wayword evaluate graded``: correlation with graded judgements."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...evaluation_options import evaluation_options
from ...matcher_options import matcher_options
from ...output import print_note, reject_empty
from ...picture_option import picture_option

if TYPE_CHECKING:
    from ....matcher_request import MatcherRequest
    from ...evaluation_options import EvaluationOptions
    from ...settings import Settings


@click.command()
@click.argument("file", callback=reject_empty)
@click.option("--reverse", is_flag=True, help="Exchange the two phrases of each pair.")
@click.option("--both", is_flag=True, help="Take the mean of both directions, for judgements of similarity, which has none.")
@click.option("--calibration", is_flag=True, help="Add the mean judgement of pairs with about the same score.")
@picture_option("--figure", plot=True)
@evaluation_options
@matcher_options
def graded(
    settings: Settings,
    request: MatcherRequest,
    options: EvaluationOptions,
    file: str,
    reverse: bool,
    both: bool,
    calibration: bool,
    figure: str | None,
) -> None:
    """Measure correlation with graded judgements.

    \b
    wayword evaluate graded SimLex-999.txt --both --matcher wayword --matcher wayword:thesis --matcher path
    wayword evaluate graded hyperlex_dev_all_random.txt --reverse

    FILE is HyperLex, SimLex-999, SimVerb-3500, WordSim-353 or MEN, or has two phrases and a score in each row. The first phrase
    is the substitute; of HyperLex it is the second, which is the more general one. Unknown pairs count as 0. The correlations
    are Spearman's rho, Kendall's tau-b and Pearson's r.
    """
    from ....evaluation.agreement.calibration import calibrate
    from ....evaluation.agreement.graded_files import read_judged_pairs
    from ....evaluation.agreement.graded_measures import evaluate_graded
    from ....evaluation.agreement.pair_scores import score_both_directions, score_pairs
    from ....evaluation.agreement.presentation import report_graded

    judged = read_judged_pairs(file)
    if reverse:
        judged = [pair.reverse() for pair in judged]
    asked = {"reverse": reverse, "both": both}
    with options.evaluate(settings, request, "graded", [file], asked) as (matchers, progress, finish):
        pairs = [(pair.substitute, pair.substitutee) for pair in judged]
        score = score_both_directions if both else score_pairs
        scores = {name: score(name, matcher, pairs, progress=progress) for name, matcher in matchers.items()}
        progress("computing intervals", 0, None)
        agreement = evaluate_graded(judged, scores, resamples=options.resamples, seed=options.seed)
        bins = calibrate(judged, scores, resamples=options.resamples, seed=options.seed) if calibration or figure else None
        finish(report_graded(agreement, options.resamples, options.seed, bins))
    if figure is not None and not bins:
        print_note(settings, f"no matcher has scores from 0 to 1 only, so {figure} is not drawn")
    elif figure is not None and bins is not None:
        from ....evaluation.agreement.figures import draw_calibration

        draw_calibration(bins, figure, f"{len(judged):,} pairs of {Path(file).name}")
        print_note(settings, f"drew {figure}")
