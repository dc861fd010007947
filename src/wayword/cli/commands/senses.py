"""``wayword senses``: what a phrase can mean in a base."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...query import Question
from ..output import not_blank, say, say_json
from ..progress_bar import watched
from ..query_options import question_options

if TYPE_CHECKING:
    from ..settings import Settings


@click.command()
@click.argument("phrase", callback=not_blank)
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@question_options
def senses(settings: Settings, question: Question, phrase: str, as_json: bool) -> None:
    """What PHRASE can mean: how it is split into aspects, and which entities each of them names."""
    with watched(quiet=settings.quiet) as progress, question.open(progress) as graph:
        found = graph.senses(phrase)
    if as_json:
        say_json(found.to_dict())
    else:
        say(str(found))
