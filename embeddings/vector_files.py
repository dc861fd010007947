"""Open files of word vectors in any common format.

A .npy matrix with a vocabulary is mapped into memory directly. Other formats (word2vec text and binary, GloVe, gensim) are
converted once, a block at a time, to a matrix and an Arrow column of words in the user's cache directory.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
import pyarrow as pa

from ..core.atomic_files import describe_file
from ..core.errors import hint
from .errors import VectorsInvalid, VectorsMissing
from .word_vectors import WordVectors

BLOCK_SIZE = 4_096
"""The number of vectors that are converted together."""

LONGEST_LINE = 1 << 20
LONGEST_WORD = 1 << 12
MAX_DIMENSIONS = 1 << 16
FORMAT = 1

NPY_SIGNATURE = b"\x93NUMPY"
VOCABULARY_SUFFIXES = (".vocab", ".vocabulary", ".words", ".txt", ".json", ".parquet")
"""The suffixes of a vocabulary beside a .npy file."""

Block = tuple[list[str], np.ndarray]


def open_vectors(file: str | os.PathLike[str], vocabulary: str | os.PathLike[str] | None = None) -> WordVectors:
    r"""Open a file of word vectors; its format is detected by content.

    Args:
        file: word2vec (text or binary), GloVe, gensim's KeyedVectors, or a matrix in NumPy's .npy format.
        vocabulary: The words of a .npy file, in the order of its rows; by default a file of the same name beside it.

    Raises:
        VectorsMissing: The file cannot be read.
        VectorsInvalid: It has none of these formats, or is damaged.

    >>> _ = Path("small.txt").write_text("dog\ncat\n")
    >>> np.save("small.npy", np.array([[1.0, 0.0], [0.5, 0.5]]))
    >>> vectors = open_vectors("small.npy")
    >>> len(vectors), vectors.sums([["dog", "cat"]]).tolist()
    (2, [[1.5, 0.5]])
    """
    return _open(Path(file), None if vocabulary is None else Path(vocabulary))


def _open(file: Path, vocabulary: Path | None) -> WordVectors:
    try:
        with file.open("rb") as opened:
            start = opened.read(512)
    except OSError as error:
        raise VectorsMissing(f"{file} cannot be read ({error.strerror or error}); name a file of word vectors") from None
    if start.startswith(NPY_SIGNATURE):
        return _open_matrix(file, vocabulary or _find_vocabulary(file))
    if vocabulary is not None:
        raise VectorsInvalid(f"{file} is not a .npy file, and only these need a vocabulary", hint("omit", option="vocabulary"))
    if not start:
        raise VectorsInvalid(f"{file} is empty; name a file of word vectors")
    folder = _cache_folder(file)
    if not (folder / "done").exists():
        _convert(file, start, folder)
    words = pa.ipc.open_file(pa.memory_map(str(folder / "words.arrow"))).read_all()["word"]
    return WordVectors(file.name, words, np.load(folder / "vectors.npy", mmap_mode="r"))


def _open_matrix(file: Path, vocabulary: Path) -> WordVectors:
    try:
        matrix = np.load(file, mmap_mode="r", allow_pickle=False)
    except ValueError as error:
        raise VectorsInvalid(
            f"{file} is not a matrix of numbers ({error}); name a .npy file with a row for each word"
        ) from None
    if matrix.ndim != 2 or matrix.dtype.kind != "f":
        raise VectorsInvalid(f"{file} is not a matrix of real numbers; name a .npy file with a row for each word")
    words = _read_vocabulary(vocabulary)
    if len(words) != len(matrix):
        raise VectorsInvalid(
            f"{file} has {len(matrix):,} rows and {vocabulary} {len(words):,} words; name the vocabulary of this matrix"
        )
    return WordVectors(file.name, words, matrix)


def _find_vocabulary(file: Path) -> Path:
    """Return the vocabulary of a .npy file: the one of the same name, or the only one in its folder."""
    files = [each for each in map(file.with_suffix, VOCABULARY_SUFFIXES) if each.exists()]
    files = files or [each for each in sorted(file.parent.iterdir()) if each.suffix in VOCABULARY_SUFFIXES and each != file]
    if len(files) != 1:
        raise VectorsInvalid(f"{file} has no words", hint("set", option="vocabulary", what="the file with its words"))
    return files[0]


def _read_vocabulary(file: Path) -> pa.Array | pa.ChunkedArray:
    """Read one word per line, a JSON list or object of row numbers, or the first column of text of a Parquet file."""
    try:
        if file.suffix == ".parquet":
            import pyarrow.parquet as pq

            table = pq.read_table(file)
            column = next(
                (each for each in table.columns if pa.types.is_string(each.type) or pa.types.is_large_string(each.type)), None
            )
            if column is None:
                raise VectorsInvalid(f"{file} has no column of text; name a vocabulary")
            return column.cast(pa.string())
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".json":
            value = json.loads(text)
            words = sorted(value, key=value.__getitem__) if isinstance(value, dict) else value
            return pa.array(words, pa.string())
        return pa.array([line.split("\t")[0] for line in text.splitlines()], pa.string())
    except (OSError, ValueError, TypeError, pa.ArrowException) as error:
        raise VectorsInvalid(
            f"{file} cannot be read as a vocabulary ({error}); give one word a line, JSON or Parquet"
        ) from None


def _cache_folder(file: Path) -> Path:
    """Return the folder of a file's converted vectors; it depends on the file's path, size and time."""
    from platformdirs import user_cache_path

    key = json.dumps([FORMAT, *describe_file(file)])
    return user_cache_path("wayword") / "vectors" / hashlib.sha256(key.encode()).hexdigest()[:20]


def _convert(file: Path, start: bytes, folder: Path) -> None:
    """Convert a file into a folder, atomically."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    working = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".converting-"))
    try:
        _write(file, _read_blocks(file, start), working)
        shutil.rmtree(folder, ignore_errors=True)
        working.rename(folder)
    finally:
        shutil.rmtree(working, ignore_errors=True)


