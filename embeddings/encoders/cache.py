"""A cache on disk for the vectors of an encoder.

An entry has the vectors of the spans of one text; its key is a hash of the encoder, the text and the spans. Each write is one
transaction. A cache that cannot be read or written is not an error: the vectors are computed again.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ...core.arrays import Float32Array

KEYS_PER_QUERY = 500


def key_of(fingerprint: str, text: str, spans: Sequence[tuple[int, int]]) -> bytes:
    """Return the key of the vectors that an encoder has for these spans of a text."""
    content = f"{fingerprint}\n{list(spans)}\n{text}"
    return hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=20).digest()


class VectorCache:
    """Vectors by key in an SQLite file, in half precision, which suffices for cosines.

    ``broken`` is the reason why the cache is disabled, None if it works.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.broken: str | None = None
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with self._connect() as connection:
                connection.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, rows BLOB) WITHOUT ROWID")
        except (OSError, sqlite3.Error) as error:
            self._disable(error)

    def read(self, keys: Sequence[bytes], dimensions: int) -> dict[bytes, Float32Array]:
        """Return the entries that exist, by key."""
        if self.broken:
            return {}
        rows: list[tuple[bytes, bytes]] = []
        try:
            with self._connect() as connection:
                for start in range(0, len(keys), KEYS_PER_QUERY):
                    batch = keys[start : start + KEYS_PER_QUERY]
                    query = f"SELECT key, rows FROM vectors WHERE key IN ({', '.join('?' * len(batch))})"  # noqa: S608 - only ?
                    rows += connection.execute(query, batch).fetchall()
        except sqlite3.Error as error:
            self._disable(error)
        return {
            key: np.frombuffer(packed, np.float16).reshape(-1, dimensions).astype(np.float32)
            for key, packed in rows
            if len(packed) % (2 * dimensions) == 0
        }

    def write(self, entries: Mapping[bytes, Float32Array]) -> None:
        """Store these entries in one transaction."""
        if self.broken:
            return
        rows = [(key, _to_half(vectors).tobytes()) for key, vectors in entries.items()]
        try:
            with self._connect() as connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._disable(error)

    def _connect(self) -> closing[sqlite3.Connection]:
        return closing(sqlite3.connect(self.file, timeout=30, isolation_level=None))

    def _disable(self, error: Exception) -> None:
        self.broken = f"{self.file}: {error}"


def round_to_half(vectors: Float32Array) -> Float32Array:
    """Round vectors to the cached precision, so that results do not depend on the state of the cache."""
    return _to_half(vectors).astype(np.float32)


def _to_half(vectors: Float32Array) -> npt.NDArray[np.float16]:
    largest = float(np.finfo(np.float16).max)
    return np.clip(vectors, -largest, largest).astype(np.float16)
