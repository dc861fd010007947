"""Strings stored in flat arrays, read by index or found by a hash."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from .array_file import IntArray


class StringTable:
    """Strings in one block of UTF-8, read by index.

    Args:
        content: The strings, one after the other.
        offsets: Where each begins, and where the last one ends.
    """

    def __init__(self, content: IntArray, offsets: IntArray) -> None:
        self._content, self._offsets = content, offsets

    def bytes(self, index: int) -> bytes:
        """Return a string as it is stored."""
        return bytes(self._content[self._offsets[index] : self._offsets[index + 1]])

    def read(self, index: int) -> str:
        """Return a string."""
        return str(self._content[self._offsets[index] : self._offsets[index + 1]], "utf-8", "surrogatepass")


class StringIndex(StringTable):
    """Distinct strings that can be looked up: they are stored in the order of their hash buckets.

    Args:
        content: As in ``StringTable``.
        offsets: As in ``StringTable``.
        buckets: The index of the first string of each bucket, and the number of strings; the number of buckets is a power of 2.
    """

    def __init__(self, content: IntArray, offsets: IntArray, buckets: IntArray) -> None:
        super().__init__(content, offsets)
        self._buckets = buckets

    @cached_property
    def _mask(self) -> int:
        return len(self._buckets) - 2

    def find(self, text: str) -> int | None:
        """Return the index of a string, None if it is not in the table."""
        encoded = text.encode("utf-8", "surrogatepass")
        bucket = crc32(encoded) & self._mask
        for index in range(self._buckets[bucket], self._buckets[bucket + 1]):
            if self._content[self._offsets[index] : self._offsets[index + 1]] == encoded:
                return index
        return None
