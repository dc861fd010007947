"""``wayword evaluate keyphrases``: precision, recall and F of extracted keyphrases under any matcher."""

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
@click.option("--candidates", required=True, metavar="FILE", callback=reject_empty, help="Extracted keyphrases.")
@click.option("--gold", required=True, metavar="FILE", callback=reject_empty, help="Gold keyphrases.")
@click.option("--each", is_flag=True, help="Add the figures of every document.")
@evaluation_options
@matcher_options
def keyphrases(
    settings: Settings, request: MatcherRequest, options: EvaluationOptions, candidates: str, gold: str, each: bool
) -> None:
    """Measure precision, recall and F of keyphrases.

    \b
    wayword evaluate keyphrases --candidates mine.json --gold gold.json --matcher exact --matcher wayword

    A FILE is JSON, {ID: [[form, other form, ...], ...]}, or a folder or archive of .key files, one for each document with a
    keyphrase a line. A candidate is its first form; it counts by its best match among all forms of the gold keyphrases, so
    recall can be above 1. Macro figures are means over documents, micro figures those of the sums.
    """
    from ....evaluation.keyphrases.extraction import evaluate_extraction
    from ....evaluation.keyphrases.keyphrase_lists import read_keyphrases
    from ....evaluation.keyphrases.presentation import report_extraction

    extracted, wanted = read_keyphrases(candidates), read_keyphrases(gold)
    with options.evaluate(settings, request, "keyphrases", [gold, candidates]) as (matchers, progress, finish):
        evaluation = evaluate_extraction(
            extracted, wanted, matchers, resamples=options.resamples, seed=options.seed, progress=progress
        )
        finish(report_extraction(evaluation, options.resamples, options.seed, each=each))
