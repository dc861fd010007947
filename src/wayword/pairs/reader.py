"""Read files of pairs, csv, tsv or jsonl, one row at a time.

A line that cannot be parsed (invalid UTF-8 or JSON, an unclosed quote) is an error with the file, the line and the value. A row
without a pair of phrases is returned together with its problem, and the caller decides.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, BinaryIO, NamedTuple

from ..core.atomic_files import FileError
from ..core.errors import Hint, hint
from ..core.messages import quote_value
from .phrase_columns import SCORE, ColumnOptions, find_columns, first_duplicate, fold_name, phrase_names

Pair = tuple[str, str]

FORMATS = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
"""The format of a file by the ending of its name."""

LONGEST = 4 * 1024 * 1024
"""Characters of the longest row, so that a file without line breaks does not fill the memory."""


class Row(NamedTuple):
    """A row: its first line, its pair, its cells or JSON value, and the problem if it has no pair."""

    line: int
    pair: Pair | None
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


def read_error(name: str, error: Exception) -> FileError:
    """Return the error for a file that cannot be opened or read."""
    reason = getattr(error, "strerror", None) or error
    return FileError(f"{name}: cannot be read ({reason}); name a csv, tsv or jsonl file, or - for stdin")


def read_table(stream: BinaryIO, name: str, options: ColumnOptions | None = None) -> Table:
    """Read a file of pairs; its format is that of the ending of its name, or is detected in its first line."""
    options = options or ColumnOptions()
    lines = _read_lines(stream, name)
    first = next(lines, "")
    lines = chain([first] if first else [], lines)
    format = _detect_format(name, first)
    if format != "jsonl":
        return _read_separated(lines, name, format, options)
    if options.header:
        raise FileError(f"{name}: rows of JSON have no header", hint("omit", option="header"))
    numbers = tuple(int(column) - 1 for column in options.columns or () if column.isdecimal())
    return Table(format, None, _json_rows(lines, name, options.columns), numbers if len(numbers) == 2 else (0, 1))


def _read_lines(stream: BinaryIO, name: str) -> Iterator[str]:
    number = 1
    try:
        for number, line in enumerate(iter(lambda: stream.readline(LONGEST + 1), b""), start=1):
            if len(line) > LONGEST:
                raise line_error(name, number, f"the line is longer than {LONGEST:,} bytes; write one pair a line")
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        problem = f"{quote_value(error.object)} is not UTF-8 ({error.reason}); save the file as UTF-8"
        raise line_error(name, number, problem) from None
    except OSError as error:
        raise read_error(name, error) from None


def _detect_format(name: str, first: str) -> str:
    for ending, format in FORMATS.items():
        if name.lower().endswith(ending):
            return format
    if first.lstrip()[:1] in ("{", "["):
        return "jsonl"
    return "tsv" if "\t" in first else "csv"


def _read_separated(lines: Iterator[str], name: str, format: str, options: ColumnOptions) -> Table:
    rows = _split_cells(lines, name, format)
    line, first = next(rows, (1, []))
    has_header = options.header
    if has_header is None:  # a column that is given by its name needs one
        has_header = any(not column.isdecimal() for column in options.columns or ()) or phrase_names(first) is not None
    header = first if has_header and first else None
    if header is None:
        rows = chain([(line, first)] if first else [], rows)
    elif SCORE in map(fold_name, header):
        raise line_error(name, line, f"there is already a column {SCORE!r}; rename it")
    positions = find_columns(header, options.columns, f"{name}, line {line}") if first else (0, 1)
    return Table(format, header, (_make_row(*row, positions, format, header) for row in rows), positions)


def _split_cells(lines: Iterator[str], name: str, format: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, each with the line it begins on."""
    line, length = 1, 0

    def limit_rows() -> Iterator[str]:
        nonlocal length
        for part in lines:
            length += len(part)
            if length > LONGEST:
                raise line_error(name, line, f"the row is longer than {LONGEST:,} characters; check it for an unclosed quote")
            yield part

    dialect: dict[str, Any] = {"strict": True} if format == "csv" else {"delimiter": "\t", "quoting": csv.QUOTE_NONE}
    reader = csv.reader(limit_rows(), **dialect)
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


def _make_row(line: int, cells: list[str], positions: tuple[int, int], format: str, header: list[str] | None) -> Row:
    """Make a row of cells; if it is shorter than its header, it is padded, and if it is longer, it has a problem."""
    width = len(header) if header else len(cells)
    if len(cells) > width:
        advice = "name every column" + (", or quote cells that contain a comma" if format == "csv" else "")
        return Row(line, None, cells, f"{quote_value(cells)} has {len(cells)} columns and the header {width}; {advice}")
    padded = cells + [""] * (width - len(cells))
    if max(positions) < len(cells):
        return Row(line, (cells[positions[0]], cells[positions[1]]), padded)
    advice = f"write a substitute and a substitutee, separated by {'a tab' if format == 'tsv' else 'a comma'}"
    return Row(line, None, padded, f"{quote_value(cells)} has too few columns; {advice}")


def _json_rows(lines: Iterator[str], name: str, columns: tuple[str, str] | None) -> Iterator[Row]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        shown = quote_value(line.strip())
        try:
            content = json.loads(line, object_pairs_hook=_unique_fields)
        except (ValueError, RecursionError) as error:
            raise line_error(name, number, f"{shown} is not JSON ({error}); write one JSON value per line") from None
        if isinstance(content, dict) and SCORE in content:
            raise line_error(name, number, f"there is already a field {SCORE!r}; rename it")
        problem = f'{shown} is not a pair of phrases; write {{"substitute": "...", "substitutee": "..."}} or ["...", "..."]'
        if not isinstance(content, dict | list):
            raise line_error(name, number, problem)
        match _find_phrases(content, columns):
            case [str(substitute), str(substitutee)]:
                yield Row(number, (substitute, substitutee), content)
            case _:
                yield Row(number, None, content, problem)


def _unique_fields(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    if duplicate := first_duplicate([name for name, _ in fields]):
        raise ValueError(f"there are two fields {duplicate!r}; rename one")
    return dict(fields)


def _find_phrases(content: dict[str, Any] | list[Any], columns: tuple[str, str] | None) -> list[Any]:
    """Return the values of an object or an array that should be phrases."""
    if isinstance(content, dict):
        values = {fold_name(name): value for name, value in content.items()}
        names = columns or phrase_names(list(content)) or ()
        return [values[fold_name(name)] for name in names if fold_name(name) in values]
    numbers = [int(column) for column in columns or ("1", "2") if column.isdecimal()]
    return [content[number - 1] for number in numbers if number <= len(content)]
