"""Streams the entries of a JSON document of any length in bounded memory.

A document is a list, a response of Twitter's API with a list under a name, an object, or several of these one after the other.
A malformed or oversized entry is counted and skipped by counting its brackets; a SAX-like parser such as ijson ends there.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from .text_lines import LONGEST_LINE, TOO_LONG, WINDOWS, Counts, OpenedFile
from .twitter_json import KEPT, LISTS

BROKEN = "lines and entries of broken JSON"
CUT_OFF = "JSON documents that are cut off"

_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"[ \t\r\n]*")
_OUTSIDE, _DEEPER, _INSIDE = re.compile(r'[",]|[\[{]+|[\]}]+'), re.compile(r'"|[\[{]+|[\]}]+'), re.compile(r'["\\]')

_SKIPPED = object()
"""Stands for a value that was malformed or too long."""


class _TooLong(Exception):
    """An entry is longer than ``LONGEST_LINE``."""


def read_values(start: OpenedFile, counts: Counts) -> Iterator[Any]:
    """Yield the entries of a document; those of a list one by one."""
    text = _Text(_decoded(start, counts))
    while mark := text.mark():
        if mark == "[":
            yield from _list(text, counts)
        elif mark == "{":
            yield from _object(text, counts)
        elif mark in "]},:":
            text.place += 1
        elif (value := _value(text, counts)) is not _SKIPPED:
            yield value


def _list(text: _Text, counts: Counts) -> Iterator[Any]:
    text.place += 1
    while (mark := text.mark()) != "]":
        if not mark:
            counts.left_out[CUT_OFF] += 1
            return
        if mark in ",}:":
            text.place += 1
        elif (value := _value(text, counts)) is not _SKIPPED:
            yield value
    text.place += 1


def _object(text: _Text, counts: Counts) -> Iterator[Any]:
    """Yield the entries of the list in an object or, without a list, the object; only the ``KEPT`` fields of a long one."""
    held = text.held_object()
    if held is not None and not any(isinstance(held[0].get(name), list) for name in LISTS):
        text.place = held[1]
        yield held[0]
        return
    text.place += 1
    kept: dict[str, Any] = {}
    listed = False
    while (mark := text.mark()) != "}":
        if not mark:
            counts.left_out[CUT_OFF] += 1
            return
        if mark != '"':
            text.place += 1
            continue
        name = _value(text, counts)
        if text.mark() != ":":
            continue
        text.place += 1
        mark = text.mark()
        if name in LISTS and mark == "[":
            listed = True
            yield from _list(text, counts)
        elif name not in KEPT:
            text.skip()
        elif (value := _value(text, counts)) is not _SKIPPED:
            kept[name] = value
    text.place += 1
    if not listed:
        yield kept


def _value(text: _Text, counts: Counts) -> Any:
    """Return the next value; count and skip one that is malformed or too long."""
    try:
        return text.value()
    except _TooLong:
        counts.left_out[TOO_LONG] += 1
    except (ValueError, RecursionError):
        counts.left_out[BROKEN] += 1
    text.skip()
    return _SKIPPED


class _Text:
    """A buffer over pieces of text, with a position that only moves forward."""

    def __init__(self, pieces: Iterator[str]) -> None:
        self._pieces = pieces
        self._held, self.place = "", 0

    def _more(self) -> bool:
        piece = next(self._pieces, "")
        self._held, self.place = self._held[self.place :] + piece, 0
        return bool(piece)

    def mark(self) -> str:
        """Skip blanks; return the next character, or nothing at the end."""
        while True:
            found = _BLANKS.match(self._held, self.place)
            self.place = found.end() if found else self.place
            if self.place < len(self._held):
                return self._held[self.place]
            if not self._more():
                return ""

    def value(self) -> Any:
        """Parse the value at this position, reading on while it may be incomplete."""
        while True:
            try:
                value, end = _DECODER.raw_decode(self._held, self.place)
            except json.JSONDecodeError as error:
                ended = error.msg.startswith("Unterminated string") or error.pos + len("-Infinity") > len(self._held)
                if ended and len(self._held) - self.place > LONGEST_LINE:
                    raise _TooLong from None
                if not ended or not self._more():
                    raise
                continue
            if end - self.place > LONGEST_LINE:
                raise _TooLong
            if end == len(self._held) and self._more():  # a number may continue in the next piece
                continue
            self.place = end
            return value

    def held_object(self) -> tuple[dict[str, Any], int] | None:
        """Return the object at this position and where it ends, if the buffer holds a well-formed one as a whole."""
        try:
            found: tuple[dict[str, Any], int] = _DECODER.raw_decode(self._held, self.place)
        except (ValueError, RecursionError):
            return None
        return found

    def skip(self) -> None:
        """Move to the comma or closing bracket after the value at this position, which need not be well-formed."""
        depth, inside = 0, False
        while True:
            found = (_INSIDE if inside else _DEEPER if depth else _OUTSIDE).search(self._held, self.place)
            if found is None or (found.group() == "\\" and found.end() == len(self._held)):
                self.place = len(self._held) if found is None else found.start()
                if not self._more():
                    self.place = len(self._held)
                    return
                continue
            marks, self.place = found.group(), found.end()
            if marks == '"':
                inside = not inside
            elif inside:
                self.place += 1  # the escaped character
            elif marks[0] in "[{":
                depth += len(marks)
            elif len(marks) > depth or marks == ",":
                self.place = found.start() + depth
                return
            else:
                depth -= len(marks)


def _decoded(start: OpenedFile, counts: Counts) -> Iterator[str]:
    """Decode a file as UTF-8, and as windows-1252 where it is not; count the pieces that are not."""
    strict, lenient = codecs.getincrementaldecoder("utf-8")(), codecs.getincrementaldecoder("utf-8")(WINDOWS)
    for piece in chain(start.pieces(), [b""]):
        state = strict.getstate()
        try:
            yield strict.decode(piece, final=not piece)
        except UnicodeDecodeError:
            lenient.setstate(state)
            yield lenient.decode(piece, final=not piece)
            strict.setstate(lenient.getstate())
            counts.notes["parts of JSON documents read as windows-1252"] += 1
