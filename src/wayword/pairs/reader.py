"""Read files of pairs, csv, tsv, jsonl or parquet, one row at a time.

A line that cannot be parsed (wrong encoding, invalid JSON, an unclosed quote) is an error with the file, line and value. A row
without a pair of phrases is returned together with its problem, and the caller decides.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core.atomic_files import FileError
from ..core.errors import hint
from ..core.messages import first_line, quote_value
from .options import FileOptions
from .phrase_columns import Layout, UnknownPhrases, find_layout, first_duplicate, fold_name, phrase_names
from .source import LONGEST, Source, detect_encoding, line_error, plain_suffix, read_lines

if TYPE_CHECKING:
    from _csv import Reader as Parser

    import pyarrow as pa
    import pyarrow.parquet as pq

Pair = tuple[str, str]

FORMATS = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
"""The format of a file by the ending of its name."""

SAMPLE_ROWS = 100
"""Rows from which delimiter, header and columns are detected."""

PARQUET_ROWS = 4_096
"""Rows of parquet in memory at a time."""

FULL_SAMPLE = 4_096
"""Bytes of a sample from which on its last line may be cut off."""

_DELIMITERS = (",", ";", "\t", "|")
_DELIMITER_LINE = re.compile(r'("?)sep=([^"\r\n])\1\s*', re.IGNORECASE)
"""The first line by which a csv file tells Excel its delimiter."""


class Row(NamedTuple):
    """A row: its first line (in parquet its number), its pair, its cells or JSON value, and the problem if it has no pair."""

    line: int
    pair: Pair | None
    content: Any
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a file, its format, its header if any, and the positions of the two phrases."""

    format: str
    header: list[str] | None
    rows: Iterator[Row]
    positions: tuple[int, int] = (0, 1)
    schema: Any = None
    """The Arrow schema of parquet."""

    @property
    def columns(self) -> tuple[str, str]:
        """The names of the phrases' columns, or their numbers from 1."""
        first, second = (repr(self.header[index]) if self.header else str(index + 1) for index in self.positions)
        return first, second


def read_table(source: Source, options: FileOptions, unknown: UnknownPhrases) -> Table:
    """Read a file of pairs.

    Args:
        source: The open file; its format is that of the ending of its name, or is detected in its beginning.
        options: What the user says about the file; the rest is detected.
        unknown: Returns the phrases that are unknown, by which a header and the columns of phrases may be recognised.
    """
    sample = source.sample
    format = "parquet" if sample.startswith(b"PAR1") else FORMATS.get(plain_suffix(source.name))
    if format == "parquet":
        return _read_parquet(source, options, unknown)
    encoding = options.encoding or detect_encoding(sample)
    beginning = sample.decode(encoding, "ignore").splitlines(keepends=True)
    first = beginning[0] if beginning else ""
    named = _DELIMITER_LINE.fullmatch(first) if format in (None, "csv") else None
    if named is not None:
        format = "csv"
        del beginning[0]
    elif format is None:
        format = "jsonl" if first.lstrip()[:1] in ("{", "[") else "tsv" if "\t" in first else "csv"
    lines = read_lines(source, encoding)
    if format == "jsonl":
        if options.header:
            raise FileError(f"{source.name}: rows of JSON have no header", hint("omit", option="header"))
        numbers = tuple(int(column) - 1 for column in options.columns or () if column.isdecimal())
        rows = _json_rows(lines, source.name, options)
        return Table(format, None, rows, numbers if len(numbers) == 2 else (0, 1))
    if len(sample) >= FULL_SAMPLE and not beginning[-1].endswith("\n"):
        del beginning[-1]  # it may be cut off
    delimiter = "\t" if format == "tsv" else options.delimiter
    skipped = 0
    if named is not None:
        delimiter = delimiter or named[2]
        skipped = 1
        next(lines)
    delimiter = delimiter or _detect_delimiter(beginning, source.name)
    layout = find_layout(_parse_sample(beginning, format, delimiter), options, unknown, f"{source.name}, line {skipped + 1}")
    _check_names(layout.header or (), "column", options, f"{source.name}, line {skipped + 1}")
    rows = _separated_rows(lines, source.name, format, delimiter, layout, skipped)
    return Table(format, layout.header, rows, layout.positions)


