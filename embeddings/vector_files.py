"""Open files of word vectors in any common format.

A .npy matrix with a vocabulary is mapped into memory directly. Other formats (word2vec text and binary, GloVe, fastText,
gensim) are converted once, a block at a time, to a matrix and an Arrow column of words in the user's cache directory.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..core.atomic_files import describe_file
from ..core.compression import UnpackingError, detect_compression, open_decompressed
from ..core.errors import hint
from ..core.messages import first_line
from ..core.parquet_limits import ParquetTooLarge, check_memory, memory_limit
from .errors import VectorsError, VectorsInvalid, VectorsMissing
from .fasttext_files import LONGEST_WORD, SIGNATURE, block_size, read_fasttext_blocks
from .gensim_files import read_gensim_blocks
from .matrices import MAX_DIMENSIONS, map_matrix
from .word_vectors import WordVectors

LONGEST_LINE = 1 << 20
FORMAT = 2

NPY_SIGNATURE = b"\x93NUMPY"
PICKLE_SIGNATURE = b"\x80"
ARCHIVES = {b"7z\xbc\xaf": "a 7z archive", b"Rar!": "a rar archive", b"\x28\xb5\x2f\xfd": "compressed by zstd"}
"""Formats that are not read, by their first bytes."""

VOCABULARY_SUFFIXES = (".vocab", ".vocabulary", ".words", ".txt", ".json", ".parquet")
"""The suffixes of a vocabulary beside a .npy file."""

UNDECODABLE_WORD = "undecodable_word"

Block = tuple[Sequence[str | bytes], np.ndarray]


def open_vectors(file: str | os.PathLike[str], vocabulary: str | os.PathLike[str] | None = None) -> WordVectors:
    r"""Open a file of word vectors; its format is detected by content.

    Args:
        file: word2vec (text or binary), GloVe, fastText (.vec or .bin), or gensim's KeyedVectors, each plain or compressed
            (.gz, .bz2, .xz, or .zip with a single file); or a matrix in NumPy's .npy format.
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
    try:
        folder = _cache_folder(file)
        if not (folder / "done").exists():
            _convert(file, folder)
        words = pa.ipc.open_file(pa.memory_map(str(folder / "words.arrow"))).read_all()["word"]
        left_out = json.loads((folder / "done").read_text())
        return WordVectors(file.name, words, np.load(folder / "vectors.npy", mmap_mode="r"), left_out)
    except OSError as error:
        raise VectorsError(f"the vectors of {file} cannot be stored in the cache ({error.strerror or error})") from error


def _open_matrix(file: Path, vocabulary: Path) -> WordVectors:
    matrix = map_matrix(file)
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
            return _read_text_column(file)
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".json":
            value = json.loads(text)
            words = sorted(value, key=value.__getitem__) if isinstance(value, dict) else value
            return pa.array(words, pa.string())
        return pa.array([line.split("\t")[0] for line in text.splitlines()], pa.string())
    except (OSError, ValueError, TypeError, RecursionError, pa.ArrowException) as error:
        raise VectorsInvalid(
            f"{file} cannot be read as a vocabulary ({first_line(error)}); give one word a line, JSON or Parquet"
        ) from None


def _read_text_column(file: Path) -> pa.ChunkedArray:
    """Return the first column of text of a Parquet file, read as dictionaries to bound what equal words take."""
    import pyarrow.parquet as pq

    schema, size = pq.read_schema(file), file.stat().st_size
    name = next((each.name for each in schema if pa.types.is_string(each.type) or pa.types.is_large_string(each.type)), None)
    if name is None:
        raise VectorsInvalid(f"{file} has no column of text; name a vocabulary")
    try:
        with pq.ParquetFile(file, read_dictionary=[name]) as opened:
            check_memory(opened, size, [name])
            column = opened.read(columns=[name])[name]
    except ParquetTooLarge as error:
        raise VectorsInvalid(f"{file} {error}") from None
    parts = [chunk for chunk in column.chunks if isinstance(chunk, pa.DictionaryArray)]
    needed = sum(pc.sum(pc.binary_length(part.dictionary).take(part.indices)).as_py() or 0 for part in parts)
    if needed > memory_limit(size):
        raise VectorsInvalid(f"{file} has words of {needed >> 20:,} MB in {size:,} bytes; check its origin")
    return column.cast(pa.string())


def _cache_folder(file: Path) -> Path:
    """Return the folder of a file's converted vectors; it depends on the file's path, size and time."""
    from platformdirs import user_cache_path

    key = json.dumps([FORMAT, *describe_file(file)])
    return user_cache_path("wayword") / "vectors" / hashlib.sha256(key.encode()).hexdigest()[:20]


