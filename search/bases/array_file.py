"""A file of named arrays that is mapped into memory: a header of three lines, then the arrays.

The lines are the magic number, the checksum of the third line, and JSON with metadata, the positions of the arrays and their
checksum. The checksum of the arrays is verified in files up to ``MAX_CHECKED`` bytes (0.4 ms per megabyte): larger files open
instantly. Processes that open the same file share its pages.
"""

from __future__ import annotations

import json
import mmap
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from zlib import crc32

if TYPE_CHECKING:
    import numpy as np

MAGIC = b"wayword arrays 2\n"
MAX_CHECKED = 1 << 26
_ALIGNED = 16
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)  # opening a pipe must not wait for its other end
_CODES = {"int64": "q", "int32": "i", "uint8": "B"}


def write_arrays(target: BinaryIO, about: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
    """Write arrays of int64, int32 or uint8 with their metadata."""
    import numpy as np

    positions: dict[str, tuple[int, int, str]] = {}
    offset = 0
    for name, array in arrays.items():
        positions[name] = (offset, array.nbytes, _CODES[str(array.dtype)])
        offset += -(-array.nbytes // _ALIGNED) * _ALIGNED
    checksum = 0
    for array in arrays.values():
        checksum = crc32(_padding(array), crc32(np.ascontiguousarray(array).data.cast("B"), checksum))
    head = json.dumps({"about": about, "arrays": positions, "size": offset, "checksum": checksum}).encode() + b"\n"
    head = MAGIC + b"%08x\n" % crc32(head) + head
    target.write(head + b"\0" * (-len(head) % _ALIGNED))
    for array in arrays.values():
        target.write(array.tobytes() + _padding(array))


def _padding(array: np.ndarray) -> bytes:
    return b"\0" * (-array.nbytes % _ALIGNED)


class Arrays:
    """The arrays of a file, or of a block of memory with the same content, by name.

    - ``about``: the metadata that was written with the arrays

    Raises:
        ValueError: The content is not a file of arrays, or it is damaged or truncated.
    """

    def __init__(self, content: memoryview) -> None:
        if bytes(content[: len(MAGIC)]) != MAGIC:
            raise ValueError("not a file of arrays")
        begin = len(MAGIC) + 9
        end = _line_end(content, begin) + 1
        line = bytes(content[begin:end])
        if bytes(content[len(MAGIC) : begin]) != b"%08x\n" % crc32(line):
            raise ValueError("the file of arrays is damaged")
        head = json.loads(line)
        start = -(-end // _ALIGNED) * _ALIGNED
        if len(content) != start + head["size"]:
            raise ValueError("the file of arrays is truncated")
        if head["size"] <= MAX_CHECKED and crc32(content[start:]) != head["checksum"]:
            raise ValueError("the file of arrays is damaged")
        self.about: dict[str, Any] = head["about"]
        self._arrays = {
            name: content[start + offset : start + offset + size].cast("B").cast(code)
            for name, (offset, size, code) in head["arrays"].items()
        }

    @classmethod
    def open(cls, path: Path) -> Arrays:
        """Map a file into memory.

        Raises:
            OSError: The file cannot be read.
            ValueError: It is not a file of arrays, or it is damaged or truncated.
        """
        with os.fdopen(os.open(path, os.O_RDONLY | _NONBLOCK), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise ValueError("not a file of arrays")
            return cls(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)))

    def __getitem__(self, name: str) -> memoryview:
        return self._arrays[name]


def _line_end(content: memoryview, begin: int) -> int:
    step = 4096
    for start in range(begin, len(content), step):
        found = bytes(content[start : start + step]).find(b"\n")
        if found >= 0:
            return start + found
    raise ValueError("the file of arrays is truncated")