def _check_names(names: Iterable[str], kind: str, options: FileOptions, where: str) -> None:
    """Raise if a column or field that is added exists already."""
    existing = set(map(fold_name, names)) if kind == "column" else set(names)
    taken = next((name for name in options.added_columns if name in existing), None)
    if taken is not None:
        advice = [] if options.matcher_columns else [hint("set", option="score_column", what="another one")]
        raise FileError(f"{where}: there is already a {kind} {taken!r}{'; rename it' * (not advice)}", *advice)


def _make_parser(lines: Iterator[str], format: str, delimiter: str, *, strict: bool = True) -> Parser:
    if format == "tsv":
        return csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    return csv.reader(lines, delimiter=delimiter, strict=strict)


def _parse_sample(lines: Sequence[str], format: str, delimiter: str) -> list[list[str]]:
    try:
        return list(islice(filter(None, _make_parser(iter(lines), format, delimiter, strict=False)), SAMPLE_ROWS))
    except csv.Error:  # the reader of all rows reports it
        return []


def _detect_delimiter(lines: Sequence[str], name: str) -> str:
    """Return the delimiter by which every row of a sample has the same number of cells, or a comma."""
    fitting: list[str] = []
    for delimiter in _DELIMITERS:
        rows = _parse_sample(lines, "csv", delimiter)
        if rows and phrase_names(rows[0]) is not None:
            return delimiter
        if rows and len({len(row) for row in rows}) == 1 and len(rows[0]) > 1:
            fitting.append(delimiter)
    if len(fitting) > 1:
        shown = " or ".join(map(repr, fitting))
        problem = f"{name}: it is not certain whether {shown} separates the columns"
        raise FileError(problem, hint("set", option="delimiter", what="it"))
    return fitting[0] if fitting else ","


def _separated_rows(
    lines: Iterator[str], name: str, format: str, delimiter: str, layout: Layout, skipped: int
) -> Iterator[Row]:
    rows = _split_cells(lines, name, format, delimiter, skipped)
    if layout.header is not None:
        next(rows, None)
    for line, cells in rows:
        yield _make_row(line, cells, format, delimiter, layout)


