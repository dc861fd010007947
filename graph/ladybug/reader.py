"""Read-only access to the file of an embedded store.

The file at the store's path is never changed, only replaced by a load, so an open reader stays valid. ``file_signature`` shows
whether the path still leads to the file that was opened.
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
from ...core.messages import truncate
from ..errors import StoreError, StoreMissing, StoreUnreadable
from ..records import Base
from ..schema import NODES
from .ddl import FINGERPRINT, fingerprint
from .engine import import_engine
from .errors import EngineMemoryError, is_unknown_name, translate_errors
from .verification import verify

if TYPE_CHECKING:
    import pyarrow as pa

FileSignature = tuple[int, int, int, int]
"""Inode, size in bytes, and the times of the last change of the content and of the inode, in nanoseconds."""

POOL = 256 << 20
"""Bytes of the engine's page cache; the operating system caches the file as well."""

WINDOW = "offset(id({0})) >= $first AND offset(id({0})) < $next"
"""Condition that limits a statement to a window of nodes; format it with the variable of the node."""

_SMALLEST_SPAN = 1 << 30
_CHUNK = 65_536
_WINDOW = 65_536


def file_signature(path: Path) -> FileSignature | None:
    """Return the signature of the file at a path, which differs from that of the file that replaces it; None without a file."""
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise StoreUnreadable(f"cannot reach the store {truncate(str(path))}: {reason}; choose a readable path") from error
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


class Reader:
    """An open store file. Not thread-safe.

    Args:
        path: The store.
        pool: Bytes of the engine's page cache.
        schema: The fingerprint that the store must have; by default that of this process.
        verified: What ``verify`` returned for this file; by default it is called.
    """

    def __init__(self, path: Path, pool: int = POOL, *, schema: str | None = None, verified: bool | None = None) -> None:
        self.path = path
        self.signature = check_file(path)
        self.verified = verify(path) if verified is None else verified
        _check_format(path)
        ladybug = import_engine()

        with translate_errors(path, verified=self.verified):
            self._database = ladybug.Database(
                path,
                read_only=True,
                buffer_pool_size=pool,
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
            stored = self.rows(f"RETURN {FINGERPRINT}()")[0][0]
        except StoreError as error:
            if not is_unknown_name(error.__cause__ or error):
                raise
            raise StoreUnreadable(f"{path} is a LadybugDB database but not a wayword store; choose another path") from error
        if stored != schema:
            raise StoreUnreadable(
                f"the store {path} was written by another version of wayword (schema {stored}, here {schema}); "
                "load its bases again into a new path"
            )

    @contextmanager
    def _result(self, statement: str, parameters: Mapping[str, Any] | None, connection: Any = None) -> Iterator[Any]:
        connection = connection or self.connection
        with (
            translate_errors(self.path, verified=self.verified),
            cast("Any", connection.execute(statement, dict(parameters or {}))) as result,
        ):
            yield result

    def rows(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[list[Any]]:
        """Return all rows of one of wayword's own statements."""
        with self._result(statement, parameters) as result:
            rows: list[list[Any]] = result.get_all()
        return rows

    def bases(self) -> list[Base]:
        """Return the bases in the file, ordered by id."""
        names = list(NODES["Base"].properties)
        rows = self.rows(f"MATCH (b:Base) RETURN {', '.join(f'b.`{name}`' for name in names)} ORDER BY b.id")
        with translate_errors(self.path, verified=self.verified):
            return [Base.from_row(dict(zip(names, row, strict=True))) for row in rows]

    def _arrow(
        self, statement: str, parameters: Mapping[str, Any] | None, columns: pa.Schema, connection: Any
    ) -> list[pa.RecordBatch]:
        """Return all rows of one of wayword's own statements as Arrow batches with these columns."""
        with self._result(statement, parameters, connection) as result:
            table = result.get_as_arrow(_CHUNK)
            batches: list[pa.RecordBatch] = table.rename_columns(columns.names).cast(columns).to_batches()
            for batch in batches:
                _validate_texts(batch)
        return batches

    def stream(self, label: str, statement: str, parameters: Mapping[str, Any], columns: pa.Schema) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a statement, one window of the nodes of a label at a time; the statement contains ``WINDOW``.

        The engine computes a whole result before it returns the first row, so the result of each window must fit into its
        memory; a window that is too large is halved and tried again. A connection holds on to the memory of the last result of
        each of its statements, even of failed ones, so windows use a separate connection, and a new one after each failure.
        """
        nodes = self.rows(f"MATCH (n:`{label}`) RETURN count(*)")[0][0]
        first, size = 0, _WINDOW
        while first < nodes:
            with self._new_connection() as connection:
                while first < nodes:
                    window = {**parameters, "first": first, "next": first + size}
                    try:
                        batches = self._arrow(statement, window, columns, connection)
                    except EngineMemoryError:
                        if size == 1:
                            raise
                        size //= 2
                        break
                    yield from batches
                    first += size

    @contextmanager
    def _new_connection(self) -> Iterator[Any]:
        ladybug = import_engine()

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


def missing_store(path: Path) -> StoreMissing:
    """Return the error of a path without a store."""
    return StoreMissing(f"there is no store at {path}", hint("load", kind="wordnet"))


def check_file(path: Path) -> FileSignature:
    """Return the signature of a file that may be a store; the engine would turn an empty file into a database."""
    signature = file_signature(path)
    if signature is None:
        raise missing_store(path)
    if path.is_dir():
        raise StoreUnreadable(f"{path} is a folder, but a store is a file; choose another path")
    if not path.is_file():  # opening a pipe would wait for its other end
        raise StoreUnreadable(f"{path} is a pipe or a device, but a store is a file; choose another path")
    try:
        with path.open("rb") as file:
            head = file.read(8)
    except OSError as error:
        raise StoreUnreadable(f"cannot read the store {path}: {error.strerror}") from error
    if len(head) < 8 or not head.startswith(STORE_SIGNATURE):
        raise StoreUnreadable(f"{path} is not a wayword store; choose another path")
    return signature


def _check_format(path: Path) -> None:
    """Refuse a file of a newer engine; only after it was verified, because a changed byte could be the reason."""
    ladybug = import_engine()

    with path.open("rb") as file:
        version, newest = struct.unpack("<4xI", file.read(8))[0], ladybug.Database.get_storage_version()
    if version > newest:
        raise StoreUnreadable(
            f"the store {path} has format {version}, and this version of wayword reads formats up to {newest}; "
            "upgrade wayword, or load its bases again into a new path"
        )


def _validate_texts(batch: pa.RecordBatch) -> None:
    """Raise ``pa.ArrowInvalid`` if a text is not UTF-8, as in a damaged file."""
    import pyarrow as pa

    for column in batch.columns:
        texts = column.flatten() if pa.types.is_list(column.type) else column
        if len(texts) and pa.types.is_string(texts.type):  # the engine returns invalid empty arrays
            texts.validate(full=True)


def address_span(size: int) -> int:
    """Return the address space in bytes to reserve for a file of this size; by default the engine reserves eight terabytes.

    >>> address_span(100) == 1 << 30, address_span(3 << 30) == 1 << 33
    (True, True)
    """
    return max(_SMALLEST_SPAN, 1 << (2 * size).bit_length())


def reserved_addresses() -> int:
    """Return the address space of this process in bytes."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    return 4 << 30
