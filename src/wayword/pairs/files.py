"""Files of pairs: csv, tsv or jsonl in, the same rows with a score out, one row at a time.

What is no row at all (no UTF-8, no JSON, a quote that never ends) is refused with the file, the line and the value. A row that
holds no pair comes without one, with what is wrong with it; nothing is guessed and nothing is left out.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, TextIO

from ..core.atomic_files import FileError
from ..core.messages import quote_value
from ..rendering.tables import make_csv_writer
from .columns import KNOWN, SCORE, UNKNOWN, Wanted, doubled, folded, is_header, places

KINDS = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
"""What the ending of a file's name says about it."""

LONGEST = 4 * 1024 * 1024
"""What a row may take; no file is read that has no end to its first line."""


class Row(NamedTuple):
    """A row of the file: where it is, its pair, all of it, and, where it has no pair, why not."""

    line: int
    pair: tuple[str, str] | None
    whole: Any
    problem: str = ""

    def without_pair(self, problem: str) -> Row:
        """The row as one whose phrases cannot be looked up."""
        return self._replace(pair=None, problem=problem)


@dataclass(frozen=True, slots=True)
class Table:
    """A file of pairs: ``kind`` is csv, tsv or jsonl, ``header`` its names if it has any, ``places`` where the phrases are."""

    kind: str
    header: list[str] | None
    rows: Iterator[Row]
    places: tuple[int, int] = (0, 1)


def refuse(name: str, line: int, problem: str) -> FileError:
    """The error for a line of a file."""
    return FileError(f"{name}, line {line}: {problem}")


def read_table(lines: Iterable[bytes], name: str, wanted: Wanted | None = None) -> Table:
    """The pairs of a file; what kind it is its name says, or else its first line."""
    wanted = wanted or Wanted()
    text = _decoded(lines, name)
    first = next(text, "")
    kind = _kind(name, first)
    text = chain([first] if first else [], text)
    if kind != "jsonl":
        return _separated(text, name, kind, wanted)
    if wanted.header:
        raise FileError(f"{name}: rows of JSON have no header; leave out --header")
    return Table(kind, None, _json_rows(text, name, wanted.columns), _numbered(wanted.columns))


def _decoded(lines: Iterable[bytes], name: str) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise refuse(name, number, f"{quote_value(line)} is not UTF-8 ({error.reason}); save the file as UTF-8") from None


def _kind(name: str, first: str) -> str:
    for ending, kind in KINDS.items():
        if name.lower().endswith(ending):
            return kind
    if first.lstrip()[:1] in ("{", "["):
        return "jsonl"
    return "tsv" if "\t" in first else "csv"


def _separated(text: Iterator[str], name: str, kind: str, wanted: Wanted) -> Table:
    cells = _cells(text, name, kind)
    first = next(cells, None)
    if first is None:
        return Table(kind, None, iter(()))
    line, header = first[0], first[1] if is_header(first[1], wanted) else None
    if header is None:
        cells = chain([first], cells)
    elif SCORE in map(folded, header):
        raise refuse(name, line, f"there is a column {SCORE!r} already; rename it, or give --no-header if this is no header")
    columns = places(header, wanted, f"{name}, line {line}")
    return Table(kind, header, _separated_rows(cells, columns, kind, len(header) if header else None), columns)


def _cells(text: Iterator[str], name: str, kind: str) -> Iterator[tuple[int, list[str]]]:
    """Each row that is not blank, with the line it begins on."""
    line, held = 1, 0

    def bounded() -> Iterator[str]:
        nonlocal held
        for each in text:
            held += len(each)
            if held > LONGEST:
                raise refuse(name, line, f"the row is longer than {LONGEST:,} characters; a quote may be left open in it")
            yield each

    lines = bounded()
    reader = csv.reader(lines, strict=True) if kind == "csv" else csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    try:
        for row in reader:
            if row:
                yield line, row
            line, held = reader.line_num + 1, 0
    except csv.Error as error:
        raise refuse(name, line, _mended(error)) from None


def _mended(error: csv.Error) -> str:
    """What is wrong with a row that cannot be parted, and what to do."""
    if "field limit" in str(error):
        return f"a field is longer than {csv.field_size_limit():,} characters; shorten it, or close the quote that begins it"
    return f"{error}; quote a text with quotes or line breaks in it, and double its quotes"


def _separated_rows(
    cells: Iterator[tuple[int, list[str]]], columns: tuple[int, int], kind: str, named: int | None
) -> Iterator[Row]:
    """The rows; where a header has named so many columns none has more, and those with fewer are filled up."""
    first, second = columns
    parted = "a tab" if kind == "tsv" else "a comma"
    for line, row in cells:
        whole = row if named is None or len(row) >= named else row + [""] * (named - len(row))
        if named is not None and len(row) > named:
            advice = "name every column, or quote a text with a comma in it" if kind == "csv" else "name every column"
            yield Row(line, None, row, f"{quote_value(row)} has {len(row)} columns and the header names {named}; {advice}")
        elif max(first, second) < len(row):
            yield Row(line, (row[first], row[second]), whole)
        else:
            problem = f"{quote_value(row)} has too few columns; give a substitute and a substitutee, parted by {parted}"
            yield Row(line, None, whole, problem)


