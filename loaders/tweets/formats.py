"""Detect the format of a file of tweets by its first lines, and read it: plain lines, ``id|date|text``, CSV, TSV or JSON."""

from __future__ import annotations

import csv
import json
import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from ...core.errors import hint
from ...core.messages import quote_value
from ..errors import SourceInvalid
from .json_stream import MALFORMED_JSON, read_values
from .text_lines import LONGEST_JSON, OpenedFile, TweetCounts, read_lines
from .twitter_json import ParsedTweet, parse_tweets

Entry = tuple[str, str | None, int | None]
"""A text, its id and its line."""

MALFORMED_LINE = "malformed_line"

TEXT_COLUMNS = ("full_text", "text", "tweet", "content", "tweet_text")
ID_COLUMNS = ("id", "id_str", "tweet_id", "tweetid", "status_id")
ANY_SEPARATOR = ",;\t"
SEPARATORS = {".csv": ANY_SEPARATOR, ".tsv": "\t", ".tab": "\t"}
JSON_LINES_SUFFIXES = (".jsonl", ".ndjson")

_PIPED = re.compile(r"(\d+)\|([^|]*)\|(.*)", re.DOTALL)
_COLUMN_NAME = re.compile(r"[\w -]{1,40}")


def detect_format(file: OpenedFile, column: str | None = None) -> str:
    """Return the key of a file's format in ``FORMATS``, or raise a ``SourceInvalid`` for a table without a column of texts.

    An unambiguous suffix (.jsonl, .csv, .tsv) decides; otherwise the first lines do. A first line that looks like JSON or a
    header may also be a tweet, so it must parse as what it looks like. A file that is not JSON must be a table if the
    ``column`` of the texts is named.
    """
    first, second = [*_first_lines(file, 2), "", ""][:2]
    suffix = _suffix(file.name)
    if suffix in JSON_LINES_SUFFIXES:
        return "json" if _is_cut_between_tokens(first) and not _is_json(second) else "json lines"
    if suffix not in SEPARATORS and (json_format := _detect_json(first, second, file)):
        return json_format
    separators = SEPARATORS.get(suffix, ANY_SEPARATOR)
    header = _find_header(first, separators, column)
    if header is None and (column is not None or suffix in SEPARATORS):
        missing = f"{', '.join(TEXT_COLUMNS[:-1])}; add a header if it has none" if column is None else quote_value(column)
        raise SourceInvalid(
            f"{file.name}, line 1: {quote_value(first)} has no column {missing}",
            hint("set", option="column", what="the column of the texts"),
        )
    if column is not None or suffix in SEPARATORS:
        return "table"
    if _PIPED.fullmatch(first):
        return "piped"
    return "table" if header and len(header[1]) > 1 and all(map(_COLUMN_NAME.fullmatch, header[1])) else "plain"


def _detect_json(first: str, second: str, file: OpenedFile) -> str | None:
    if first.startswith("["):
        return "json" if re.match(r'\[\s*(?:[\[{"\]]|$)', first) else None
    if first.startswith("{"):
        if not re.match(r'\{\s*(?:["}]|$)', first):
            return None
        is_line = _is_json(first) or (not _is_cut_between_tokens(first) and _is_json(second))
        return "json lines" if is_line else "json"
    # A first line in quotation marks may be a tweet, so every line of the sample must be a JSON string.
    has_strings = first.startswith('"') and all(isinstance(_parse(line), str) for line in _first_lines(file, 1_000))
    return "json lines" if has_strings else None


def _is_json(line: str) -> bool:
    return _parse(line) is not None


def _is_cut_between_tokens(line: str) -> bool:
    """Return whether a line is the beginning of a document that is laid out over several lines.

    >>> _is_cut_between_tokens('{"id": 1,'), _is_cut_between_tokens('{"text": "cut o'), _is_cut_between_tokens('{"id": 1}')
    (True, False, False)
    """
    try:
        json.loads(line)
    except json.JSONDecodeError as error:
        return error.pos >= len(line)
    except (ValueError, RecursionError):
        return False
    return False


def _first_lines(file: OpenedFile, count: int) -> list[str]:
    """Return the first non-empty lines. The last line of the sample may be truncated, so it is used only if it is alone."""
    lines = file.sample.replace(b"\r", b"\n").split(b"\n")
    complete = [line for line in lines[:-1] if line.strip()] or [line for line in lines if line.strip()]
    return [line.decode("utf-8", "replace").strip() for line in complete[:count]]


def _suffix(name: str) -> str:
    """Return the suffix of a file name without that of its compression."""
    plain = re.sub(r"\.(?:gz|bz2)$", "", name.lower())
    return f".{plain.rpartition('.')[2]}"


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _read_plain(file: OpenedFile, counts: TweetCounts, _column: str | None) -> Iterator[Entry]:
    for number, line in read_lines(file, counts):
        yield line, None, number