def _convert(file: Path, folder: Path) -> None:
    """Convert a file into a folder, atomically."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    working = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".converting-"))
    try:
        try:
            _write(file, _read_blocks(file, working / "unpacked"), working)
        except UnpackingError as error:
            raise VectorsInvalid(f"{file} is {error}") from None
        (working / "unpacked").unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
        working.rename(folder)
    finally:
        shutil.rmtree(working, ignore_errors=True)


def _write(file: Path, blocks: Iterator[Block], folder: Path) -> None:
    schema = pa.schema([("word", pa.string())])
    left_out: Counter[str] = Counter()
    rows = dimensions = 0
    with (folder / "vectors.npy").open("wb") as target, pa.OSFile(str(folder / "words.arrow"), "wb") as sink:
        target.write(bytes(128))  # the header is written last, when the number of rows is known
        with pa.ipc.new_file(sink, schema) as words:
            for block, matrix in blocks:
                decoded = [_decode(word) for word in block]
                kept = [word for word in decoded if word is not None]
                if len(kept) < len(block):
                    left_out[UNDECODABLE_WORD] += len(block) - len(kept)
                    matrix = matrix[[word is not None for word in decoded]]
                words.write_batch(pa.record_batch([pa.array(kept, pa.string())], schema=schema))
                target.write(np.ascontiguousarray(matrix, np.float32).tobytes())
                rows, dimensions = rows + len(kept), matrix.shape[1]
        if not rows:
            raise VectorsInvalid(f"{file} has no vectors; name a file of word vectors")
        description = {"descr": "<f4", "fortran_order": False, "shape": (rows, dimensions)}
        head = NPY_SIGNATURE + b"\x01\x00" + (118).to_bytes(2, "little") + f"{description}".encode().ljust(117) + b"\n"
        target.seek(0)
        target.write(head)
    (folder / "done").write_text(json.dumps(left_out))


def _decode(word: str | bytes) -> str | None:
    """Return a word as text, None if it is not UTF-8."""
    try:
        return word.decode() if isinstance(word, bytes) else word.encode().decode()
    except UnicodeError:
        return None


def _read_blocks(file: Path, unpacked: Path) -> Iterator[Block]:
    """Yield the words and vectors of a file in blocks; ``unpacked`` is a path for a copy without compression."""
    with open_decompressed(file) as opened:
        start = opened.read(512)
        if archive := next((kind for signature, kind in ARCHIVES.items() if start.startswith(signature)), None):
            raise VectorsInvalid(f"{file} is {archive}, which wayword does not read; unpack it")
        if start.startswith(NPY_SIGNATURE) or start[257:262] == b"ustar":
            raise VectorsInvalid(f"{file} contains an archive or a compressed .npy file; unpack it")
        content = file
        if start.startswith((SIGNATURE, PICKLE_SIGNATURE)) and detect_compression(_read_start(file)) is not None:
            content = unpacked
            with unpacked.open("wb") as target:
                target.write(start)
                shutil.copyfileobj(opened, target)
    if start.startswith(SIGNATURE):
        yield from read_fasttext_blocks(content, file)
    elif start.startswith(PICKLE_SIGNATURE):
        yield from read_gensim_blocks(content, file)
    else:
        yield from _read_word2vec(file)


def _read_start(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(512)


def _read_word2vec(file: Path) -> Iterator[Block]:
    """Yield the words and vectors of the text or the binary format of word2vec, or of GloVe."""
    with open_decompressed(file) as opened:
        first = opened.readline(LONGEST_LINE)
        sizes = _parse_header(first)
        is_binary = sizes is not None and _is_binary(opened.read(1 << 12), sizes[1])
    with open_decompressed(file) as opened:
        if sizes is None:
            yield from _read_text(file, opened, None, 1)
            return
        opened.readline(LONGEST_LINE)
        yield from _read_binary(file, opened, *sizes) if is_binary else _read_text(file, opened, sizes, 2)


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
    words: list[bytes] = []
    rows: list[np.ndarray] = []
    count = 0
    for position, line in enumerate(iter(lambda: opened.readline(LONGEST_LINE), b""), start=number):
        parts = line.rstrip().split(b" ")
        if len(parts) < 2 and not line.strip():
            continue
        dimensions = dimensions or len(parts) - 1
        row = _parse_numbers(parts[-dimensions:]) if len(parts) > dimensions > 0 else None
        if row is None or dimensions > MAX_DIMENSIONS:
            raise VectorsInvalid(
                f"{file}, line {position} is not a word followed by {dimensions} numbers; "
                "name another file, or download it again"
            )
        words.append(b" ".join(parts[:-dimensions]))
        rows.append(row)
        if len(words) == block_size(dimensions):
            yield words, np.stack(rows)
            count += len(words)
            words, rows = [], []
    if words:
        yield words, np.stack(rows)
        count += len(words)
    if sizes and count != sizes[0]:
        raise VectorsInvalid(f"{file} announces {sizes[0]:,} vectors and has {count:,}; download it again")


def _parse_numbers(parts: list[bytes]) -> np.ndarray | None:
    """Return numbers as an array, infinite beyond its range; None if one is not a number."""
    try:
        with np.errstate(over="ignore"):
            return np.array(list(map(float, parts)), np.float64).astype(np.float32)
    except ValueError:
        return None


def _read_binary(file: Path, opened: BinaryIO, count: int, dimensions: int) -> Iterator[Block]:
    """Read word2vec's binary format: a word, a blank, and little-endian floats."""
    if not 0 < dimensions <= MAX_DIMENSIONS:
        raise VectorsInvalid(f"{file} announces vectors of {dimensions} numbers; name a file of word vectors")
    step = block_size(dimensions)
    for start in range(0, count, step):
        words: list[bytes] = []
        matrix = np.empty((min(step, count - start), dimensions), np.float32)
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
            words.append(bytes(word).lstrip(b"\n"))
        yield words, matrix
