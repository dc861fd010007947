"""Parse a MediaWiki SQL dump: the INSERT statements of one table, as mysqldump and mariadb-dump write them.

The rows of a statement are turned into lines, which Arrow reads as CSV with quotes and escapes. Rows that Arrow rejects are
parsed one by one with a regular expression. At most a few megabytes of a dump are in memory at once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path

import pyarrow as pa
from pyarrow import csv

from ...archives import read_beginning, translate_errors
from ...errors import SourceInvalid, SourceRefused
from ..dump.streams import Unpacker, detect_compression

MAX_LINE = 64 << 20
"""Bytes of the longest line; mysqldump with the settings of Wikimedia writes at most 16 MB."""

MAX_OTHER_LINES = 1_000_000
"""Highest number of lines without rows; a dump of one table has about fifty."""

SCAN_BUDGET = 8
"""How many times, on average, a byte may be scanned for malformed rows."""

BATCH = 1 << 20
"""Bytes of short lines that are parsed together."""

MAX_DIGITS = 19
ROW_SEPARATOR = b"),("
SQL_DAMAGED = "damaged_sql_stream"
UNREADABLE_ROW = "unreadable_sql_row"

_VALUE = rb"[^'(),]*+(?:'[^'\\]*+(?:(?:\\.|'')[^'\\]*+)*+')?+"
_ROW_START = re.compile(rb"\(" + _VALUE + rb"(?:," + _VALUE + rb")*+", re.DOTALL)
_COLUMN = re.compile(rb"\s*`(\w+)`\s")
_CREATE = re.compile(rb"\s*CREATE TABLE (?:IF NOT EXISTS )?`?(\w+)`?", re.IGNORECASE)
_INSERT = re.compile(rb"INSERT (?:IGNORE )?INTO `?(\w+)`?\s*(?:\(([^)]*)\))?\s*VALUES\s*", re.IGNORECASE)
_ESCAPE = re.compile(rb"\\(.)|''", re.DOTALL)
_ESCAPES = {b"0": b"\0", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"Z": b"\x1a"}

ColumnTypes = Mapping[str, pa.DataType]
"""Columns by name: ``int64`` or ``binary``."""


class Table:
    """The dump of one table. ``columns`` are those of its CREATE TABLE, in order; ``left_out`` counts unreadable rows."""

    def __init__(self, path: Path, name: str, left_out: Counter[str]) -> None:
        self.path = path
        self.name = name
        self._left_out = left_out
        self.columns = self._read_columns()

    def batches(self, types: ColumnTypes) -> Iterator[pa.RecordBatch]:
        """Yield the values of these columns. Line breaks and NULs in texts may be lost."""
        parsers: dict[tuple[str, ...], Callable[[bytes], tuple[pa.RecordBatch, int]]] = {}
        for columns, statement in self._statements():
            if columns not in parsers:
                missing = [name for name in types if name not in columns]
                if missing:
                    raise SourceInvalid(
                        f"{self.path} has no column {missing[0]} in its table {self.name}; download a newer dump"
                    )
                parsers[columns] = make_row_parser(columns, types)
            batch, bad = parsers[columns](statement)
            if bad:
                self._left_out[UNREADABLE_ROW] += bad
            if batch.num_rows:
                yield batch

    def _statements(self) -> Iterator[tuple[tuple[str, ...], bytes]]:
        """Yield the names of the columns and the unparsed rows of INSERT statements, several rows at a time."""
        columns, lines, size, is_inside = self.columns, list[bytes](), 0, False
        for line in self._lines(self._left_out):
            start = _INSERT.match(line)
            if start is not None:
                if lines:
                    yield columns, b"\n".join(lines)
                lines, size, is_inside = [], 0, start[1] == self.name.encode()
                names = (start[2] or b"").decode(errors="replace").split(",")
                columns = tuple(part.strip("` ") for part in names) if start[2] else self.columns
                line = line[start.end() :]
            if is_inside and (line.startswith(b"(") if start is None else line):
                lines.append(line)
                size += len(line)
                is_inside = not line.endswith(b";")
            elif start is None:
                is_inside = False
            if size >= BATCH:
                yield columns, b"\n".join(lines)
                lines, size = [], 0
        if lines:
            yield columns, b"\n".join(lines)

    def _read_columns(self) -> tuple[str, ...]:
        columns: list[str] | None = None
        for line in self._lines(Counter()):
            if columns is None:
                created = _CREATE.match(line)
                columns = [] if created and created[1] == self.name.encode() else None
            elif column := _COLUMN.match(line):
                columns.append(column[1].decode())
            elif columns:
                break
            if _INSERT.match(line):
                break
        if not columns:
            raise SourceInvalid(f"{self.path} is not an SQL dump of the table {self.name}; download it again")
        return tuple(columns)

    def _lines(self, left_out: Counter[str]) -> Iterator[bytes]:
        rest, other_lines = bytearray(), 0
        with translate_errors(self.path):
            unpacker = Unpacker(self.path, detect_compression(read_beginning(self.path)))
            for step in unpacker:
                last_break = step.rfind(b"\n")
                rest += step if last_break < 0 else step[:last_break]
                if last_break >= 0:
                    for line in bytes(rest).split(b"\n"):
                        other_lines += not (line.startswith(b"(") or _INSERT.match(line))
                        yield line
                    if other_lines > MAX_OTHER_LINES:
                        raise SourceRefused(
                            f"{self.path} has more than {MAX_OTHER_LINES:,} lines without rows; check where it is from"
                        )
                    rest = bytearray(step[last_break + 1 :])
                elif len(rest) > MAX_LINE:
                    raise SourceRefused(f"{self.path} has a line of more than {MAX_LINE >> 20} MB; download it again")
        if faults := unpacker.faults + unpacker.faults_after_end:
            left_out[SQL_DAMAGED] += faults
        yield bytes(rest)


def make_row_parser(columns: Sequence[str], types: ColumnTypes) -> Callable[[bytes], tuple[pa.RecordBatch, int]]:
    r"""Return a parser of ``(1,'a'),(2,'b');`` for a table with these columns; it returns the rows and the number of bad ones.

    >>> read = make_row_parser(["id", "title"], {"id": pa.int64(), "title": pa.binary()})
    >>> read(rb"(1,'It\'s'),(2,'x),(y');")[0].to_pylist()
    [{'id': 1, 'title': b"It's"}, {'id': 2, 'title': b'x),(y'}]
    """
    schema = pa.schema(list(types.items()))
    parse = csv.ParseOptions(
        quote_char="'", escape_char="\\", double_quote=True, newlines_in_values=True, ignore_empty_lines=False
    )
    convert = csv.ConvertOptions(
        column_types=dict(types),
        include_columns=list(types),
        null_values=["NULL"],
        check_utf8=False,
        strings_can_be_null=False,
    )
    exact = _make_exact_parser(columns, schema)

    def read(rows: bytes) -> tuple[pa.RecordBatch, int]:
        body = rows.strip().rstrip(b";,")
        if b"0x" not in body and b"_binary" not in body and body.startswith(b"(") and body.endswith(b")"):
            lines = body[1:-1].replace(b"),\n(", b"\n").replace(ROW_SEPARATOR, b"\n")
            options = csv.ReadOptions(use_threads=False, block_size=len(lines) + 1, column_names=list(columns))
            try:
                table = csv.read_csv(pa.BufferReader(lines), options, parse, convert).combine_chunks()
            except pa.ArrowInvalid:
                return exact(rows)
            batches = table.to_batches()
            return (_restore_separators(batches[0]) if batches else schema.empty_table().to_batches()[0]), 0
        return exact(rows)

    return read


def _restore_separators(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Restore ``),(`` in texts, where it was mistaken for the end of a row."""
    import pyarrow.compute as pc

    for number, field in enumerate(batch.schema):
        if field.type == pa.binary() and pc.any(pc.match_substring(batch[number], "\n")).as_py():
            restored = pc.replace_substring(batch[number], "\n", ROW_SEPARATOR.decode())
            batch = batch.set_column(number, field, restored)
    return batch


