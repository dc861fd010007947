"""The bytes of a dump: told by content what they are, unpacked in small steps, parted at the borders of streams and pages.

Nothing here holds more than a piece of a few megabytes, or one page of at most ``LARGEST_PAGE``, whatever the file does.
"""

from __future__ import annotations

import bz2
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Literal, Protocol

Compression = Literal["plain", "gzip", "bzip2"]

READ = 1 << 15
STEP = 1 << 20
PIECE = 8 << 20
"""Bytes of XML that are cut off and handed on at once."""

LARGEST_PAGE = 32 << 20
"""Bytes of the longest page, as XML; MediaWiki's own limit for a text is 2 MB."""

WINDOW = 1 << 20
BLOCK_MAGIC = b"1AY&SY"
STREAM = re.compile(rb"BZh[1-9]1AY&SY|BZh[1-9]\x17rE8P\x90")
"""How a stream of bzip2 begins: its head, and a first block or the end of an empty one."""

PAGE = re.compile(rb"<page[\s>]")
BEGUN = re.compile(rb"<(?:p(?:a(?:ge?)?)?)?\Z")
END = b"</page>"
CLOSING = b"</mediawiki>"
"""What ends a dump."""

TAIL = 4096
"""Bytes at the end of a dump in which that is looked for."""

_SUM = re.compile("incorrect (?:data|length) check")
"""What zlib says where a sum is wrong."""

BREAK = b"<\0>"
"""Stands where bytes are lost, so that no page seems whole that is not."""

LARGE = "oversized_page"
CUT_OFF = "truncation"
DAMAGED = "damaged_stream"
BEHIND = "damage_after_end"


class SumWrong(zlib.error):
    """All of a member of a gzip file could be unpacked, and its sum says that something in it is not as it was."""


class Decompressor(Protocol):
    """What unpacks one stream: the interface of ``bz2.BZ2Decompressor``."""

    @property
    def eof(self) -> bool:
        """Whether the end of the stream has been reached."""

    @property
    def needs_input(self) -> bool:
        """Whether nothing more comes out of what has been given."""

    @property
    def unused_data(self) -> bytes:
        """What was given beyond the end of the stream."""

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        """Take more in and give at most ``max_length`` bytes out."""


