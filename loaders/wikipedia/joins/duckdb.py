"""DuckDB sessions for the joins: they read and write Parquet, and use memory up to a limit and then the work folder."""

from __future__ import annotations

import glob
import re
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....core.errors import hint
from ....core.messages import first_line
from ...errors import SourceInvalid
from ..work_folder import WorkFolderRefused, damage_error, disk_full_error

if TYPE_CHECKING:
    import duckdb

MEMORY = 1 << 30
"""Bytes that the joins may hold in memory by default; more goes to the work folder."""

MAX_EXAMPLES = 5
"""Stored examples of what is left out, for each code."""

ROW_GROUP = 65_536

_NAME = re.compile(r"[a-z_]+")


class DuckDBSession:
    """Queries over named Parquet files.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, open_session(Path(folder), threads=1) as session:
    ...     session.write_parquet(Path(folder, "n.parquet"), "SELECT range AS n FROM range(3)")
    ...     session.create_view("numbers", Path(folder, "n.parquet"))
    ...     session.read_number("SELECT sum(n) FROM numbers")
    3
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, thread: Executor, scratch: Path) -> None:
        self._connection, self._thread, self._scratch = connection, thread, scratch

    def set_variables(self, **values: str | int | bool | None) -> None:
        """Set variables; a query reads one by ``getvariable('name')``."""
        for name, value in values.items():
            text = "NULL" if value is None else _quote(value) if isinstance(value, str) else str(value).upper()
            self.execute(f"SET VARIABLE {_check_name(name)} = {text}")

    def create_view(self, name: str, files: Path) -> None:
        """Name a Parquet file, or all that match a pattern in the last part of the path."""
        matches = sorted(files.parent.glob(files.name))
        paths = ", ".join(_quote(glob.escape(str(path))) for path in matches)  # DuckDB reads every path as a pattern
        self.execute(f"CREATE OR REPLACE VIEW {_check_name(name)} AS FROM read_parquet([{paths}])")

    def create_table(self, name: str, query: str) -> None:
        """Name the rows of a query, for as long as the session is open."""
        self.execute(f"CREATE OR REPLACE TEMP TABLE {_check_name(name)} AS {query}")

    def drop_tables(self, *names: str) -> None:
        """Drop tables."""
        for name in names:
            self.execute(f"DROP TABLE {_check_name(name)}")

    def write_parquet(self, file: Path, query: str) -> None:
        """Write the rows of a query into a Parquet file, in the query's order."""
        options = f"FORMAT parquet, COMPRESSION lz4_raw, ROW_GROUP_SIZE {ROW_GROUP}"
        self.execute(f"COPY ({query}) TO {_quote(str(file))} ({options})")

    def execute(self, statement: str) -> list[tuple[Any, ...]]:
        """Return all rows of a statement, which runs in a thread, because DuckDB does not react to Ctrl-C."""
        import duckdb

        future = self._thread.submit(self._fetch_rows, statement)
        try:
            return future.result()
        except duckdb.Error as error:
            raise self._translate(error) from error
        except BaseException:
            self._connection.interrupt()
            wait([future])
            raise

    def _fetch_rows(self, statement: str) -> list[tuple[Any, ...]]:
        return self._connection.execute(statement).fetchall()

    def read_number(self, query: str) -> int:
        """Return the only value of a query's only row, 0 if it is null."""
        return int(self.execute(query)[0][0] or 0)

    def read_texts(self, query: str) -> list[str]:
        """Return the values of a query's only column."""
        return [row[0] for row in self.execute(query)]

    def _translate(self, error: duckdb.Error) -> Exception:
        """Translate an error of DuckDB; return it unchanged if it is unexpected."""
        import duckdb

        text, reason, folder = str(error), first_line(error), self._scratch.parent
        if isinstance(error, duckdb.OutOfMemoryException):
            return WorkFolderRefused(f"not enough memory to join the dump ({reason})", hint("lower", option="workers"))
        if "No space left" in text or "quota exceeded" in text:
            return disk_full_error(folder)
        if isinstance(error, duckdb.IOException):
            return WorkFolderRefused(
                f"cannot use the work folder {folder}: {reason}",
                hint("set", option="bundle", what="another folder"),
            )
        if ".parquet" in text and isinstance(error, duckdb.InvalidInputException | duckdb.SerializationException):
            return damage_error(folder, error)
        return error


def check_patterns(patterns: Collection[str]) -> None:
    """Raise ``SourceInvalid`` if a pattern is not a valid regular expression in DuckDB."""
    if not patterns:
        return
    import duckdb

    with duckdb.connect(":memory:") as connection:
        for pattern in patterns:
            try:
                connection.execute("SELECT regexp_matches('', ?)", [pattern]).fetchall()
            except duckdb.Error as error:
                raise SourceInvalid(
                    f"{pattern!r} is not a regular expression of RE2 ({first_line(error)}); correct it"
                ) from error


@contextmanager
def open_session(scratch: Path, threads: int, memory: int = MEMORY) -> Iterator[DuckDBSession]:
    """Open a session; data that does not fit into ``memory`` bytes goes to the folder ``scratch``."""
    settings: Mapping[str, Any] = {
        "memory_limit": f"{memory >> 20}MiB",
        "temp_directory": str(scratch),
        "threads": threads,
        "preserve_insertion_order": True,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    import duckdb

    connection = duckdb.connect(":memory:", config=dict(settings))
    try:
        with ThreadPoolExecutor(1, "joins") as thread:
            yield DuckDBSession(connection, thread, scratch)
    finally:
        connection.close()


def _check_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} cannot name a table")
    return name


def _quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
