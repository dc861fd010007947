"""``wayword hop``: walking a wiki's links to Philosophy, or to any other article."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..evaluation.hop import STRATEGIES
from ..progress import watched
from .output import not_empty, say, say_json

if TYPE_CHECKING:
    from . import Settings


@click.group()
def hop() -> None:
    """Walk from link to link of a wiki until Philosophy is reached, or there is no way on."""


@hop.command()
@click.argument("article")
@click.option("--base", "-b", metavar="BASE", help="The wiki; by default the only one there is.")
@click.option(
    "--strategy",
    "-s",
    type=click.Choice(STRATEGIES),
    default="first",
    show_default=True,
    help="Which link is followed: any, the first, the second, or the nearest to the target by WordNet or by vectors of words.",
)
@click.option("--target", "-t", default="Philosophy", show_default=True, metavar="ARTICLE", help="Where to.")
@click.option("--vectors", metavar="FILE", callback=not_empty, help="Word vectors: word2vec, GloVe, gensim, or .npy.")
@click.option("--vocabulary", metavar="FILE", callback=not_empty, help="The words of a .npy file of vectors.")
@click.option("--lexicon", default="wordnet", show_default=True, metavar="BASE", help="The WordNet of the strategy wordnet.")
@click.option(
    "--words", type=click.Choice(["title", "anchor"]), default="title", show_default=True, help="What of a link is read."
)
@click.option("--per-word", is_flag=True, help="With vectors: average the cosines of the words, not their vectors.")
@click.option("--first-sense", is_flag=True, help="With wordnet: take the most used sense of a noun alone.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="With random: other seeds, other ways.")
@click.option(
    "--first-links",
    type=click.IntRange(1, 10_000),
    default=20,
    show_default=True,
    metavar="N",
    help="Links that are looked at.",
)
@click.option(
    "--limit", type=click.IntRange(0, 10_000), default=100, show_default=True, metavar="N", help="Hops after which to give up."
)
@click.option("--keep-parentheses", is_flag=True, help="Count the links within parentheses too.")
@click.option("--no-revisit", is_flag=True, help="Follow no link to an article that was there before.")
@click.option("--cypher", "as_cypher", is_flag=True, help="Print the statement that shows the trail in Neo4j Browser.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document, with all links that were looked at.")
@click.pass_obj
def trail(settings: Settings, /, article: str, base: str | None, as_cypher: bool, as_json: bool, **choice: Any) -> None:
    """One way from ARTICLE to the target, hop by hop.

    \b
    wayword hop trail London
    wayword hop trail London --strategy wordnet --target Science
    """
    if as_cypher and as_json:
        raise click.UsageError("choose one of --cypher and --json.")
    from ..session import open as open_graph

    with watched(quiet=settings.quiet) as progress, open_graph(settings.store, base=base, progress=progress) as graph:
        found = graph.trail(article, **choice)
    if as_cypher:
        say(found.to_cypher())
    elif as_json:
        say_json(found.to_dict())
    else:
        say(str(found))
