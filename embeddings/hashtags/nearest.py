"""The k nearest neighbours of every hashtag by cosine distance, exactly: blocks of the matrix of cosines, each taken once.

A block serves its rows and, turned round, its columns. Of a block only what is nearer than a row's k-th neighbour so far is
looked at again, which soon is next to nothing; what is found at last is worked out once more in double precision.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...core.arrays import Float32Array, FloatArray, IntArray
from ...core.progress import Progress, no_progress

BLOCK = 2_048
"""Rows and columns of a block of cosines: 16 MB."""

_SPARE = 6
"""Neighbours that are kept beyond k, since single precision may take one for another."""

_GRID = 1e-6
"""Cosines in single precision that differ by less are equal, and the hashtag that comes first is taken first."""

_FARTHEST = 1 << 21
"""More than any cosine is in units of the grid."""

_NUMBER, _ROW = 28, 51
"""From which bit on a cosine and a row stand in a number that holds both, and a hashtag in its lowest bits."""

_SETTLED = 1e-9
"""The same in double precision."""


class Neighbours(NamedTuple):
    """For each row its neighbours, nearest first, and how far they are; -1 and infinity where there are no more."""

    numbers: IntArray
    distances: FloatArray


def nearest_neighbours(units: Float32Array, k: int, progress: Progress = no_progress, *, block: int = BLOCK) -> Neighbours:
    """The k nearest others of each row; all rows have length 1, or are zeros, which are near to nothing.

    >>> nearest_neighbours(np.array([[1, 0], [0.8, 0.6], [0, 1]], np.float32), 1).numbers.tolist()
    [[1], [0], [1]]
    """
    size = len(units)
    found = _Best(size, min(k, max(size - 1, 0)) + _SPARE)
    starts = range(0, size, block)
    whole, done = len(starts) * (len(starts) + 1) // 2, 0
    for first in starts:
        rows = units[first : first + block]
        for second in range(first, size, block):
            cosines = rows @ units[second : second + block].T
            if first == second:
                np.fill_diagonal(cosines, -2.0)
                found.offer(first, second, cosines)
            else:
                found.offer(first, second, cosines)
                found.offer(second, first, cosines.T)
            done += 1
            progress("comparing hashtags (blocks)", done, done / whole)
    return rank_candidates(units, np.arange(size), found.numbers, k)


def nearest_neighbours_of(units: Float32Array, rows: IntArray, k: int, *, block: int = BLOCK) -> Neighbours:
    """The k nearest others of some rows."""
    found = _Best(len(rows), min(k, max(len(units) - 1, 0)) + _SPARE)
    for first in range(0, len(rows), block):
        some = rows[first : first + block]
        for second in range(0, len(units), block):
            cosines = units[some] @ units[second : second + block].T
            inside = np.flatnonzero((some >= second) & (some < second + block))
            cosines[inside, some[inside] - second] = -2.0
            found.offer(first, second, cosines)
    return rank_candidates(units, rows, found.numbers, k)


def update_neighbours(units: Float32Array, old: Neighbours, changed: IntArray, k: int) -> Neighbours:
    """The neighbours when only some rows have changed, or are new at the end; the same as working all out again.

    A row that did not change has its old neighbours, those that changed left out, and the changed ones. What is in neither is
    no nearer than its old last neighbour was: only where it would need one beyond that it is compared with all. A row that had
    fewer than k knew all that may be its neighbours.
    """
    size, before = len(units), len(old.numbers)
    is_changed = np.zeros(size, bool)
    is_changed[changed] = True
    is_changed[before:] = True
    rows = np.flatnonzero(~is_changed)
    changed = np.flatnonzero(is_changed)
    if not len(changed):
        return old
    kept = old.numbers[rows, :k]
    kept = np.where((kept >= 0) & ~is_changed[np.maximum(kept, 0)], kept, -1)
    horizon = np.where(old.numbers[rows, k - 1] < 0, np.inf, old.distances[rows, k - 1])
    numbers, distances = np.full((size, k), -1), np.full((size, k), np.inf)
    again = [changed]
    for start in range(0, len(rows), BLOCK):
        some = rows[start : start + BLOCK]
        near = _Best(len(some), min(k, len(changed)) + _SPARE)
        for second in range(0, len(changed), BLOCK):
            near.offer(0, second, units[some] @ units[changed[second : second + BLOCK]].T)
        nearby = np.where(near.numbers >= 0, changed[np.maximum(near.numbers, 0)], -1)
        found = rank_candidates(units, some, np.concatenate([kept[start : start + BLOCK], nearby], axis=1), k)
        numbers[some], distances[some] = found
        near_enough = horizon[start : start + BLOCK] - _SETTLED
        again.append(some[np.isfinite(near_enough) & (found.distances[:, -1] > near_enough)])
    missing = np.unique(np.concatenate(again))
    numbers[missing], distances[missing] = nearest_neighbours_of(units, missing, k)
    return Neighbours(numbers, distances)


def rank_candidates(units: Float32Array, rows: IntArray, candidates: IntArray, k: int) -> Neighbours:
    """The k nearest of each row's candidates in double precision; of equally near ones the first comes first."""
    numbers, distances = np.full((len(rows), k), -1), np.full((len(rows), k), np.inf)
    for start in range(0, len(rows), BLOCK):
        some = candidates[start : start + BLOCK]
        own = units[rows[start : start + BLOCK]].astype(np.float64)
        own /= np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1e-12)
        far = np.full(some.shape, np.inf)
        for place in range(some.shape[1]):
            others = units[np.maximum(some[:, place], 0)].astype(np.float64)
            size = np.maximum(np.linalg.norm(others, axis=1), 1e-12)
            far[:, place] = np.clip(1.0 - np.einsum("ij,ij->i", own, others) / size, 0.0, 2.0)
        far[some < 0] = np.inf
        order = np.lexsort((some, np.round(far / _SETTLED)), axis=1)[:, :k]
        width = order.shape[1]
        numbers[start : start + BLOCK, :width] = np.take_along_axis(some, order, 1)
        distances[start : start + BLOCK, :width] = np.take_along_axis(far, order, 1)
    return Neighbours(numbers, distances)