def _read_piped(file: OpenedFile, counts: TweetCounts, _column: str | None) -> Iterator[Entry]:
    for number, line in read_lines(file, counts):
        parts = _PIPED.fullmatch(line) or _PIPED.fullmatch(_unquote(line.strip()))
        if parts:
            yield parts[3], parts[1], number
        elif line.strip():
            counts.left_out[MALFORMED_LINE] += 1
        else:
            counts.without_text += 1


def _unquote(line: str) -> str:
    """Undo the quoting of a line by a spreadsheet."""
    return line[1:-1].replace('""', '"') if line.startswith('"') and line.endswith('"') else line


def _read_json_lines(file: OpenedFile, counts: TweetCounts, column: str | None) -> Iterator[Entry]:
    for number, line in read_lines(file, counts, LONGEST_JSON):
        if not line.strip():
            counts.without_text += 1
        elif (value := _parse(line)) is None:
            counts.left_out[MALFORMED_JSON] += 1
        else:
            for text, id in _count_missing_texts(parse_tweets(value, column), counts):
                yield text, id, number


def _read_json(file: OpenedFile, counts: TweetCounts, column: str | None) -> Iterator[Entry]:
    for value in read_values(file, counts, column):
        for text, id in _count_missing_texts(parse_tweets(value, column), counts):
            yield text, id, None


def _count_missing_texts(tweets: Iterator[ParsedTweet | None], counts: TweetCounts) -> Iterator[ParsedTweet]:
    for tweet in tweets:
        if tweet is None:
            counts.without_text += 1
        else:
            yield tweet


def _find_header(line: str, separators: str, column: str | None = None) -> tuple[str, list[str], int] | None:
    """Return the separator, the columns, and the position of the texts, of a first line that names a column of texts."""
    wanted = TEXT_COLUMNS if column is None else (_fold(column),)
    for separator in separators:
        names = [_fold(name) for name in _split_line(line, separator)]
        position = next((names.index(name) for name in wanted if name in names), None)
        if position is not None:
            return separator, names, position
    return None


def _fold(name: str) -> str:
    return name.strip().strip('"').lower()


def _read_table(file: OpenedFile, counts: TweetCounts, column: str | None) -> Iterator[Entry]:
    lines = _Lines(read_lines(file, counts))
    first = next((line for line in lines if line.strip()), "")
    header = _find_header(first, SEPARATORS.get(_suffix(file.name), ANY_SEPARATOR), column)
    if header is None:
        return
    separator, names, text = header
    id = next((names.index(name) for name in ID_COLUMNS if name in names and names.index(name) != text), None)
    for number, row in _split_rows(lines, separator, len(names)):
        if len(row) <= text:
            counts.without_text += 1
            continue
        yield row[text], (row[id] or None) if id is not None and id < len(row) else None, number


class _Lines:
    """Numbered lines for a ``csv.reader``; consumed lines can be put back."""

    def __init__(self, numbered: Iterator[tuple[int, str]]) -> None:
        self._numbered = numbered
        self._returned: deque[tuple[int, str]] = deque()
        self.consumed: list[tuple[int, str]] = []

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._returned.popleft() if self._returned else next(self._numbered)
        self.consumed.append(line)
        return line[1] + "\n"

    def put_back(self, lines: list[tuple[int, str]]) -> None:
        """Put lines back, so that they are read again."""
        self._returned.extendleft(reversed(lines))


def _split_rows(lines: _Lines, separator: str, width: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a table, each with the number of its first line.

    A quote at the start of a field may be part of the text. If reading it as a delimiter fails, or yields a row of several
    lines with the wrong number of fields, the first line is parsed alone and the other lines are read again.
    """
    reader = csv.reader(lines, delimiter=separator, strict=True)
    while True:
        lines.consumed = []
        try:
            row: list[str] | None = next(reader)
        except StopIteration:
            return
        except csv.Error:
            row = None
        if not lines.consumed:
            return
        number, line = lines.consumed[0]
        if row is None or (len(lines.consumed) > 1 and len(row) != width):
            lines.put_back(lines.consumed[1:])
            row = _split_line(line, separator)
        yield number, row


def _split_line(line: str, separator: str) -> list[str]:
    """Split one line into fields, whether or not its quotes are balanced."""
    try:
        if separator == "\t":
            return next(csv.reader([line], delimiter=separator, quoting=csv.QUOTE_NONE), [])
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return []


FORMATS: dict[str, Callable[[OpenedFile, TweetCounts, str | None], Iterator[Entry]]] = {
    "plain": _read_plain,
    "piped": _read_piped,
    "table": _read_table,
    "json lines": _read_json_lines,
    "json": _read_json,
}
