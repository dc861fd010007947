"""The exact k nearest neighbours of every hashtag by cosine distance.

The matrix of cosines is symmetric, so only its upper triangle is computed, block by block in single precision: a block serves
its rows and, transposed, its columns. Only the cosines above a row's k-th best so far are processed further; after a few
blocks there are very few of them. Finally the distances of the candidates are recomputed in double precision and ranked.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...core.arrays import Float32Array, FloatArray, IntArray
from ...core.progress import Progress, no_progress

BLOCK = 2_048
"""Rows and columns of a block of cosines, which takes 16 MB."""

_SPARE = 6
"""The number of candidates beyond k, because single precision may rank neighbours in another order."""

_RESOLUTION = 1e-6
"""Cosines in single precision are rounded to this; of equal ones that of the hashtag with the lower number ranks first."""

_OFFSET = 1 << 21
"""An integer above any rounded cosine in units of the resolution."""

_COSINE_SHIFT, _ROW_SHIFT = 28, 51
"""The position of the cosine and of the row in a 64-bit sort key; the hashtag is in the lowest bits."""

_EXACT_RESOLUTION = 1e-9
"""The resolution for distances in double precision."""


class Neighbours(NamedTuple):
    """For each row its neighbours, nearest first, and their distances; padded with -1 and infinity."""

    numbers: IntArray
    distances: FloatArray


def nearest_neighbours(units: Float32Array, k: int, progress: Progress = no_progress, *, block: int = BLOCK) -> Neighbours:
    """Return the k nearest other rows of each row.

    Args:
        units: Vectors of length 1; a vector of zeros has the distance 1 to all others.
        k: The number of neighbours.
        progress: Called after each block.
        block: The rows and columns of a block.

    >>> nearest_neighbours(np.array([[1, 0], [0.8, 0.6], [0, 1]], np.float32), 1).numbers.tolist()
    [[1], [0], [1]]
    """
    size = len(units)
    best = _TopK(size, min(k, max(size - 1, 0)) + _SPARE)
    starts = range(0, size, block)
    total, done = len(starts) * (len(starts) + 1) // 2, 0
    for first in starts:
        rows = units[first : first + block]
        for second in range(first, size, block):
            cosines = rows @ units[second : second + block].T
            if first == second:
                np.fill_diagonal(cosines, -2.0)
                best.offer(first, second, cosines)
            else:
                best.offer(first, second, cosines)
                best.offer(second, first, cosines.T)
            done += 1
            progress("comparing hashtags (blocks)", done, done / total)
    return rank_candidates(units, np.arange(size), best.numbers, k)


def nearest_neighbours_of(units: Float32Array, rows: IntArray, k: int, *, block: int = BLOCK) -> Neighbours:
    """Return the k nearest other rows of some rows."""
    best = _TopK(len(rows), min(k, max(len(units) - 1, 0)) + _SPARE)
    for first in range(0, len(rows), block):
        batch = rows[first : first + block]
        for second in range(0, len(units), block):
            cosines = units[batch] @ units[second : second + block].T
            inside = np.flatnonzero((batch >= second) & (batch < second + block))
            cosines[inside, batch[inside] - second] = -2.0
            best.offer(first, second, cosines)
    return rank_candidates(units, rows, best.numbers, k)


def update_neighbours(units: Float32Array, old: Neighbours, changed: IntArray, k: int) -> Neighbours:
    """Update neighbours after some rows have changed or were added at the end; the result equals a new computation.

    The candidates of an unchanged row are its old neighbours that have not changed, and all changed rows. Any other row is at
    least as far away as its k-th old neighbour (the ``horizon``). So the row is compared with all others only if its new k-th
    neighbour is beyond the horizon. A row with fewer than k old neighbours had all other rows, so its horizon is infinite.
    """
    size, before = len(units), len(old.numbers)
    is_changed = np.zeros(size, bool)
    is_changed[changed] = True
    is_changed[before:] = True
    rows = np.flatnonzero(~is_changed)
    changed = np.flatnonzero(is_changed)
    if not len(changed):
        return old
    unchanged = old.numbers[rows, :k]
    unchanged = np.where((unchanged >= 0) & ~is_changed[np.maximum(unchanged, 0)], unchanged, -1)
    horizon = np.where(old.numbers[rows, k - 1] < 0, np.inf, old.distances[rows, k - 1])
    numbers, distances = np.full((size, k), -1), np.full((size, k), np.inf)
    recomputed = [changed]
    for start in range(0, len(rows), BLOCK):
        batch = rows[start : start + BLOCK]
        best = _TopK(len(batch), min(k, len(changed)) + _SPARE)
        for second in range(0, len(changed), BLOCK):
            best.offer(0, second, units[batch] @ units[changed[second : second + BLOCK]].T)
        nearest_changed = np.where(best.numbers >= 0, changed[np.maximum(best.numbers, 0)], -1)
        candidates = np.concatenate([unchanged[start : start + BLOCK], nearest_changed], axis=1)
        ranked = rank_candidates(units, batch, candidates, k)
        numbers[batch], distances[batch] = ranked
        limit = horizon[start : start + BLOCK] - _EXACT_RESOLUTION
        recomputed.append(batch[np.isfinite(limit) & (ranked.distances[:, -1] > limit)])
    incomplete = np.unique(np.concatenate(recomputed))
    numbers[incomplete], distances[incomplete] = nearest_neighbours_of(units, incomplete, k)
    return Neighbours(numbers, distances)


def rank_candidates(units: Float32Array, rows: IntArray, candidates: IntArray, k: int) -> Neighbours:
    """Return the k nearest of each row's candidates, in double precision; ties are ranked by number. -1 is not a candidate."""
    numbers, distances = np.full((len(rows), k), -1), np.full((len(rows), k), np.inf)
    for start in range(0, len(rows), BLOCK):
        batch = candidates[start : start + BLOCK]
        vectors = units[rows[start : start + BLOCK]].astype(np.float64)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        distance = np.full(batch.shape, np.inf)
        for column in range(batch.shape[1]):
            others = units[np.maximum(batch[:, column], 0)].astype(np.float64)
            lengths = np.maximum(np.linalg.norm(others, axis=1), 1e-12)
            distance[:, column] = np.clip(1.0 - np.einsum("ij,ij->i", vectors, others) / lengths, 0.0, 2.0)
        distance[batch < 0] = np.inf
        order = np.lexsort((batch, np.round(distance / _EXACT_RESOLUTION)), axis=1)[:, :k]
        width = order.shape[1]
        numbers[start : start + BLOCK, :width] = np.take_along_axis(batch, order, 1)
        distances[start : start + BLOCK, :width] = np.take_along_axis(distance, order, 1)
    return Neighbours(numbers, distances)


