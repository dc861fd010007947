"""Opens the files of the embedded store for reading, and puts LadybugDB's errors into our words.

A file is never changed once it is in place, only replaced, so a reader is good for as long as it likes; ``signature`` tells
whether the file at the path is still the one it opened.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, cast

from .errors import StoreError, StoreMissing, StoreUnreadable
from .tables import FINGERPRINT, fingerprint

if TYPE_CHECKING:
    import pyarrow as pa

Signature = tuple[int, int, int]

POOL = 256 << 20
"""Bytes the engine may keep of a file; more would only double what the system caches anyway."""

WINDOW = "offset(id({0})) >= $first AND offset(id({0})) < $next"

_MAGIC = b"LBUG"
_CHUNK = 65_536
_SPAN = 65_536


def signature(path: Path) -> Signature | None:
    """What tells one file at this path from the next (inode, size, time of change); None where there is none."""
    try:
        there = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return there.st_ino, there.st_size, there.st_mtime_ns


class Reader:
    """One open file, read-only. Its methods are not safe to call from two threads at once."""

    def __init__(self, path: Path, pool: int = POOL, *, threads: int = 0, span: int | None = None) -> None:
        import ladybug

        self.path = path
        self.signature = _checked(path)
        try:
            self._database = ladybug.Database(
                path, read_only=True, buffer_pool_size=pool, max_num_threads=threads, max_db_size=span
            )
            self.connection = ladybug.Connection(self._database)
        except RuntimeError as error:
            raise StoreUnreadable(f"cannot open the store {path}: {first_line(error)}") from error
        try:
            self._check_schema(path)
        except BaseException:
            self.close()
            raise

    def _check_schema(self, path: Path) -> None:
        try:
            made = self.rows(f"RETURN {FINGERPRINT}()")[0][0]
        except StoreError as error:
            raise StoreUnreadable(f"{path} is a LadybugDB database but no store of wayword; choose another path") from error
        if made != fingerprint():
            raise StoreUnreadable(
                f"the store {path} was made by another version of wayword (schema {made}, here {fingerprint()}); "
                "load its bases again into a new path"
            )

    @contextmanager
    def _result(self, statement: str, parameters: Mapping[str, Any] | None) -> Iterator[Any]:
        try:
            with cast("Any", self.connection.execute(statement, dict(parameters or {}))) as result:
                yield result
        except RuntimeError as error:
            raise StoreError(f"the embedded engine failed on {self.path}: {first_line(error)}") from error

    def rows(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[list[Any]]:
        """All rows of a statement of ours."""
        with self._result(statement, parameters) as result:
            rows: list[list[Any]] = result.get_all()
        return rows

    def arrow(self, statement: str, parameters: Mapping[str, Any] | None, columns: pa.Schema) -> list[pa.RecordBatch]:
        """All rows of a statement of ours as Arrow batches with these columns."""
        with self._result(statement, parameters) as result:
            table = result.get_as_arrow(_CHUNK)
        batches: list[pa.RecordBatch] = table.rename_columns(columns.names).cast(columns).to_batches()
        return batches

    def windows(
        self, label: str, statement: str, parameters: Mapping[str, Any], columns: pa.Schema
    ) -> Iterator[pa.RecordBatch]:
        """The rows of a statement piece by piece; it asks for ``WINDOW`` in the words of a node of this label.

        The engine finishes a result before it gives the first row, so a piece must fit into its memory.
        """
        nodes = self.rows(f"MATCH (n:`{label}`) RETURN count(*)")[0][0]
        first, span = 0, _SPAN
        while first < nodes:
            try:
                batches = self.arrow(statement, {**parameters, "first": first, "next": first + span}, columns)
            except StoreError as error:
                if "Unable to allocate memory" not in str(error) or span == 1:
                    raise
                span //= 2
                continue
            yield from batches
            first += span

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()


def _checked(path: Path) -> Signature:
    """The signature of a file that can be one of ours; the engine itself would make a database of an empty file."""
    there = signature(path)
    if there is None:
        raise StoreMissing(f"there is no store at {path}; make one with: wayword load wordnet")
    if path.is_dir():
        raise StoreUnreadable(f"{path} is a folder, and a store is a file; choose another path")
    try:
        with path.open("rb") as file:
            head = file.read(8)
    except OSError as error:
        raise StoreUnreadable(f"cannot read the store {path}: {error.strerror}") from error
    if len(head) < 8 or head[:4] != _MAGIC:
        raise StoreUnreadable(f"{path} is not a store of wayword but a file of something else; choose another path")
    import ladybug

    found, known = struct.unpack("<I", head[4:])[0], ladybug.Database.get_storage_version()
    if found > known:
        raise StoreUnreadable(
            f"the store {path} has format {found} and this version of wayword reads formats up to {known}; "
            "upgrade wayword, or load its bases again into a new path"
        )
    return there


def first_line(error: BaseException) -> str:
    r"""What an error of the engine says, without the drawing below it.

    >>> first_line(RuntimeError("Parser exception: no (line: 1)\n RETURN\n ^"))
    'Parser exception: no (line: 1)'
    """
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