def _json_rows(text: Iterator[str], name: str, columns: tuple[str, str] | None) -> Iterator[Row]:
    for number, line in enumerate(text, start=1):
        if not line.strip():
            continue
        try:
            whole = json.loads(line, object_pairs_hook=_fields_once)
        except _Doubled as error:
            raise refuse(name, number, f"there are two fields {error.args[0]!r}; rename one") from None
        except (ValueError, RecursionError) as error:
            raise refuse(name, number, f"{quote_value(line.strip())} is not JSON ({error})") from None
        if isinstance(whole, dict) and SCORE in whole:
            raise refuse(name, number, f"there is a field {SCORE!r} already; rename it")
        pair = _json_pair(whole, columns)
        if len(pair) == 2 and isinstance(pair[0], str) and isinstance(pair[1], str):
            yield Row(number, (pair[0], pair[1]), whole)
            continue
        advice = 'write {"substitute": "...", "substitutee": "..."} or ["...", "..."]'
        problem = f"{quote_value(line.strip())} is no pair of phrases; {advice}"
        if not isinstance(whole, dict | list):
            raise refuse(name, number, problem)
        yield Row(number, None, whole, problem)


class _Doubled(Exception):
    """Two fields of an object have one name."""


def _fields_once(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    whole = dict(fields)
    if len(whole) < len(fields):
        raise _Doubled(doubled([name for name, _ in fields]))
    return whole


def _numbered(columns: tuple[str, str] | None) -> tuple[int, int]:
    """The places of the phrases in an array."""
    if columns is None or not all(column.isdecimal() for column in columns):
        return 0, 1
    return int(columns[0]) - 1, int(columns[1]) - 1


def _json_pair(whole: Any, columns: tuple[str, str] | None) -> list[Any]:
    """The two phrases of an object or an array, or what else stands in their places."""
    if isinstance(whole, list):
        numbers = [int(column) - 1 for column in columns or ("1", "2") if column.isdecimal()]
        return [whole[number] for number in numbers if number < len(whole)]
    if not isinstance(whole, dict):
        return []
    if columns is None and all(name in whole for name in KNOWN[0]):
        return [whole[name] for name in KNOWN[0]]
    fields = {folded(name): value for name, value in whole.items()}
    for names in KNOWN if columns is None else [tuple(map(folded, columns))]:
        if all(name in fields for name in names):
            return [fields[name] for name in names]
    return []


Writer = Callable[[Sequence[Row], Sequence[float | None], set[str]], None]
"""Writes rows with their scores (None: none is to be had), and is told which phrases nothing is known of."""


def unknown_of(row: Row, unknown: set[str]) -> list[str]:
    """The phrases of a row that nothing is known of, each once."""
    return [phrase for phrase in dict.fromkeys(row.pair) if phrase in unknown] if row.pair and unknown else []


def write_table(table: Table, form: str, target: TextIO, name: str) -> Writer:
    """A function that writes rows with their scores as csv, tsv or jsonl; a header is written at once."""
    if form == "jsonl":
        return _json_writer(table, target, name)
    write_rows = _writer(table, form, target)
    if table.kind == "jsonl":
        return _flat_writer(table, write_rows, name)
    if table.header is not None:
        write_rows([[*table.header, SCORE]])

    def write(rows: Sequence[Row], scores: Sequence[float | None], _unknown: set[str]) -> None:
        write_rows([*row.whole, score] for row, score in zip(rows, scores, strict=True))

    return write


def _writer(table: Table, form: str, target: TextIO) -> Callable[[Iterable[Sequence[Any]]], None]:
    if form == table.kind == "tsv":
        # Read without quoting, so no cell has a tab or a line break in it.
        return csv.writer(target, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None, lineterminator="\n").writerows
    return make_csv_writer(target, "\t" if form == "tsv" else ",")


def _json_writer(table: Table, target: TextIO, name: str) -> Writer:
    names = table.header or []
    if (column := doubled(names) if UNKNOWN not in names else UNKNOWN) is not None:
        raise FileError(f"{name}: the column {column!r} cannot be a field of its own; rename it, or write --format csv")

    def write(rows: Sequence[Row], scores: Sequence[float | None], unknown: set[str]) -> None:
        for row, score in zip(rows, scores, strict=True):
            whole = row.whole if table.kind == "jsonl" else _fields(row.whole, table)
            if UNKNOWN in whole and isinstance(whole, dict):
                raise refuse(name, row.line, f"there is a field {UNKNOWN!r} already; rename it, or write --format csv")
            found = {SCORE: score, UNKNOWN: unknown_of(row, unknown)}
            scored = {**whole, **found} if isinstance(whole, dict) else [*whole, *found.values()]
            target.write(json.dumps(scored, ensure_ascii=False) + "\n")

    return write


def _fields(cells: Sequence[Any], table: Table) -> dict[str, Any]:
    """The cells under their names; those that no header names are called by what they are, or by their number."""
    if table.header is None:
        ours = dict(zip(table.places, KNOWN[0], strict=True))
        return {ours.get(place, f"column{place + 1}"): cell for place, cell in enumerate(cells)}
    names = list(table.header)
    for place in range(len(names), len(cells)):  # in a row that is skipped; nothing of it is lost
        name = f"column{place + 1}"
        while name in names:
            name += "_"
        names.append(name)
    return dict(zip(names, cells, strict=True))


def _flat_writer(table: Table, write_rows: Callable[[Iterable[Sequence[Any]]], None], name: str) -> Writer:
    """JSON rows as CSV: the fields of the first are the header, and every row must have the same."""
    header: list[str] | None = None

    def write(rows: Sequence[Row], scores: Sequence[float | None], _unknown: set[str]) -> None:
        nonlocal header
        for row, score in zip(rows, scores, strict=True):
            fields: Mapping[str, Any] = row.whole if isinstance(row.whole, dict) else _fields(row.whole, table)
            if header is None:
                header = list(fields)
                write_rows([[*header, SCORE]])
            if list(fields) != header:
                problem = f"the fields {quote_value(list(fields))} are not those of the first row, {quote_value(header)}"
                raise refuse(name, row.line, f"{problem}; write --format jsonl")
            write_rows([[*(_flat(value) for value in fields.values()), score]])

    return write


def _flat(value: Any) -> Any:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
