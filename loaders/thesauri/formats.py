"""The cells of a file of a thesaurus: which columns there are, and what they hold, as one table of arrow.

Where arrow cannot read a file, the file is gone through once more, row by row, to say which line and which value it is.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from ...core.messages import first_line, quote_value
from ..archives import translate_errors
from ..errors import SourceDamaged, SourceInvalid

HASHTAG, SYNONYM = "hashtag", "synonym"
CALLED = {"tag": HASHTAG}
"""Other names of columns."""

TYPES = {
    HASHTAG: pa.dictionary(pa.int32(), pa.string()),
    SYNONYM: pa.dictionary(pa.int32(), pa.string()),
    "rank": pa.int64(),
    "distance": pa.float64(),
    "tweets": pa.int64(),
}
UNHEADED = (HASHTAG, SYNONYM, "distance")
ASKED = "give a header of hashtag,synonym,rank,distance, or rows of tag,synonym,distance"

LONGEST = 4 << 20
"""Bytes of a row, at most."""

BLANK_LINES = 1_000
"""So many may stand before the first row."""

WHOLE = re.compile(r"[+-]?\d{1,18}")


@dataclass(frozen=True)
class _Form:
    """How a text file is parted: its columns by our names (None: not wanted), and how many lines stand before its rows."""

    mark: str
    columns: tuple[str | None, ...]
    skipped: int

    @property
    def arrows(self) -> list[str]:
        """The columns by names of which no two are the same."""
        return [name or f"{place} is not wanted" for place, name in enumerate(self.columns)]


def read_parquet_columns(path: Path) -> pa.Table:
    """The columns of a Parquet file that are wanted."""
    try:
        with pq.ParquetFile(path) as file:
            names = file.schema_arrow.names
        columns = _columns(path, names, "column names")
        taken = [name for name, ours in zip(names, columns, strict=True) if ours]
        coded = [name for name, ours in zip(names, columns, strict=True) if ours in (HASHTAG, SYNONYM)]
        with pq.ParquetFile(path, read_dictionary=coded) as file:
            table = file.read(columns=taken)
    except (pa.ArrowException, OSError) as error:
        raise SourceDamaged(f"{path} is cut off or damaged ({first_line(error)}); get it again") from error
    table = table.rename_columns([CALLED.get(_folded(name), _folded(name)) for name in table.column_names])
    return pa.table({name: _cast(path, name, table[name]) for name in table.column_names})


def _cast(path: Path, name: str, column: pa.ChunkedArray) -> pa.ChunkedArray:
    kind, wanted = column.type, TYPES[name]
    if pa.types.is_dictionary(wanted):
        value = kind.value_type if pa.types.is_dictionary(kind) else kind
        if pa.types.is_string(value) or pa.types.is_large_string(value):
            return column
        raise SourceInvalid(f"{path}: the column {name} holds {kind} and not text; {ASKED}")
    try:
        return column.cast(wanted)
    except pa.ArrowException as error:
        what = "number" if name == "distance" else "whole number"
        place, wrong = next((place, each) for place, each in enumerate(column, 1) if not _fits(each, wanted))
        raise SourceInvalid(
            f"{path}, row {place:,}: the {name} {quote_value(wrong.as_py())} is no {what}; write one"
        ) from error


def _fits(value: pa.Scalar, wanted: pa.DataType) -> bool:
    try:
        value.cast(wanted)
    except pa.ArrowException:
        return False
    return True


def read_columns(path: Path) -> pa.Table:
    """The columns of a CSV or TSV file that are wanted."""
    form = _form(path)
    wanted = [name for name in form.columns if name is not None]
    try:
        return pa_csv.read_csv(
            _stream(path),
            pa_csv.ReadOptions(column_names=form.arrows, skip_rows=form.skipped, block_size=LONGEST),
            pa_csv.ParseOptions(delimiter=form.mark, quote_char='"' if form.mark == "," else False),
            pa_csv.ConvertOptions(
                include_columns=wanted,
                column_types={name: TYPES[name] for name in wanted},
                null_values=[""],
                strings_can_be_null=True,
            ),
        )
    except (pa.ArrowException, OSError) as error:
        _refuse_first_fault(path, form)
        raise SourceDamaged(f"{path} is cut off or damaged ({first_line(error)}); get it again") from error


def _stream(path: Path) -> pa.NativeFile:
    """The bytes of a file, unpacked if they are packed."""
    stream = pa.OSFile(str(path), "rb")
    if not _packed(path):
        return stream
    return pa.CompressedInputStream(stream, "gzip")


def _packed(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == b"\x1f\x8b"


def _form(path: Path) -> _Form:
    """How a file is parted, as its first row shows."""
    skipped, first = 0, ""
    with translate_errors(path):
        for first in _lines(path):
            if first.strip() or skipped == BLANK_LINES:
                break
            skipped += 1
    if not first.strip():
        raise SourceInvalid(f"{path} is empty; {ASKED}")
    mark = "\t" if "\t" in first else ","
    try:
        cells = next(csv.reader([first], delimiter=mark, strict=True), [])
    except csv.Error as error:
        raise SourceInvalid(
            f"{path}, line {skipped + 1}: {quote_value(first.strip())} cannot be parted ({error}); {ASKED}"
        ) from None
    if len(cells) == len(UNHEADED) and _is_number(cells[2]):
        return _Form(mark, UNHEADED, skipped)
    return _Form(mark, tuple(_columns(path, cells, f"line {skipped + 1}:")), skipped + 1)


def _lines(path: Path) -> Iterator[str]:
    """The lines of a file, those that are too long in pieces."""
    with gzip.open(path) if _packed(path) else path.open("rb") as file:
        number = 0
        while line := file.readline(LONGEST):
            number += 1
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise SourceDamaged(
                    f"{path}, line {number:,}: {quote_value(line)} is not UTF-8 ({error.reason}); save the file as UTF-8"
                ) from None


def _columns(path: Path, names: Sequence[str], where: str) -> list[str | None]:
    """What each column of a header is, None if it is not wanted."""
    found = [CALLED.get(_folded(name), _folded(name)) for name in names]
    columns = [name if name in TYPES else None for name in found]
    for name in (HASHTAG, SYNONYM):
        if name not in columns:
            raise SourceInvalid(f"{path}, {where} {quote_value(','.join(names))} names no column {name}; {ASKED}")
    twice = next((name for name in TYPES if columns.count(name) > 1), None)
    if twice is not None:
        raise SourceInvalid(f"{path}, {where} {quote_value(','.join(names))} names the column {twice} twice; {ASKED}")
    return columns


def _folded(name: str) -> str:
    return name.strip().lower()


def _refuse_first_fault(path: Path, form: _Form) -> None:
    """Raise an error that names the first row that cannot be read."""
    with translate_errors(path):
        for number, line in enumerate(_lines(path), start=1):
            if number <= form.skipped or not line.strip("\r\n"):
                continue
            if wrong := _fault(line, form):
                raise SourceDamaged(f"{path}, line {number:,}: {wrong}")


def _fault(line: str, form: _Form) -> str | None:
    """What is wrong with a row."""
    if len(line.encode()) >= LONGEST:
        return f"the row is longer than {LONGEST:,} bytes; check where the file is from"
    lines = io.StringIO(line, newline="")
    try:
        row = next(
            csv.reader(lines, strict=True) if form.mark == "," else csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        )
    except csv.Error as error:
        return f"{quote_value(line.strip())} cannot be parted ({error}); a quote may be left open in it"
    if len(row) != len(form.columns):
        return (
            f"{quote_value(line.strip())} has {len(row)} columns and the first row has {len(form.columns)}; write one in each"
        )
    for name, cell in zip(form.columns, row, strict=True):
        if name in ("rank", "tweets") and cell and not WHOLE.fullmatch(cell.strip()):
            return f"the {name} {quote_value(cell)} is no whole number; write one"
        if name == "distance" and cell and not _is_number(cell):
            return f"the distance {quote_value(cell)} is no number; write one from 0 to 2"
    return None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text
