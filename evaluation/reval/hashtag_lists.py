"""Reads files of recommended and gold hashtags, one tweet at a time.

Either two files are read in parallel, with one line per tweet each, or one file has both lists in a row. A list is hashtags
separated by spaces or commas, or a JSON array of them; it may be empty. Hashtags are not normalised here.
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from ...core.messages import quote_value
from ..errors import ListsInvalid

Pair = tuple[Sequence[str], Sequence[str]]
"""The recommended and the gold hashtags of a tweet."""

MAX_LINE = 1 << 20
"""Bytes of a line."""

MAX_HASHTAG = 1_000
"""Characters of a hashtag; a tweet has fewer."""

COLUMNS = ("recommended", "gold")


def read_parallel(recommended: str, gold: str) -> Iterator[Pair]:
    """Read the lists of two files, line by line.

    Args:
        recommended: The file of recommended hashtags; ``-`` is stdin.
        gold: The file of gold hashtags; ``-`` is stdin.

    Raises:
        ListsInvalid: A file cannot be read, or they have different numbers of lines.
    """
    if recommended == gold == "-":
        raise ListsInvalid("both lists cannot come from stdin; name a file for one of them, or give one file with both")
    names = _display_name(recommended), _display_name(gold)
    recommended_lists, gold_lists = _read_lists(recommended), _read_lists(gold)
    count = 0
    for recommended_list in recommended_lists:
        gold_list = next(gold_lists, None)
        if gold_list is None:
            raise _different_lengths(names, count + 1 + sum(1 for _ in recommended_lists), count)
        count += 1
        yield recommended_list, gold_list
    if extra := sum(1 for _ in gold_lists):
        raise _different_lengths(names, count, count + extra)


def read_pairs(source: str) -> Iterator[Pair]:
    """Read the rows of one file that has columns or fields ``recommended`` and ``gold``.

    Args:
        source: CSV or TSV with a header, or JSON lines; a row is one line, and blank lines are skipped. ``-`` is stdin.

    Raises:
        ListsInvalid: The file cannot be read.
    """
    name = _display_name(source)
    parse: Callable[[int, str], Pair] | None = None
    for number, line in _read_lines(source):
        if not line.strip():
            continue
        if parse is not None:
            yield parse(number, line)
        elif line.lstrip().startswith("{"):
            parse = _json_parser(name)
            yield parse(number, line)
        else:
            parse = _table_parser(name, number, line)


def _read_lists(source: str) -> Iterator[list[str]]:
    name = _display_name(source)
    for number, line in _read_lines(source):
        yield _parse_list(line, name, number)


def _parse_list(text: str, name: str, line: int) -> list[str]:
    if "[" in text and text.lstrip()[:1] == "[":
        return _check_array(_parse_json(text, name, line), text, name, line)
    return _check_lengths((text.replace(",", " ") if "," in text else text).split(), text, name, line)


def _check_lengths(hashtags: list[str], text: str, name: str, line: int) -> list[str]:
    if len(text) > MAX_HASHTAG and (longest := max(map(len, hashtags), default=0)) > MAX_HASHTAG:
        raise _invalid(
            name, line, f"{quote_value(text.strip())} has a hashtag of {longest:,} characters; separate hashtags with spaces"
        )
    return hashtags


def _check_array(value: Any, text: str, name: str, line: int) -> list[str]:
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return _check_lengths(value, text, name, line)
    wrong = next((each for each in value if not isinstance(each, str)), None) if isinstance(value, list) else value
    raise _invalid(
        name,
        line,
        f"{quote_value(wrong)} in {quote_value(text.strip())} is not a hashtag; write strings, such as ['#flu', '#covid']",
    )


def _parse_json(text: str, name: str, line: int) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _invalid(name, line, f"{quote_value(text.strip())} is not JSON ({error}); fix it") from None


def _json_parser(name: str) -> Callable[[int, str], Pair]:
    def parse(number: int, line: str) -> Pair:
        fields = _parse_json(line, name, number)
        missing = next((each for each in COLUMNS if not isinstance(fields, dict) or each not in fields), None)
        if missing is not None:
            raise _invalid(
                name,
                number,
                f'{quote_value(line.strip())} has no field {missing}; write {{"recommended": [...], "gold": [...]}}',
            )
        recommended, gold = (_parse_field(fields[each], line, name, number) for each in COLUMNS)
        return recommended, gold

    return parse


def _parse_field(value: Any, line: str, name: str, number: int) -> list[str]:
    if value is None:
        return []
    return _parse_list(value, name, number) if isinstance(value, str) else _check_array(value, line, name, number)


def _table_parser(name: str, first: int, header: str) -> Callable[[int, str], Pair]:
    is_tsv = "\t" in header
    columns = [each.strip().lower() for each in _split_row(header, is_tsv, name, first)]
    missing = next((each for each in COLUMNS if each not in columns), None)
    if missing is not None:
        raise _invalid(
            name,
            first,
            f"{quote_value(header.strip())} has no column {missing}; give a header with recommended,gold, or JSON lines",
        )
    positions = [columns.index(each) for each in COLUMNS]

    def parse(number: int, line: str) -> Pair:
        cells = _split_row(line, is_tsv, name, number)
        if len(cells) != len(columns):
            problem = f"{quote_value(line.strip())} has {len(cells)} columns and the header {len(columns)}"
            raise _invalid(name, number, f"{problem}; quote a list with commas, or separate its hashtags with spaces")
        recommended, gold = (_parse_list(cells[position], name, number) for position in positions)
        return recommended, gold

    return parse


def _split_row(line: str, is_tsv: bool, name: str, number: int) -> list[str]:
    text = line.rstrip("\r\n")
    if is_tsv:
        return text.split("\t")
    try:
        return next(csv.reader([text], strict=True), [])
    except csv.Error as error:
        raise _invalid(name, number, f"{quote_value(text)} is not a CSV row ({error}); write one row per line") from None


def _read_lines(source: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file with their numbers."""
    name = _display_name(source)
    with _open(source) as stream:
        number = 0
        while line := stream.readline(MAX_LINE):
            number += 1
            if len(line) == MAX_LINE:
                raise _invalid(name, number, f"the line is longer than {MAX_LINE:,} bytes; write one line per tweet")
            try:
                yield number, line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise _invalid(
                    name, number, f"{quote_value(line)} is not UTF-8 ({error.reason}); save the file as UTF-8"
                ) from None


