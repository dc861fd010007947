"""The loader of hashtag thesauri: ``(:Hashtag)-[:SYNONYM {rank, distance}]->(:Hashtag)``.

Thesauri have millions of synonyms, so batches are made directly from the arrays of the thesaurus.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ...graph.records import Base, Batch
from ...graph.schema import MAX_KEY_BYTES, entity_id

if TYPE_CHECKING:
    import pyarrow as pa

    from ...core.arrays import BoolArray
    from ...core.thesaurus import Thesaurus

KIND = "hashtags"
BATCH_SIZE = 100_000

LONG_HASHTAG = "long_hashtag"
SYNONYM_OF_LONG_HASHTAG = "synonym_of_long_hashtag"


class HashtagLoader:
    """A thesaurus that can be loaded: ``ingest(store, loader)``. ``base.left_out`` is complete after the last batch.

    ``best`` is a hashtag to try first, that with the most tweets among those with synonyms; it is set before the first batch.
    """

    def __init__(self, source: Path, name: str) -> None:
        self._source = source
        self._left_out: Counter[str] = Counter()
        self._done = 0
        self._total = 0
        self.best: str | None = None
        self.base = Base(id=name, kind=KIND, source=source.name, left_out=self._left_out)

    def batches(self) -> Iterator[Batch]:
        """Yield the rows, nodes first; the whole file is read before the first of them."""
        from .reader import read_thesaurus

        self._left_out.clear()
        self._done = self._total = 0
        thesaurus = read_thesaurus(self._source, self._left_out)
        self._total = len(thesaurus) + len(thesaurus.synonyms)
        self.best = _most_used(thesaurus)
        for batch in _batches(thesaurus, self.base.id, self._left_out):
            yield batch
            self._done += batch.rows.num_rows

    def share(self) -> float | None:
        """Return the share of rows that have been yielded, 0 to 1; None while the file is being read."""
        return self._done / self._total if self._total else None


def _most_used(thesaurus: Thesaurus) -> str | None:
    """Return the hashtag with the most tweets, or the first if these are unknown, among those with synonyms."""
    import numpy as np

    candidates = np.flatnonzero(np.diff(thesaurus.offsets))
    if not len(candidates):
        return None
    position = 0 if thesaurus.tweets is None else int(thesaurus.tweets[candidates].argmax())
    return thesaurus.hashtags[int(candidates[position])]


def _batches(thesaurus: Thesaurus, base: str, left_out: Counter[str]) -> Iterator[Batch]:
    import numpy as np
    import pyarrow as pa

    ids = pa.array([entity_id(base, name) for name in thesaurus.hashtags], pa.string())
    fits = _check_lengths(ids, left_out)
    names = pa.array(thesaurus.hashtags, pa.string())
    for start in range(0, len(ids), BATCH_SIZE):
        rows = pa.array(start + np.flatnonzero(fits[start : start + BATCH_SIZE]))
        tweets = pa.nulls(len(rows), pa.int64()) if thesaurus.tweets is None else pa.array(thesaurus.tweets[rows.to_numpy()])
        columns = {"id": ids.take(rows), "name": names.take(rows), "tweets": tweets}
        yield Batch("Hashtag", pa.RecordBatch.from_pydict(columns))
    yield from _synonym_batches(thesaurus, ids, fits, left_out)


def _check_lengths(ids: pa.StringArray, left_out: Counter[str]) -> BoolArray:
    """Return which hashtags are short enough to be stored."""
    import pyarrow.compute as pc

    fits: BoolArray = pc.less_equal(pc.binary_length(ids), MAX_KEY_BYTES).to_numpy(zero_copy_only=False)
    if count := len(fits) - int(fits.sum()):
        left_out[LONG_HASHTAG] += count
    return fits


def _synonym_batches(thesaurus: Thesaurus, ids: pa.StringArray, fits: BoolArray, left_out: Counter[str]) -> Iterator[Batch]:
    """Yield the synonyms with consecutive ranks: if one is left out, the following ones move up."""
    import numpy as np
    import pyarrow as pa

    offsets, all_fit = thesaurus.offsets, bool(fits.all())
    last = rank = -1
    for start in range(0, len(thesaurus.synonyms), BATCH_SIZE):
        positions = np.arange(start, min(start + BATCH_SIZE, len(thesaurus.synonyms)))
        sources = np.searchsorted(offsets, positions, side="right") - 1
        targets, distances = thesaurus.synonyms[positions], thesaurus.distances[positions]
        if not all_fit:
            usable = fits[sources] & fits[targets]
            left_out[SYNONYM_OF_LONG_HASHTAG] += len(usable) - int(usable.sum())
            sources, targets, distances = sources[usable], targets[usable], distances[usable]
        if not len(sources):
            continue
        # Count ranks from 1 in each run of the same source. The first run may continue that of the previous batch.
        firsts = np.flatnonzero(np.diff(sources, prepend=-1))
        previous = rank if sources[0] == last else 0
        ranks = np.arange(len(sources)) - np.repeat(firsts, np.diff(firsts, append=len(sources))) + 1
        ranks[: firsts[1] if len(firsts) > 1 else None] += previous
        last, rank = int(sources[-1]), int(ranks[-1])
        columns = {
            "from": ids.take(pa.array(sources)),
            "to": ids.take(pa.array(targets)),
            "rank": pa.array(ranks, pa.int64()),
            "distance": pa.array(distances, mask=np.isnan(distances)),
        }
        yield Batch("SYNONYM", pa.RecordBatch.from_pydict(columns), ("Hashtag", "Hashtag"))
