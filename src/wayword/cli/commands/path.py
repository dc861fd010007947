"""``wayword path``: the path between two phrases as a picture, a graph, a statement, or in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...query import Question
from ..output import not_empty, note, say, say_json
from ..progress_bar import watched
from ..query_options import question_options

if TYPE_CHECKING:
    from ..settings import Settings


@click.command()
@click.argument("substitute")
@click.argument("substitutee")
@click.option(
    "--output", "-o", metavar="FILE", callback=not_empty, help="Draw to a file ending in .svg, .png, .dot or .graphml."
)
@click.option("--cypher", "as_cypher", is_flag=True, help="Print the statement that shows the path in Neo4j Browser.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@question_options
def path(
    settings: Settings,
    question: Question,
    substitute: str,
    substitutee: str,
    output: str | None,
    as_cypher: bool,
    as_json: bool,
) -> None:
    """The path from SUBSTITUTE to SUBSTITUTEE, in words or as a picture.

    \b
    wayword path enclose birdcage --output path.svg
    wayword path enclose birdcage --cypher | wayword cypher -
    """
    if as_cypher and as_json:
        raise click.UsageError("choose one of --cypher and --json.")
    with watched(quiet=settings.quiet) as progress, question.open(progress) as graph:
        match = graph.score(substitute, substitutee)
    if output is not None:
        match.draw(output)
        note(settings, f"drew {output}")
    if as_cypher:
        from ...search.presentation.match_cypher import to_cypher

        say(to_cypher(match))
    elif as_json:
        say_json(match.to_dict())
    elif output is None:
        say(str(match))