def _split_cells(lines: Iterator[str], name: str, format: str, delimiter: str, skipped: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, each with the line it begins on; ``skipped`` lines come before them."""
    line, length = skipped + 1, 0

    def limit_rows() -> Iterator[str]:
        nonlocal length
        for part in lines:
            length += len(part)
            if length > LONGEST:
                raise line_error(name, line, f"the row is longer than {LONGEST:,} characters; check it for an unclosed quote")
            yield part

    reader = _make_parser(limit_rows(), format, delimiter)
    try:
        for row in reader:
            if row:
                yield line, row
            line, length = skipped + reader.line_num + 1, 0
    except csv.Error as error:
        problem = f"{error}; quote a cell that contains quotes or line breaks, and double its quotes"
        if "field limit" in str(error):
            problem = f"a cell is longer than {csv.field_size_limit():,} characters; shorten it, or close its quote"
        raise line_error(name, line, problem) from None


def _make_row(line: int, cells: list[str], format: str, delimiter: str, layout: Layout) -> Row:
    """Make a row of cells; if it is shorter than its header, it is padded, and if it is longer, it has a problem."""
    width = len(layout.header) if layout.header else len(cells)
    if len(cells) > width:
        advice = "name every column" + (f", or quote cells that contain {delimiter!r}" if format == "csv" else "")
        return Row(line, None, cells, f"{quote_value(cells)} has {len(cells)} columns and the header {width}; {advice}")
    padded = cells + [""] * (width - len(cells))
    first, second = layout.positions
    if max(first, second) < len(cells):
        return Row(line, (cells[first], cells[second]), padded)
    separator = {",": "a comma", "\t": "a tab"}.get(delimiter, repr(delimiter))
    advice = f"write a substitute and a substitutee, separated by {separator}"
    return Row(line, None, padded, f"{quote_value(cells)} has too few columns; {advice}")


def _json_rows(lines: Iterator[str], name: str, options: FileOptions) -> Iterator[Row]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        shown = quote_value(line.strip())
        try:
            content = json.loads(line, object_pairs_hook=_unique_fields)
        except (ValueError, RecursionError) as error:
            raise line_error(name, number, f"{shown} is not JSON ({error}); write one JSON value per line") from None
        if isinstance(content, dict):
            _check_names(content, "field", options, f"{name}, line {number}")
        problem = f'{shown} is not a pair of phrases; write {{"substitute": "...", "substitutee": "..."}} or ["...", "..."]'
        if not isinstance(content, dict | list):
            raise line_error(name, number, problem)
        match _find_phrases(content, options.columns):
            case [str(substitute), str(substitutee)]:
                yield Row(number, (substitute, substitutee), content)
            case _:
                yield Row(number, None, content, problem)


def _unique_fields(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(fields)
    if len(content) < len(fields):
        raise ValueError(f"there are two fields {first_duplicate([name for name, _ in fields])!r}")
    return content


def _find_phrases(content: dict[str, Any] | list[Any], columns: tuple[str, str] | None) -> list[Any]:
    """Return the values of an object or an array that should be phrases."""
    if isinstance(content, dict):
        values = {fold_name(name): value for name, value in content.items()}
        names = columns or phrase_names(list(content)) or ()
        return [values[fold_name(name)] for name in names if fold_name(name) in values]
    numbers = [int(column) for column in columns or ("1", "2") if column.isdecimal()]
    return [content[number - 1] for number in numbers if number <= len(content)]


def _read_parquet(source: Source, options: FileOptions, unknown: UnknownPhrases) -> Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    if options.header is False:
        raise FileError(f"{source.name}: parquet names its columns", hint("omit", option="header"))
    try:
        file = pq.ParquetFile(source.raw)
        sample = next(file.iter_batches(SAMPLE_ROWS), None)
    except (pa.ArrowException, OSError) as error:
        raise _damaged(source, error) from None
    names: list[str] = file.schema_arrow.names
    _check_names(names, "column", options, source.name)
    # Only texts can be phrases, so all other types may count as numbers.
    columns = [list(map(str, column.to_pylist())) if _is_text(column.type) else ["0"] * len(column) for column in sample or ()]
    rows = [names, *map(list, zip(*columns, strict=True))]
    layout = find_layout(rows, replace(options, header=True), unknown, source.name)
    return Table("parquet", names, _parquet_rows(file, source, layout), layout.positions, file.schema_arrow)


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _parquet_rows(file: pq.ParquetFile, source: Source, layout: Layout) -> Iterator[Row]:
    """Yield rows whose content is Arrow scalars, so that values of any type are written as they are read."""
    import pyarrow as pa

    number = 0
    try:
        for batch in file.iter_batches(PARQUET_ROWS):
            phrases = zip(*(batch.column(position).to_pylist() for position in layout.positions), strict=True)
            for pair, *content in zip(phrases, *batch.columns, strict=True):
                number += 1
                match pair:
                    case (str(substitute), str(substitutee)):
                        yield Row(number, (substitute, substitutee), content)
                    case _:
                        yield Row(number, None, content, f"{quote_value(pair)} is not a pair of phrases; write two texts")
    except (pa.ArrowException, OSError) as error:
        raise _damaged(source, error) from None


def _damaged(source: Source, error: Exception) -> FileError:
    return FileError(f"{source.name}: is not a readable parquet file ({first_line(error)}); write it again")
