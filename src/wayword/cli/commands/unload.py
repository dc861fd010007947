"""``wayword unload``: remove a base from the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..confirmation import confirm, yes_option
from ..output import print_json, print_text, reject_blank
from ..progress_bar import show_progress

if TYPE_CHECKING:
    from ..settings import Settings


@click.command()
@click.argument("base", callback=reject_blank)
@yes_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def unload(settings: Settings, base: str, yes: bool, as_json: bool) -> None:
    """Remove BASE from the store, with everything that only it needs. Other bases are not affected.

    \b
    wayword unload simplewiki
    """
    from ...graph import open_store
    from ...graph.validation import missing_base
    from ...loading import unload as unload_base
    from ...rendering.text import clean
    from ...store_address import resolve_address

    with open_store(resolve_address(settings.store)) as store:
        if not yes:
            stored = {each.id: each for each in store.bases()}
            if base not in stored:
                raise missing_base(store.address, base, stored)
            confirm(clean(f"Remove {base} ({stored[base].kind}, from {stored[base].source}) from {store.address}?"))
        with show_progress(quiet=settings.quiet) as progress:
            removed = unload_base(base, store=store, progress=progress)
        address = store.address
    if as_json:
        facts = {name: getattr(removed, name) for name in ("id", "kind", "source", "revision")}
        print_json({**facts, "store": address})
    else:
        print_text(clean(f"Removed {removed.id} ({removed.kind}, from {removed.source}) from {address}"))