class GzipDecompressor:
    """One member of a gzip file, with the interface of ``bz2.BZ2Decompressor``."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(wbits=31)
        self._full = False
        self._wrong: zlib.error | None = None

    @property
    def eof(self) -> bool:
        """Whether the end of the member has been reached."""
        return self._member.eof

    @property
    def needs_input(self) -> bool:
        """Whether nothing more comes out of what has been given."""
        return not self._full and not self._member.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        """What was given beyond the end of the member."""
        return self._member.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        """Take more in and give at most ``max_length`` bytes out, or all that is left of a member whose sum is wrong."""
        if self._wrong is not None:
            raise SumWrong(str(self._wrong)) from self._wrong
        given, before = self._member.unconsumed_tail + data, self._member.copy()
        try:
            found = self._member.decompress(given, max_length)
        except zlib.error as error:
            if not _SUM.search(str(error)):
                raise
            found, self._wrong = _rescued(before, given), error
        self._full = len(found) == max_length or self._wrong is not None
        return found


def _rescued(member: zlib._Decompress, data: bytes) -> bytes:
    """What comes out of the end of a member whose sum is wrong: zlib keeps it back, unless the sum comes by itself."""
    found, size = b"", len(data)
    while data and size:
        trial = member.copy()
        try:
            found += trial.decompress(data[:size])
            member, data = trial, data[size:]
        except zlib.error:
            size //= 2
    return found


def detect_compression(start: bytes) -> Compression:
    """What a file is by its first bytes.

    >>> detect_compression(b"BZh91AY&SY"), detect_compression(b"<mediawiki>")
    ('bzip2', 'plain')
    """
    if start.startswith(b"\x1f\x8b"):
        return "gzip"
    return "bzip2" if start.startswith(b"BZh") else "plain"


class Unpacker:
    """The unpacked bytes of those streams of a file that begin between ``start`` and ``stop``, in steps of at most ``STEP``.

    ``position`` is where the stream that is being read begins: behind the last one when all have been read; ``taken`` is how
    far the file has been read; ``tail`` is what came last. A damaged stream ends where the damage is, is counted in ``faults``,
    and in bzip2 the next stream is looked for. What cannot be unpacked behind the end of the dump is counted in ``behind``.
    """

    def __init__(self, path: Path, how: Compression, start: int = 0, stop: int | None = None) -> None:
        self._path = path
        self._how = how
        self._stop = stop
        self.position = start
        self.taken = start
        self.faults = self.behind = 0
        self.tail = b""

    def __iter__(self) -> Iterator[bytes]:
        with self._path.open("rb") as file:
            for piece in self._plain(file) if self._how == "plain" else self._packed(file):
                if piece != BREAK:
                    self.tail = (self.tail + piece if len(piece) < TAIL else piece)[-TAIL:]
                yield piece

    def _packed(self, file: BinaryIO) -> Iterator[bytes]:
        while self._stop is None or self.position < self._stop:
            file.seek(self.position)
            try:
                yield from self._streams(file)
                return
            except (OSError, EOFError, zlib.error) as error:
                if CLOSING in self.tail.rpartition(END)[2] and not isinstance(error, SumWrong):
                    self.behind += 1
                else:
                    self.faults += 1
                yield BREAK
                following = next(find_streams(self._path, self.position + 1), None) if self._how == "bzip2" else None
                if following is None:
                    self.position = max(self.position, self._path.stat().st_size)
                    return
                self.position = following

    def following(self) -> Iterator[bytes]:
        """What comes after; nothing if this one has not been read to its end."""
        if self._stop is not None and self.position >= self._stop:
            yield from Unpacker(self._path, self._how, self.position)

    def tell(self, lost: Counter[str]) -> None:
        """Count what is wrong with the file: damage, what does not belong to it, and an end behind a page, where no dump ends.

        A file that is cut off in the middle of a page is told by the page.
        """
        if self.faults:
            lost[DAMAGED] += self.faults
        if self.behind:
            lost[BEHIND] += self.behind
        _, page, behind = self.tail.rpartition(END)
        if page and not (CLOSING in behind or PAGE.search(behind)) and self.position >= self._path.stat().st_size:
            lost[CUT_OFF] += 1

    def _plain(self, file: BinaryIO) -> Iterator[bytes]:
        file.seek(self.position)
        while self._stop is None or self.position < self._stop:
            piece = file.read(STEP if self._stop is None else min(STEP, self._stop - self.position))
            if not piece:
                return
            self.position = self.taken = self.position + len(piece)
            yield piece

    def _streams(self, file: BinaryIO) -> Iterator[bytes]:
        """Stream after stream from where the file stands; ``position`` is the beginning of the one that is being read."""
        held = b""
        while self._stop is None or self.position < self._stop:
            held = held if len(held) >= len(BLOCK_MAGIC) else held + file.read(READ)
            if not held.strip(b"\0"):
                return
            stream: Decompressor = GzipDecompressor() if self._how == "gzip" else bz2.BZ2Decompressor()
            while not stream.eof:
                found = stream.decompress(held, STEP)
                held = b""
                self.taken = file.tell()
                if found:
                    yield found
                if not stream.eof and stream.needs_input:
                    held = file.read(READ)
                    if not held:
                        raise EOFError
            held = stream.unused_data
            self.position = file.tell() - len(held)


def find_streams(path: Path, start: int, stop: int | None = None) -> Iterator[int]:
    """Where streams of bzip2 begin, from ``start`` on, by the mark that they begin with.

    The index that Wikimedia puts beside a multistream dump says the same, but can be of another dump, cut off or absent: it
    would have to be checked against these marks, and looking for them costs a hundredth of unpacking what lies between.
    """
    kept = len(BLOCK_MAGIC) + 3
    with path.open("rb") as file:
        file.seek(start)
        window = file.read(kept)
        while (more := file.read(WINDOW)) and (stop is None or start < stop):
            window += more
            for found in STREAM.finditer(window):
                yield start + found.start()
            start += len(window) - kept
            window = window[-kept:]


def split_at_pages(
    own: Iterable[bytes], following: Iterable[bytes], lost: Counter[str], piece: int
) -> Iterator[tuple[int, bytes]]:
    """Pieces that end behind a page, each with its place among the bytes; every page that begins in ``own`` is in one of them.

    ``following`` is what comes after ``own``: it is read only if a page that begins in ``own`` ends there. What lies before the
    first page of a piece belongs to nobody. Pages too long or cut off are counted in ``lost``.
    """
    rest, at, seen, skipping = bytearray(), 0, 0, False
    for more in own:
        rest += more
        if len(rest) < piece:
            continue
        if skipping:  # a page too long: on to the next that begins
            begin = PAGE.search(rest)
            used, seen, skipping = (begin.start() if begin else _but_a_tag(rest)), 0, begin is None
        else:
            used = _used(rest, max(seen - len(END), 0))
            if PAGE.search(rest, 0, used):
                yield at, bytes(memoryview(rest)[:used])
            elif not used and len(rest) > LARGEST_PAGE:
                lost[LARGE] += 1
                used, skipping = _but_a_tag(rest), True
            seen = len(rest) - used
        del rest[:used]
        at += used
    if skipping:
        begin = PAGE.search(rest)
        used = begin.start() if begin else len(rest)
        del rest[:used]
        at += used
    yield from ((at + begin, found) for begin, found in _ending(rest, following, lost))


def _used(rest: bytearray, seen: int) -> int:
    """How many of these bytes can be let go: up to the end of the last page that ends, looked for from ``seen`` on.

    Where none ends, it is up to where the last page begins: none before it has an end.
    """
    end = rest.rfind(END, seen)
    if end >= 0:
        return end + len(END)
    last = _last_page(rest)
    return _but_a_tag(rest) if last < 0 else last


def _but_a_tag(rest: bytearray) -> int:
    """All bytes but as many as a tag may have that has only begun."""
    return max(len(rest) - len(END), 0)


def _last_page(rest: bytearray) -> int:
    """Where the last page begins, -1 if none does."""
    at = len(rest)
    while (at := rest.rfind(b"<page", 0, at)) >= 0:
        if PAGE.match(rest, at):
            return at
    return -1


def _ending(rest: bytearray, following: Iterable[bytes], lost: Counter[str]) -> Iterator[tuple[int, bytes]]:
    """The last pages: those that end in ``rest``, then the one that only begins in it, with what follows up to its end."""
    used = rest.rfind(END) + len(END)
    if used >= len(END):
        yield 0, bytes(rest[:used])
        del rest[:used]
    else:
        used = 0
    own, seen = len(rest), 0
    if not (PAGE.search(rest) or BEGUN.search(rest)):
        return
    for more in following:
        rest += more
        begin = PAGE.search(rest) or BEGUN.search(rest)
        if begin is None or begin.start() >= own:
            return
        end = rest.find(END, seen)
        stop = end + len(END) if end >= 0 else len(rest)
        strange = PAGE.search(rest, max(own, seen), stop)
        if strange:  # the page has no end, and the next one is not ours
            end, stop = 0, strange.start()
        if end >= 0:
            yield used, bytes(memoryview(rest)[:stop])
            return
        if len(rest) - begin.start() > LARGEST_PAGE:
            lost[LARGE] += 1
            return
        seen = _but_a_tag(rest)
    if PAGE.search(rest):
        lost[CUT_OFF] += 1
