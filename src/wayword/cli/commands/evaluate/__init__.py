"""``wayword evaluate``: how well matchers, extractors, embeddings and classifiers agree with people."""

from __future__ import annotations

import click

from ...groups import SuggestingGroup
from . import comparisons, graded, indexers, keyphrases, questions, substitutes


@click.group(cls=SuggestingGroup)
def evaluate() -> None:
    """Measure how well matchers agree with people."""


for _command in (
    questions.questions,
    graded.graded,
    substitutes.substitutes,
    comparisons.comparisons,
    keyphrases.keyphrases,
    indexers.indexers,
):
    evaluate.add_command(_command)
