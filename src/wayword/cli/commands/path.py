"""``wayword path``: the path between two phrases as text, JSON, a picture, a graph file or a Cypher statement."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...query import Query
from ..output import print_json, print_match, print_note, print_text
from ..picture_option import picture_option
from ..progress_bar import show_progress
from ..query_options import query_options

if TYPE_CHECKING:
    from ..settings import Settings


@click.command()
@click.argument("substitute")
@click.argument("substitutee")
@picture_option(graph=True)
@click.option("--cypher", "as_cypher", is_flag=True, help="Print a statement that shows the path in Neo4j Browser.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@query_options
def path(
    settings: Settings,
    query: Query,
    substitute: str,
    substitutee: str,
    output: str | None,
    as_cypher: bool,
    as_json: bool,
) -> None:
    """Show the path from SUBSTITUTE to SUBSTITUTEE as text or as a picture.

    \b
    wayword path enclose birdcage --output path.svg
    wayword path enclose birdcage --cypher | wayword cypher -
    """
    if as_cypher and as_json:
        raise click.UsageError("choose one of --cypher and --json.")
    with show_progress(quiet=settings.quiet) as progress, query.open(progress) as graph:
        match = graph.score(substitute, substitutee)
    if output is not None:
        match.draw(output)
        print_note(settings, f"drew {output}")
    if as_cypher:
        from ...search.presentation.match_cypher import to_cypher

        print_text(to_cypher(match))
    elif as_json:
        print_json(match.to_dict())
    elif output is None:
        print_match(match)