class _Best:
    """The nearest so far of each row."""

    def __init__(self, rows: int, width: int) -> None:
        self.numbers = np.full((rows, width), -1)
        self._near = np.full((rows, width), 1 - _FARTHEST, np.int64)
        self._least = np.full(rows, -2.0, np.float32)

    def offer(self, row: int, column: int, cosines: Float32Array) -> None:
        """Look at a block of cosines whose first row and column these are."""
        height, width = cosines.shape
        mask = cosines > self._least[row : row + height, None]
        many = np.count_nonzero(mask)
        if not many:
            return
        few = min(self.numbers.shape[1], width)
        if many > 4 * few * height and few < width:
            others = np.argpartition(cosines, width - few, axis=1)[:, width - few :].ravel()
            places = np.repeat(np.arange(height), few)
        elif cosines.flags.c_contiguous:
            places, others = np.divmod(np.flatnonzero(mask), width)
        else:  # the way in which it lies in memory
            others, places = np.divmod(np.flatnonzero(mask.T), height)
        near = np.round(cosines[places, others].astype(np.float64) / _GRID).astype(np.int64)
        self._merge(row + places, column + others, near)

    def _merge(self, rows: IntArray, others: IntArray, near: IntArray) -> None:
        """Put rows, cosines and hashtags into one number each, by which they are sorted at once."""
        mine, at = np.unique(rows, return_inverse=True)
        old = self.numbers[mine]
        # A place that is not taken yet is farther than all others; its hashtag is the number before the first.
        keys = [(at << _ROW) | ((_FARTHEST - near) << _NUMBER) | (others + 1)]
        keys.append(((np.arange(len(mine))[:, None] << _ROW) | ((_FARTHEST - self._near[mine]) << _NUMBER) | (old + 1)).ravel())
        sorted_keys = np.sort(np.concatenate(keys))
        starts = np.searchsorted(sorted_keys, np.arange(len(mine)) << _ROW)
        best = sorted_keys[starts[:, None] + np.arange(old.shape[1])]
        self.numbers[mine] = (best & ((1 << _NUMBER) - 1)) - 1
        self._near[mine] = _FARTHEST - ((best >> _NUMBER) & ((1 << (_ROW - _NUMBER)) - 1))
        last = self._near[mine, -1]
        self._least[mine] = np.where(self.numbers[mine, -1] < 0, -2.0, (last - 1) * _GRID).astype(np.float32)
