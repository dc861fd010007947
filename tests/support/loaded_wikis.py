"""Small wikis loaded into a store, and scorers over every view of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

from wayword.graph.ingestion import ingest
from wayword.graph.memory import MemoryStore
from wayword.graph.records import Batch
from wayword.graph.schema import NODES, RELATIONSHIPS
from wayword.graph.store import Store
from wayword.loaders import open_wikipedia
from wayword.loaders.wikipedia.options import Options
from wayword.search.bases.array_file import Arrays, write_arrays
from wayword.search.bases.projector import project
from wayword.search.bases.selection import open_projection, open_view
from wayword.search.bases.union.live import LiveUnion
from wayword.search.bases.union.projection import UnionProjection, unite_projections
from wayword.search.bases.view import View
from wayword.search.paths.weighted import WeightedView
from wayword.search.scoring.parameters import Parameters
from wayword.search.scoring.scorer import Scorer

from .small_dumps import SmallPage, write_dump

if TYPE_CHECKING:
    from wayword.search.bases.live import LiveView
    from wayword.search.bases.projection import PhraseProjection


def load(store: Store, dump: Path, name: str | None = None, options: Options | None = None) -> None:
    """Load a dump, in this process."""
    with (
        TemporaryDirectory() as folder,
        open_wikipedia(dump, name, options or Options(), bundle=Path(folder) / "bundle", workers=1) as loader,
    ):
        loader.prepare()
        ingest(store, loader)


@contextmanager
def tiny_store(pages: Iterable[SmallPage], *, site: str = "tinywiki", options: Options | None = None) -> Iterator[MemoryStore]:
    """Open a store in memory with one small wiki."""
    with TemporaryDirectory() as folder, MemoryStore() as store:
        load(store, write_dump(Path(folder) / "tiny.xml", pages, site=site), options=options)
        yield store


def copy_base(store: Store, into: Store) -> None:
    """Copy the only base of one store into another."""
    (base,) = store.bases()
    batches = [Batch(label, rows) for label in NODES if label != "Base" for rows in store.stream_nodes(label)]
    batches += [
        Batch(name, rows, ends)
        for name, each in RELATIONSHIPS.items()
        for ends in each.ends
        for rows in store.stream_edges(name)
        if ends != ("Label", "Synset")
    ]
    into.replace_base(base, batches)


def projection(store: Store, base: str) -> PhraseProjection:
    """Return the projection of a base, written to memory."""
    return open_projection(map_arrays(*project(store, base)))


def map_arrays(about: dict[str, Any], arrays: dict[str, Any]) -> Arrays:
    """Write arrays to memory and open them as if from a file."""
    content = BytesIO()
    write_arrays(content, about, arrays)
    return Arrays(content.getbuffer())


def live(store: Store, base: str) -> LiveView:
    """Return the live view of a base."""
    return cast("LiveView", open_view(store, base, "live"))


def views(store: Store, bases: Collection[str], parameters: Parameters) -> Iterator[View[Any]]:
    """Yield both views of one base, or of several as one."""
    if len(bases) == 1:
        (base,) = bases
        yield projection(store, base)
        yield live(store, base)
        return
    parts = [projection(store, base) for base in bases]
    yield UnionProjection(map_arrays(*unite_projections(parts, parameters)), parts)
    yield LiveUnion(store, [live(store, base) for base in bases], parameters)


def open_scorers(
    store: Store, bases: Collection[str], stop_words: Collection[str], parameters: Parameters | None = None
) -> list[Scorer[Any]]:
    """Return a scorer for each view."""
    given = parameters or Parameters()
    return [Scorer(WeightedView(view, given), stop_words=frozenset(stop_words)) for view in views(store, bases, given)]
