"""The loader of WordNets, for both formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ...core.progress import Progress, no_progress
from ...graph.records import Base, Batch

if TYPE_CHECKING:
    from .expansion import Expansion
    from .graph_batches import GraphBatches
    from .lexicon import Lexicon

Read = Callable[[str, "Counter[str]", Callable[[int], None]], "Lexicon"]
"""A function that reads a source into a lexicon, given the name of the base, a counter of what is left out, and a function to
call with the number of lines or elements read so far."""


class WordNetLoader:
    """A WordNet that can be loaded: ``ingest(store, loader)``. ``base.left_out`` is complete after the last batch.

    ``prepare`` reads the source; ``batches`` yields the rows, after ``prepare`` if that has not been called.
    ``example`` is a word of the lexicon, known once it has been read.
    """

    def __init__(self, name: str, source: str, read: Read, language: str, expansion: Expansion | None = None) -> None:
        self._left_out: Counter[str] = Counter()
        self._read = read
        self._expansion = expansion
        self.example: str | None = None
        self._done = 0
        self._total = 0
        self._rows: GraphBatches | None = None
        options = {} if expansion is None else {"expand": expansion.base}
        self.base = Base(id=name, kind="wordnet", source=source, left_out=self._left_out, language=language, options=options)

    def prepare(self, progress: Progress = no_progress) -> None:
        """Read the whole source."""
        from .graph_batches import GraphBatches

        self._left_out.clear()
        step = f"parsing {self.base.id}"
        progress(step, 0, None)
        lexicon = self._read(self.base.id, self._left_out, lambda count: progress(step, count, None))
        self.example = next(iter(lexicon.labels), None)
        progress("stemming labels", 0, None)
        self._rows = GraphBatches(lexicon, self._expansion)

    def batches(self) -> Iterator[Batch]:
        """Yield the rows, nodes first."""
        if self._rows is None:
            self.prepare()
        assert self._rows is not None  # noqa: S101 - prepare has set it
        rows, self._rows = self._rows, None
        self._done, self._total = 0, rows.total
        for batch in rows:
            yield batch
            self._done += batch.rows.num_rows

    def share(self) -> float | None:
        """Return the share of rows that have been yielded, 0 to 1; None while the source is being read."""
        return self._done / self._total if self._total else None
