"""Vectors that were worked out before, on disk, so that what an encoder has done once is done for good.

Each entry is what an encoder made of the pieces of one text; its key is made of both. What is written is there after a crash,
batch by batch. A cache that cannot be read or written is no error: then everything is worked out again.
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

AT_ONCE = 500
"""Keys that are asked for in one statement."""


def key_of(fingerprint: str, text: str, spans: Sequence[tuple[int, int]]) -> bytes:
    """The key of what an encoder makes of these pieces of a text."""
    said = f"{fingerprint}\n{list(spans)}\n{text}"
    return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=20).digest()


class VectorCache:
    """Rows of vectors by their keys, in an SQLite file; half of the usual precision, which is more than cosines need."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.broken: str | None = None
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with self._opened() as connection:
                connection.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, rows BLOB) WITHOUT ROWID")
        except (OSError, sqlite3.Error) as error:
            self._give_up(error)

    def read(self, keys: Sequence[bytes], dimensions: int) -> dict[bytes, Float32Array]:
        """The entries of those of these keys that are there."""
        if self.broken:
            return {}
        rows: list[tuple[bytes, bytes]] = []
        try:
            with self._opened() as connection:
                for start in range(0, len(keys), AT_ONCE):
                    some = keys[start : start + AT_ONCE]
                    asked = f"SELECT key, rows FROM vectors WHERE key IN ({', '.join('?' * len(some))})"  # noqa: S608 - marks alone
                    rows += connection.execute(asked, some).fetchall()
        except sqlite3.Error as error:
            self._give_up(error)
        return {
            key: np.frombuffer(packed, np.float16).reshape(-1, dimensions).astype(np.float32)
            for key, packed in rows
            if len(packed) % (2 * dimensions) == 0
        }

    def write(self, entries: Mapping[bytes, Float32Array]) -> None:
        """Keep these entries; they are there from now on, whatever happens."""
        if self.broken:
            return
        rows = [(key, _halved(vectors).tobytes()) for key, vectors in entries.items()]
        try:
            with self._opened() as connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._give_up(error)

    def _opened(self) -> closing[sqlite3.Connection]:
        return closing(sqlite3.connect(self.file, timeout=30, isolation_level=None))

    def _give_up(self, error: Exception) -> None:
        self.broken = f"{self.file}: {error}"


def round_to_half(vectors: Float32Array) -> Float32Array:
    """Vectors as they come back from where they are kept, so that it makes no difference whether they were."""
    return _halved(vectors).astype(np.float32)


def _halved(vectors: Float32Array) -> npt.NDArray[np.float16]:
    greatest = float(np.finfo(np.float16).max)
    return np.clip(vectors, -greatest, greatest).astype(np.float16)
