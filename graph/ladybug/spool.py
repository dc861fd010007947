"""The spool: one Arrow file per table, which holds the rows of a load on disk until all have been read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

Table = tuple[str, tuple[str, str] | None]


class Spool:
    """Arrow files of rows to copy into the engine. The caller creates and removes the folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writers: dict[Table, pa.ipc.RecordBatchFileWriter] = {}
        self.rows: dict[Table, int] = {}

    def _file(self, table: Table) -> Path:
        return self._folder / f"{'-'.join((table[0], *(table[1] or ())))}.arrow"

    def add(self, table: Table, rows: pa.RecordBatch) -> None:
        """Append rows to a table."""
        import pyarrow as pa

        if table not in self._writers:
            self._writers[table] = pa.ipc.new_file(str(self._file(table)), rows.schema)
        self._writers[table].write_batch(rows)
        self.rows[table] = self.rows.get(table, 0) + rows.num_rows

    def finish(self) -> None:
        """Complete the files; no rows can be added afterwards."""
        for writer in self._writers.values():
            writer.close()
        self._writers.clear()

    def size(self) -> int:
        """Return the size of all files in bytes."""
        return sum(file.stat().st_size for file in self._folder.glob("*.arrow"))

    @contextmanager
    def table(self, table: Table) -> Iterator[pa.Table]:
        """Map the rows of a table into memory; their file is deleted afterwards."""
        import pyarrow as pa

        path = self._file(table)
        with pa.memory_map(str(path)) as file:
            yield pa.ipc.open_file(file).read_all()
        path.unlink()

    def close(self) -> None:
        """Close open files, complete or not."""
        for writer in self._writers.values():
            try:
                writer.close()
            except OSError:  # a full disk, which has been reported already; the file is about to be deleted
                continue
        self._writers.clear()
