"""The only way into a store: takes a loader's batches, watches over them, and lets the store replace the base.

How the rows are checked is in ``rows``; how a load is atomic is each store's business.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from .store import Base, Batch, Progress, Store, silent


class Loadable(Protocol):
    """What a loader offers: a base to be, its rows, and how much of its source has been read."""

    base: Base

    def batches(self) -> Iterator[Batch]:
        """The rows, nodes before the relationships that join them."""

    def share(self) -> float | None:
        """The share of the source that has been read, None where nobody can tell."""


def ingest(store: Store, loader: Loadable, progress: Progress = silent) -> Base:
    """Put what a loader reads into a store, in the place of what the base held before."""

    def watched(doing: str, rows: int, share: float | None) -> None:
        progress(doing, rows, loader.share() if share is None and doing == "reading" else share)

    return store.replace(loader.base, loader.batches(), watched)
