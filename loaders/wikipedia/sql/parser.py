"""Rows out of a MediaWiki SQL dump: the INSERT statements of one table, as mysqldump and mariadb-dump write them.

The rows of a statement are turned into lines and read as CSV with quotes and escapes, by Arrow. What that cannot read is read
by a regular expression that tells good rows from bad. No more than a few megabytes of a dump are held at once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import BytesIO
from operator import itemgetter
from pathlib import Path

import pyarrow as pa
from pyarrow import csv

from ...archives import read_beginning, translate_errors
from ...errors import SourceInvalid, SourceRefused
from ..dump.streams import Unpacker, detect_compression

LARGEST_LINE = 64 << 20
"""Bytes of the longest line; mysqldump makes none of more than 16 MB as it is used for wikis."""

MOST_IDLE = 1_000_000
"""The most lines that have nothing to do with rows; a dump of one table has some fifty."""

IN_VAIN = 8
"""How many times the bytes of some rows may be looked at for rows that are none."""

BATCH = 1 << 20
"""Bytes of short lines that are read at once."""

LONGEST_NUMBER = 19
BETWEEN = b"),("
SQL_DAMAGED = "damaged_sql_stream"
UNREADABLE = "unreadable_sql_row"

_VALUE = rb"[^'(),]*+(?:'[^'\\]*+(?:(?:\\.|'')[^'\\]*+)*+')?+"
_BEGUN = re.compile(rb"\(" + _VALUE + rb"(?:," + _VALUE + rb")*+", re.DOTALL)
_COLUMN = re.compile(rb"\s*`(\w+)`\s")
_CREATE = re.compile(rb"\s*CREATE TABLE (?:IF NOT EXISTS )?`?(\w+)`?", re.IGNORECASE)
_INSERT = re.compile(rb"INSERT (?:IGNORE )?INTO `?(\w+)`?\s*(?:\(([^)]*)\))?\s*VALUES\s*", re.IGNORECASE)
_ESCAPE = re.compile(rb"\\(.)|''", re.DOTALL)
_ESCAPES = {b"0": b"\0", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"Z": b"\x1a"}

Wanted = Mapping[str, pa.DataType]
"""Columns by name: ``int64`` or ``binary``."""


class Table:
    """One table's dump: ``columns`` are those of its CREATE TABLE, in order; ``left_out`` counts what could not be read."""

    def __init__(self, path: Path, name: str, left_out: Counter[str]) -> None:
        self.path = path
        self.name = name
        self._left_out = left_out
        self.columns = self._read_columns()

    def batches(self, wanted: Wanted) -> Iterator[pa.RecordBatch]:
        """The values of these columns, many rows at once. A text with a line break or a NUL in it may have lost it."""
        readers: dict[tuple[str, ...], Callable[[bytes], tuple[pa.RecordBatch, int]]] = {}
        for columns, statement in self._statements():
            if columns not in readers:
                lacking = [name for name in wanted if name not in columns]
                if lacking:
                    raise SourceInvalid(
                        f"{self.path} has no column {lacking[0]} in its table {self.name}; get a newer dump of it"
                    )
                readers[columns] = make_row_parser(columns, wanted)
            batch, lost = readers[columns](statement)
            if lost:
                self._left_out[UNREADABLE] += lost
            if batch.num_rows:
                yield batch

    def _statements(self) -> Iterator[tuple[tuple[str, ...], bytes]]:
        """The rows of INSERT statements as they are written, some at a time, with the names of their columns."""
        columns, held, size, inside = self.columns, list[bytes](), 0, False
        for line in self._lines(self._left_out):
            start = _INSERT.match(line)
            if start is not None:
                if held:
                    yield columns, b"\n".join(held)
                held, size, inside = [], 0, start[1] == self.name.encode()
                named = (start[2] or b"").decode(errors="replace").split(",")
                columns = tuple(part.strip("` ") for part in named) if start[2] else self.columns
                line = line[start.end() :]
            if inside and (line.startswith(b"(") if start is None else line):
                held.append(line)
                size += len(line)
                inside = not line.endswith(b";")
            elif start is None:
                inside = False
            if size >= BATCH:
                yield columns, b"\n".join(held)
                held, size = [], 0
        if held:
            yield columns, b"\n".join(held)

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
            raise SourceInvalid(f"{self.path} is no SQL dump of the table {self.name}; get it again")
        return tuple(columns)

    def _lines(self, left_out: Counter[str]) -> Iterator[bytes]:
        rest, idle = bytearray(), 0
        with translate_errors(self.path):
            unpacker = Unpacker(self.path, detect_compression(read_beginning(self.path)))
            for step in unpacker:
                border = step.rfind(b"\n")
                rest += step if border < 0 else step[:border]
                if border >= 0:
                    for line in bytes(rest).split(b"\n"):
                        idle += not (line.startswith(b"(") or _INSERT.match(line))
                        yield line
                    if idle > MOST_IDLE:
                        raise SourceRefused(
                            f"{self.path} has more than {MOST_IDLE:,} lines that are no rows; check where it is from"
                        )
                    rest = bytearray(step[border + 1 :])
                elif len(rest) > LARGEST_LINE:
                    raise SourceRefused(f"{self.path} has a line of more than {LARGEST_LINE >> 20} MB; get it again")
        if faults := unpacker.faults + unpacker.behind:
            left_out[SQL_DAMAGED] += faults
        yield bytes(rest)


