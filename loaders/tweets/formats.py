"""The forms that files of tweets have, each seen in the first lines: plain lines, ``id|date|text``, CSV and TSV, JSON."""

from __future__ import annotations

import csv
import json
import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from ...core.messages import quote_value
from ..errors import SourceInvalid
from .json_stream import BROKEN, read_values
from .text_lines import LONGEST_JSON, NO_TEXT, Counts, OpenedFile, read_lines
from .twitter_json import ParsedTweet, parse_tweets

Found = tuple[str, str | None, int | None]
"""A text, its id, its line."""

TEXTS = ("full_text", "text", "tweet", "content", "tweet_text")
IDS = ("id", "id_str", "tweet_id", "tweetid", "status_id")
SEPARATORS = {".csv": ",;\t", ".tsv": "\t", ".tab": "\t"}
LINES_OF_JSON = (".jsonl", ".ndjson")

_PIPED = re.compile(r"(\d+)\|([^|]*)\|(.*)", re.DOTALL)
_NAME = re.compile(r"[\w -]{1,40}")


def detect_format(start: OpenedFile) -> str:
    """The name of a file's form; a ``SourceInvalid`` for a table that has no column of texts."""
    first, second = [*_first_lines(start, 2), "", ""][:2]
    suffix = _suffix(start.name)
    if suffix in LINES_OF_JSON:
        return "json lines"
    if suffix in SEPARATORS:
        if _header(first, SEPARATORS[suffix]) is None:
            raise SourceInvalid(
                f"{start.name} line 1 names no column {', '.join(TEXTS[:-1])}, but {quote_value(first)}; name the columns there"
            )
        return "table"
    if json_ := _json_form(first, second, start):
        return json_
    if _PIPED.fullmatch(first):
        return "piped"
    parted = _header(first, ",;\t")
    return "table" if parted and len(parted[1]) > 1 and all(map(_NAME.fullmatch, parted[1])) else "plain"


def _json_form(first: str, second: str, start: OpenedFile) -> str | None:
    if first.startswith("["):
        return "json" if re.match(r'\[\s*(?:[\[{"\]]|$)', first) else None
    if first.startswith("{"):
        if not re.match(r'\{\s*(?:["}]|$)', first):
            return None
        goes_on = first.endswith(("[", "{", ","))
        return "json lines" if _parsed(first) is not None or (not goes_on and _parsed(second) is not None) else "json"
    # A tweet may be a quotation, so all that is seen has to be JSON.
    strings = first.startswith('"') and all(isinstance(_parsed(line), str) for line in _first_lines(start, 1_000))
    return "json lines" if strings else None


def _first_lines(start: OpenedFile, number: int) -> list[str]:
    """The first lines with something in them; the last of the sample may be cut off and counts only if it is alone."""
    whole = start.sample.replace(b"\r", b"\n").split(b"\n")
    seen = [line for line in whole[:-1] if line.strip()] or [line for line in whole if line.strip()]
    return [line.decode("utf-8", "replace").strip() for line in seen[:number]]


def _suffix(name: str) -> str:
    """The suffix that tells a file's form, without those of its compression."""
    plain = re.sub(r"\.(?:gz|bz2)$", "", name.lower())
    return f".{plain.rpartition('.')[2]}"


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _plain(start: OpenedFile, counts: Counts) -> Iterator[Found]:
    for number, line in read_lines(start, counts):
        yield line, None, number


def _piped(start: OpenedFile, counts: Counts) -> Iterator[Found]:
    for number, line in read_lines(start, counts):
        parts = _PIPED.fullmatch(line) or _PIPED.fullmatch(_unquoted(line.strip()))
        if parts:
            yield parts[3], parts[1], number
        else:
            counts.left_out["lines that are not id|date|text" if line.strip() else NO_TEXT] += 1


def _unquoted(line: str) -> str:
    """A line as it was before a spreadsheet put it into quotes."""
    return line[1:-1].replace('""', '"') if line.startswith('"') and line.endswith('"') else line


def _json_lines(start: OpenedFile, counts: Counts) -> Iterator[Found]:
    for number, line in read_lines(start, counts, LONGEST_JSON):
        value = _parsed(line)
        if value is None:
            counts.left_out[BROKEN if line.strip() else NO_TEXT] += 1
        else:
            for text, id in _counted(parse_tweets(value), counts):
                yield text, id, number


def _json(start: OpenedFile, counts: Counts) -> Iterator[Found]:
    for value in read_values(start, counts):
        for text, id in _counted(parse_tweets(value), counts):
            yield text, id, None


def _counted(found: Iterator[ParsedTweet | None], counts: Counts) -> Iterator[ParsedTweet]:
    for each in found:
        if each is None:
            counts.left_out[NO_TEXT] += 1
        else:
            yield each


def _header(line: str, separators: str) -> tuple[str, list[str]] | None:
    """The separator and the columns of a first line that names a column of texts."""
    for separator in separators:
        names = [name.strip().strip('"').lower() for name in _alone(line, separator)]
        if any(name in TEXTS for name in names):
            return separator, names
    return None


def _table(start: OpenedFile, counts: Counts) -> Iterator[Found]:
    numbered = _Lines(read_lines(start, counts))
    first = next((line for line in numbered if line.strip()), "")
    parted = _header(first, SEPARATORS.get(_suffix(start.name), ",;\t"))
    if parted is None:
        return
    separator, names = parted
    text = next(names.index(name) for name in TEXTS if name in names)
    id = next((names.index(name) for name in IDS if name in names), None)
    for number, row in _rows(numbered, separator, len(names)):
        if len(row) <= text:
            counts.left_out[NO_TEXT] += 1
            continue
        yield row[text], (row[id] or None) if id is not None else None, number


class _Lines:
    """Lines with their ends, of which those last taken can be put back."""

    def __init__(self, numbered: Iterator[tuple[int, str]]) -> None:
        self._numbered = numbered
        self._back: deque[tuple[int, str]] = deque()
        self.taken: list[tuple[int, str]] = []

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        found = self._back.popleft() if self._back else next(self._numbered)
        self.taken.append(found)
        return found[1] + "\n"

    def put_back(self, taken: list[tuple[int, str]]) -> None:
        """Give these again."""
        self._back.extendleft(reversed(taken))


def _rows(source: _Lines, separator: str, width: int) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table with the line on which each begins.

    A quote that begins a field and is never closed, or that makes one row of many, is taken for a quote in the text.
    """
    reader = csv.reader(source, delimiter=separator, strict=True)
    while True:
        source.taken = []
        try:
            row: list[str] | None = next(reader)
        except StopIteration:
            return
        except csv.Error:
            row = None
        if not source.taken:
            return
        number, line = source.taken[0]
        if row is None or (len(source.taken) > 1 and len(row) != width):
            source.put_back(source.taken[1:])
            row = _alone(line, separator)
        yield number, row


def _alone(line: str, separator: str) -> list[str]:
    """A line by itself, whatever its quotes mean."""
    try:
        if separator == "\t":
            return next(csv.reader([line], delimiter=separator, quoting=csv.QUOTE_NONE), [])
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return []


FORMATS: dict[str, Callable[[OpenedFile, Counts], Iterator[Found]]] = {
    "plain": _plain,
    "piped": _piped,
    "table": _table,
    "json lines": _json_lines,
    "json": _json,
}
