"""``wayword senses``: the meanings of a phrase in a base."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...query import Query
from ..output import print_json, print_text, reject_blank
from ..progress_bar import show_progress
from ..query_options import query_options

if TYPE_CHECKING:
    from ..settings import Settings


@click.command()
@click.argument("phrase", callback=reject_blank)
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@query_options
def senses(settings: Settings, query: Query, phrase: str, as_json: bool) -> None:
    """Show the entities that PHRASE, or each of its parts, can name."""
    with show_progress(quiet=settings.quiet) as progress, query.open(progress) as graph:
        result = graph.senses(phrase)
    if as_json:
        print_json(result.to_dict())
    else:
        print_text(str(result))