def make_row_parser(columns: Sequence[str], wanted: Wanted) -> Callable[[bytes], tuple[pa.RecordBatch, int]]:
    r"""What reads ``(1,'a'),(2,'b');`` for a table with these columns: the rows, and how many could not be read.

    >>> read = make_row_parser(["id", "title"], {"id": pa.int64(), "title": pa.binary()})
    >>> read(rb"(1,'It\'s'),(2,'x),(y');")[0].to_pylist()
    [{'id': 1, 'title': b"It's"}, {'id': 2, 'title': b'x),(y'}]
    """
    schema = pa.schema(list(wanted.items()))
    parse = csv.ParseOptions(
        quote_char="'", escape_char="\\", double_quote=True, newlines_in_values=True, ignore_empty_lines=False
    )
    convert = csv.ConvertOptions(
        column_types=dict(wanted),
        include_columns=list(wanted),
        null_values=["NULL"],
        check_utf8=False,
        strings_can_be_null=False,
    )
    exact = _exact(columns, schema)

    def read(rows: bytes) -> tuple[pa.RecordBatch, int]:
        body = rows.strip().rstrip(b";,")
        if b"0x" not in body and b"_binary" not in body and body.startswith(b"(") and body.endswith(b")"):
            lines = body[1:-1].replace(b"),\n(", b"\n").replace(BETWEEN, b"\n")
            options = csv.ReadOptions(use_threads=False, block_size=len(lines) + 1, column_names=list(columns))
            try:
                found = csv.read_csv(BytesIO(lines), options, parse, convert).combine_chunks()
            except pa.ArrowInvalid:
                return exact(rows)
            batches = found.to_batches()
            return (_whole(batches[0]) if batches else schema.empty_table().to_batches()[0]), 0
        return exact(rows)

    return read


def _whole(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The rows with what stood between rows put back where it was part of a text."""
    import pyarrow.compute as pc

    for number, field in enumerate(batch.schema):
        if field.type == pa.binary() and pc.any(pc.match_substring(batch[number], "\n")).as_py():
            mended = pc.replace_substring(batch[number], "\n", BETWEEN.decode())
            batch = batch.set_column(number, field, mended)
    return batch


def _exact(columns: Sequence[str], schema: pa.Schema) -> Callable[[bytes], tuple[pa.RecordBatch, int]]:
    """A reader that takes a row only if it is one, and goes on after one that is none; slow.

    What is none can be looked at to its end for each bracket in it. So there is a bound to that, and what lies beyond counts as
    one row more.
    """
    values = [b"(" + _VALUE + b")" if name in schema.names else _VALUE for name in columns]
    row = re.compile(rb"\(" + b",".join(values) + rb"\)\s*+(?:[,;]\s*+|\Z)", re.DOTALL)
    groups = [name for name in columns if name in schema.names]
    order = [groups.index(name) + 1 for name in schema.names]
    pick = itemgetter(*order) if len(order) > 1 else lambda found: (found[order[0]],)

    def read(rows: bytes) -> tuple[pa.RecordBatch, int]:
        found: list[tuple[bytes, ...]] = []
        lost, at, left = 0, 0, IN_VAIN * len(rows)
        while at < len(rows):
            match = row.match(rows, at)
            if match is not None:
                found.append(pick(match))
                at = match.end()
                continue
            lost += 1
            left -= _looked_at(rows, at)
            behind = rows.find(b")", at) if rows.startswith(b"(", at) else at
            following = rows.find(b"(", max(behind, at + 1))
            if left < 0 or min(behind, following) < 0:
                break
            at = following
        arrays = [
            pa.array([(_number if field.type == pa.int64() else text)(values[number]) for values in found], field.type)
            for number, field in enumerate(schema)
        ]
        return pa.record_batch(arrays, schema=schema), lost

    return read


def _looked_at(rows: bytes, at: int) -> int:
    """How many bytes were looked at for a row that is none: up to what is no value, or to the end for a quote never closed."""
    match = _BEGUN.match(rows, at)
    end = at + 1 if match is None else match.end()
    return (len(rows) if rows.startswith(b"'", end) else end) - at


def _number(value: bytes) -> int | None:
    plain = text(value) or b""
    return int(plain) if len(plain) < LONGEST_NUMBER and plain.removeprefix(b"-").isdigit() else None


def text(value: bytes) -> bytes | None:
    r"""A value as it is meant; None for NULL.

    >>> text(b"'It\\'s'"), text(b"NULL"), text(b"12"), text(b"0x4142")
    (b"It's", None, b'12', b'AB')
    """
    value = value.removeprefix(b"_binary").strip()
    if value.startswith(b"'"):
        return _ESCAPE.sub(_meant, value[1:-1])
    if re.fullmatch(rb"0x(?:[0-9A-Fa-f]{2})+", value):
        return bytes.fromhex(value[2:].decode())
    return None if value == b"NULL" else value


def _meant(escape: re.Match[bytes]) -> bytes:
    letter = escape[1]
    return b"'" if letter is None else _ESCAPES.get(letter, letter)
