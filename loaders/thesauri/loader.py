"""A thesaurus of hashtags as nodes and relationships: ``(:Hashtag)-[:SYNONYM {rank, distance}]->(:Hashtag)``.

Thesauri have millions of synonyms, so their rows are made from the arrays of the thesaurus a batch at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ...graph.records import Base, Batch
from ...graph.schema import MAX_KEY_BYTES, entity_id

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from ...core.thesaurus import Thesaurus

KIND = "hashtags"
ROWS = 100_000
"""Rows of a batch."""

TOO_LONG = f"hashtags longer than {MAX_KEY_BYTES:,} bytes"
OF_TOO_LONG = f"synonyms of or to hashtags longer than {MAX_KEY_BYTES:,} bytes"


class HashtagLoader:
    """A thesaurus file that can be loaded; ``base.left_out`` is filled while the batches are taken."""

    def __init__(self, source: Path, name: str) -> None:
        self._source = source
        self._left_out: Counter[str] = Counter()
        self._done = 0
        self._total = 0
        self.best: str | None = None
        self.base = Base(id=name, kind=KIND, source=source.name, left_out=self._left_out)

    def batches(self) -> Iterator[Batch]:
        """The rows, nodes first; the whole file is read before the first of them."""
        from .reader import read_thesaurus

        self._left_out.clear()
        self._done = self._total = 0
        thesaurus = read_thesaurus(self._source, self._left_out)
        self._total = len(thesaurus) + len(thesaurus.synonyms)
        self.best = _best(thesaurus)
        for batch in _rows(thesaurus, self.base.id, self._left_out):
            yield batch
            self._done += batch.rows.num_rows

    def share(self) -> float | None:
        """How much of the rows has been taken, 0 to 1; None while the file is being read."""
        return self._done / self._total if self._total else None


def _best(thesaurus: Thesaurus) -> str | None:
    """A hashtag to begin with: of those that have synonyms, the one with most tweets, or the first."""
    import numpy as np

    having = np.flatnonzero(np.diff(thesaurus.offsets))
    if not len(having):
        return None
    place = 0 if thesaurus.tweets is None else int(thesaurus.tweets[having].argmax())
    return thesaurus.hashtags[int(having[place])]


def _rows(thesaurus: Thesaurus, base: str, left_out: Counter[str]) -> Iterator[Batch]:
    import numpy as np
    import pyarrow as pa

    ids = pa.array([entity_id(base, name) for name in thesaurus.hashtags], pa.string())
    fit = _fit(ids, left_out)
    names = pa.array(thesaurus.hashtags, pa.string())
    for start in range(0, len(ids), ROWS):
        some = pa.array(start + np.flatnonzero(fit[start : start + ROWS]))
        tweets = pa.nulls(len(some), pa.int64()) if thesaurus.tweets is None else pa.array(thesaurus.tweets[some.to_numpy()])
        columns = {"id": ids.take(some), "name": names.take(some), "tweets": tweets}
        yield Batch("Hashtag", pa.RecordBatch.from_pydict(columns))
    yield from _edges(thesaurus, ids, fit, left_out)


def _fit(ids: pa.StringArray, left_out: Counter[str]) -> np.ndarray:
    """Which hashtags can be stored."""
    import pyarrow.compute as pc

    fit: np.ndarray = pc.less_equal(pc.binary_length(ids), MAX_KEY_BYTES).to_numpy(zero_copy_only=False)
    if unfit := len(fit) - int(fit.sum()):
        left_out[TOO_LONG] += unfit
    return fit


def _edges(thesaurus: Thesaurus, ids: pa.StringArray, fit: np.ndarray, left_out: Counter[str]) -> Iterator[Batch]:
    """The synonyms by rank; where one is left out, those behind it move up."""
    import numpy as np
    import pyarrow as pa

    offsets, whole = thesaurus.offsets, bool(fit.all())
    last = rank = -1
    for start in range(0, len(thesaurus.synonyms), ROWS):
        places = np.arange(start, min(start + ROWS, len(thesaurus.synonyms)))
        sources = np.searchsorted(offsets, places, side="right") - 1
        targets, distances = thesaurus.synonyms[places], thesaurus.distances[places]
        if not whole:
            kept = fit[sources] & fit[targets]
            left_out[OF_TOO_LONG] += len(kept) - int(kept.sum())
            sources, targets, distances = sources[kept], targets[kept], distances[kept]
        if not len(sources):
            continue
        # A hashtag's ranks go on from where the batch before it ended.
        firsts = np.flatnonzero(np.diff(sources, prepend=-1))
        begun = rank if sources[0] == last else 0
        ranks = np.arange(len(sources)) - np.repeat(firsts, np.diff(firsts, append=len(sources))) + 1
        ranks[: firsts[1] if len(firsts) > 1 else None] += begun
        last, rank = int(sources[-1]), int(ranks[-1])
        columns = {
            "from": ids.take(pa.array(sources)),
            "to": ids.take(pa.array(targets)),
            "rank": pa.array(ranks, pa.int64()),
            "distance": pa.array(distances, mask=np.isnan(distances)),
        }
        yield Batch("SYNONYM", pa.RecordBatch.from_pydict(columns), ("Hashtag", "Hashtag"))
