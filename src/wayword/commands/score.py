"""``wayword score``: one pair with the path that proves it, or a file of pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..progress import watched
from .output import say, say_json
from .questions import Question, question_options

if TYPE_CHECKING:
    from . import Settings


@click.command()
@click.argument("substitute", required=False)
@click.argument("substitutee", required=False)
@click.option("--pairs", metavar="FILE", help="Score the pairs of a csv, tsv or jsonl file; - is stdin.")
@click.option("--output", "-o", metavar="FILE", help="With --pairs: where to write; by default stdout.")
@click.option("--format", "form", type=click.Choice(["csv", "jsonl"]), help="With --pairs: what to write; by default as read.")
@click.option("--workers", type=click.IntRange(1, 256), metavar="N", help="With --pairs: processes; by default one a core.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document; with --pairs the same as --format jsonl.")
@question_options
def score(
    settings: Settings,
    question: Question,
    substitute: str | None,
    substitutee: str | None,
    pairs: str | None,
    output: str | None,
    form: str | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """How well SUBSTITUTE stands in for SUBSTITUTEE, from 0 to 1.

    \b
    wayword score enclose birdcage
    wayword score --pairs pairs.csv --output scored.csv

    The first two columns of FILE are taken, or those that a header names substitute and substitutee. Every row comes out as
    it is, in order, with a column score.
    """
    if pairs is not None:
        if substitute is not None:
            raise click.UsageError(f"give either --pairs or two phrases, not both ({substitute!r}).")
        from ..pairs import score_file

        score_file(question, pairs, output, "jsonl" if as_json else form, workers, quiet=settings.quiet)
        return
    if substitute is None or substitutee is None:
        raise click.UsageError("give two phrases, SUBSTITUTE and SUBSTITUTEE, or --pairs FILE.")
    for option, value in (("--output", output), ("--format", form), ("--workers", workers)):
        if value is not None:
            raise click.UsageError(f"{option} {value} goes with --pairs only.")
    with watched(quiet=settings.quiet) as progress, question.open(progress) as graph:
        match = graph.score(substitute, substitutee)
    if as_json:
        say_json(match.to_dict())
    else:
        say(str(match))
