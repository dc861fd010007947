"""Vectors of words, looked up where they lie on disk.

The matrix is mapped into memory and the vocabulary is an Arrow column that is mapped too, so that a process holds no more than
the rows it has asked for, however large the file is. Words are looked up many at a time: one pass over the vocabulary for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..core.arrays import FloatArray

REMEMBERED = 1 << 16
"""Words whose vectors are kept at hand."""


class WordVectors:
    """The vectors of a vocabulary. Of a word that stands in it twice the first vector counts.

    >>> vectors = WordVectors("two words", ["dog", "cat"], np.array([[1.0, 0.0], [0.0, 2.0]]))
    >>> vectors.sums([["dog", "cat"], ["unicorn"]]).tolist()
    [[1.0, 2.0], [0.0, 0.0]]
    """

    def __init__(self, name: str, words: Sequence[str] | pa.Array | pa.ChunkedArray, matrix: np.ndarray) -> None:
        self.name = name
        self._words = words if isinstance(words, pa.Array | pa.ChunkedArray) else pa.array(words, pa.string())
        self._matrix = matrix
        self._known: dict[str, FloatArray | None] = {}
        self.dimensions: int = matrix.shape[1]
        self.damaged = 0
        """Words that were asked for and whose vectors are no numbers; they count as unknown."""

    def __len__(self) -> int:
        return len(self._words)

    def knows(self, words: Iterable[str]) -> list[bool]:
        """Which of these words have a vector."""
        words = list(words)
        self._look_up(words)
        return [self._known[word] is not None for word in words]

    def sums(self, texts: Sequence[Sequence[str]]) -> FloatArray:
        """For each list of words the sum of their vectors; an unknown word adds nothing."""
        self._look_up(word for words in texts for word in words)
        found = np.zeros((len(texts), self.dimensions))
        for row, words in zip(found, texts, strict=True):
            for word in words:
                vector = self._known[word]
                if vector is not None:
                    row += vector
        if len(self._known) > REMEMBERED:
            self._known.clear()
        return found

    def _look_up(self, words: Iterable[str]) -> None:
        """Put the vectors of these words at hand."""
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        if not new:
            return
        self._known.update(dict.fromkeys(new))
        wanted = pa.array(new, pa.string())
        place = pc.index_in(self._words, value_set=wanted)
        rows = np.flatnonzero(pc.is_valid(place).to_numpy(zero_copy_only=False))[::-1]  # so that the first of a word wins
        for row, number in zip(rows.tolist(), pc.drop_null(place).to_pylist()[::-1], strict=True):
            vector = np.asarray(self._matrix[row], np.float64)
            self._known[new[number]] = vector if np.isfinite(vector).all() else None
            self.damaged += not np.isfinite(vector).all()


def cosines(vectors: FloatArray, target: FloatArray) -> FloatArray:
    """The cosine of each vector with the target; 0 for a vector of zeros.

    >>> cosines(np.array([[2.0, 0.0], [0.0, 0.0], [1.0, 1.0]]), np.array([1.0, 0.0])).round(3).tolist()
    [1.0, 0.0, 0.707]
    """
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors)) * np.sqrt(target @ target)
    dots = np.einsum("ij,j->i", vectors, target)
    found: FloatArray = np.divide(dots, lengths, out=np.zeros(len(vectors)), where=lengths > 0)
    return found
