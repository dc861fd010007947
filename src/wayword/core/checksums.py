"""Checksums of the blocks of a file, by which changed bytes are found.

They are CRC-32: every change of up to 32 neighbouring bits in a block is found, any other with a probability of all but one in
four billion. They protect from failing disks, interrupted copies and programs that write into the file, not from forgery.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable
from zlib import crc32

Buffer = bytes | bytearray | memoryview

CHECKSUM_SIZE = 4
"""Bytes of one checksum."""


def block_checksums(pieces: Iterable[Buffer], block: int) -> bytes:
    """Return the checksums of the blocks of a content, each in four bytes with the lowest first.

    Args:
        pieces: The content, in pieces of bytes of any length.
        block: The size of a block in bytes; the last block may be shorter.

    >>> block_checksums([b"ab", b"cdef"], 4) == block_checksums([b"abcdef"], 4)
    True
    >>> len(block_checksums([b"abcdef"], 4)) // CHECKSUM_SIZE
    2
    """
    checksums = array("I")
    checksum = filled = 0
    for piece in pieces:
        view = memoryview(piece)
        start = 0
        while start < len(view):
            part = view[start : start + block - filled]
            checksum = crc32(part, checksum)
            start += len(part)
            filled += len(part)
            if filled == block:
                checksums.append(checksum)
                checksum = filled = 0
    if filled:
        checksums.append(checksum)
    return _little_endian(checksums).tobytes()


def read_checksums(stored: Buffer) -> array[int]:
    """Return the checksums that ``block_checksums`` returned as bytes."""
    checksums = array("I")
    checksums.frombytes(stored)
    return _little_endian(checksums)


def _little_endian(checksums: array[int]) -> array[int]:
    if sys.byteorder == "big":
        checksums.byteswap()
    return checksums