def _make_exact_parser(columns: Sequence[str], schema: pa.Schema) -> Callable[[bytes], tuple[pa.RecordBatch, int]]:
    """Return a slow parser that skips malformed rows and resumes after them.

    A malformed row may be scanned to its end once for each bracket in it. To keep the time linear, scanning stops once its
    budget is spent, and the remaining bytes count as one bad row.
    """
    values = [b"(" + _VALUE + b")" if name in schema.names else _VALUE for name in columns]
    row = re.compile(rb"\(" + b",".join(values) + rb"\)\s*+(?:[,;]\s*+|\Z)", re.DOTALL)
    groups = [name for name in columns if name in schema.names]
    order = [groups.index(name) + 1 for name in schema.names]
    pick = itemgetter(*order) if len(order) > 1 else lambda match: (match[order[0]],)

    def read(rows: bytes) -> tuple[pa.RecordBatch, int]:
        records: list[tuple[bytes, ...]] = []
        lost, at, budget = 0, 0, SCAN_BUDGET * len(rows)
        while at < len(rows):
            match = row.match(rows, at)
            if match is not None:
                records.append(pick(match))
                at = match.end()
                continue
            lost += 1
            budget -= _scanned_length(rows, at)
            closing = rows.find(b")", at) if rows.startswith(b"(", at) else at
            following = rows.find(b"(", max(closing, at + 1))
            if budget < 0 or min(closing, following) < 0:
                break
            at = following
        arrays = [
            pa.array(
                [(_parse_number if field.type == pa.int64() else decode_value)(values[number]) for values in records],
                field.type,
            )
            for number, field in enumerate(schema)
        ]
        return pa.record_batch(arrays, schema=schema), lost

    return read


def _scanned_length(rows: bytes, at: int) -> int:
    """Return how many bytes were scanned for a malformed row: up to the bad value, or to the end if a quote is never closed."""
    match = _ROW_START.match(rows, at)
    end = at + 1 if match is None else match.end()
    return (len(rows) if rows.startswith(b"'", end) else end) - at


def _parse_number(value: bytes) -> int | None:
    plain = decode_value(value) or b""
    return int(plain) if len(plain) < MAX_DIGITS and plain.removeprefix(b"-").isdigit() else None


def decode_value(value: bytes) -> bytes | None:
    r"""Decode an SQL value; None for NULL.

    >>> decode_value(b"'It\\'s'"), decode_value(b"NULL"), decode_value(b"12"), decode_value(b"0x4142")
    (b"It's", None, b'12', b'AB')
    """
    value = value.removeprefix(b"_binary").strip()
    if value.startswith(b"'"):
        return _ESCAPE.sub(_unescape, value[1:-1])
    if re.fullmatch(rb"0x(?:[0-9A-Fa-f]{2})+", value):
        return bytes.fromhex(value[2:].decode())
    return None if value == b"NULL" else value


def _unescape(escape: re.Match[bytes]) -> bytes:
    letter = escape[1]
    return b"'" if letter is None else _ESCAPES.get(letter, letter)
