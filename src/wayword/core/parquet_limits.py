"""Refuse Parquet files whose columns are far larger in memory than in the file, before they are read."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow.parquet as pq

MAX_RATIO = 64
"""How many times the size of a file its columns may have in memory; rows that differ need about a twelfth."""

ALWAYS_ALLOWED = 64 << 20
"""The number of bytes that columns may have in memory, however small their file is."""

VALUE_SIZE = 8
"""The size in bytes of a number, or of a position in a dictionary."""


class ParquetTooLarge(Exception):
    """A Parquet file would take far more memory than its size suggests; the message says how much."""


def memory_limit(size: int) -> int:
    """Return how many bytes the content of a file of this size may take."""
    return max(ALWAYS_ALLOWED, MAX_RATIO * size)


def check_memory(file: pq.ParquetFile, size: int, columns: Collection[str]) -> None:
    """Raise a ``ParquetTooLarge`` if columns take more memory than ``memory_limit`` allows.

    Text has to be read as dictionaries, since the same text may be repeated in any number of rows.

    Args:
        file: The file; only its metadata are read.
        size: Its size in bytes.
        columns: The names of the columns, which may be nested.
    """
    metadata, needed = file.metadata, 0
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        for column in map(group.column, range(group.num_columns)):
            if column.path_in_schema.partition(".")[0] in columns:
                needed += VALUE_SIZE * max(column.num_values, group.num_rows) + column.total_uncompressed_size
    if needed > memory_limit(size):
        raise ParquetTooLarge(
            f"has {metadata.num_rows:,} rows in {size:,} bytes, which take {needed >> 20:,} MB of memory; check its origin"
        )
