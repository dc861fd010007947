"""Build a file of the embedded engine from spooled rows, fast and in bounded memory.

The engine holds copied rows in memory, about 200 bytes each, until a checkpoint writes them and the database is closed. So the
file is checkpointed and reopened whenever ``MAX_UNWRITTEN`` rows have been copied; a small load is written once, at its end.
Each table is copied in one piece if possible, which is several times faster than many small pieces.
"""

from __future__ import annotations

import ctypes
import resource
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ..errors import LoadError
from ..schema import NODES
from .ddl import copy_statement, macro_statements, table_statements
from .engine import import_engine
from .errors import translate_copy_errors
from .reader import POOL, address_span, reserved_addresses
from .spool import Spool, Table

if TYPE_CHECKING:
    import pyarrow as pa

    from ...core.progress import Progress

MAX_UNWRITTEN = 1_500_000
"""Rows that the engine may keep in memory before they are written; one piece of a table may exceed it."""

PIECE = 6_000_000
"""Relationships copied at once, which takes 1.5 GB. Smaller pieces save little memory and take more time, because each is
merged with the rows copied before."""

_GROWTH = 8
"""Upper bound of the file's size relative to the spool's; it is 1.4 for WordNet."""


def write_file(file: Path, spool: Spool, progress: Progress, copied: Mapping[Table, int]) -> None:
    """Write the spooled rows to a new file of the engine, and close it.

    The first ``copied`` rows of each table are of other bases than the one that is loaded; ``progress`` does not count them.
    """
    with BulkWriter(file, address_span(_GROWTH * spool.size())) as writer:
        writer.create_tables()
        total, count, own = sum(spool.rows.values()), 0, 0
        nodes_first = sorted(spool.rows, key=lambda table: table[1] is not None)
        for table in nodes_first:
            left = copied.get(table, 0)
            with spool.table(table) as rows:
                for piece in _pieces(table, rows):
                    writer.copy(table, piece)
                    count += piece.num_rows
                    own += max(0, piece.num_rows - left)
                    left = max(0, left - piece.num_rows)
                    progress("storing", own, count / total)
        writer.check_unique_ids([name for name, ends in nodes_first if ends is None])
        writer.checkpoint()
    # The switch renames one file, so nothing may be left in a write-ahead log beside it.
    leftovers = [other.name for other in file.parent.glob(f"{file.name}?*") if other.stat().st_size]
    if leftovers:
        raise RuntimeError(f"rows were left outside the file, in {', '.join(leftovers)}")


def _pieces(table: Table, rows: pa.Table) -> Iterator[pa.Table]:
    """Split relationships. Nodes stay whole: smaller pieces save no memory, and a stem in two pieces would be a duplicate."""
    size = rows.num_rows if table[1] is None else PIECE
    for start in range(0, rows.num_rows, max(size, 1)):
        yield rows.slice(start, size)


class BulkWriter:
    """A database file under construction, not yet visible to readers."""

    def __init__(self, file: Path, size: int) -> None:
        self._file, self._size = file, size
        self._unwritten = 0
        self._open()

    def _open(self) -> None:
        ladybug = import_engine()

        # With automatic checkpoints the engine would write after each table.
        self._database = ladybug.Database(
            self._file, auto_checkpoint=False, buffer_pool_size=_pool_size(self._size), max_db_size=self._size
        )
        self._connection: Any = ladybug.Connection(self._database)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self._close()

    def _close(self) -> None:
        try:
            self._connection.close()
        finally:
            self._database.close()

    def create_tables(self) -> None:
        """Create the tables and macros of the schema."""
        for statement in ("BEGIN TRANSACTION", *table_statements(), *macro_statements(), "COMMIT"):
            self._connection.execute(statement)

    def copy(self, table: Table, rows: pa.Table) -> None:
        """Append rows to a table."""
        if self._unwritten and self._unwritten + rows.num_rows > MAX_UNWRITTEN:
            self._reopen()
        # One thread for nodes: with half a million rows, two threads that index the keys of one table deadlock.
        self._connection.set_max_threads_for_exec(1 if table[1] is None else 0)
        name, ends = table
        with translate_copy_errors(name):
            self._connection.execute(copy_statement(name, ends), {"rows": rows})
        self._unwritten += rows.num_rows

    def checkpoint(self) -> None:
        """Write all copied rows to the file."""
        self._connection.execute("CHECKPOINT")
        self._unwritten = 0

    def _reopen(self) -> None:
        """Write to the file, and release the memory that the engine and the C library hold."""
        self.checkpoint()
        self._close()
        # glibc does not return freed memory by itself; without trimming, a wiki of 500,000 pages takes 1,185 instead of 909 MB
        # (without mapped files).
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
        self._open()

    def check_unique_ids(self, labels: list[str]) -> None:
        """Raise ``LoadError`` if nodes of two labels have the same id; within one label the engine checks that."""
        entities = [label for label in labels if not NODES[label].shared and label != "Label"]
        for first, second in combinations(entities, 2):
            statement = f"MATCH (a:`{first}`), (b:`{second}`) WHERE a.id = b.id RETURN a.id LIMIT 1"
            shared = self._connection.execute(statement).get_all()
            if shared:
                raise LoadError(f"rows of {first} and {second} have the same id {shared[0][0]!r}; give each node its own id")


def _pool_size(file_span: int) -> int:
    """Return the bytes of the engine's page cache: 0 (its default) unless this process has a limited address space."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return 0 if limit == resource.RLIM_INFINITY else max(POOL, (limit - reserved_addresses() - file_span) // 4)
