"""Rows on their way into the embedded engine: one Arrow file a table, and its pages no longer in memory than they are read."""

from __future__ import annotations

import mmap
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

Table = tuple[str, tuple[str, str] | None]

LARGE = 4 << 20
"""Bytes from which the pages of a file are given back while it is read."""

_EVERY = 0.05
"""Seconds in which the engine reads some tens of megabytes."""


class Spool:
    """The rows of every table on their way into the engine, one Arrow file each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writers: dict[Table, pa.ipc.RecordBatchFileWriter] = {}
        self.rows: dict[Table, int] = {}

    def _file(self, table: Table) -> Path:
        return self._folder / f"{'-'.join((table[0], *(table[1] or ())))}.arrow"

    def add(self, table: Table, rows: pa.RecordBatch) -> None:
        """Put these rows behind those that have come."""
        import pyarrow as pa

        if table not in self._writers:
            self._writers[table] = pa.ipc.new_file(str(self._file(table)), rows.schema)
        self._writers[table].write_batch(rows)
        self.rows[table] = self.rows.get(table, 0) + rows.num_rows

    def finish(self) -> None:
        """No more rows will come."""
        for writer in self._writers.values():
            writer.close()
        self._writers.clear()

    def size(self) -> int:
        """Bytes of all rows, as they lie on disk."""
        return sum(each.stat().st_size for each in self._folder.glob("*.arrow"))

    @contextmanager
    def table(self, table: Table) -> Iterator[pa.Table]:
        """All rows of a table, mapped from the disk; the file goes when they have been used."""
        import pyarrow as pa

        path = self._file(table)
        with path.open("rb") as file:
            pages = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        with _given_back(pages):
            yield pa.ipc.open_file(pa.py_buffer(pages)).read_all()
        path.unlink()

    def close(self) -> None:
        """Let go of what is open, finished or not; the folder is removed by its owner."""
        for writer in self._writers.values():
            try:
                writer.close()
            except OSError:  # a full disk has been reported by then, and the file is thrown away
                continue
        self._writers.clear()


@contextmanager
def _given_back(pages: mmap.mmap) -> Iterator[None]:
    """Take the pages of a large file that have been read out of memory again and again, while others read on.

    They are the system's to drop, but count as this process's until then. One that is read again is mapped again.
    """
    if len(pages) < LARGE:
        yield
        return
    done = threading.Event()

    def give_back() -> None:
        while not done.wait(_EVERY):
            pages.madvise(mmap.MADV_DONTNEED)

    thread = threading.Thread(target=give_back, name="spool", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        pages.madvise(mmap.MADV_DONTNEED)
