"""Makes the projection of a base from what its store streams, with whole columns at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..graph.schema import NODES
from ..graph.store import Progress, silent
from .projection import FORMAT
from .transitions import Kind

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from ..graph.store import Store

TABLES = {"wordnet": 8, "wikipedia": 9}
"""How many tables are read of a base of each kind."""


class Source:
    """The tables of one base of a store, with somebody watching how they come."""

    def __init__(self, store: Store, base: str, tables: int, progress: Progress) -> None:
        self.base = base
        self._store, self._tables, self._progress = store, tables, progress
        self._read = self._rows = 0

    def table(self, type: str, *names: str) -> pa.Table:
        """These columns of all nodes of a label, or of all relationships of a type."""
        import pyarrow as pa

        from ..graph.columns import node_columns, relationship_columns

        of_nodes = type in NODES
        kept = []
        for batch in self._store.stream_nodes(type, self.base) if of_nodes else self._store.stream_edges(type, self.base):
            kept.append(batch.select(list(names)))
            self._rows += batch.num_rows
            self._progress("projecting", self._rows, min(1.0, self._read / self._tables))
        self._read += 1
        schema = node_columns(type) if of_nodes else relationship_columns(type)
        return pa.Table.from_batches(kept, pa.schema([schema.field(name) for name in names]))


def project(store: Store, base: str, progress: Progress = silent) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What is to be known about the projection of a base, and its arrays."""
    about = next(each for each in store.bases() if each.id == base)
    source = Source(store, base, TABLES[about.kind], progress)
    if about.kind == "wordnet":
        from .projecting_wordnet import project_wordnet as made
    else:
        from .projecting_wiki import project_wiki as made
    nodes, arrays = made(source)
    facts = {"format": FORMAT, "base": base, "kind": about.kind, "revision": about.revision, "language": about.language}
    facts["made of"] = [[base, about.revision]]
    return {**facts, "nodes": nodes, "twinned": bool((arrays["out kind"] == Kind.CENTRAL).any())}, arrays
