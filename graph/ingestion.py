"""Load a source into a store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Protocol

from ..core.progress import Progress, no_progress
from .records import Base, Batch
from .schema import NODES
from .store import Store


class Loader(Protocol):
    """A source that can be loaded."""

    base: Base

    def batches(self) -> Iterator[Batch]:
        """Yield the rows, nodes before the relationships that join them."""

    def share(self) -> float | None:
        """Return the share of the source read so far, None if unknown."""


def ingest(store: Store, loader: Loader, progress: Progress = no_progress, counts: Counter[str] | None = None) -> Base:
    """Load a base into a store and replace the base of the same name; see ``Store.replace_base``.

    Args:
        store: The store to write.
        loader: The source of the base.
        progress: Called with the number of rows done and, while the source is read, the share of the source read so far.
        counts: Receives the number of nodes of each label and of relationships of each type, the same as ``Store.counts``
            returns for this base, but without another pass over the store.

    Returns:
        The base with its new revision.
    """
    reading = f"reading {loader.base.id}"

    def add_share(activity: str, rows: int, share: float | None) -> None:
        if activity == "reading":
            progress(reading, rows, loader.share())
        else:
            progress(activity, rows, share)

    def count_rows() -> Iterator[Batch]:
        progress(reading, 0, None)  # some loaders read the whole source before the first batch
        for batch in loader.batches():
            yield batch
            if counts is not None and batch.rows.num_rows and not (batch.type in NODES and NODES[batch.type].shared):
                counts[batch.type] += batch.rows.num_rows

    return store.replace_base(loader.base, count_rows(), add_share)