class _TopK:
    """The nearest candidates of each row so far, in ``numbers``; -1 for unused slots.

    ``_cosines`` are in units of the resolution, and ``_thresholds`` are what a cosine must exceed to change a row.
    """

    def __init__(self, rows: int, width: int) -> None:
        self.numbers = np.full((rows, width), -1)
        self._cosines = np.full((rows, width), 1 - _OFFSET, np.int64)
        self._thresholds = np.full(rows, -2.0, np.float32)

    def offer(self, row: int, column: int, cosines: Float32Array) -> None:
        """Merge a block of cosines that starts at this row and column of the whole matrix."""
        height, width = cosines.shape
        mask = cosines > self._thresholds[row : row + height, None]
        count = np.count_nonzero(mask)
        if not count:
            return
        slots = min(self.numbers.shape[1], width)
        if count > 4 * slots * height and slots < width:  # at first most cosines pass: select the best of each row instead
            others = np.argpartition(cosines, width - slots, axis=1)[:, width - slots :].ravel()
            rows = np.repeat(np.arange(height), slots)
        elif cosines.flags.c_contiguous:
            rows, others = np.divmod(np.flatnonzero(mask), width)
        else:  # a transposed block: follow its order in memory
            others, rows = np.divmod(np.flatnonzero(mask.T), height)
        rounded = np.round(cosines[rows, others].astype(np.float64) / _RESOLUTION).astype(np.int64)
        self._merge(row + rows, column + others, rounded)

    def _merge(self, rows: IntArray, others: IntArray, cosines: IntArray) -> None:
        """Merge candidates into the slots of their rows.

        Row, cosine and hashtag of each old and new candidate are packed into one integer, so that one sort ranks all rows.
        """
        changed_rows, at = np.unique(rows, return_inverse=True)
        old = self.numbers[changed_rows]
        # An unused slot has the lowest cosine, and the hashtag -1, stored as 0.
        new_keys = _pack(at, cosines, others)
        old_keys = _pack(np.arange(len(changed_rows))[:, None], self._cosines[changed_rows], old)
        sorted_keys = np.sort(np.concatenate([new_keys, old_keys.ravel()]))
        starts = np.searchsorted(sorted_keys, np.arange(len(changed_rows)) << _ROW_SHIFT)
        best = sorted_keys[starts[:, None] + np.arange(old.shape[1])]
        self.numbers[changed_rows] = (best & ((1 << _COSINE_SHIFT) - 1)) - 1
        self._cosines[changed_rows] = _OFFSET - ((best >> _COSINE_SHIFT) & ((1 << (_ROW_SHIFT - _COSINE_SHIFT)) - 1))
        last = self._cosines[changed_rows, -1]
        self._thresholds[changed_rows] = np.where(self.numbers[changed_rows, -1] < 0, -2.0, (last - 1) * _RESOLUTION).astype(
            np.float32
        )


def _pack(rows: IntArray, cosines: IntArray, numbers: IntArray) -> IntArray:
    """Pack into sort keys, so that rows ascend, cosines descend and numbers ascend."""
    return (rows << _ROW_SHIFT) | ((_OFFSET - cosines) << _COSINE_SHIFT) | (numbers + 1)
