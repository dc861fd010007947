"""Strings stored one behind the other in flat arrays, read by number or found by a hash."""

from __future__ import annotations

from functools import cached_property
from zlib import crc32


class StringTable:
    """Texts one behind the other, read by their number."""

    def __init__(self, content: memoryview, offsets: memoryview) -> None:
        self._content, self._offsets = content, offsets

    def bytes(self, place: int) -> bytes:
        """A text as it is stored."""
        return bytes(self._content[self._offsets[place] : self._offsets[place + 1]])

    def read(self, place: int) -> str:
        """A text."""
        return self.bytes(place).decode("utf-8", "surrogatepass")


class StringIndex(StringTable):
    """Texts that can be looked up: they lie in the order of their buckets."""

    def __init__(self, content: memoryview, offsets: memoryview, buckets: memoryview) -> None:
        super().__init__(content, offsets)
        self._buckets = buckets

    @cached_property
    def _mask(self) -> int:
        return len(self._buckets) - 2

    def find(self, text: str) -> int | None:
        """The number of a text, None if it is not among them."""
        wanted = text.encode("utf-8", "surrogatepass")
        bucket = crc32(wanted) & self._mask
        for place in range(self._buckets[bucket], self._buckets[bucket + 1]):
            if self.bytes(place) == wanted:
                return place
        return None
