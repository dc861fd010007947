"""``wayword hashtags``: vectors of hashtags from tweets, the thesaurus they make, and how recommendations fare by it."""

from __future__ import annotations

import click

from . import evaluate, experiment, similar, train


@click.group()
def hashtags() -> None:
    """Learn hashtags from tweets, ask for their synonyms, and judge recommendations by them (#REval)."""


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
