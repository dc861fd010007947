"""Files of word vectors as others write them, and the two forms in which ours can be mapped into memory.

A .npy matrix with its vocabulary is used where it lies. Anything else is read once, a block at a time, and kept in the user's
cache directory as such a matrix and an Arrow column of words: word2vec's text and binary form, GloVe's text, and what gensim
saves.
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
from .errors import VectorsInvalid, VectorsMissing
from .word_vectors import WordVectors

BLOCK = 4_096
"""Vectors that are written in one go."""

LONGEST_LINE = 1 << 20
LONGEST_WORD = 1 << 12
WIDEST = 1 << 16
FORMAT = 1

NPY = b"\x93NUMPY"
VOCABULARIES = (".vocab", ".vocabulary", ".words", ".txt", ".json", ".parquet")
"""How the vocabulary of a .npy file may be called, in the place of its ending."""

Block = tuple[list[str], np.ndarray]


def open_vectors(file: str | os.PathLike[str], vocabulary: str | os.PathLike[str] | None = None) -> WordVectors:
    """Open the vectors of a file in any known format, which is detected by its content.

    Args:
        file: word2vec (text or binary), GloVe, gensim's KeyedVectors, or a matrix in NumPy's .npy format.
        vocabulary: The words of a .npy file, in the order of its rows; by default a file of the same name beside it.

    Raises:
        VectorsMissing: The file cannot be read.
        VectorsUnfit: It is none of these formats, or damaged.
    """
    return _open(Path(file), None if vocabulary is None else Path(vocabulary))


def _open(file: Path, vocabulary: Path | None) -> WordVectors:
    try:
        with file.open("rb") as opened:
            start = opened.read(512)
    except OSError as error:
        raise VectorsMissing(f"{file}: cannot be read ({error.strerror or error}); name a file of word vectors") from None
    if start.startswith(NPY):
        return _matrix(file, vocabulary or _beside(file))
    if vocabulary is not None:
        raise VectorsInvalid(f"{file} is no .npy file, and only those have a vocabulary of their own; leave {vocabulary} out")
    if not start:
        raise VectorsInvalid(f"{file} is empty; name a file of word vectors")
    place = _kept(file)
    if not (place / "done").exists():
        _convert(file, start, place)
    words = pa.ipc.open_file(pa.memory_map(str(place / "words.arrow"))).read_all()["word"]
    return WordVectors(file.name, words, np.load(place / "vectors.npy", mmap_mode="r"))


def _matrix(file: Path, vocabulary: Path) -> WordVectors:
    try:
        matrix = np.load(file, mmap_mode="r", allow_pickle=False)
    except ValueError as error:
        raise VectorsInvalid(f"{file}: is no matrix of numbers ({error}); name a .npy file with a row for each word") from None
    if matrix.ndim != 2 or matrix.dtype.kind != "f":
        raise VectorsInvalid(f"{file}: is no matrix of real numbers; name a .npy file with a row for each word")
    words = _words(vocabulary)
    if len(words) != len(matrix):
        raise VectorsInvalid(
            f"{file} has {len(matrix):,} rows and {vocabulary} {len(words):,} words; name those that belong together"
        )
    return WordVectors(file.name, words, matrix)


def _beside(file: Path) -> Path:
    """The vocabulary of a .npy file: the only file beside it that can be one."""
    named = [file.with_suffix(ending) for ending in VOCABULARIES]
    found = [each for each in named if each.exists()]
    found = found or [each for each in sorted(file.parent.iterdir()) if each.suffix in VOCABULARIES and each != file]
    if len(found) != 1:
        raise VectorsInvalid(f"{file}: its words are wanted too; name the file that has them with --vocabulary")
    return found[0]


def _words(file: Path) -> pa.Array | pa.ChunkedArray:
    """A vocabulary: one word a line, a JSON list (or an object of places), or the first column of text of a Parquet file."""
    try:
        if file.suffix == ".parquet":
            import pyarrow.parquet as pq

            table = pq.read_table(file)
            column = next(
                (each for each in table.columns if pa.types.is_string(each.type) or pa.types.is_large_string(each.type)), None
            )
            if column is None:
                raise VectorsInvalid(f"{file}: has no column of text; name a vocabulary")
            return column.cast(pa.string())
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".json":
            held = json.loads(text)
            listed = sorted(held, key=held.__getitem__) if isinstance(held, dict) else held
            return pa.array(listed, pa.string())
        return pa.array([line.split("\t")[0] for line in text.splitlines()], pa.string())
    except (OSError, ValueError, TypeError, pa.ArrowException) as error:
        raise VectorsInvalid(
            f"{file}: cannot be read as a vocabulary ({error}); give one word a line, JSON or Parquet"
        ) from None


def _kept(file: Path) -> Path:
    """Where the vectors of a file are kept in a form that can be mapped."""
    from platformdirs import user_cache_path

    said = json.dumps([FORMAT, *describe_file(file)])
    return user_cache_path("wayword") / "vectors" / hashlib.sha256(said.encode()).hexdigest()[:20]


def _convert(file: Path, start: bytes, place: Path) -> None:
    """Write the vectors of a file down anew; all of it is there, or nothing."""
    place.parent.mkdir(parents=True, exist_ok=True)
    working = Path(tempfile.mkdtemp(dir=place.parent, prefix=".making-"))
    try:
        _write(file, _blocks(file, start), working)
        shutil.rmtree(place, ignore_errors=True)
        working.rename(place)
    finally:
        shutil.rmtree(working, ignore_errors=True)


def _write(file: Path, blocks: Iterator[Block], folder: Path) -> None:
    schema = pa.schema([("word", pa.string())])
    rows = wide = 0
    with (folder / "vectors.npy").open("wb") as target, pa.OSFile(str(folder / "words.arrow"), "wb") as sink:
        target.write(bytes(128))
        with pa.ipc.new_file(sink, schema) as words:
            for listed, matrix in blocks:
                words.write_batch(pa.record_batch([pa.array(listed, pa.string())], schema=schema))
                target.write(np.ascontiguousarray(matrix, np.float32).tobytes())
                rows, wide = rows + len(listed), matrix.shape[1]
        if not rows:
            raise VectorsInvalid(f"{file}: holds no vectors; name a file of word vectors")
        about = {"descr": "<f4", "fortran_order": False, "shape": (rows, wide)}
        head = NPY + b"\x01\x00" + (118).to_bytes(2, "little") + f"{about}".encode().ljust(117) + b"\n"
        target.seek(0)
        target.write(head)
    (folder / "done").touch()


def _blocks(file: Path, start: bytes) -> Iterator[Block]:
    """The words and vectors of a file, some at a time."""
    if start.startswith(b"\x80"):
        from .gensim_files import gensim_blocks

        return gensim_blocks(file)
    packed = start.startswith(b"\x1f\x8b")
    opened = cast("BinaryIO", gzip.open(file)) if packed else file.open("rb")  # noqa: SIM115 - whoever reads it closes it
    head = opened.readline(LONGEST_LINE)
    sizes = _sizes(head)
    if sizes is None:
        opened.seek(0)
        return _text(file, opened, None, 1)
    body = opened.peek(1 << 12)[: 1 << 12] if hasattr(opened, "peek") else b""
    return _binary(file, opened, *sizes) if _is_binary(body, sizes[1]) else _text(file, opened, sizes, 2)


def _sizes(head: bytes) -> tuple[int, int] | None:
    """How many vectors of how many numbers the first line tells of; None if it is a vector itself."""
    words = head.split()
    if len(words) != 2 or not all(word.isdigit() and len(word) < 12 for word in words):
        return None
    return int(words[0]), int(words[1])


def _is_binary(body: bytes, wide: int) -> bool:
    """Whether what follows the first line is no text: a word and then bytes that are no numbers."""
    line = body.split(b"\n", 1)[0] if b"\n" in body else body
    numbers = line.split()[1 : wide + 1]
    try:
        for number in numbers[:-1] or numbers:
            float(number)
    except ValueError:
        return True
    return not numbers


def _text(file: Path, opened: BinaryIO, sizes: tuple[int, int] | None, number: int) -> Iterator[Block]:
    """word2vec's text form and GloVe's: a word and its numbers on a line; the word may have blanks in it."""
    wide = sizes[1] if sizes else 0
    words: list[str] = []
    rows: list[np.ndarray] = []
    read = 0
    with opened:
        for place, line in enumerate(iter(lambda: opened.readline(LONGEST_LINE), b""), start=number):
            parts = line.rstrip().split(b" ")
            if len(parts) < 2 and not line.strip():
                continue
            wide = wide or len(parts) - 1
            try:
                row = np.array(parts[-wide:], dtype="S").astype(np.float32) if len(parts) > wide > 0 else None
                word = b" ".join(parts[:-wide]).decode()
            except (ValueError, UnicodeDecodeError):
                row = None
            if row is None or wide > WIDEST:
                raise VectorsInvalid(
                    f"{file}:{place}: is not a word and {wide} numbers; name a file of word vectors, or fetch it again"
                )
            words.append(word)
            rows.append(row)
            if len(words) == BLOCK:
                yield words, np.stack(rows)
                read += len(words)
                words, rows = [], []
    if words:
        yield words, np.stack(rows)
        read += len(words)
    if sizes and read != sizes[0]:
        raise VectorsInvalid(f"{file}: tells of {sizes[0]:,} vectors and has {read:,}; fetch it again")


def _binary(file: Path, opened: BinaryIO, count: int, wide: int) -> Iterator[Block]:
    """word2vec's binary form: a word, a blank, and the numbers as they lie in memory."""
    with opened:
        if not 0 < wide <= WIDEST:
            raise VectorsInvalid(f"{file}: tells of vectors of {wide} numbers; name a file of word vectors")
        for start in range(0, count, BLOCK):
            words: list[str] = []
            matrix = np.empty((min(BLOCK, count - start), wide), np.float32)
            for row in matrix:
                word = bytearray()
                while (letter := opened.read(1)) not in (b" ", b"") and len(word) < LONGEST_WORD:
                    word += letter
                held = opened.read(4 * wide)
                if letter != b" " or len(held) < 4 * wide:
                    raise VectorsInvalid(
                        f"{file}: ends, or is damaged, after {start + len(words):,} of {count:,} vectors; fetch it again"
                    )
                row[:] = np.frombuffer(held, "<f4")
                words.append(bytes(word).lstrip(b"\n").decode("utf-8", "replace"))
            yield words, matrix
