"""DuckDB as the loads of wikis use it: in memory up to a bound, on disk in the work folder beyond it, Parquet in and out."""

from __future__ import annotations

import glob
import re
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....core.messages import first_line
from ...errors import SourceInvalid
from ..work_folder import WorkFolderRefused, damage_error, disk_full_error

if TYPE_CHECKING:
    import duckdb

MEMORY = 1 << 30
"""Bytes that the joins may hold in memory, where nothing else is said; what is more goes to the work folder."""

EXAMPLES = 5
"""How many examples of each thing left out are remembered."""

ROW_GROUP = 65_536

_NAME = re.compile(r"[a-z_]+")


class DuckDBSession:
    """Queries over Parquet files by name.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, open_session(Path(folder), threads=1) as bench:
    ...     bench.write(Path(folder, "n.parquet"), "SELECT range AS n FROM range(3)")
    ...     bench.view("numbers", Path(folder, "n.parquet"))
    ...     bench.number("SELECT sum(n) FROM numbers")
    3
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, thread: Executor, scratch: Path) -> None:
        self._connection, self._thread, self._scratch = connection, thread, scratch

    def set(self, **values: str | int | bool | None) -> None:
        """Give values names; a query reads one by ``getvariable('name')``."""
        for name, value in values.items():
            text = "NULL" if value is None else _quoted(value) if isinstance(value, str) else str(value).upper()
            self.run(f"SET VARIABLE {_checked(name)} = {text}")

    def view(self, name: str, files: Path) -> None:
        """Read these Parquet files (a pattern in the last part of the path, or one) where a query names this table."""
        found = sorted(files.parent.glob(files.name))
        listed = ", ".join(_quoted(glob.escape(str(each))) for each in found)  # to DuckDB every name is a pattern
        self.run(f"CREATE OR REPLACE VIEW {_checked(name)} AS FROM read_parquet([{listed}])")

    def table(self, name: str, query: str) -> None:
        """Keep the rows of a query under a name, until the bench is cleared away."""
        self.run(f"CREATE OR REPLACE TEMP TABLE {_checked(name)} AS {query}")

    def drop(self, *names: str) -> None:
        """Forget tables."""
        for name in names:
            self.run(f"DROP TABLE {_checked(name)}")

    def write(self, file: Path, query: str) -> None:
        """Put the rows of a query into a Parquet file, in the query's order."""
        options = f"FORMAT parquet, COMPRESSION lz4_raw, ROW_GROUP_SIZE {ROW_GROUP}"
        self.run(f"COPY ({query}) TO {_quoted(str(file))} ({options})")

    def run(self, statement: str) -> list[tuple[Any, ...]]:
        """The rows of a statement, all of them. It runs in a thread, because DuckDB itself would not hear Ctrl-C."""
        import duckdb

        running = self._thread.submit(self._rows, statement)
        try:
            return running.result()
        except duckdb.Error as error:
            raise self._told(error) from error
        except BaseException:
            self._connection.interrupt()
            wait([running])
            raise

    def _rows(self, statement: str) -> list[tuple[Any, ...]]:
        return self._connection.execute(statement).fetchall()

    def number(self, query: str) -> int:
        """The only value of a query's only row; 0 where it is null."""
        return int(self.run(query)[0][0] or 0)

    def texts(self, query: str) -> list[str]:
        """The values of a query's only column."""
        return [row[0] for row in self.run(query)]

    def _told(self, error: duckdb.Error) -> Exception:
        import duckdb

        text, said = str(error), first_line(error)
        if isinstance(error, duckdb.OutOfMemoryException):
            return WorkFolderRefused(
                f"too little memory to join the dump ({said}); load again with more of it, or fewer --workers"
            )
        if "No space left" in text or "quota exceeded" in text:
            return disk_full_error(self._scratch.parent)
        if isinstance(error, duckdb.IOException):
            return WorkFolderRefused(
                f"cannot work in {self._scratch.parent}: {said}; free some space, or name another with --bundle"
            )
        if ".parquet" in text and isinstance(error, duckdb.InvalidInputException | duckdb.SerializationException):
            return damage_error(self._scratch.parent, error)
        return error


def check_patterns(patterns: Collection[str]) -> None:
    """Refuse what is no regular expression to DuckDB."""
    if not patterns:
        return
    import duckdb

    with duckdb.connect(":memory:") as connection:
        for pattern in patterns:
            try:
                connection.execute("SELECT regexp_matches('', ?)", [pattern]).fetchall()
            except duckdb.Error as error:
                raise SourceInvalid(
                    f"{pattern!r} is no regular expression as RE2 reads them ({first_line(error)}); correct it"
                ) from error


@contextmanager
def open_session(scratch: Path, threads: int, memory: int = MEMORY) -> Iterator[DuckDBSession]:
    """A bench that is cleared away afterwards; what does not fit into memory lies in the folder ``scratch`` meanwhile."""
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


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} cannot name a table")
    return name


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
