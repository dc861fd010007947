"""``wayword evaluate substitutes``: rankings of substitutes without their context."""

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
@evaluation_options
@matcher_options
def substitutes(settings: Settings, request: MatcherRequest, options: EvaluationOptions, file: str) -> None:
    """Measure rankings of substitutes: GAP, P@1, P@3, R@10.

    \b
    wayword evaluate substitutes swords-v1.1_dev.json.gz --matcher wayword --matcher path

    FILE is a SWORDS file. Matchers see the word and a substitute, not the context. A substitute is right if anyone accepted
    it; in GAP its weight is the share of people who did. Ties have their expected value. Unknown pairs count as 0.
    """
    from ....evaluation.agreement.pair_scores import score_pairs
    from ....evaluation.agreement.presentation import report_substitutes
    from ....evaluation.agreement.substitute_files import read_swords
    from ....evaluation.agreement.substitute_measures import evaluate_substitutes, list_pairs

    gold = read_swords(file)
    with options.evaluate(settings, request, "substitutes", [file]) as (matchers, progress, finish):
        pairs = list_pairs(gold.targets)
        scores = {name: score_pairs(name, matcher, pairs, progress=progress) for name, matcher in matchers.items()}
        progress("computing intervals", 0, None)
        agreement = evaluate_substitutes(gold, scores, resamples=options.resamples, seed=options.seed)
        finish(report_substitutes(agreement, options.resamples, options.seed))
