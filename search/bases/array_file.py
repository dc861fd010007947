"""A file of named arrays that is mapped into memory: a header of three lines, the arrays, and checksums of their blocks.

The lines are the magic number, the checksum of the third line, and JSON with metadata and the positions of the arrays. A block
is verified before it is used: in files up to ``MAX_CHECKED`` bytes all blocks when the file is opened (0.4 ms per megabyte), in
larger ones each when something in it is first read, so that they open instantly. Processes that open the same file share its
pages.
"""

from __future__ import annotations

import json
import mmap
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, overload
from zlib import crc32

from ...core.checksums import CHECKSUM_SIZE, block_checksums, read_checksums
from ..errors import ArraysDamaged

if TYPE_CHECKING:
    import numpy as np

MAGIC = b"wayword arrays 3\n"
MAX_CHECKED = 1 << 26
BLOCK = 1 << 14
"""Bytes with one checksum. Verifying a block takes 6 µs, less than reading a page from a disk."""

_ALIGNED = 16  # so that no element is part of two blocks
_SHIFT = BLOCK.bit_length() - 1
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)  # opening a pipe must not wait for its other end
_CODES = {"int64": "q", "int32": "i", "uint8": "B", "float64": "d"}


class IntArray(Protocol):
    """An array of integers."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: int, /) -> int: ...
    @overload
    def __getitem__(self, key: slice, /) -> memoryview[int]: ...


def write_arrays(target: BinaryIO, about: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
    """Write arrays of int64, int32, uint8 or float64 with their metadata."""
    positions: dict[str, tuple[int, int, str]] = {}
    offset = 0
    for name, array in arrays.items():
        positions[name] = (offset, array.nbytes, _CODES[str(array.dtype)])
        offset += -(-array.nbytes // _ALIGNED) * _ALIGNED
    head = json.dumps({"about": about, "arrays": positions, "size": offset}).encode() + b"\n"
    head = MAGIC + b"%08x\n" % crc32(head) + head
    target.write(head + b"\0" * (-len(head) % _ALIGNED))
    target.writelines(_pieces(arrays))
    checksums = block_checksums(_pieces(arrays), BLOCK)
    target.write(checksums + crc32(checksums).to_bytes(CHECKSUM_SIZE, "little"))


def _pieces(arrays: Mapping[str, np.ndarray]) -> Iterator[bytes | memoryview]:
    """Yield the bytes of arrays, each followed by padding."""
    import numpy as np

    for array in arrays.values():
        yield np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
        yield b"\0" * (-array.nbytes % _ALIGNED)


class Blocks:
    """The blocks of a file's arrays, verified when they are first used.

    Args:
        content: The bytes of the arrays.
        checksums: The stored checksums.
        name: What an error calls the file.
        on_damage: Called before the first error.
    """

    def __init__(self, content: memoryview, checksums: memoryview, name: str, on_damage: Callable[[], None]) -> None:
        self._content, self._checksums = content, read_checksums(checksums)
        self._name, self._on_damage = name, on_damage
        self.raw_checksums = checksums
        self.verified = bytearray(len(self._checksums))

    def verify(self, first: int, last: int) -> None:
        """Verify the blocks of the bytes from ``first`` to ``last``.

        Raises:
            ArraysDamaged: One has changed since it was written.
        """
        verified = self.verified
        for number in range(first >> _SHIFT, -(-last >> _SHIFT)):
            if not verified[number]:
                if crc32(self._content[number << _SHIFT : number + 1 << _SHIFT]) != self._checksums[number]:
                    raise self.damage()
                verified[number] = True

    def damage(self) -> ArraysDamaged:
        """Return the error that a block has changed since it was written, or was written wrongly."""
        self._on_damage()
        return ArraysDamaged(f"{self._name} is damaged, so it was deleted: try again, and it is built again")


class CheckedArray:
    """An array of a file whose blocks are verified when they are first read.

    Args:
        values: The elements.
        first: The position of the first element, in bytes.
        blocks: The blocks of the file.
    """

    __slots__ = ("_blocks", "_first", "_size", "_values", "_verified")

    def __init__(self, values: memoryview[int], first: int, blocks: Blocks) -> None:
        self._values, self._first, self._size = values, first, values.itemsize
        self._blocks, self._verified = blocks, blocks.verified

    def __len__(self) -> int:
        return len(self._values)

    @overload
    def __getitem__(self, key: int, /) -> int: ...
    @overload
    def __getitem__(self, key: slice, /) -> memoryview[int]: ...
    def __getitem__(self, key: int | slice, /) -> int | memoryview[int]:
        if isinstance(key, slice):
            start, stop, _ = key.indices(len(self._values))
            if start < stop:
                self._blocks.verify(self._first + start * self._size, self._first + stop * self._size)
            return self._values[key]
        value = self._values[key]  # raises IndexError
        byte = self._first + (key if key >= 0 else key + len(self._values)) * self._size
        if not self._verified[byte >> _SHIFT]:
            self._blocks.verify(byte, byte + self._size)
        return value


class Arrays:
    """The arrays of a file, or of a block of memory with the same content, by name.

    - ``about``: the metadata that was written with the arrays
    - ``is_verified``: whether all blocks were verified when the file was opened

    Args:
        content: The content of a file.
        name: What an error calls the file.
        on_damage: Called if a block turns out to be damaged after the file was opened.
        max_checked: The number of bytes up to which all blocks are verified at once.

    Raises:
        ValueError: The content is not a file of arrays, or it is damaged or truncated.
    """

    def __init__(
        self,
        content: memoryview,
        name: str = "a file of arrays",
        on_damage: Callable[[], None] = lambda: None,
        *,
        max_checked: int = MAX_CHECKED,
    ) -> None:
        if bytes(content[: len(MAGIC)]) != MAGIC:
            raise ValueError("not a file of arrays")
        begin = len(MAGIC) + 9
        end = _line_end(content, begin) + 1
        line = bytes(content[begin:end])
        if bytes(content[len(MAGIC) : begin]) != b"%08x\n" % crc32(line):
            raise ValueError("the file of arrays is damaged")
        head = json.loads(line)
        start, size = -(-end // _ALIGNED) * _ALIGNED, head["size"]
        checksums = content[start + size : -CHECKSUM_SIZE]
        if len(content) != start + size + -(-size // BLOCK) * CHECKSUM_SIZE + CHECKSUM_SIZE:
            raise ValueError("the file of arrays is truncated")
        if crc32(checksums).to_bytes(CHECKSUM_SIZE, "little") != content[-CHECKSUM_SIZE:]:
            raise ValueError("the file of arrays is damaged")
        self.about: dict[str, Any] = head["about"]
        self._content = content[start : start + size]
        self._blocks = Blocks(self._content, checksums, name, on_damage)
        self._values: dict[str, tuple[int, memoryview[int]]] = {
            each: (offset, self._content[offset : offset + length].cast("B").cast(code))
            for each, (offset, length, code) in head["arrays"].items()
        }
        self.is_verified: bool = size <= max_checked
        if self.is_verified:
            self.verify()

    @classmethod
    def open(cls, path: Path, on_damage: Callable[[], None] = lambda: None) -> Arrays:
        """Map a file into memory.

        Raises:
            OSError: The file cannot be read.
            ValueError: It is not a file of arrays, or it is damaged or truncated.
        """
        with os.fdopen(os.open(path, os.O_RDONLY | _NONBLOCK), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise ValueError("not a file of arrays")
            return cls(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)), str(path), on_damage)

    def verify(self) -> None:
        """Verify all blocks.

        Raises:
            ArraysDamaged: One has changed since it was written.
        """
        self._blocks.verify(0, len(self._content))

    def __getitem__(self, name: str) -> IntArray:
        """Return an array whose elements are verified at the latest when they are read."""
        offset, values = self._values[name]
        return values if self.is_verified else CheckedArray(values, offset, self._blocks)

    def place(self, name: str) -> tuple[int, int]:
        """Return where the bytes of an array begin in the content, and their number."""
        offset, values = self._values[name]
        return offset, values.nbytes

    def raw_content(self) -> dict[str, Any]:
        """Return what code in C needs to verify the blocks that it reads: arguments of its types."""
        blocks = self._blocks
        return {"content": self._content, "checksums": blocks.raw_checksums, "verified": blocks.verified, "shift": _SHIFT}

    def damage(self) -> ArraysDamaged:
        """Return the error that the content is damaged, as code in C has found."""
        return self._blocks.damage()

    def whole(self, name: str) -> memoryview[int]:
        """Return an array as a buffer, such as for numpy, after all of it was verified."""
        offset, values = self._values[name]
        self._blocks.verify(offset, offset + values.nbytes)
        return values


def _line_end(content: memoryview, begin: int) -> int:
    step = 4096
    for start in range(begin, len(content), step):
        found = bytes(content[start : start + step]).find(b"\n")
        if found >= 0:
            return start + found
    raise ValueError("the file of arrays is truncated")
