"""Read files of pairs, csv, tsv or jsonl, one row at a time.

A line that cannot be parsed (invalid UTF-8 or JSON, an unclosed quote) is an error with the file, the line and the value. A row
without a pair of phrases is returned together with its problem, and the caller decides. The phrases are in the columns that the
user names, in those that a header names, or in the first two.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from ..core.atomic_files import FileError
from ..core.errors import Hint, hint
from ..core.messages import quote_value
from .phrase_columns import SCORE, ColumnOptions, find_columns, first_duplicate, fold_name, phrase_positions

FORMATS = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
"""The format of a file by the ending of its name."""

LONGEST = 4 * 1024 * 1024
"""Characters of the longest row, so that a file without line breaks does not fill the memory."""


class Row(NamedTuple):
    """A row: its first line, its pair, its cells or JSON value, and the problem if it has no pair."""

    line: int
    pair: tuple[str, str] | None
    content: Any
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a file, its format (csv, tsv or jsonl), its header if any, and the positions of the two phrases."""

    format: str
    header: list[str] | None
    rows: Iterator[Row]
    positions: tuple[int, int] = (0, 1)


def line_error(name: str, line: int, problem: str, *hints: Hint) -> FileError:
    """Return the error for a line of a file."""
    return FileError(f"{name}, line {line}: {problem}", *hints)


def read_table(lines: Iterable[bytes], name: str, options: ColumnOptions | None = None) -> Table:
    """Read a file of pairs; its format is that of the ending of its name, or is detected in its first line."""
    options = options or ColumnOptions()
    text = _decode(lines, name)
    first = next(text, "")
    text = chain([first] if first else [], text)
    format = _detect_format(name, first)
    if format != "jsonl":
        return _read_separated(text, name, format, options)
    if options.header:
        raise FileError(f"{name}: rows of JSON have no header", hint("omit", option="header"))
    numbers = [int(column) - 1 for column in options.columns or () if column.isdecimal()]
    positions = (numbers[0], numbers[1]) if len(numbers) == 2 else (0, 1)
    return Table(format, None, _json_rows(text, name, options.columns), positions)


def _decode(lines: Iterable[bytes], name: str) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            problem = f"{quote_value(line)} is not UTF-8 ({error.reason}); save the file as UTF-8"
            raise line_error(name, number, problem) from None


def _detect_format(name: str, first: str) -> str:
    for ending, format in FORMATS.items():
        if name.lower().endswith(ending):
            return format
    if first.lstrip()[:1] in ("{", "["):
        return "jsonl"
    return "tsv" if "\t" in first else "csv"


def _read_separated(text: Iterator[str], name: str, form: str, options: ColumnOptions) -> Table:
    cells = _split_cells(text, name, form)
    line, first = next(cells, (1, None))
    if first is None:
        return Table(form, None, iter(()))
    has_header = options.header
    if has_header is None:  # a column that is given by its name needs one
        named = any(not column.isdecimal() for column in options.columns or ())
        has_header = named or phrase_positions(first) is not None
    header = first if has_header else None
    if header is None:
        cells = chain([(line, first)], cells)
    elif SCORE in map(fold_name, header):
        raise line_error(name, line, f"there is already a column {SCORE!r}; rename it")
    positions = find_columns(header, options.columns, f"{name}, line {line}")
    return Table(form, header, _separated_rows(cells, positions, form, len(header) if header else None), positions)


def _split_cells(text: Iterator[str], name: str, form: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, each with the line it begins on."""
    line, length = 1, 0

    def limit_rows() -> Iterator[str]:
        nonlocal length
        for part in text:
            length += len(part)
            if length > LONGEST:
                raise line_error(name, line, f"the row is longer than {LONGEST:,} characters; check it for an unclosed quote")
            yield part

    limited = limit_rows()
    reader = csv.reader(limited, strict=True) if form == "csv" else csv.reader(limited, delimiter="\t", quoting=csv.QUOTE_NONE)
    try:
        for row in reader:
            if row:
                yield line, row
            line, length = reader.line_num + 1, 0
    except csv.Error as error:
        problem = f"{error}; quote a cell that contains quotes or line breaks, and double its quotes"
        if "field limit" in str(error):
            problem = f"a cell is longer than {csv.field_size_limit():,} characters; shorten it, or close its quote"
        raise line_error(name, line, problem) from None


def _separated_rows(
    rows: Iterator[tuple[int, list[str]]], positions: tuple[int, int], form: str, width: int | None
) -> Iterator[Row]:
    """Make rows of cells; under a header of some width shorter rows are padded, and longer rows have a problem."""
    first, second = positions
    separator = "a tab" if form == "tsv" else "a comma"
    for line, cells in rows:
        padded = cells + [""] * ((width or 0) - len(cells))
        if width is not None and len(cells) > width:
            advice = "name every column" + (", or quote cells that contain a comma" if form == "csv" else "")
            yield Row(line, None, cells, f"{quote_value(cells)} has {len(cells)} columns and the header {width}; {advice}")
        elif max(positions) < len(cells):
            yield Row(line, (cells[first], cells[second]), padded)
        else:
            problem = (
                f"{quote_value(cells)} has too few columns; write a substitute and a substitutee, separated by {separator}"
            )
            yield Row(line, None, padded, problem)


class _DuplicateField(Exception):
    """Two fields of a JSON object have the same name."""


def _unique_fields(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(fields)
    if len(content) < len(fields):
        raise _DuplicateField(first_duplicate([name for name, _ in fields]))
    return content


def _json_rows(text: Iterator[str], name: str, columns: tuple[str, str] | None) -> Iterator[Row]:
    for number, line in enumerate(text, start=1):
        if not line.strip():
            continue
        shown = quote_value(line.strip())
        try:
            content = json.loads(line, object_pairs_hook=_unique_fields)
        except _DuplicateField as error:
            raise line_error(name, number, f"there are two fields {error.args[0]!r}; rename one") from None
        except (ValueError, RecursionError) as error:
            raise line_error(name, number, f"{shown} is not JSON ({error}); write one JSON value per line") from None
        if isinstance(content, dict) and SCORE in content:
            raise line_error(name, number, f"there is already a field {SCORE!r}; rename it")
        problem = f'{shown} is not a pair of phrases; write {{"substitute": "...", "substitutee": "..."}} or ["...", "..."]'
        match _json_pair(content, columns):
            case [str(substitute), str(substitutee)]:
                yield Row(number, (substitute, substitutee), content)
            case _ if isinstance(content, dict | list):
                yield Row(number, None, content, problem)
            case _:
                raise line_error(name, number, problem)


def _json_pair(content: Any, columns: tuple[str, str] | None) -> list[Any]:
    """Return the values of an object or an array that should be phrases."""
    positions: Iterable[int] = ()
    if isinstance(content, list):
        positions = (int(column) - 1 for column in columns or ("1", "2") if column.isdecimal())
    elif isinstance(content, dict):
        names = [fold_name(name) for name in content]
        if columns is None:
            positions = phrase_positions(names) or ()
        else:
            positions = (names.index(fold_name(column)) for column in columns if fold_name(column) in names)
        content = list(content.values())
    return [content[position] for position in positions if position < len(content)]
