"""Write answers to stdout: as bytes to files and pipes, with control characters escaped to terminals.

Names come from foreign files. A terminal would obey their control characters, and reverse the text after an override.
"""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb]"
)


def escape_controls(text: str) -> str:
    r"""Escape characters that control terminals, are invisible or change the direction of text, except tabs and line feeds.

    >>> print(escape_controls("a \x9b31m, a \u202e and a\ttab"))
    a \u009b31m, a \u202e and a	tab
    """
    return text if text.isascii() and text.isprintable() else _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def format_json(
    value: Any, *, ascii: bool = False, indent: int | None = None, default: Callable[[Any], Any] | None = None
) -> str:
    r"""Format a value as JSON, with the characters escaped that are unsafe in a terminal.

    >>> print(format_json({"name": "Gänse\x9b"}))
    {"name": "Gänse\u009b"}
    """
    return escape_controls(json.dumps(value, ensure_ascii=ascii, indent=indent, default=default))


def stdout_bytes() -> BinaryIO:
    """Return stdout as a stream of bytes; what is written to a terminal is escaped."""
    sys.stdout.flush()
    return _Terminal() if sys.stdout.isatty() else sys.stdout.buffer


class _Terminal(io.BufferedIOBase, BinaryIO):
    """Writes UTF-8 to the terminal that stdout is."""

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        sys.stdout.write(escape_controls(bytes(content).decode("utf-8", "surrogatepass")))
        return len(content)

    def flush(self) -> None:
        sys.stdout.flush()
