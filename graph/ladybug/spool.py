"""Rows on their way into the embedded engine: one Arrow file for each table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

Table = tuple[str, tuple[str, str] | None]


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
        """All rows of a table, mapped into memory; the file is deleted after use."""
        import pyarrow as pa

        path = self._file(table)
        with pa.memory_map(str(path)) as file:
            yield pa.ipc.open_file(file).read_all()
        path.unlink()

    def close(self) -> None:
        """Let go of what is open, finished or not; the folder is removed by its owner."""
        for writer in self._writers.values():
            try:
                writer.close()
            except OSError:  # a full disk has been reported by then, and the file is thrown away
                continue
        self._writers.clear()