@contextmanager
def _open(source: str) -> Iterator[BinaryIO]:
    """Open a file, a pipe or stdin, decompressed if it is gzip."""
    name = _display_name(source)
    if source == "-" and sys.stdin is None:
        raise ListsInvalid("stdin: is closed; pipe lists into it, or name a file")
    try:
        with ExitStack() as stack:
            stream: Any = sys.stdin.buffer if source == "-" else stack.enter_context(Path(source).open("rb"))
            is_gzip = stream.peek(2)[:2] == b"\x1f\x8b"
            yield cast("BinaryIO", stack.enter_context(gzip.open(stream)) if is_gzip else stream)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ListsInvalid(f"{name}: is truncated or damaged ({error}); download it again") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ListsInvalid(f"{name}: cannot be read ({reason}); name a file with one line per tweet") from None


def _display_name(source: str) -> str:
    return "stdin" if source == "-" else source


def _different_lengths(names: tuple[str, str], recommended: int, gold: int) -> ListsInvalid:
    return ListsInvalid(
        f"{names[0]} has {recommended:,} lines and {names[1]} has {gold:,}; give a blank line for a tweet without hashtags"
    )


def _invalid(name: str, line: int, problem: str) -> ListsInvalid:
    return ListsInvalid(f"{name}, line {line:,}: {problem}")
