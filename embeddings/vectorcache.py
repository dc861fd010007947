"""Vectors that were worked out before, on disk, so that what an encoder has done once is done for good.

Each entry is what an encoder made of the pieces of one text; its key is made of both. What is written is there after a crash,
batch by batch. A cache that cannot be read or written is no error: then everything is worked out again.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import numpy.typing as npt

Real = npt.NDArray[np.float32]

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
        self._connection: sqlite3.Connection | None = None
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(file, timeout=30, isolation_level=None)
            self._connection.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, rows BLOB) WITHOUT ROWID")
        except (OSError, sqlite3.Error) as error:
            self._give_up(error)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        if self._connection is not None:
            self._connection.close()

    def read(self, keys: Sequence[bytes], dimensions: int) -> dict[bytes, Real]:
        """The entries of those of these keys that are there."""
        found: dict[bytes, Real] = {}
        for start in range(0, len(keys), AT_ONCE):
            if self._connection is None:
                break
            some = keys[start : start + AT_ONCE]
            asked = f"SELECT key, rows FROM vectors WHERE key IN ({', '.join('?' * len(some))})"  # noqa: S608 - marks alone
            try:
                rows = self._connection.execute(asked, some).fetchall()
            except sqlite3.Error as error:
                self._give_up(error)
                break
            for key, packed in rows:
                if len(packed) % (2 * dimensions) == 0:
                    found[key] = np.frombuffer(packed, np.float16).reshape(-1, dimensions).astype(np.float32)
        return found

    def write(self, entries: Mapping[bytes, Real] | Iterable[tuple[bytes, Real]]) -> None:
        """Keep these entries; they are there from now on, whatever happens."""
        rows = [(key, packed(vectors)) for key, vectors in dict(entries).items()]
        if self._connection is None:
            return
        try:
            with closing(self._connection.cursor()) as cursor:
                cursor.execute("BEGIN IMMEDIATE")
                cursor.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
                cursor.execute("COMMIT")
        except sqlite3.Error as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        self.broken = f"{self.file}: {error}"
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def packed(vectors: Real) -> bytes:
    """Vectors as they are kept."""
    return vectors.astype(np.float16).tobytes()


def rounded(vectors: Real) -> Real:
    """Vectors as they come back from where they are kept, so that it makes no difference whether they were."""
    return vectors.astype(np.float16).astype(np.float32)
