"""The loader of WordNets, for both formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ...graph.records import Base, Batch

if TYPE_CHECKING:
    from .expansion import Expansion
    from .lexicon import Lexicon

Read = Callable[[str, "Counter[str]"], "Lexicon"]
"""A function that reads a source into a lexicon, given the name of the base and a counter of what is left out."""


class WordNetLoader:
    """A WordNet that can be loaded: ``ingest(store, loader)``. ``base.left_out`` is complete after the last batch."""

    def __init__(self, name: str, source: str, read: Read, language: str, expansion: Expansion | None = None) -> None:
        self._left_out: Counter[str] = Counter()
        self._read = read
        self._expansion = expansion
        self._done = 0
        self._total = 0
        options = {} if expansion is None else {"expand": expansion.base}
        self.base = Base(id=name, kind="wordnet", source=source, left_out=self._left_out, language=language, options=options)

    def batches(self) -> Iterator[Batch]:
        """Yield the rows, nodes first; the whole source is read before the first of them."""
        from .graph_batches import GraphBatches

        self._left_out.clear()
        self._done = self._total = 0
        rows = GraphBatches(self._read(self.base.id, self._left_out), self._expansion)
        self._total = rows.total
        for batch in rows:
            yield batch
            self._done += batch.rows.num_rows

    def share(self) -> float | None:
        """Return the share of rows that have been yielded, 0 to 1; None while the source is being read."""
        return self._done / self._total if self._total else None
