"""The neighbours of millions of hashtags by an index that may miss some (HNSW, of the package usearch)."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.progress import Progress, no_progress
from ..errors import EncoderMissing
from .nearest import Neighbours, rank_candidates

CONNECTIVITY, EFFORT = 32, 128
"""Links of a node of the index, and candidates that are kept while it is built and searched."""

_AT_ONCE = 16_384


def approximate_neighbours(units: npt.NDArray[np.float32], k: int, progress: Progress = no_progress) -> Neighbours:
    """The k nearest others of each row, or most of them; what is found is as far as it is said to be."""
    if importlib.util.find_spec("usearch") is None:
        raise EncoderMissing("an approximate index needs usearch: pip install 'wayword[hashtags]'")
    from usearch.index import Index

    index = Index(
        ndim=units.shape[1],
        metric="ip",
        dtype="f32",
        connectivity=CONNECTIVITY,
        expansion_add=EFFORT,
        expansion_search=max(EFFORT, 2 * k),
    )
    size = len(units)
    for first in range(0, size, _AT_ONCE):
        last = min(first + _AT_ONCE, size)
        index.add(np.arange(first, last), units[first:last])
        progress("indexing hashtags (hashtags)", last, last / size)
    numbers, distances = np.full((size, k), -1), np.full((size, k), np.inf)
    for first in range(0, size, _AT_ONCE):
        rows = np.arange(first, min(first + _AT_ONCE, size))
        found: Any = index.search(units[rows], min(k + 1, size))
        candidates = np.full((len(rows), min(k + 1, size)), -1)
        for row, matches in enumerate(found if len(rows) > 1 else [found]):
            keys = np.asarray(matches.keys, np.int64)
            candidates[row, : len(keys)] = np.where(keys == rows[row], -1, keys)
        numbers[rows], distances[rows] = rank_candidates(units, rows, candidates, k)
        progress("searching neighbours (hashtags)", int(rows[-1]) + 1, (int(rows[-1]) + 1) / size)
    return Neighbours(numbers, distances)
