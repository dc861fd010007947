"""Word vectors that are looked up on disk.

The matrix and the vocabulary, an Arrow column, are mapped into memory, so that only requested rows are loaded. Many
words are looked up at a time, because a lookup is a pass over the vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..core.arrays import FloatArray

CACHE_SIZE = 1 << 16
"""The maximum number of cached vectors."""


class WordVectors:
    """The vectors of a vocabulary. ``open_vectors`` opens them from a file.

    Args:
        name: A name for people.
        words: The words, in the order of the rows; of a word that occurs twice the first vector is used.
        matrix: A row for each word; it may be mapped into memory.
        left_out: Counts, by code, the words of the file that are left out.

    >>> vectors = WordVectors("two words", ["dog", "cat"], np.array([[1.0, 0.0], [0.0, 2.0]]))
    >>> vectors.sums([["dog", "cat"], ["unicorn"]]).tolist()
    [[1.0, 2.0], [0.0, 0.0]]
    """

    def __init__(
        self,
        name: str,
        words: Sequence[str] | pa.Array | pa.ChunkedArray,
        matrix: np.ndarray,
        left_out: Mapping[str, int] | None = None,
    ) -> None:
        self.name = name
        self.left_out = dict(left_out or {})
        self._words = words if isinstance(words, pa.Array | pa.ChunkedArray) else pa.array(words, pa.string())
        self._matrix = matrix
        self._cache: dict[str, FloatArray | None] = {}
        self.dimensions: int = matrix.shape[1]
        self.damaged = 0
        """The number of requested words whose vectors are not finite; they count as unknown."""

    def __len__(self) -> int:
        return len(self._words)

    def knows(self, words: Iterable[str]) -> list[bool]:
        """Return whether each word has a vector."""
        words = list(words)
        self._look_up(words)
        return [self._cache[word] is not None for word in words]

    def sums(self, texts: Sequence[Sequence[str]]) -> FloatArray:
        """Return the sum of vectors for each list of words, a row each; unknown words add nothing."""
        self._look_up(word for words in texts for word in words)
        sums = np.zeros((len(texts), self.dimensions))
        for row, words in zip(sums, texts, strict=True):
            for word in words:
                vector = self._cache[word]
                if vector is not None:
                    row += vector
        if len(self._cache) > CACHE_SIZE:
            self._cache.clear()
        return sums

    def _look_up(self, words: Iterable[str]) -> None:
        """Load the vectors of these words into the cache."""
        new = [word for word in dict.fromkeys(words) if word not in self._cache]
        if not new:
            return
        self._cache.update(dict.fromkeys(new))
        index = pc.index_in(self._words, value_set=pa.array(new, pa.string()))
        rows = np.flatnonzero(pc.is_valid(index).to_numpy(zero_copy_only=False))[::-1]  # the first of duplicates is set last
        for row, number in zip(rows.tolist(), pc.drop_null(index).to_pylist()[::-1], strict=True):
            vector = np.asarray(self._matrix[row], np.float64)
            self._cache[new[number]] = vector if np.isfinite(vector).all() else None
            self.damaged += not np.isfinite(vector).all()


def cosines(vectors: FloatArray, target: FloatArray) -> FloatArray:
    """Return the cosine of each vector with the target, 0 for vectors of zeros.

    >>> cosines(np.array([[2.0, 0.0], [0.0, 0.0], [1.0, 1.0]]), np.array([1.0, 0.0])).round(3).tolist()
    [1.0, 0.0, 0.707]
    """
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors)) * np.sqrt(target @ target)
    dots = np.einsum("ij,j->i", vectors, target)
    result: FloatArray = np.divide(dots, lengths, out=np.zeros(len(vectors)), where=lengths > 0)
    return result
