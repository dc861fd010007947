"""The only way into a store: takes a loader's batches, watches over them, and lets the store replace the base.

How the rows are checked is in ``rows``; how a load is atomic is each store's business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Protocol

from ..core.progress import Progress, no_progress
from .records import Base, Batch
from .schema import NODES
from .store import Store


class Loader(Protocol):
    """What a loader offers: a base to be, its rows, and how much of its source has been read."""

    base: Base

    def batches(self) -> Iterator[Batch]:
        """The rows, nodes before the relationships that join them."""

    def share(self) -> float | None:
        """The share of the source that has been read, None where nobody can tell."""


def ingest(store: Store, loader: Loader, progress: Progress = no_progress, counts: Counter[str] | None = None) -> Base:
    """Put what a loader reads into a store, in the place of what the base held before.

    ``counts`` is told how many nodes of each label and relationships of each type the base has now, as the store's own
    counts say it; counting what goes by is free, and asking the store is not.
    """

    def watched(doing: str, rows: int, share: float | None) -> None:
        progress(doing, rows, loader.share() if share is None and doing == "reading" else share)

    def counted() -> Iterator[Batch]:
        for batch in loader.batches():
            yield batch
            if counts is not None and batch.rows.num_rows and not (batch.type in NODES and NODES[batch.type].shared):
                counts[batch.type] += batch.rows.num_rows

    return store.replace_base(loader.base, counted(), watched)
