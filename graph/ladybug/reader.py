"""Opens the files of the embedded store for reading, and puts LadybugDB's errors into our words.

A file in place is never changed, only replaced, so a reader stays valid as long as it is open; ``file_signature`` tells whether
the path still leads to the file that was opened.
"""

from __future__ import annotations

import resource
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, cast

from ...core.atomic_files import STORE_SIGNATURE
from ...core.errors import hint
from ...core.messages import first_line, truncate
from ..errors import StoreError, StoreMissing, StoreUnreadable
from .ddl import FINGERPRINT, fingerprint

if TYPE_CHECKING:
    import pyarrow as pa

NO_MEMORY = ("Unable to allocate memory", "Mmap for size", "bad_alloc", "Cannot allocate memory")
"""What the engine says where it gets no memory."""

FileSignature = tuple[int, int, int]

POOL = 256 << 20
"""Bytes the engine may keep of a file; more would only double what the system caches anyway."""

WINDOW = "offset(id({0})) >= $first AND offset(id({0})) < $next"

_SMALLEST_SPAN = 1 << 30
_NOT_LET = ("Could not set lock on file", "Too many open files", "Permission denied")
_CHUNK = 65_536
_WINDOW = 65_536


def file_signature(path: Path) -> FileSignature | None:
    """What tells one file at this path from the next (inode, size, time of change); None where there is none."""
    try:
        there = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise StoreUnreadable(
            f"cannot reach the store {truncate(str(path))}: {reason}; choose a path that you may read"
        ) from error
    return there.st_ino, there.st_size, there.st_mtime_ns


