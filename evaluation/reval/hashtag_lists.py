"""Files of recommended and gold hashtags, read one tweet at a time.

Either two files run in parallel, each with one line for one tweet, or one file has both in a row. A list is hashtags parted by
blanks or commas, or a JSON array of them; it may be empty. Hashtags come as they are written: who compares them sees to that.
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
"""The recommended hashtags of a tweet, and those it has."""

LONGEST = 1 << 20
"""Bytes of a line, at most."""

LONGEST_HASHTAG = 1_000
"""Letters; a tweet has fewer."""

COLUMNS = ("recommended", "gold")


def read_parallel(recommended: str, gold: str) -> Iterator[Pair]:
    """The lists of two files, line by line; ``-`` is stdin. It is an error if one has more lines than the other."""
    if recommended == gold == "-":
        raise ListsInvalid("both lists cannot come by stdin; name a file for one of them, or give one file of both")
    names = _called(recommended), _called(gold)
    ours, theirs = _lists(recommended), _lists(gold)
    count = 0
    for one in ours:
        other = next(theirs, None)
        if other is None:
            raise _uneven(names, count + 1 + sum(1 for _ in ours), count)
        count += 1
        yield one, other
    if longer := sum(1 for _ in theirs):
        raise _uneven(names, count, count + longer)


def read_pairs(source: str) -> Iterator[Pair]:
    """The rows of one file, CSV or TSV with a header or JSON lines, that name what is ``recommended`` and what is ``gold``.

    A row is one line; blank ones are no rows.
    """
    name = _called(source)
    row_of: Callable[[int, str], Pair] | None = None
    for number, line in _lines(source):
        if not line.strip():
            continue
        if row_of is not None:
            yield row_of(number, line)
        elif line.lstrip().startswith("{"):
            row_of = _json_rows(name)
            yield row_of(number, line)
        else:
            row_of = _separated_rows(name, number, line)


def _lists(source: str) -> Iterator[list[str]]:
    name = _called(source)
    for number, line in _lines(source):
        yield _list(line, name, number)


def _list(text: str, name: str, line: int) -> list[str]:
    """The hashtags of one list."""
    if "[" in text and text.lstrip()[:1] == "[":
        return _array(_loaded(text, name, line), text, name, line)
    return _short((text.replace(",", " ") if "," in text else text).split(), text, name, line)


def _short(hashtags: list[str], text: str, name: str, line: int) -> list[str]:
    """The hashtags, of which none may be so long that it is none."""
    if len(text) > LONGEST_HASHTAG and (wrong := max(map(len, hashtags), default=0)) > LONGEST_HASHTAG:
        raise _refuse(name, line, f"{quote_value(text.strip())} has a hashtag of {wrong:,} letters; part hashtags by blanks")
    return hashtags


def _array(value: Any, text: str, name: str, line: int) -> list[str]:
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return _short(value, text, name, line)
    wrong = next((each for each in value if not isinstance(each, str)), None) if isinstance(value, list) else value
    raise _refuse(
        name,
        line,
        f"{quote_value(wrong)} in {quote_value(text.strip())} is no hashtag; write texts, such as ['#flu', '#covid']",
    )


def _loaded(text: str, name: str, line: int) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _refuse(name, line, f"{quote_value(text.strip())} is not JSON ({error}); mend it") from None


def _json_rows(name: str) -> Callable[[int, str], Pair]:
    def row_of(number: int, line: str) -> Pair:
        fields = _loaded(line, name, number)
        missing = next((each for each in COLUMNS if not isinstance(fields, dict) or each not in fields), None)
        if missing is not None:
            raise _refuse(
                name,
                number,
                f'{quote_value(line.strip())} has no field {missing}; write {{"recommended": [...], "gold": [...]}}',
            )
        one, other = (_value(fields[each], line, name, number) for each in COLUMNS)
        return one, other

    return row_of


def _value(value: Any, line: str, name: str, number: int) -> list[str]:
    if value is None:
        return []
    return _list(value, name, number) if isinstance(value, str) else _array(value, line, name, number)


def _separated_rows(name: str, first: int, header: str) -> Callable[[int, str], Pair]:
    tabs = "\t" in header
    names = [each.strip().lower() for each in _cells(header, tabs, name, first)]
    missing = next((each for each in COLUMNS if each not in names), None)
    if missing is not None:
        raise _refuse(
            name,
            first,
            f"{quote_value(header.strip())} names no column {missing}; give a header of recommended,gold, or JSON lines",
        )
    places = [names.index(each) for each in COLUMNS]

    def row_of(number: int, line: str) -> Pair:
        cells = _cells(line, tabs, name, number)
        if len(cells) != len(names):
            problem = f"{quote_value(line.strip())} has {len(cells)} columns and the header names {len(names)}"
            raise _refuse(name, number, f"{problem}; quote a list with commas in it, or part its hashtags by blanks")
        one, other = (_list(cells[place], name, number) for place in places)
        return one, other

    return row_of


def _cells(line: str, tabs: bool, name: str, number: int) -> list[str]:
    text = line.rstrip("\r\n")
    if tabs:
        return text.split("\t")
    try:
        return next(csv.reader([text], strict=True), [])
    except csv.Error as error:
        raise _refuse(name, number, f"{quote_value(text)} cannot be parted ({error}); write one row in one line") from None


def _lines(source: str) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers."""
    name = _called(source)
    with _opened(source) as stream:
        number = 0
        while line := stream.readline(LONGEST):
            number += 1
            if len(line) == LONGEST:
                raise _refuse(name, number, f"the line is longer than {LONGEST:,} bytes; write one line for one tweet")
            try:
                yield number, line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise _refuse(
                    name, number, f"{quote_value(line)} is not UTF-8 ({error.reason}); save the file as UTF-8"
                ) from None


@contextmanager
def _opened(source: str) -> Iterator[BinaryIO]:
    """The bytes of a file, of a pipe or of stdin, unpacked if they are packed by gzip."""
    name = _called(source)
    if source == "-" and sys.stdin is None:
        raise ListsInvalid("stdin: is closed; pipe lists into it, or name a file")
    try:
        with ExitStack() as stack:
            stream: Any = sys.stdin.buffer if source == "-" else stack.enter_context(Path(source).open("rb"))
            packed = stream.peek(2)[:2] == b"\x1f\x8b"
            yield cast("BinaryIO", stack.enter_context(gzip.open(stream)) if packed else stream)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ListsInvalid(f"{name}: is cut off or damaged ({error}); get it again") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ListsInvalid(f"{name}: cannot be read ({reason}); name a file with one line for one tweet") from None


def _called(source: str) -> str:
    return "stdin" if source == "-" else source


def _uneven(names: tuple[str, str], recommended: int, gold: int) -> ListsInvalid:
    return ListsInvalid(
        f"{names[0]} has {recommended:,} lines and {names[1]} has {gold:,}; a tweet without hashtags has a blank line"
    )


def _refuse(name: str, line: int, problem: str) -> ListsInvalid:
    return ListsInvalid(f"{name}, line {line:,}: {problem}")
