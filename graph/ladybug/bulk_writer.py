"""Builds a file of the embedded engine from spooled rows.

The engine holds what it has taken, some 200 bytes a row, until it is told to write it and is closed. So a small load is written
once, at its end, and a large one each time that many rows have come. A table goes in whole if it can: the engine takes that
several times faster than many pieces of it.
"""

from __future__ import annotations

import ctypes
import re
import resource
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ..errors import LoadError
from ..schema import NODES
from .ddl import copy_statement, macro_statements, table_statements
from .reader import POOL, address_span, reserved_addresses
from .spool import Spool, Table

if TYPE_CHECKING:
    import pyarrow as pa

    from ...core.progress import Progress

SETTLE = 1_500_000
"""Rows of several tables that the engine may hold at most; it writes them and is opened anew before it takes more."""

PIECE = 6_000_000
"""The most relationships that the engine takes at once, in 1.5 GB of memory. Smaller pieces need hardly less, since each is
merged with what is there, in memory and slowly."""

_GROWTH = 8
"""How many times larger than the rows on their way into it a file may get; WordNet's is 1.4 times as large."""

_DUPLICATE = re.compile(r"Found duplicated primary key value (.*), which violates", re.DOTALL)
_NO_END = re.compile(r"Unable to find primary key value (.*)\.", re.DOTALL)


def write_file(file: Path, spool: Spool, progress: Progress) -> None:
    """Make a file of the engine that holds the spooled rows, whole and closed."""
    with BulkWriter(file, address_span(_GROWTH * spool.size())) as engine:
        engine.define()
        whole, done = sum(spool.rows.values()), 0
        order = sorted(spool.rows, key=lambda table: table[1] is not None)
        for table in order:
            with spool.table(table) as rows:
                for piece in _pieces(table, rows):
                    engine.take(table, piece)
                    done += piece.num_rows
                    progress("storing", done, done / whole)
        engine.check_across([name for name, ends in order if ends is None])
        engine.write()
    left = [each.name for each in file.parent.glob(f"{file.name}?*") if each.stat().st_size]
    if left:
        raise RuntimeError(f"rows were left outside the file, in {', '.join(left)}")


def _pieces(table: Table, rows: pa.Table) -> Iterator[pa.Table]:
    """The rows as the engine is given them: nodes all at once, since cutting them saves nothing and repeats would be errors."""
    most = rows.num_rows if table[1] is None else PIECE
    for start in range(0, rows.num_rows, max(most, 1)):
        yield rows.slice(start, most)


class BulkWriter:
    """LadybugDB with a file that is being made; nobody else knows the file yet."""

    def __init__(self, file: Path, size: int) -> None:
        self._file, self._size = file, size
        self._unwritten = 0
        self._open()

    def _open(self) -> None:
        import ladybug

        # It is told when to write: once, or a few times, instead of after each table.
        self._database = ladybug.Database(
            self._file, auto_checkpoint=False, buffer_pool_size=_pool(self._size), max_db_size=self._size
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

    def define(self) -> None:
        """Make the tables and macros of the schema."""
        for statement in ("BEGIN TRANSACTION", *table_statements(), *macro_statements(), "COMMIT"):
            self._connection.execute(statement)

    def take(self, table: Table, rows: pa.Table) -> None:
        """Copy these rows into a table, behind those that it has."""
        if self._unwritten and self._unwritten + rows.num_rows > SETTLE:
            self._settle()
        # Two threads that index the keys of one node table wait for each other without end, given half a million rows.
        self._connection.set_max_threads_for_exec(1 if table[1] is None else 0)
        _copy(self._connection, table, rows)
        self._unwritten += rows.num_rows

    def write(self) -> None:
        """Put all that has been taken into the file."""
        self._connection.execute("CHECKPOINT")
        self._unwritten = 0

    def _settle(self) -> None:
        """Write to the file and release the memory that the engine and the C library hold."""
        self.write()
        self._close()
        # Without it the C library keeps what the engine freed: 1,185 instead of 909 MB, not counting mapped files, to store
        # a wiki of 500,000 pages.
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
        self._open()

    def check_across(self, labels: list[str]) -> None:
        """Refuse an id that two labels have; within one label the engine does."""
        entities = [label for label in labels if not NODES[label].shared and label != "Label"]
        for first, second in combinations(entities, 2):
            statement = f"MATCH (a:`{first}`), (b:`{second}`) WHERE a.id = b.id RETURN a.id LIMIT 1"
            found = self._connection.execute(statement).get_all()
            if found:
                raise LoadError(
                    f"a row of {first} and one of {second} have the id {found[0][0]!r}; an id names one node: give each its own"
                )


def _pool(taken: int) -> int:
    """Bytes that the engine may set apart for pages: 0, its own choice, unless this process has no such addresses left."""
    bound, _ = resource.getrlimit(resource.RLIMIT_AS)
    return 0 if bound == resource.RLIM_INFINITY else max(POOL, (bound - reserved_addresses() - taken) // 4)


def _copy(connection: Any, table: Table, rows: pa.Table) -> None:
    name, ends = table
    try:
        connection.execute(copy_statement(name, ends), {"rows": rows})
    except RuntimeError as error:
        text = str(error)
        if (found := _DUPLICATE.search(text)) is not None:
            raise LoadError(f"two rows of {name} have the id {found[1]!r}; an id names one node") from error
        if (found := _NO_END.search(text)) is not None:
            raise LoadError(f"a {name} leads from or to {found[1]!r}, which is no node of this load") from error
        raise
