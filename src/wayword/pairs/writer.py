"""Write the rows of a file of pairs with their scores, as csv, tsv, jsonl or parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from ..core.atomic_files import FileError
from ..core.errors import hint
from ..core.messages import first_line, quote_value
from ..core.standard_output import format_json
from ..rendering.tables import make_csv_writer
from .phrase_columns import PHRASE_COLUMNS, first_duplicate
from .reader import Row, Table
from .source import line_error

if TYPE_CHECKING:
    import pyarrow as pa

UNKNOWN = "unknown"
"""The field of JSON rows that lists their unknown phrases."""

ROW_GROUP = 65_536
"""Rows of a row group of parquet."""

Scores = Sequence[float | None]
"""The values of a row's added columns; None: no score."""

Writer = Callable[[Sequence[Row], Sequence[Scores], set[str]], None]
"""Writes rows with their scores, given the unknown phrases."""


def unknown_phrases(row: Row, unknown: set[str]) -> list[str]:
    """Return the phrases of a row that are unknown, each once."""
    return [phrase for phrase in dict.fromkeys(row.pair) if phrase in unknown] if row.pair and unknown else []


@contextmanager
def open_writer(
    table: Table, format: str, target: BinaryIO, name: str, columns: Sequence[str], *, lists_unknown: bool = True
) -> Iterator[Writer]:
    """Open a function that writes rows of ``table`` in a format; ``columns`` are the names of the columns that it adds.

    JSON rows also list their unknown phrases, unless ``lists_unknown`` is false. The file is complete when the block ends;
    ``target`` stays open.
    """
    if format == "parquet":
        yield from _parquet_writer(table, target, name, columns)
        return
    text = TextIOWrapper(target, encoding="utf-8", errors="surrogatepass", newline="", write_through=True)
    try:
        yield (
            _json_writer(table, text, name, columns, lists_unknown)
            if format == "jsonl"
            else _cell_writer(table, format, text, name, columns)
        )
        text.flush()
    finally:
        text.detach()


def _json_writer(table: Table, target: TextIO, name: str, columns: Sequence[str], lists_unknown: bool) -> Writer:
    separated = hint("choose", option="format", choices=["csv", "tsv", "parquet"])
    names = table.header or []
    column = UNKNOWN if lists_unknown and UNKNOWN in names else first_duplicate(names)
    if column is not None:
        raise FileError(f"{name}: the column {column!r} would occur twice in a JSON object; rename it", separated)

    def write(rows: Sequence[Row], scores: Sequence[Scores], unknown: set[str]) -> None:
        lines = []
        for row, values in zip(rows, scores, strict=True):
            content = row.content if table.format == "jsonl" else _name_cells(row.content, table)
            if lists_unknown and isinstance(content, dict) and UNKNOWN in content:
                raise line_error(name, row.line, f"there is already a field {UNKNOWN!r}; rename it", separated)
            added: dict[str, Any] = dict(zip(columns, values, strict=True))
            if lists_unknown:
                added[UNKNOWN] = unknown_phrases(row, unknown)
            scored = content | added if isinstance(content, dict) else [*content, *added.values()]
            lines.append(format_json(scored, default=_to_python) + "\n")
        target.write("".join(lines))

    return write


def _cell_writer(table: Table, format: str, target: TextIO, name: str, columns: Sequence[str]) -> Writer:
    """Write rows as csv or tsv; the header of JSON rows is that of the first row, whose fields every row must have."""
    write_rows: Callable[[Iterable[Sequence[Any]]], None]
    if format == table.format == "tsv":  # read without quoting, so no cell has a tab or a line break
        write_rows = csv.writer(target, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None, lineterminator="\n").writerows
    else:
        write_rows = make_csv_writer(target, "\t" if format == "tsv" else ",")
    header = table.header
    if header is not None:
        write_rows([[*header, *columns]])

    def write(rows: Sequence[Row], scores: Sequence[Scores], _unknown: set[str]) -> None:
        nonlocal header
        for row, values in zip(rows, scores, strict=True):
            cells = row.content
            if table.format == "jsonl":
                fields = _same_fields(row, header, table, name)
                if header is None:
                    header = list(fields)
                    write_rows([[*header, *columns]])
                cells = [cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False) for cell in fields.values()]
            elif table.format == "parquet":
                cells = map(_to_python, cells)
            write_rows([[*cells, *values]])

    return write


def _same_fields(row: Row, header: Sequence[str] | None, table: Table, name: str) -> dict[str, Any]:
    """Return the fields of a row by name; they must be those of the first row."""
    fields = row.content if isinstance(row.content, dict) else _name_cells(row.content, table)
    names = list(fields)
    if header is not None and names != header:
        problem = f"the fields {quote_value(names)} differ from those of the first row, {quote_value(header)}"
        raise line_error(name, row.line, problem, hint("set", option="format", what="jsonl"))
    return fields


def _parquet_writer(table: Table, target: BinaryIO, name: str, columns: Sequence[str]) -> Iterator[Writer]:
    """Write rows as parquet with the types of their input: those of parquet, those of the first JSON rows, otherwise texts."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema: pa.Schema = table.schema or (pa.schema([(name, pa.string()) for name in table.header]) if table.header else None)
    names = schema and schema.names
    if names and first_duplicate(names):
        raise FileError(f"{name}: the column {first_duplicate(names)!r} occurs twice; rename it")
    waiting: list[tuple[Row, Scores]] = []
    writer: pq.ParquetWriter = None

    def flush() -> None:
        nonlocal schema, names, writer
        records = []
        for row, _ in waiting:
            records.append(_same_fields(row, names, table, name))
            names = list(records[0])
        try:
            group = pa.Table.from_pylist(records, schema)
        except (pa.ArrowException, TypeError) as error:
            problem = f"the types of the rows from here on differ ({first_line(error)})"
            raise line_error(name, waiting[0][0].line, problem, hint("set", option="format", what="jsonl")) from None
        schema = group.schema
        for index, column in enumerate(columns):
            group = group.append_column(column, pa.array([values[index] for _, values in waiting], pa.float64()))
        writer = writer or pq.ParquetWriter(target, group.schema)
        writer.write_table(group)
        waiting.clear()

    def write(rows: Sequence[Row], scores: Sequence[Scores], _unknown: set[str]) -> None:
        waiting.extend(zip(rows, scores, strict=True))
        if len(waiting) >= ROW_GROUP:
            flush()

    try:
        yield write
        flush()
    finally:
        if writer is not None:
            writer.close()


def _to_python(value: Any) -> Any:
    """Return an Arrow scalar as a value of Python, or as text if Python or JSON has no such value."""
    try:
        return value.as_py()
    except AttributeError:
        return str(value)
    except ValueError:
        return value.cast("string").as_py()


def _name_cells(cells: Sequence[Any], table: Table) -> dict[str, Any]:
    """Name cells by the header; without one, the phrases are substitute and substitutee, and other cells column1 and so on."""
    if table.header is None:
        phrases = dict(zip(table.positions, PHRASE_COLUMNS[0], strict=True))
        return {phrases.get(position, f"column{position + 1}"): cell for position, cell in enumerate(cells)}
    names = list(table.header)
    for position in range(len(names), len(cells)):  # a skipped row may be longer than the header
        name = f"column{position + 1}"
        while name in names:
            name += "_"
        names.append(name)
    return dict(zip(names, cells, strict=True))
