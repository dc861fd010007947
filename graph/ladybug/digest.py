"""The digest of a store's file, which shows damage before the engine reads it.

The engine trusts its file: a changed byte makes it return other rows, fail with any error, or crash the process. So the last
step of a load appends a digest to the finished file, before the file gets the store's name. Content and digest are one file:
they are switched, copied and moved together. ``Reader`` verifies it before the engine opens the file.

    content      the pages of the engine; the first page ends with the mark
    checksums    one for each block of the content, zeros up to a whole page, and a checksum of all this
    mark         magic number, length of the content, size of a block, checksums of the engine's header and of the mark

The engine uses only the beginning of the first page, and pages that its catalogue names. The mark stands at both ends, so that
a truncated file differs from one without a digest. It counts only if the header or the length of the file fits: the engine
fills the first page with whatever its memory held before, which can be the mark of another store. A file without a mark, which
another program has written, is *unverified*.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Literal, NamedTuple
from zlib import crc32

from ...core.checksums import CHECKSUM_SIZE, block_checksums, read_checksums

BLOCK = 1 << 20
"""Bytes of content with one checksum."""

_PAGE = 4096
_MAGIC = b"wayword digest 1"
_FIELDS = struct.Struct("<16sQII")
_MARK = _FIELDS.size + CHECKSUM_SIZE
_HEAD_MARK = _PAGE - _MARK
"""Position of the mark in the first page."""

_HEADER = 64
"""Bytes that contain the header of the engine."""


@dataclass(frozen=True, slots=True)
class Examination:
    """What the digest of a file shows.

    - ``state``: ``unverified`` if the file has no digest
    - ``changed``: what has changed since the file was written, if it is damaged
    - ``blocks``, ``changed_blocks``: the number of blocks, and of those that have changed
    """

    state: Literal["sound", "damaged", "unverified"]
    changed: Literal["length", "digest", "blocks"] | None = None
    blocks: int = 0
    changed_blocks: int = 0


class _Mark(NamedTuple):
    """Length of the content, size of a block, checksum of the header."""

    content: int
    block: int
    header: int

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return -(-self.content // self.block)

    @property
    def digest_size(self) -> int:
        """The bytes of the digest: whole pages."""
        return -(-(self.blocks * CHECKSUM_SIZE + CHECKSUM_SIZE + _MARK) // _PAGE) * _PAGE


def append_digest(file: Path, block: int = BLOCK) -> None:
    """Append the digest to a finished file of the engine, which has none yet.

    Args:
        file: The file.
        block: Bytes of content with one checksum.
    """
    with file.open("r+b", buffering=0) as opened:
        content = opened.seek(0, os.SEEK_END)
        if content % _PAGE:
            raise RuntimeError(f"the engine has written {content} bytes, which are no whole pages")
        opened.seek(0)
        mark = _FIELDS.pack(_MAGIC, content, block, crc32(opened.read(_HEADER)))
        mark += crc32(mark).to_bytes(CHECKSUM_SIZE, "little")
        opened.seek(_HEAD_MARK)
        opened.write(mark)
        opened.seek(0)
        checksums = block_checksums(_read_blocks(opened, content, block), block)
        checksums += bytes(-(len(checksums) + CHECKSUM_SIZE + _MARK) % _PAGE)
        opened.seek(content)
        opened.write(checksums + crc32(checksums).to_bytes(CHECKSUM_SIZE, "little") + mark)


def examine(file: FileIO) -> Examination:
    """Compare an open file with its digest.

    Raises:
        OSError: The file cannot be read.
    """
    size = os.fstat(file.fileno()).st_size
    header = crc32(file.read(_HEADER))
    head, tail = _read_mark(file, _HEAD_MARK), _read_mark(file, size - _MARK)
    if head is not None and (head.header == header or head.content + head.digest_size == size):
        mark = head
    elif tail is not None:
        mark = tail
    else:
        return Examination("unverified")
    content, block, blocks = mark.content, mark.block, mark.blocks
    if size != content + mark.digest_size:
        return Examination("damaged", "length", blocks)
    file.seek(content)
    digest = file.read(mark.digest_size)
    checksums, checksum = digest[: -_MARK - CHECKSUM_SIZE], digest[-_MARK - CHECKSUM_SIZE : -_MARK]
    if crc32(checksums).to_bytes(CHECKSUM_SIZE, "little") != checksum or tail != mark:
        return Examination("damaged", "digest", blocks)
    file.seek(0)
    expected = read_checksums(checksums[: blocks * CHECKSUM_SIZE])
    found = read_checksums(block_checksums(_read_blocks(file, content, block), block))
    changed = sum(one != other for one, other in zip(found, expected, strict=False)) + abs(len(found) - len(expected))
    return Examination("damaged", "blocks", blocks, changed) if changed else Examination("sound", None, blocks)


def _read_mark(file: FileIO, position: int) -> _Mark | None:
    """Return the mark at a position, None if there is no intact one."""
    if position < 0:
        return None
    file.seek(position)
    mark = file.read(_MARK)
    if len(mark) < _MARK or crc32(mark[: _FIELDS.size]).to_bytes(CHECKSUM_SIZE, "little") != mark[_FIELDS.size :]:
        return None
    magic, *fields = _FIELDS.unpack_from(mark)
    return _Mark(*fields) if magic == _MAGIC else None


def _read_blocks(file: FileIO, size: int, block: int) -> Iterator[memoryview]:
    """Yield the next bytes of a file, in one buffer that is used again; fewer if the file ends before."""
    # Not mapped into memory: a part that cannot be read would end the process instead of raising an error.
    buffer = memoryview(bytearray(block))
    while size:
        count = file.readinto(buffer[: min(size, block)])
        if not count:
            return
        yield buffer[:count]
        size -= count
