"""Build the projection of a base from the tables that its store streams, whole columns at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.progress import Progress, no_progress
from ...graph.schema import NODES
from ..scoring.transitions import TransitionKind
from .projection import FORMAT
from .registry import get_kind, get_phrase_search

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from ...graph.store import Store


class TableReader:
    """Reads whole tables of one base of a store and reports progress.

    Args:
        store: The store.
        base: The name of the base.
        tables: How many tables will be read.
        progress: Receives the number of rows read, and the share of the tables.
    """

    def __init__(self, store: Store, base: str, tables: int, progress: Progress) -> None:
        self.base = base
        self._store, self._tables, self._progress = store, tables, progress
        self._tables_read = self._rows = 0

    def table(self, type: str, *names: str) -> pa.Table:
        """Return these columns of all nodes with a label, or of all relationships of a type."""
        import pyarrow as pa

        from ...graph.arrow_schema import node_columns, relationship_columns

        of_nodes = type in NODES
        batches = []
        self._report()  # a server reads the whole table before the first batch
        for batch in self._store.stream_nodes(type, self.base) if of_nodes else self._store.stream_edges(type, self.base):
            batches.append(batch.select(list(names)))
            self._rows += batch.num_rows
            self._report()
        self._tables_read += 1
        schema = node_columns(type) if of_nodes else relationship_columns(type)
        return pa.Table.from_batches(batches, pa.schema([schema.field(name) for name in names]))

    def _report(self) -> None:
        self._progress(f"projecting {self.base}", self._rows, min(1.0, self._tables_read / self._tables))


def project(store: Store, base: str, progress: Progress = no_progress) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return the metadata and the arrays of the projection of a base."""
    about = next(each for each in store.bases() if each.id == base)
    phrases = get_phrase_search(about.kind)
    nodes, arrays = phrases.project(TableReader(store, base, phrases.tables, progress))
    metadata = {
        "format": FORMAT,
        "base": base,
        "kind": about.kind,
        "revision": about.revision,
        "language": about.language,
        "revisions": [[base, about.revision]],
        "nodes": nodes,
        "node labels": list(get_kind(about.kind).node_labels),
        "has equivalents": bool((arrays["group kind"] == TransitionKind.CENTRAL).any()),
    }
    return metadata, arrays
