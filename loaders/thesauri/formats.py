"""Parse a thesaurus file (Parquet, CSV or TSV) into an Arrow table of the required columns.

If Arrow cannot parse a text file, it is read again row by row to report the line and the value of the first error.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from ...core.compression import UnpackingError, open_decompressed
from ...core.messages import first_line, quote_value
from ...core.parquet_limits import ParquetTooLarge, check_memory
from ..archives import translate_errors
from ..errors import SourceDamaged, SourceInvalid, SourceRefused

HASHTAG, SYNONYM = "hashtag", "synonym"
ALIASES = {"tag": HASHTAG}
"""Alternative names of columns."""

TYPES = {
    HASHTAG: pa.dictionary(pa.int32(), pa.string()),
    SYNONYM: pa.dictionary(pa.int32(), pa.string()),
    "rank": pa.int64(),
    "distance": pa.float64(),
    "tweets": pa.int64(),
}
COLUMNS_WITHOUT_HEADER = (HASHTAG, SYNONYM, "distance")
EXPECTED = "give a header of hashtag,synonym,rank,distance, or rows of tag,synonym,distance"

LONGEST = 4 << 20
"""The maximum size of a row in bytes."""

BLOCK = 16 * LONGEST
"""How many bytes are parsed at once, in several threads."""

MAX_BLANK_LINES = 1_000
"""The maximum number of blank lines before the first row."""

INTEGER = re.compile(r"[+-]?\d{1,18}")


@dataclass(frozen=True)
class _Dialect:
    """The format of a text file: its delimiter, its columns (None: not used), and the number of lines before its rows."""

    delimiter: str
    columns: tuple[str | None, ...]
    skipped: int

    @property
    def unique_columns(self) -> list[str]:
        """The columns with unique names, as Arrow requires."""
        return [name or f"unused {index}" for index, name in enumerate(self.columns)]


def read_parquet_columns(path: Path) -> pa.Table:
    """Read the used columns of a Parquet file."""
    try:
        with pq.ParquetFile(path) as file:
            names = file.schema_arrow.names
        columns = _match_columns(path, names, "column names")
        used = [name for name, column in zip(names, columns, strict=True) if column]
        text = [name for name, column in zip(names, columns, strict=True) if column in (HASHTAG, SYNONYM)]
        with pq.ParquetFile(path, read_dictionary=text) as file:
            check_memory(file, path.stat().st_size, used)
            table = file.read(columns=used)
    except ParquetTooLarge as error:
        raise SourceRefused(f"{path} {error}") from None
    except (pa.ArrowException, OSError) as error:
        raise SourceDamaged(f"{path} is cut off or damaged ({first_line(error)}); get it again") from error
    table = table.rename_columns(list(map(_column_name, table.column_names)))
    return pa.table({name: _cast(path, name, table[name]) for name in table.column_names})


def _cast(path: Path, name: str, column: pa.ChunkedArray) -> pa.ChunkedArray:
    actual, expected = column.type, TYPES[name]
    if pa.types.is_dictionary(expected):
        value = actual.value_type if pa.types.is_dictionary(actual) else actual
        if pa.types.is_string(value) or pa.types.is_large_string(value):
            return column
        raise SourceInvalid(f"{path}: the column {name} has the type {actual} instead of text; {EXPECTED}")
    try:
        return column.cast(expected)
    except pa.ArrowException as error:
        kind = "a number" if name == "distance" else "an integer"
        row, cell = next((row, cell) for row, cell in enumerate(column, 1) if not _can_cast(cell, expected))
        raise SourceInvalid(f"{path}, row {row:,}: the {name} {quote_value(cell.as_py())} is not {kind}; write one") from error


def _can_cast(value: pa.Scalar, type: pa.DataType) -> bool:
    try:
        value.cast(type)
    except pa.ArrowException:
        return False
    return True


def read_text_columns(path: Path) -> pa.Table:
    """Read the used columns of a CSV or TSV file."""
    dialect = _detect_dialect(path)
    try:
        with open_decompressed(path) as stream:
            return pa.concat_tables(_parse_block(block, dialect, number) for number, block in enumerate(_split_blocks(stream)))
    except UnpackingError as error:
        raise SourceDamaged(f"{path} is {error}") from error
    except (pa.ArrowException, OSError) as error:
        _raise_first_error(path, dialect)
        raise SourceDamaged(f"{path} is cut off or damaged ({first_line(error)}); get it again") from error


def _split_blocks(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield a stream in blocks of whole lines, at least one block.

    Arrow could read the stream itself, but in a thread that it leaves behind after an error, and a thread that reads from
    Python while the interpreter exits makes the process abort or hang.
    """
    rest = b""
    while data := stream.read(BLOCK):
        rest += data
        end = rest.rfind(b"\n") + 1
        if not end and len(rest) > BLOCK:
            end = len(rest)  # Arrow refuses the long row
        if end:
            yield rest[:end]
            rest = b"\n" + rest[end:]  # a later block may not start with a byte order mark, which Arrow would remove
    yield rest


