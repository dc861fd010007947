"""Export the graph, or one base of it: GraphML, node-link JSON, Parquet, or CSV for Neo4j's importer.

Rows are streamed from the store to a temporary file or folder, which replaces the target once it is complete.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.atomic_files import atomic_folder, atomic_write
from ...core.errors import WaywordError, hint
from ...core.progress import Progress, no_progress
from ..errors import StoreMissing
from ..store import Store

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = ("graphml", "json", "parquet", "csv")


class ExportError(WaywordError):
    """The graph cannot be exported with these options."""


@dataclass(frozen=True, slots=True)
class ExportSource:
    """The tables to write: those of a store, or of one base."""

    store: Store
    base: str | None
    progress: Progress
    counts: Mapping[str, int]
    written: list[int]

    def nodes(self, label: str) -> Iterator[pa.RecordBatch]:
        """Yield the nodes of a label."""
        if label not in self.counts:
            return
        batches = self.store.stream_nodes(label, self.base)
        if self.base is not None and label == "Base":
            batches = _select_base(batches, self.base)
        if self.base is not None and label == "Stem":
            forms = (batch for type in ("FORM", "FOLDS") for batch in self.store.stream_edges(type, self.base))
            batches = _unique_stems(forms)
        yield from self._report_progress(label, batches)

    def relationships(self, type: str) -> Iterator[pa.RecordBatch]:
        """Yield the relationships of a type."""
        if type in self.counts:
            yield from self._report_progress(type, self.store.stream_edges(type, self.base))

    def _report_progress(self, table: str, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows, total = 0, sum(self.counts.values())
        for batch in batches:
            if batch.num_rows:
                yield batch
            rows += batch.num_rows
            self.written[0] += batch.num_rows
            self.progress(f"writing {table}", rows, min(1.0, self.written[0] / total))


def export(
    store: Store,
    file: str | PathLike[str],
    base: str | None = None,
    format: str | None = None,
    progress: Progress = no_progress,
) -> int:
    """Write the graph to a file (graphml, json) or a folder (parquet, csv).

    Args:
        store: The store to export.
        file: The file or folder. An existing file is replaced; a folder only if it is an earlier export.
        base: The only base to export; by default all.
        format: One of ``FORMATS``; by default the ending of the file's name.
        progress: Called with the number of rows written and their share of all.

    Returns:
        The number of nodes and relationships written.

    Raises:
        ExportError: The format is unknown, or there is no such base.
        FileError: The file or folder cannot be written, or the folder contains other files.
    """
    path = Path(file)
    format = format or path.suffix.lower().removeprefix(".")
    if format not in FORMATS:
        raise ExportError(f"{path} does not end with .graphml or .json", hint("choose", option="format", choices=FORMATS))
    _check_base(store, base)
    source = ExportSource(store, base, progress, _count_rows(store, base), [0])
    if format in ("parquet", "csv"):
        from . import tables

        with atomic_folder(path, tables.MANIFEST) as folder:
            tables.write(source, folder, format)
    else:
        from . import graph_formats

        with atomic_write(path) as target:
            (graph_formats.write_graphml if format == "graphml" else graph_formats.write_json)(source, target)
    return source.written[0]


def _check_base(store: Store, base: str | None) -> None:
    names = [stored.id for stored in store.bases()]
    if not names:
        raise StoreMissing(f"there is nothing to export in {store.address}", hint("load", kind="wordnet"))
    if base is not None and base not in names:
        raise ExportError(f"there is no base {base!r} in {store.address}", hint("choose", option="base", choices=names))


def _count_rows(store: Store, base: str | None) -> dict[str, int]:
    """Return the number of rows of each non-empty table; for stems, which bases share, it is an upper bound."""
    counts = {"Base": 1}
    for name, table in store.counts().items():
        if base is None or name in (base, ""):
            for kind, count in table.items():
                counts[kind] = counts.get(kind, 0) + count
    return {kind: count for kind, count in counts.items() if count}


def _select_base(batches: Iterator[pa.RecordBatch], base: str) -> Iterator[pa.RecordBatch]:
    import pyarrow.compute as pc

    for batch in batches:
        yield batch.filter(pc.equal(batch["id"], base))


def _unique_stems(forms: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield each stem once; only the stems are in memory."""
    import pyarrow as pa

    seen: set[str] = set()
    for batch in forms:
        new = [stem for stem in dict.fromkeys(batch["from"].to_pylist()) if stem not in seen]
        seen.update(new)
        yield pa.RecordBatch.from_pydict({"id": pa.array(new, pa.string())})
