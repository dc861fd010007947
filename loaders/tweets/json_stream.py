"""Stream the entries of a JSON document of any length in bounded memory.

A document is a list, a response of Twitter's API with a list in one of its fields, an object, or several of these in sequence.

A SAX-like parser such as ijson would stop at the first error, and files of tweets contain errors. Here a malformed or overlong
entry is counted and skipped, and reading continues with the next one. There are three levels:

- ``_Buffer`` holds the part of the text from the current position on, and reads more text when necessary.
- ``_parse_value`` parses one complete value with the standard library. If that fails, ``_Buffer.skip`` moves to the comma or
  closing bracket that ends the value, by counting brackets outside strings.
- ``_read_list`` and ``_read_object`` visit the entries of a list and the fields of an object without parsing the whole value.
  They accept any sequence of separators, because the text after a malformed entry may have too many or too few.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Container, Iterator
from itertools import chain
from typing import Any

from .text_lines import LONG_ENTRY, LONGEST_LINE, WINDOWS_1252_ERRORS, OpenedFile, TweetCounts
from .twitter_json import LIST_FIELDS, USED_FIELDS, Retweets

MALFORMED_JSON = "malformed_json"
TRUNCATED_JSON = "truncated_json"
WINDOWS_1252_JSON = "windows_1252_json"

_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"[ \t\r\n]*")

# The next characters that matter to ``skip``: in a string; in nested brackets; outside both, where a comma ends the value.
_IN_STRING, _IN_BRACKETS, _AT_TOP = re.compile(r'["\\]'), re.compile(r'"|[\[{]+|[\]}]+'), re.compile(r'[",]|[\[{]+|[\]}]+')

_SKIPPED = object()
"""The result for a value that was malformed or too long."""


class _TooLong(Exception):
    """An entry is longer than ``LONGEST_LINE``."""


def read_values(file: OpenedFile, counts: TweetCounts, column: str | None = None) -> Iterator[Any]:
    """Yield the entries of a document; those of a list one by one. ``column`` is the field with the text, if it is named."""
    buffer = _Buffer(_decode(file, counts))
    used = USED_FIELDS if column is None else USED_FIELDS | {column}
    while character := buffer.peek():
        if character == "[":
            yield from _read_list(buffer, counts)
        elif character == "{":
            yield from _read_object(buffer, counts, used)
        elif character in "]},:":
            buffer.position += 1
        elif (value := _parse_value(buffer, counts)) is not _SKIPPED:
            yield value


def _read_list(buffer: _Buffer, counts: TweetCounts) -> Iterator[Any]:
    """Yield the entries of the list at this position, and move past it."""
    buffer.position += 1
    while (character := buffer.peek()) != "]":
        if not character:
            counts.notes[TRUNCATED_JSON] += 1
            return
        if character in ",}:":
            buffer.position += 1
        elif (value := _parse_value(buffer, counts)) is not _SKIPPED:
            yield value
    buffer.position += 1


def _read_object(buffer: _Buffer, counts: TweetCounts, used: Container[str]) -> Iterator[Any]:
    """Yield the entries of the list in an object, or the object itself if it has none; of a long one only the used fields."""
    complete = buffer.parse_buffered_object()
    if complete is not None and not any(isinstance(complete[0].get(name), list) for name in LIST_FIELDS):
        buffer.position = complete[1]
        yield complete[0]
        return
    fields: dict[str, Any] = {}
    retweets, has_list = Retweets(), False
    for name, character in _read_fields(buffer, counts):
        if name in LIST_FIELDS and character == "[":
            has_list = True
            yield from retweets.complete(_read_list(buffer, counts))
        elif name == "includes" and character == "{":
            yield from retweets.include(_read_included(buffer))
        elif name not in used:
            buffer.skip()
        elif (value := _parse_value(buffer, counts)) is not _SKIPPED:
            fields[name] = value
    if not has_list and isinstance(data := fields.get("data"), dict):
        yield from ({**fields, "data": tweet} for tweet in retweets.complete([data]))
    elif not has_list:
        yield fields
    yield from retweets.rest()


def _read_fields(buffer: _Buffer, counts: TweetCounts) -> Iterator[tuple[str, str]]:
    """Yield the names of the fields of the object at this position, each with the first character of its value.

    The caller moves past each value before it requests the next name.
    """
    buffer.position += 1
    while (character := buffer.peek()) != "}":
        if not character:
            counts.notes[TRUNCATED_JSON] += 1
            return
        if character != '"':
            buffer.position += 1
            continue
        name = _parse_value(buffer, counts)
        if buffer.peek() != ":":
            continue
        buffer.position += 1
        yield name, buffer.peek()
    buffer.position += 1


def _read_included(buffer: _Buffer) -> Iterator[Any]:
    """Yield the tweets that a response includes; they are not counted, because they are only quoted by its own tweets."""
    ignored = TweetCounts()
    for name, character in _read_fields(buffer, ignored):
        if name == "tweets" and character == "[":
            yield from _read_list(buffer, ignored)
        else:
            buffer.skip()


def _parse_value(buffer: _Buffer, counts: TweetCounts) -> Any:
    """Return the value at this position; count and skip one that is malformed or too long."""
    try:
        return buffer.parse()
    except _TooLong:
        counts.left_out[LONG_ENTRY] += 1
    except (ValueError, RecursionError):
        counts.left_out[MALFORMED_JSON] += 1
    buffer.skip()
    return _SKIPPED


class _Buffer:
    """A window over chunks of text. ``position`` only moves forward; text before it is discarded when more is read."""

    def __init__(self, chunks: Iterator[str]) -> None:
        self._chunks = chunks
        self._text, self.position = "", 0

    def _read_more(self) -> bool:
        """Append a chunk; return False at the end of the document."""
        chunk = next(self._chunks, "")
        self._text, self.position = self._text[self.position :] + chunk, 0
        return bool(chunk)

    def peek(self) -> str:
        """Skip white space and return the next character without consuming it, an empty string at the end."""
        while True:
            blanks = _BLANKS.match(self._text, self.position)
            self.position = blanks.end() if blanks else self.position
            if self.position < len(self._text):
                return self._text[self.position]
            if not self._read_more():
                return ""

    def parse(self) -> Any:
        """Parse the value at this position and move past it; read more text while the value may be incomplete.

        Parsing restarts with each chunk, a bounded number of times, because values longer than ``LONGEST_LINE`` are skipped.
        """
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self.position)
            except json.JSONDecodeError as error:
                # An error close to the end of the buffer may mean that a string or a word such as -Infinity continues.
                is_cut = error.msg.startswith("Unterminated string") or error.pos + len("-Infinity") > len(self._text)
                if is_cut and len(self._text) - self.position > LONGEST_LINE:
                    raise _TooLong from None
                if not is_cut or not self._read_more():
                    raise
                continue
            if end - self.position > LONGEST_LINE:
                raise _TooLong
            if end == len(self._text) and self._read_more():  # a number may continue in the next chunk
                continue
            self.position = end
            return value

    def parse_buffered_object(self) -> tuple[dict[str, Any], int] | None:
        """Return the object at this position and its end; None if it is malformed or not completely in the buffer."""
        try:
            parsed: tuple[dict[str, Any], int] = _DECODER.raw_decode(self._text, self.position)
        except (ValueError, RecursionError):
            return None
        return parsed

    def skip(self) -> None:
        """Move to the comma or closing bracket after the value at this position, which may be malformed.

        The state is the bracket depth and whether the position is in a string. Runs of equal brackets are handled at once.
        """
        depth, in_string = 0, False
        while True:
            match = (_IN_STRING if in_string else _IN_BRACKETS if depth else _AT_TOP).search(self._text, self.position)
            if match is None or (match.group() == "\\" and match.end() == len(self._text)):
                # Nothing more in the buffer, or the escaped character is in the next chunk.
                self.position = len(self._text) if match is None else match.start()
                if not self._read_more():
                    self.position = len(self._text)
                    return
                continue
            symbols, self.position = match.group(), match.end()
            if symbols == '"':
                in_string = not in_string
            elif in_string:
                self.position += 1  # the escaped character
            elif symbols[0] in "[{":
                depth += len(symbols)
            elif len(symbols) > depth or symbols == ",":
                self.position = match.start() + depth  # the first bracket that belongs to the list or object around the value
                return
            else:
                depth -= len(symbols)


def _decode(file: OpenedFile, counts: TweetCounts) -> Iterator[str]:
    """Decode a file as UTF-8; a chunk that is not valid UTF-8 is noted, and its invalid bytes are read as windows-1252."""
    strict, lenient = codecs.getincrementaldecoder("utf-8")(), codecs.getincrementaldecoder("utf-8")(WINDOWS_1252_ERRORS)
    for chunk in chain(file.chunks(), [b""]):
        state = strict.getstate()
        try:
            yield strict.decode(chunk, final=not chunk)
        except UnicodeDecodeError:
            lenient.setstate(state)
            yield lenient.decode(chunk, final=not chunk)
            strict.setstate(lenient.getstate())
            counts.notes[WINDOWS_1252_JSON] += 1