def _parse_block(block: bytes, dialect: _Dialect, number: int) -> pa.Table:
    used = [name for name in dialect.columns if name is not None]
    return pa_csv.read_csv(
        pa.BufferReader(block),
        pa_csv.ReadOptions(column_names=dialect.unique_columns, skip_rows=0 if number else dialect.skipped, block_size=LONGEST),
        pa_csv.ParseOptions(delimiter=dialect.delimiter, quote_char='"' if dialect.delimiter == "," else False),
        pa_csv.ConvertOptions(
            include_columns=used,
            column_types={name: TYPES[name] for name in used},
            null_values=[""],
            strings_can_be_null=True,
        ),
    )


def _detect_dialect(path: Path) -> _Dialect:
    """Detect the format of a text file by its first row."""
    skipped, first = 0, ""
    with translate_errors(path):
        for first in _lines(path):
            if first.strip() or skipped == MAX_BLANK_LINES:
                break
            skipped += 1
    if not first.strip():
        raise SourceInvalid(f"{path} is empty; {EXPECTED}")
    delimiter = "\t" if "\t" in first else ","
    try:
        cells = next(csv.reader([first], delimiter=delimiter, strict=True), [])
    except csv.Error as error:
        raise SourceInvalid(
            f"{path}, line {skipped + 1}: {quote_value(first.strip())} cannot be parsed ({error}); {EXPECTED}"
        ) from None
    if len(cells) == len(COLUMNS_WITHOUT_HEADER) and _is_number(cells[2]):
        return _Dialect(delimiter, COLUMNS_WITHOUT_HEADER, skipped)
    return _Dialect(delimiter, tuple(_match_columns(path, cells, f"line {skipped + 1}:")), skipped + 1)


def _lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file; overlong ones in parts."""
    try:
        with open_decompressed(path) as file:
            for number, line in enumerate(iter(partial(file.readline, LONGEST), b""), 1):
                yield _decode_line(path, number, line)
    except UnpackingError as error:
        raise SourceDamaged(f"{path} is {error}") from error


def _decode_line(path: Path, number: int, line: bytes) -> str:
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise SourceDamaged(
            f"{path}, line {number:,}: {quote_value(line)} is not UTF-8 ({error.reason}); save the file as UTF-8"
        ) from None


def _match_columns(path: Path, names: Sequence[str], where: str) -> list[str | None]:
    """Return the standard name of each column in a header; None for columns that are not used."""
    columns = [name if name in TYPES else None for name in map(_column_name, names)]
    for name in (HASHTAG, SYNONYM):
        if name not in columns:
            raise SourceInvalid(f"{path}, {where} {quote_value(','.join(names))} has no column {name}; {EXPECTED}")
    duplicate = next((name for name in TYPES if columns.count(name) > 1), None)
    if duplicate is not None:
        raise SourceInvalid(f"{path}, {where} {quote_value(','.join(names))} has the column {duplicate} twice; {EXPECTED}")
    return columns


def _column_name(name: str) -> str:
    folded = name.strip().lower()
    return ALIASES.get(folded, folded)


def _raise_first_error(path: Path, dialect: _Dialect) -> None:
    """Raise an error for the first row that cannot be parsed, if there is one."""
    with translate_errors(path):
        for number, line in enumerate(_lines(path), start=1):
            if number <= dialect.skipped or not line.strip("\r\n"):
                continue
            if error := _find_error(line, dialect):
                raise SourceDamaged(f"{path}, line {number:,}: {error}")


def _find_error(line: str, dialect: _Dialect) -> str | None:
    """Return the problem of a row and its fix; None if it can be parsed."""
    if len(line.encode()) >= LONGEST:
        return f"the row is longer than {LONGEST:,} bytes; check the origin of the file"
    lines = io.StringIO(line, newline="")
    try:
        if dialect.delimiter == ",":
            row = next(csv.reader(lines, strict=True))
        else:
            row = next(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    except csv.Error as error:
        return f"{quote_value(line.strip())} cannot be parsed ({error}); close its quotes"
    if len(row) != len(dialect.columns):
        return f"{quote_value(line.strip())} has {len(row)} columns instead of {len(dialect.columns)}; add or remove some"
    for name, cell in zip(dialect.columns, row, strict=True):
        if name in ("rank", "tweets") and cell and not INTEGER.fullmatch(cell.strip()):
            return f"the {name} {quote_value(cell)} is not an integer; write one"
        if name == "distance" and cell and not _is_number(cell):
            return f"the distance {quote_value(cell)} is not a number; write one from 0 to 2"
    return None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text
