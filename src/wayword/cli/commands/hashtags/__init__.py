"""``wayword hashtags``: thesauri of hashtags from tweets, and the evaluation of recommendations with them."""

from __future__ import annotations

import click

from ...groups import SuggestingGroup
from . import evaluate, experiment, similar, train


@click.group(cls=SuggestingGroup)
def hashtags() -> None:
    """Train, query and evaluate thesauri of hashtags (#REval)."""


for _command in (
    train.train,
    train.update,
    similar.similar,
    experiment.recommend,
    evaluate.evaluate,
    experiment.experiment,
    experiment.figure,
):
    hashtags.add_command(_command)
