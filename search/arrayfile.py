"""One file of named arrays that can be used where it lies: a line of JSON about it, then the arrays, mapped into memory.

Nothing is read at opening but the first line, so a file of any size opens at once, and processes share its pages.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    import numpy as np

MAGIC = b"wayword arrays 1\n"
_ALIGNED = 16
_CODES = {"int64": "q", "int32": "i", "uint8": "B"}


def write_arrays(target: BinaryIO, about: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
    """Write arrays of whole numbers (int64, int32, uint8) with what is known about them."""
    places: dict[str, tuple[int, int, str]] = {}
    offset = 0
    for name, array in arrays.items():
        places[name] = (offset, array.nbytes, _CODES[str(array.dtype)])
        offset += -(-array.nbytes // _ALIGNED) * _ALIGNED
    head = json.dumps({"about": about, "arrays": places, "size": offset}).encode() + b"\n"
    start = len(MAGIC) + len(head)
    target.write(MAGIC + head + b"\0" * (-start % _ALIGNED))
    for array in arrays.values():
        target.write(array.tobytes())
        target.write(b"\0" * (-array.nbytes % _ALIGNED))


class Arrays:
    """The arrays of a file or of a piece of memory, by name."""

    def __init__(self, content: memoryview) -> None:
        if bytes(content[: len(MAGIC)]) != MAGIC:
            raise ValueError("this is no file of arrays")
        end = _line_end(content)
        head = json.loads(bytes(content[len(MAGIC) : end]))
        start = -(-(end + 1) // _ALIGNED) * _ALIGNED
        if len(content) != start + head["size"]:
            raise ValueError("the file of arrays is cut off")
        self.about: dict[str, Any] = head["about"]
        self._arrays = {
            name: content[start + offset : start + offset + size].cast("B").cast(code)
            for name, (offset, size, code) in head["arrays"].items()
        }

    @classmethod
    def open(cls, path: Path) -> Arrays:
        """Map a file into memory."""
        with path.open("rb") as file:
            return cls(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)))

    def __getitem__(self, name: str) -> memoryview:
        return self._arrays[name]


def _line_end(content: memoryview) -> int:
    step = 4096
    for start in range(len(MAGIC), len(content), step):
        found = bytes(content[start : start + step]).find(b"\n")
        if found >= 0:
            return start + found
    raise ValueError("the file of arrays is cut off")
