"""The nearest neighbours of millions of hashtags by an HNSW index of the package usearch, which may miss some."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.optional_packages import require_package
from ...core.progress import Progress, no_progress
from ..errors import EncoderMissing
from .nearest import Neighbours, rank_candidates

CONNECTIVITY, EXPANSION = 32, 128
"""Links of each node in the index, and candidates during construction and search."""

_BATCH_SIZE = 16_384


def check_installed() -> None:
    """Raise an ``EncoderMissing`` if the package of the index is not installed."""
    require_package("usearch", "an approximate index needs", EncoderMissing)


def approximate_neighbours(units: npt.NDArray[np.float32], k: int, progress: Progress = no_progress) -> Neighbours:
    """Return most of the k nearest other rows of each row; their distances are exact."""
    check_installed()
    from usearch.index import Index

    index = Index(
        ndim=units.shape[1],
        metric="ip",
        dtype="f32",
        connectivity=CONNECTIVITY,
        expansion_add=EXPANSION,
        expansion_search=max(EXPANSION, 2 * k),
    )
    size = len(units)
    for first in range(0, size, _BATCH_SIZE):
        last = min(first + _BATCH_SIZE, size)
        index.add(np.arange(first, last), units[first:last])
        progress("indexing hashtags (hashtags)", last, last / size)
    numbers, distances = np.full((size, k), -1), np.full((size, k), np.inf)
    for first in range(0, size, _BATCH_SIZE):
        rows = np.arange(first, min(first + _BATCH_SIZE, size))
        results: Any = index.search(units[rows], min(k + 1, size))
        candidates = np.full((len(rows), min(k + 1, size)), -1)
        for row, matches in enumerate(results if len(rows) > 1 else [results]):
            keys = np.asarray(matches.keys, np.int64)
            candidates[row, : len(keys)] = np.where(keys == rows[row], -1, keys)
        numbers[rows], distances[rows] = rank_candidates(units, rows, candidates, k)
        progress("searching neighbours (hashtags)", int(rows[-1]) + 1, (int(rows[-1]) + 1) / size)
    return Neighbours(numbers, distances)
