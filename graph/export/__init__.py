"""Writes the stored graph, or one base of it, for other programs: GraphML, node-link JSON, Parquet, CSV for Neo4j's importer.

Rows stream from the store to the file, which takes its place when it is whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.atomic_files import atomic_folder, atomic_write
from ...core.errors import WaywordError
from ...core.progress import Progress, no_progress
from ..errors import StoreMissing
from ..store import Store

if TYPE_CHECKING:
    import pyarrow as pa

FORMS = ("graphml", "json", "parquet", "csv")


class ExportError(WaywordError):
    """A graph cannot be exported in this way."""


@dataclass(frozen=True, slots=True)
class ExportSource:
    """What is to be written: the tables of a store, of one base if ``base`` is given."""

    store: Store
    base: str | None
    progress: Progress
    held: Mapping[str, int]
    done: list[int]

    def nodes(self, label: str) -> Iterator[pa.RecordBatch]:
        """The nodes of a label, batch by batch."""
        if label not in self.held:
            return
        batches = self.store.stream_nodes(label, self.base)
        if self.base is not None and label == "Base":
            batches = _only(batches, self.base)
        if self.base is not None and label == "Stem":
            forms = (batch for type in ("FORM", "FOLDS") for batch in self.store.stream_edges(type, self.base))
            batches = _stems(forms)
        yield from self._counted(label, batches)

    def relationships(self, type: str) -> Iterator[pa.RecordBatch]:
        """The relationships of a type, batch by batch."""
        if type in self.held:
            yield from self._counted(type, self.store.stream_edges(type, self.base))

    def _counted(self, what: str, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows, total = 0, sum(self.held.values())
        for batch in batches:
            if batch.num_rows:
                yield batch
            rows += batch.num_rows
            self.done[0] += batch.num_rows
            self.progress(f"writing {what}", rows, min(1.0, self.done[0] / total))


def export(
    store: Store,
    file: str | PathLike[str],
    base: str | None = None,
    form: str | None = None,
    progress: Progress = no_progress,
) -> int:
    """Write the graph to a file or a folder; how many nodes and relationships were written.

    ``form`` is one of ``FORMS``; without it the file's ending says how (.graphml, .json).
    """
    path = Path(file)
    form = form or path.suffix.lower().removeprefix(".")
    if form not in FORMS:
        raise ExportError(
            f"{path}: cannot tell what to write; end the name with .graphml or .json, or give --format parquet or csv"
        )
    _check_base(store, base)
    source = ExportSource(store, base, progress, _held(store, base), [0])
    if form in ("parquet", "csv"):
        from . import tables

        with atomic_folder(path, tables.MARK) as folder:
            tables.write(source, folder, form)
    else:
        from . import graph_formats

        with atomic_write(path) as target:
            (graph_formats.write_graphml if form == "graphml" else graph_formats.write_json)(source, target)
    return source.done[0]


def _check_base(store: Store, base: str | None) -> None:
    names = [each.id for each in store.bases()]
    if not names:
        raise StoreMissing(f"{store.address}: there is nothing to export; first: wayword load wordnet")
    if base is not None and base not in names:
        raise ExportError(f"there is no base {base!r} in {store.address}; there is {', '.join(names)}")


def _held(store: Store, base: str | None) -> dict[str, int]:
    """How many rows at most each table has to give; what is empty is not asked for."""
    held = {"Base": 1}
    for name, table in store.counts().items():
        if base is None or name in (base, ""):
            for kind, count in table.items():
                held[kind] = held.get(kind, 0) + count
    return {kind: count for kind, count in held.items() if count}


def _only(batches: Iterator[pa.RecordBatch], base: str) -> Iterator[pa.RecordBatch]:
    import pyarrow.compute as pc

    for batch in batches:
        yield batch.filter(pc.equal(batch["id"], base))


def _stems(forms: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The stems of one base, each once; they are all that is held in memory."""
    import pyarrow as pa

    seen: set[str] = set()
    for batch in forms:
        new = [stem for stem in dict.fromkeys(batch["from"].to_pylist()) if stem not in seen]
        seen.update(new)
        yield pa.RecordBatch.from_pydict({"id": pa.array(new, pa.string())})
