"""``wayword links``: the first links of an article in reading order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..output import print_json, print_text, reject_blank

if TYPE_CHECKING:
    from ..settings import Settings


@click.command()
@click.argument("article", callback=reject_blank)
@click.option("--base", "-b", metavar="BASE", help="Wiki; by default the only one.")
@click.option("--first", type=click.IntRange(min=1), metavar="N", help="Largest number of links; by default all stored links.")
@click.option("--keep-parentheses", is_flag=True, help="Include links in parentheses.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def links(settings: Settings, article: str, base: str | None, first: int | None, keep_parentheses: bool, as_json: bool) -> None:
    """List the links of ARTICLE's running text in reading order; redirects are followed.

    \b
    wayword links Philosophy --first 5
    """
    from ...api import open as open_graph

    with open_graph(settings.store, base=base) as graph:
        result = graph.links(article, first=first, keep_parentheses=keep_parentheses)
    if as_json:
        print_json([link.to_dict() for link in result])
    else:
        print_text(str(result))
