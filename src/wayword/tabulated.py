"""Files of pairs: csv, tsv or jsonl in, the same rows with a score out, one row at a time.

A row that cannot be read is refused with the file, the line and the value; nothing is guessed and nothing is left out.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, TextIO

from .graph.files import FileError
from .search.rendering.tables import csv_rows

NAMES = ("substitute", "substitutee")
_SHOWN = 60


class Row(NamedTuple):
    """A row of the file: where it is, its pair, and all of it."""

    line: int
    pair: tuple[str, str]
    whole: Any


@dataclass(frozen=True, slots=True)
class Table:
    """A file of pairs: ``kind`` is csv, tsv or jsonl, ``header`` its names if it has any."""

    kind: str
    header: list[str] | None
    rows: Iterator[Row]


def refuse(name: str, line: int, problem: str) -> FileError:
    """The error for a line of a file."""
    return FileError(f"{name}, line {line}: {problem}")


def read_table(lines: Iterable[bytes], name: str) -> Table:
    """The pairs of a file; what kind it is its name says, or else its first line."""
    text = _decoded(lines, name)
    first = next(text, "")
    kind = _kind(name, first)
    text = chain([first] if first else [], text)
    if kind == "jsonl":
        return Table(kind, None, _json_rows(text, name))
    return _separated(text, name, kind)


def _decoded(lines: Iterable[bytes], name: str) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise refuse(name, number, f"{_show(line)} is not UTF-8 ({error.reason}); save the file as UTF-8") from None


def _kind(name: str, first: str) -> str:
    for ending, kind in ((".csv", "csv"), (".tsv", "tsv"), (".tab", "tsv"), (".jsonl", "jsonl"), (".ndjson", "jsonl")):
        if name.lower().endswith(ending):
            return kind
    if first.lstrip()[:1] in ("{", "["):
        return "jsonl"
    return "tsv" if "\t" in first else "csv"


def _separated(text: Iterator[str], name: str, kind: str) -> Table:
    reader = csv.reader(text, strict=True) if kind == "csv" else csv.reader(text, delimiter="\t", quoting=csv.QUOTE_NONE)
    cells = _cells(reader, name)
    first = next(cells, None)
    header, places = None, (0, 1)
    if first is not None:
        folded = [cell.strip().lower() for cell in first[1]]
        if all(column in folded for column in NAMES):
            header, places = first[1], (folded.index(NAMES[0]), folded.index(NAMES[1]))
        else:
            cells = chain([first], cells)
    return Table(kind, header, _separated_rows(cells, name, places))


def _cells(reader: Any, name: str) -> Iterator[tuple[int, list[str]]]:
    """Each row that is not blank, with the line it begins on."""
    line = 1
    try:
        for row in reader:
            if row:
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise refuse(name, line, f"{error}; quote a text with quotes or line breaks in it, and double its quotes") from None


def _separated_rows(cells: Iterator[tuple[int, list[str]]], name: str, places: tuple[int, int]) -> Iterator[Row]:
    first, second = places
    for line, row in cells:
        try:
            yield Row(line, (row[first], row[second]), row)
        except IndexError:
            raise refuse(name, line, f"{_show(row)} has too few columns; give a substitute and a substitutee") from None


def _json_rows(text: Iterator[str], name: str) -> Iterator[Row]:
    for number, line in enumerate(text, start=1):
        if not line.strip():
            continue
        try:
            whole = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise refuse(name, number, f"{_show(line.strip())} is not JSON ({error})") from None
        pair = _json_pair(whole)
        if not all(isinstance(phrase, str) for phrase in pair) or len(pair) != 2:
            advice = 'write {"substitute": "...", "substitutee": "..."} or ["...", "..."]'
            raise refuse(name, number, f"{_show(line.strip())} is no pair of phrases; {advice}")
        if isinstance(whole, dict) and "score" in whole:
            raise refuse(name, number, "there is a score already; rename that field")
        yield Row(number, (pair[0], pair[1]), whole)


def _json_pair(whole: Any) -> list[Any]:
    if isinstance(whole, dict):
        return [whole.get(name) for name in NAMES]
    return whole[:2] if isinstance(whole, list) else []


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


Writer = Callable[[Sequence[Row], Sequence[float]], None]


def write_table(table: Table, form: str, target: TextIO, name: str) -> Writer:
    """A function that writes rows with their scores as csv, tsv or jsonl; a header is written at once."""
    if form == "jsonl":
        return _json_writer(table, target)
    write_rows = _writer(table, form, target)
    if table.kind == "jsonl":
        return _flat_writer(write_rows, name)
    if table.header is not None:
        write_rows([[*table.header, "score"]])

    def write(rows: Sequence[Row], scores: Sequence[float]) -> None:
        write_rows([*row.whole, score] for row, score in zip(rows, scores, strict=True))

    return write


def _writer(table: Table, form: str, target: TextIO) -> Callable[[Iterable[Sequence[Any]]], None]:
    if form == table.kind == "tsv":
        # Read without quoting, so no cell has a tab or a line break in it.
        return csv.writer(target, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None, lineterminator="\n").writerows
    return csv_rows(target, "\t" if form == "tsv" else ",")


def _json_writer(table: Table, target: TextIO) -> Writer:
    names = table.header

    def write(rows: Sequence[Row], scores: Sequence[float]) -> None:
        for row, score in zip(rows, scores, strict=True):
            whole = row.whole
            if table.kind != "jsonl":
                whole = dict(zip(names or _names(len(whole)), whole, strict=False))
            scored = {**whole, "score": score} if isinstance(whole, dict) else [*whole, score]
            target.write(json.dumps(scored, ensure_ascii=False) + "\n")

    return write


def _names(count: int) -> list[str]:
    return [*NAMES, *(f"column{number}" for number in range(3, count + 1))]


def _flat_writer(write_rows: Callable[[Iterable[Sequence[Any]]], None], name: str) -> Writer:
    """JSON rows as CSV: the fields of the first are the header, and every row must have the same."""
    header: list[str] | None = None

    def write(rows: Sequence[Row], scores: Sequence[float]) -> None:
        nonlocal header
        for row, score in zip(rows, scores, strict=True):
            fields = dict(row.whole if isinstance(row.whole, dict) else zip(_names(len(row.whole)), row.whole, strict=True))
            if header is None:
                header = list(fields)
                write_rows([[*header, "score"]])
            if list(fields) != header:
                problem = f"the fields {_show(list(fields))} are not those of the first row, {_show(header)}"
                raise refuse(name, row.line, f"{problem}; write --format jsonl")
            write_rows([[*(_flat(value) for value in fields.values()), score]])

    return write


def _flat(value: Any) -> Any:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
