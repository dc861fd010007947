"""``wayword export``: write the graph, or one base, for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..output import print_note, reject_empty

if TYPE_CHECKING:
    from ..settings import Settings

FOLDERS = (".csv", ".parquet")
"""Endings of formats that are folders."""


@click.command()
@click.argument("file", callback=reject_empty)
@click.option("--base", "-b", metavar="BASE", help="Only this base.")
@click.option(
    "--format", type=click.Choice(["graphml", "json", "parquet", "csv"]), help="Format; by default that of the ending of FILE."
)
@click.pass_obj
def export(settings: Settings, file: str, base: str | None, format: str | None) -> None:
    """Write the graph to FILE.

    \b
    graph.graphml             for networkx, Gephi, yEd
    graph.json                node-link JSON, for networkx and d3
    folder --format parquet   a table per label and relationship type
    folder --format csv       for neo4j-admin database import full
    """
    ending = Path(file).suffix.lower()
    if format is None and ending in FOLDERS:
        kind = ending.removeprefix(".")
        raise click.UsageError(
            f"{file}: {kind} is written as a folder of tables; give --format {kind} to use this name for it."
        )
    from ...graph import open_store
    from ...graph.export import export as write
    from ...store_address import default_store
    from ..progress_bar import show_progress

    with open_store(settings.store or str(default_store())) as store, show_progress(quiet=settings.quiet) as progress:
        rows = write(store, file, base, format, progress)
    print_note(settings, f"wrote {rows:,} nodes and relationships to {file}")