def _write(file: Path, blocks: Iterator[Block], folder: Path) -> None:
    schema = pa.schema([("word", pa.string())])
    rows = dimensions = 0
    with (folder / "vectors.npy").open("wb") as target, pa.OSFile(str(folder / "words.arrow"), "wb") as sink:
        target.write(bytes(128))  # the header is written last, when the number of rows is known
        with pa.ipc.new_file(sink, schema) as words:
            for block, matrix in blocks:
                words.write_batch(pa.record_batch([pa.array(block, pa.string())], schema=schema))
                target.write(np.ascontiguousarray(matrix, np.float32).tobytes())
                rows, dimensions = rows + len(block), matrix.shape[1]
        if not rows:
            raise VectorsInvalid(f"{file} has no vectors; name a file of word vectors")
        description = {"descr": "<f4", "fortran_order": False, "shape": (rows, dimensions)}
        head = NPY_SIGNATURE + b"\x01\x00" + (118).to_bytes(2, "little") + f"{description}".encode().ljust(117) + b"\n"
        target.seek(0)
        target.write(head)
    (folder / "done").touch()


def _read_blocks(file: Path, start: bytes) -> Iterator[Block]:
    """Yield the words and vectors of a file in blocks."""
    if start.startswith(b"\x80"):
        from .gensim_files import read_gensim_blocks

        return read_gensim_blocks(file)
    is_gzip = start.startswith(b"\x1f\x8b")
    opened = cast("BinaryIO", gzip.open(file)) if is_gzip else file.open("rb")  # noqa: SIM115 - its reader closes it
    sizes = _parse_header(opened.readline(LONGEST_LINE))
    if sizes is None:
        opened.seek(0)
        return _read_text(file, opened, None, 1)
    body = opened.peek(1 << 12)[: 1 << 12] if hasattr(opened, "peek") else b""
    return _read_binary(file, opened, *sizes) if _is_binary(body, sizes[1]) else _read_text(file, opened, sizes, 2)


def _parse_header(line: bytes) -> tuple[int, int] | None:
    """Return the number of vectors and of dimensions in a first line; None if it is a vector itself."""
    fields = line.split()
    if len(fields) != 2 or not all(field.isdigit() and len(field) < 12 for field in fields):
        return None
    return int(fields[0]), int(fields[1])


def _is_binary(body: bytes, dimensions: int) -> bool:
    """Return whether the bytes after the header are a word and something other than decimal numbers."""
    line = body.split(b"\n", 1)[0] if b"\n" in body else body
    numbers = line.split()[1 : dimensions + 1]
    try:
        for number in numbers[:-1] or numbers:
            float(number)
    except ValueError:
        return True
    return not numbers


def _read_text(file: Path, opened: BinaryIO, sizes: tuple[int, int] | None, number: int) -> Iterator[Block]:
    """Read the text format of word2vec or GloVe: a word, which may have blanks, and its numbers on each line."""
    dimensions = sizes[1] if sizes else 0
    words: list[str] = []
    rows: list[np.ndarray] = []
    count = 0
    with opened:
        for position, line in enumerate(iter(lambda: opened.readline(LONGEST_LINE), b""), start=number):
            parts = line.rstrip().split(b" ")
            if len(parts) < 2 and not line.strip():
                continue
            dimensions = dimensions or len(parts) - 1
            try:
                row = np.array(parts[-dimensions:], dtype="S").astype(np.float32) if len(parts) > dimensions > 0 else None
                word = b" ".join(parts[:-dimensions]).decode()
            except (ValueError, UnicodeDecodeError):
                row = None
            if row is None or dimensions > MAX_DIMENSIONS:
                raise VectorsInvalid(
                    f"{file}, line {position} is not a word and {dimensions} numbers; name another file, or download it again"
                )
            words.append(word)
            rows.append(row)
            if len(words) == BLOCK_SIZE:
                yield words, np.stack(rows)
                count += len(words)
                words, rows = [], []
    if words:
        yield words, np.stack(rows)
        count += len(words)
    if sizes and count != sizes[0]:
        raise VectorsInvalid(f"{file} announces {sizes[0]:,} vectors and has {count:,}; download it again")


def _read_binary(file: Path, opened: BinaryIO, count: int, dimensions: int) -> Iterator[Block]:
    """Read word2vec's binary format: a word, a blank, and little-endian floats."""
    with opened:
        if not 0 < dimensions <= MAX_DIMENSIONS:
            raise VectorsInvalid(f"{file} announces vectors of {dimensions} numbers; name a file of word vectors")
        for start in range(0, count, BLOCK_SIZE):
            words: list[str] = []
            matrix = np.empty((min(BLOCK_SIZE, count - start), dimensions), np.float32)
            for row in matrix:
                word = bytearray()
                while (letter := opened.read(1)) not in (b" ", b"") and len(word) < LONGEST_WORD:
                    word += letter
                numbers = opened.read(4 * dimensions)
                if letter != b" " or len(numbers) < 4 * dimensions:
                    raise VectorsInvalid(
                        f"{file} is cut off or damaged after {start + len(words):,} of {count:,} vectors; download it again"
                    )
                row[:] = np.frombuffer(numbers, "<f4")
                words.append(bytes(word).lstrip(b"\n").decode("utf-8", "replace"))
            yield words, matrix
