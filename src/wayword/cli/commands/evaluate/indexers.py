"""``wayword evaluate indexers``: consistency of human indexers, and which matcher judges them as people do."""

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
@click.argument("folder", callback=reject_empty)
@evaluation_options
@matcher_options
def indexers(settings: Settings, request: MatcherRequest, options: EvaluationOptions, folder: str) -> None:
    """Measure consistency of human indexers, and matchers by it.

    \b
    wayword evaluate indexers wiki20.tar.gz --matcher exact --matcher wayword

    FOLDER, or an archive of one, has a subfolder for each indexer of .key or .tags files, one for each document with a
    keyphrase a line, as in wiki20, fao30 and citeulike180. The verdict on an indexer is its mean consistency, by equal
    keyphrases, with the others. It is correlated with F, once with each single indexer as gold and once with the keyphrases of
    all others pooled.
    """
    from ....evaluation.keyphrases.indexers import evaluate_indexers
    from ....evaluation.keyphrases.keyphrase_lists import read_indexers
    from ....evaluation.keyphrases.presentation import report_indexers

    documents = read_indexers(folder)
    with options.evaluate(settings, request, "indexers", [folder]) as (matchers, progress, finish):
        evaluation = evaluate_indexers(documents, matchers, resamples=options.resamples, seed=options.seed, progress=progress)
        finish(report_indexers(evaluation, options.resamples, options.seed))