class Reader:
    """One open file, read-only. Its methods are not safe to call from two threads at once."""

    def __init__(self, path: Path, pool: int = POOL, *, threads: int = 0, schema: str | None = None) -> None:
        import ladybug

        self.path = path
        self.signature = _checked(path)
        with translate_errors(path):
            self._database = ladybug.Database(
                path,
                read_only=True,
                buffer_pool_size=pool,
                max_num_threads=threads,
                max_db_size=address_span(self.signature[1]),
            )
            self.connection = ladybug.Connection(self._database)
        try:
            self._check_schema(path, schema or fingerprint())
        except BaseException:
            self.close()
            raise

    def _check_schema(self, path: Path, schema: str) -> None:
        try:
            made = self.rows(f"RETURN {FINGERPRINT}()")[0][0]
        except StoreUnreadable as error:
            if not first_line(error.__cause__ or error).startswith("Catalog exception:"):
                raise
            raise StoreUnreadable(f"{path} is a LadybugDB database but no store of wayword; choose another path") from error
        if made != schema:
            raise StoreUnreadable(
                f"the store {path} was made by another version of wayword (schema {made}, here {schema}); "
                "load its bases again into a new path"
            )

    @contextmanager
    def _result(self, statement: str, parameters: Mapping[str, Any] | None, by: Any = None) -> Iterator[Any]:
        connection = self.connection if by is None else by
        with translate_errors(self.path), cast("Any", connection.execute(statement, dict(parameters or {}))) as result:
            yield result

    def rows(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[list[Any]]:
        """All rows of a statement of ours."""
        with self._result(statement, parameters) as result:
            rows: list[list[Any]] = result.get_all()
        return rows

    def _arrow(self, statement: str, parameters: Mapping[str, Any] | None, columns: pa.Schema, by: Any) -> list[pa.RecordBatch]:
        """All rows of a statement of ours as Arrow batches with these columns."""
        with self._result(statement, parameters, by) as result:
            table = result.get_as_arrow(_CHUNK)
            batches: list[pa.RecordBatch] = table.rename_columns(columns.names).cast(columns).to_batches()
            for batch in batches:
                _check_texts(batch)
        return batches

    def windows(
        self, label: str, statement: str, parameters: Mapping[str, Any], columns: pa.Schema
    ) -> Iterator[pa.RecordBatch]:
        """The rows of a statement piece by piece; it asks for ``WINDOW`` in the words of a node of this label.

        The engine finishes a result before it gives the first row, so a piece must fit into its memory. A connection holds the
        memory of the last result of every statement it was ever given, and of those that failed; so these have their own, and
        after a failure another.
        """
        nodes = self.rows(f"MATCH (n:`{label}`) RETURN count(*)")[0][0]
        first, size = 0, _WINDOW
        while first < nodes:
            with self._aside() as by:
                while first < nodes:
                    try:
                        batches = self._arrow(statement, {**parameters, "first": first, "next": first + size}, columns, by)
                    except StoreError as error:
                        if NO_MEMORY[0] not in str(error) or size == 1:
                            raise
                        size //= 2
                        break
                    yield from batches
                    first += size

    @contextmanager
    def _aside(self) -> Iterator[Any]:
        """Another connection to the same file."""
        import ladybug

        connection = ladybug.Connection(self._database)
        try:
            yield connection
        finally:
            connection.close()

    def close(self) -> None:
        """Close the file."""
        self.connection.close()
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()


def _checked(path: Path) -> FileSignature:
    """The signature of a file that can be one of ours; the engine itself would make a database of an empty file."""
    there = file_signature(path)
    if there is None:
        raise StoreMissing(f"there is no store at {path}", hint("load", kind="wordnet"))
    if path.is_dir():
        raise StoreUnreadable(f"{path} is a folder, and a store is a file; choose another path")
    try:
        with path.open("rb") as file:
            head = file.read(8)
    except OSError as error:
        raise StoreUnreadable(f"cannot read the store {path}: {error.strerror}") from error
    if len(head) < 8 or not head.startswith(STORE_SIGNATURE):
        raise StoreUnreadable(f"{path} is not a store of wayword but a file of something else; choose another path")
    import ladybug

    found, known = struct.unpack("<I", head[4:])[0], ladybug.Database.get_storage_version()
    if found > known:
        raise StoreUnreadable(
            f"the store {path} has format {found} and this version of wayword reads formats up to {known}; "
            "upgrade wayword, or load its bases again into a new path"
        )
    return there


def _check_texts(batch: pa.RecordBatch) -> None:
    """Raise if a text is no UTF-8, as in a damaged file."""
    import pyarrow as pa

    for column in batch.columns:
        texts = column.flatten() if pa.types.is_list(column.type) else column
        if len(texts) and pa.types.is_string(texts.type):  # of no texts at all the engine gives no valid array
            texts.validate(full=True)


def address_span(size: int) -> int:
    """How many bytes of addresses the engine may set apart for a file of this size; left alone, it asks for eight terabytes.

    >>> address_span(100) == 1 << 30, address_span(3 << 30) == 1 << 33
    (True, True)
    """
    return max(_SMALLEST_SPAN, 1 << (2 * size).bit_length())


def reserved_addresses() -> int:
    """How many bytes of addresses this process has taken."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    return 4 << 30


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Say in our words that the engine could not open or read a file. Of a damaged one it says anything whatever."""
    try:
        yield
    except (RuntimeError, ValueError, LookupError, TypeError, ArithmeticError, SystemError, MemoryError) as error:
        text = first_line(error)
        if isinstance(error, MemoryError) or "bad_alloc" in text:
            raise StoreUnreadable(
                f"the store {path} cannot be read ({text}): either there is too little memory, or it is damaged: free some,"
                " or delete it and load again"
            ) from error
        if any(each in text for each in NO_MEMORY):
            raise StoreError(f"there is too little memory to read the store {path} ({text}); give the process more") from error
        if any(each in text for each in _NOT_LET):
            raise StoreUnreadable(
                f"cannot open the store {path}: {text}; close other programs that use it, or what else keeps files open"
            ) from error
        raise StoreUnreadable(f"the store {path} is damaged: delete it and load again ({text})") from error
