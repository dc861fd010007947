"""Compressed files are read as streams, and those that unpack to far more than their size are refused."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from wayword.core.compression import UnpackingError, open_decompressed

from ..support.little_memory import needs_limits, run_with_little_memory

CONTENT = b"".join(b"word%d 0.1 0.2\n" % number for number in range(20_000))


def zip_files(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


COMPRESS: list[Callable[[bytes], bytes]] = [
    bytes,
    gzip.compress,
    bz2.compress,
    lzma.compress,
    lambda content: gzip.compress(content[:7]) + gzip.compress(content[7:]),
    lambda content: bz2.compress(content[:7]) + bz2.compress(content[7:]),
    lambda content: lzma.compress(content[:7]) + bytes(8) + lzma.compress(content[7:]) + bytes(4),
    lambda content: zip_files({"folder/": b"", "folder/words.vec": content, "__MACOSX/._words.vec": b"no"}),
]


@pytest.mark.parametrize("compress", COMPRESS)
def test_compressed_content_is_read(tmp_path: Path, compress: Callable[[bytes], bytes]) -> None:
    file = tmp_path / "any"
    file.write_bytes(compress(CONTENT))
    with open_decompressed(file) as stream:
        assert stream.readline() == b"word0 0.1 0.2\n"
        assert stream.read() == CONTENT[14:]


@pytest.mark.parametrize("compress", COMPRESS[1:])
def test_truncated_files_are_reported(tmp_path: Path, compress: Callable[[bytes], bytes]) -> None:
    whole = compress(CONTENT)
    file = tmp_path / "any"
    for size in (12, len(whole) // 2, len(whole) - 6):
        file.write_bytes(whole[:size])
        with pytest.raises(UnpackingError, match="cut off or damaged"), open_decompressed(file) as stream:
            stream.read()


def test_zip_archive_must_have_one_plain_file(tmp_path: Path) -> None:
    file = tmp_path / "any.zip"
    file.write_bytes(zip_files({"a": b"1", "b": b"2"}))
    with pytest.raises(UnpackingError, match="a zip archive of 2 files; unpack the one to read"):
        open_decompressed(file)
    file.write_bytes(zip_files({"a": b"1"}, zipfile.ZIP_LZMA))
    with pytest.raises(UnpackingError, match="compressed in an uncommon way"):
        open_decompressed(file)


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress, lambda content: zip_files({"a": content})])
def test_file_that_unpacks_to_far_more_than_its_size_is_refused(tmp_path: Path, compress: Callable[[bytes], bytes]) -> None:
    file = tmp_path / "any"
    file.write_bytes(compress(bytes(40 << 20)))
    with open_decompressed(file) as stream, pytest.raises(UnpackingError, match="more than 100 times its size"):
        deque(iter(partial(stream.read, 1 << 20), b""), maxlen=0)


@pytest.mark.slow
@needs_limits
def test_xz_reserves_no_memory_that_a_file_asks_for(tmp_path: Path) -> None:
    file = tmp_path / "any.xz"
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 4096}]
    content = bytearray(lzma.compress(b"small", filters=filters))
    position = content.index(b"\x21\x01", 12)  # the filter LZMA2 and the size of its property, the size of the dictionary
    content[position + 2] = 40  # 4 GB
    header = 12
    size = (content[header] + 1) * 4
    content[header + size - 4 : header + size] = _crc32(bytes(content[header : header + size - 4]))
    file.write_bytes(content)
    imports = "from pathlib import Path\nfrom wayword.core.compression import UnpackingError, open_decompressed"
    statements = "try: open_decompressed(Path(argument)).read()\nexcept UnpackingError as error: print(error)"
    assert "Memory usage limit" in run_with_little_memory(imports, statements, file)


def _crc32(content: bytes) -> bytes:
    import zlib

    return zlib.crc32(content).to_bytes(4, "little")
