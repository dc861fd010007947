"""Write the rows of a file of pairs with their scores, as csv, tsv or jsonl."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TextIO

from ..core.atomic_files import FileError
from ..core.errors import hint
from ..core.messages import quote_value
from ..rendering.tables import make_csv_writer
from .phrase_columns import PHRASE_COLUMNS, SCORE, UNKNOWN, first_duplicate
from .reader import Row, Table, line_error

Writer = Callable[[Sequence[Row], Sequence[float | None], set[str]], None]
"""Writes rows with their scores (None: no score), given the unknown phrases."""


def unknown_phrases(row: Row, unknown: set[str]) -> list[str]:
    """Return the phrases of a row that are unknown, each once."""
    return [phrase for phrase in dict.fromkeys(row.pair) if phrase in unknown] if row.pair and unknown else []


def make_writer(table: Table, format: str, target: TextIO, name: str) -> Writer:
    """Return a function that writes rows of ``table`` in a format."""
    return _json_writer(table, target, name) if format == "jsonl" else _cell_writer(table, format, target, name)


def _json_writer(table: Table, target: TextIO, name: str) -> Writer:
    separated = hint("choose", option="format", choices=["csv", "tsv"])
    names = table.header or []
    column = UNKNOWN if UNKNOWN in names else first_duplicate(names)
    if column is not None:
        raise FileError(f"{name}: the column {column!r} would occur twice in a JSON object; rename it", separated)

    def write(rows: Sequence[Row], scores: Sequence[float | None], unknown: set[str]) -> None:
        for row, score in zip(rows, scores, strict=True):
            content = row.content if table.format == "jsonl" else _name_cells(row.content, table)
            if isinstance(content, dict) and UNKNOWN in content:
                raise line_error(name, row.line, f"there is already a field {UNKNOWN!r}; rename it", separated)
            added = {SCORE: score, UNKNOWN: unknown_phrases(row, unknown)}
            scored = content | added if isinstance(content, dict) else [*content, *added.values()]
            target.write(json.dumps(scored, ensure_ascii=False) + "\n")

    return write


def _cell_writer(table: Table, format: str, target: TextIO, name: str) -> Writer:
    """Write rows as csv or tsv; the header of JSON rows is that of the first row, whose fields every row must have."""
    write_rows: Callable[[Iterable[Sequence[Any]]], None]
    if format == table.format == "tsv":  # read without quoting, so no cell has a tab or a line break
        write_rows = csv.writer(target, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None, lineterminator="\n").writerows
    else:
        write_rows = make_csv_writer(target, "\t" if format == "tsv" else ",")
    header = table.header
    if header is not None:
        write_rows([[*header, SCORE]])

    def write(rows: Sequence[Row], scores: Sequence[float | None], _unknown: set[str]) -> None:
        nonlocal header
        for row, score in zip(rows, scores, strict=True):
            cells = row.content
            if table.format == "jsonl":
                fields = cells if isinstance(cells, dict) else _name_cells(cells, table)
                names = list(fields)
                if header is None:
                    header = names
                    write_rows([[*header, SCORE]])
                if names != header:
                    problem = f"the fields {quote_value(names)} differ from those of the first row, {quote_value(header)}"
                    raise line_error(name, row.line, problem, hint("set", option="format", what="jsonl"))
                cells = [cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False) for cell in fields.values()]
            write_rows([[*cells, score]])

    return write


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
