"""Open a file of pairs or stdin, decompress and decode it, and look at its beginning without waiting for more."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from stat import S_ISREG
from typing import Any, BinaryIO

from ..core.atomic_files import FileError
from ..core.errors import Hint, hint
from ..core.messages import quote_value

LONGEST = 4 * 1024 * 1024
"""Characters of the longest row, so that a file without line breaks does not fill the memory."""

SAMPLE_BYTES = 64 * 1024
"""Bytes from which format, delimiter, header and columns are detected."""

_SIGNATURES = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bz2"}
_BYTE_ORDER_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_COMPRESSED = (".gz", ".zst", ".bz2")


@dataclass(frozen=True, slots=True)
class Source:
    """An open file of pairs: its bytes, which can be peeked at, and where they come from."""

    name: str
    stream: BufferedReader[Any]
    raw: BinaryIO
    size: int
    """Bytes of the file, compressed as it is; 0 if unknown."""

    @property
    def sample(self) -> bytes:
        """The beginning of the file, as far as it can be read at once."""
        try:
            return self.stream.peek(SAMPLE_BYTES)
        except OSError as error:
            raise read_error(self.name, error) from None

    def share(self) -> float | None:
        """Return the share of the file that has been read, None if unknown."""
        return self.raw.tell() / self.size if self.size else None


def line_error(name: str, line: int, problem: str, *hints: Hint) -> FileError:
    """Return the error for a line of a file."""
    return FileError(f"{name}, line {line}: {problem}", *hints)


def open_source(path: str, stack: ExitStack) -> Source:
    """Open a file, or stdin for ``-``; ``stack`` closes it."""
    name = "stdin" if path == "-" else path
    try:
        if path == "-":
            raw: Any = sys.stdin.buffer
        else:
            raw = stack.enter_context(Path(path).open("rb", SAMPLE_BYTES))  # noqa: SIM115
        status = os.fstat(raw.fileno())
        size = status.st_size if S_ISREG(status.st_mode) else 0
        stream = raw if isinstance(raw, BufferedReader) else BufferedReader(raw)
        return Source(name, _decompress(stream, stack), raw, size)
    except AttributeError:
        raise FileError("stdin: is closed; pipe pairs into it, or name a file") from None
    except (OSError, ValueError) as error:
        raise read_error(name, error) from None


def _decompress(stream: BufferedReader[Any], stack: ExitStack) -> BufferedReader[Any]:
    beginning = stream.peek(4)
    for signature, codec in _SIGNATURES.items():
        if beginning.startswith(signature):
            import pyarrow as pa

            return BufferedReader(stack.enter_context(pa.CompressedInputStream(stream, codec)), SAMPLE_BYTES)
    return stream


def read_error(name: str, error: Exception) -> FileError:
    """Return the error for a file that cannot be opened or read."""
    reason = getattr(error, "strerror", None) or error
    if getattr(error, "errno", None) is None:  # of a decompressor, not of the operating system
        return FileError(f"{name} is cut off or damaged ({reason}); get it again")
    return FileError(f"{name}: cannot be read ({reason}); name a csv, tsv, jsonl or parquet file, or - for stdin")


def plain_suffix(name: str) -> str:
    """Return the ending of a name without that of its compression.

    >>> plain_suffix("pairs.TSV.gz"), plain_suffix("pairs")
    ('.tsv', '')
    """
    path = Path(name.lower())
    return (path.with_suffix("") if path.suffix in _COMPRESSED else path).suffix


def detect_encoding(sample: bytes) -> str:
    """Return the encoding that a byte order mark names, or UTF-16 if the first character is ASCII in UTF-16, else UTF-8."""
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if sample.startswith(mark):
            return encoding
    beginning = sample[:2]
    if len(beginning) == 2 and beginning.count(0) == 1:
        return "utf-16-le" if beginning[0] else "utf-16-be"
    return "utf-8"


def read_lines(source: Source, encoding: str) -> Iterator[str]:
    """Yield the decoded lines of a file.

    Raises:
        FileError: A line is too long or not in the encoding, or the file cannot be read.
    """
    name, number = source.name, 0
    try:
        for number, line in enumerate(_decode_lines(source.stream, encoding), start=1):
            if len(line) > LONGEST:
                raise line_error(name, number, f"the line is longer than {LONGEST:,} characters; write one pair a line")
            yield line
    except UnicodeDecodeError as error:
        problem = f"{quote_value(error.object[:80])} is not {encoding.upper().removesuffix('-SIG')} ({error.reason})"
        raise line_error(name, number + 1, problem, hint("set", option="encoding", what="the encoding of the file")) from None
    except OSError as error:
        raise read_error(name, error) from None


def _decode_lines(stream: BufferedReader[Any], encoding: str) -> Iterator[str]:
    if encoding in ("utf-8", "utf-8-sig") or "\n".encode(encoding) == b"\n":
        # Decoding each line, not the stream, makes an error appear at its line.
        for number, line in enumerate(iter(lambda: stream.readline(LONGEST + 1), b"")):
            yield line.decode("utf-8" if number and encoding == "utf-8-sig" else encoding)
        return
    text = TextIOWrapper(stream, encoding, newline="\n")
    try:
        yield from iter(lambda: text.readline(LONGEST + 1), "")
    finally:
        text.detach()
