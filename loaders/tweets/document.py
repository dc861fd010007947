"""The tweets of a JSON document, one by one, however long it is.

A document is a list, an answer of Twitter's API with a list under a name, one object over many lines, or several of these one
after the other. An entry that is broken or too long is passed over by its brackets.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from .lines import LONGEST_LINE, TOO_LONG, WINDOWS, Counts, Start
from .objects import KEPT, LISTS

BROKEN = "lines and entries of broken JSON"
CUT_OFF = "JSON documents that are cut off"

_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"[ \t\r\n]*")
_OUTSIDE, _INSIDE = re.compile(r'["\[{\]},]'), re.compile(r'["\\]')


class _TooLong(Exception):
    """An entry is longer than any may be."""


def values(start: Start, counts: Counts) -> Iterator[Any]:
    """The entries of a document, of a long list in it each by itself."""
    text = _Text(_decoded(start, counts))
    while mark := text.mark():
        if mark == "[":
            yield from _list(text, counts)
        elif mark == "{":
            yield from _object(text, counts)
        elif mark in "]},:":
            text.place += 1
        else:
            yield from _value(text, counts)


def _list(text: _Text, counts: Counts) -> Iterator[Any]:
    text.place += 1
    while (mark := text.mark()) != "]":
        if not mark:
            counts.left_out[CUT_OFF] += 1
            return
        if mark in ",}:":
            text.place += 1
        else:
            yield from _value(text, counts)
    text.place += 1


def _object(text: _Text, counts: Counts) -> Iterator[Any]:
    """The entries of the list in an object, or the object; only what tells of a tweet is held."""
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
        name = next(_value(text, counts), None)
        if text.mark() != ":":
            continue
        text.place += 1
        if name in LISTS and text.mark() == "[":
            listed = True
            yield from _list(text, counts)
        elif name in KEPT:
            kept.update((name, value) for value in _value(text, counts))
        else:
            text.skip()
    text.place += 1
    if not listed:
        yield kept


def _value(text: _Text, counts: Counts) -> Iterator[Any]:
    """The next value, if it is one."""
    try:
        yield text.value()
        return
    except _TooLong:
        counts.left_out[TOO_LONG] += 1
    except (ValueError, RecursionError):
        counts.left_out[BROKEN] += 1
    text.skip()


class _Text:
    """A text that comes in pieces, and a place in it."""

    def __init__(self, pieces: Iterator[str]) -> None:
        self._pieces = pieces
        self._held, self.place = "", 0

    def _more(self) -> bool:
        piece = next(self._pieces, "")
        self._held, self.place = self._held[self.place :] + piece, 0
        return bool(piece)

    def mark(self) -> str:
        """The next character that is no blank; none at the end."""
        while True:
            found = _BLANKS.match(self._held, self.place)
            self.place = found.end() if found else self.place
            if self.place < len(self._held):
                return self._held[self.place]
            if not self._more():
                return ""

    def value(self) -> Any:
        """The next value."""
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
            if end == len(self._held) and self._more():  # a number may go on
                continue
            self.place = end
            return value

    def skip(self) -> None:
        """Go to the comma or bracket that follows the next value."""
        depth, inside = 0, False
        while True:
            found = (_INSIDE if inside else _OUTSIDE).search(self._held, self.place)
            if found is None or (found.group() == "\\" and found.end() == len(self._held)):
                self.place = len(self._held) if found is None else found.start()
                if not self._more():
                    self.place = len(self._held)
                    return
                continue
            mark = found.group()
            if depth == 0 and not inside and mark in ",]}":
                self.place = found.start()
                return
            self.place = found.end() + (mark == "\\")
            inside = inside != (mark == '"')
            if not inside:
                depth += (mark in "[{") - (mark in "]}")


def _decoded(start: Start, counts: Counts) -> Iterator[str]:
    """The text of a file: UTF-8, and windows-1252 where it is not."""
    decoder, strict = codecs.getincrementaldecoder("utf-8")(WINDOWS), codecs.getincrementaldecoder("utf-8")()
    for piece in chain(start.pieces(), [b""]):
        strict.setstate(decoder.getstate())
        yield decoder.decode(piece, final=not piece)
        try:
            strict.decode(piece, final=not piece)
        except UnicodeDecodeError:
            counts.notes["parts of JSON documents read as windows-1252"] += 1
