"""``wayword hashtags``: vectors of hashtags from tweets, the thesaurus they make, and how recommendations fare by it."""

from __future__ import annotations

import click

from .evaluating import evaluate
from .experimenting import experiment, figure, recommend
from .exploring import similar
from .training import train, update


@click.group()
def hashtags() -> None:
    """Learn hashtags from tweets, ask for their synonyms, and judge recommendations by them (#REval)."""


for _command in (train, update, similar, recommend, evaluate, experiment, figure):
    hashtags.add_command(_command)
