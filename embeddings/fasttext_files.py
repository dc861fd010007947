"""Read the binary models of fastText (.bin).

A file has a signature, the options of the training, the dictionary, and the input matrix, with a row for each word and then
one for each bucket of character n-grams; the output matrix follows and is not needed. The vector of a word is the mean of its
own row and of the rows of its n-grams. The layout is that of ``FastText::saveModel``, the n-grams are those of
``Dictionary::computeSubwords`` (github.com/facebookresearch/fastText).
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..core.arrays import IntArray
from .errors import VectorsInvalid
from .matrices import MAX_DIMENSIONS

SIGNATURE = struct.pack("<i", 793712314)
NEWEST_VERSION = 12
LONGEST_WORD = 1 << 12

BLOCK_SIZE, BLOCK_NUMBERS = 4_096, 1 << 22
"""The maximum number of vectors, and of their numbers, that are converted together."""

_HEADER = struct.Struct("<2i 12i d 3i 2q")
"""Signature, version; options, sampling rate; words and labels, words, labels; tokens, pruned n-grams (-1: none)."""

_ENTRY = struct.Struct("<qb")
"""After each word: how often it occurs, and whether it is a label."""

_MATRIX = struct.Struct("<?2q")
"""Whether the input matrix is quantised, its rows and its columns."""

_SUPERVISED = 3
_END_OF_SENTENCE = b"</s>"
_PRIME, _BASIS = np.uint32(16777619), np.uint32(2166136261)


class Subwords(NamedTuple):
    """The n-grams of a model: their shortest and longest size in characters, and a row for each bucket."""

    shortest: int
    longest: int
    buckets: np.ndarray


class _Layout(NamedTuple):
    """The words of a file, its input matrix, and its n-grams."""

    words: list[bytes]
    matrix: np.ndarray
    subwords: Subwords


def block_size(dimensions: int) -> int:
    """Return how many vectors are converted together, so that a block has a bounded size."""
    return max(1, min(BLOCK_SIZE, BLOCK_NUMBERS // dimensions))


def read_fasttext_blocks(content: Path, file: Path) -> Iterator[tuple[list[bytes], np.ndarray]]:
    """Yield blocks of words and vectors.

    Args:
        content: The file, or a copy of it without compression.
        file: The file, for messages.

    Raises:
        VectorsInvalid: The file is quantised, newer than fastText 0.9, or damaged.
    """
    layout = _read_layout(content, file)
    step = block_size(layout.matrix.shape[1])
    for start in range(0, len(layout.words), step):
        words = layout.words[start : start + step]
        yield words, compose_vectors(words, layout.matrix[start : start + len(words)], layout.subwords)


def check_layout(file: Path) -> None:
    """Raise a ``VectorsInvalid`` if a file is not a whole model."""
    _read_layout(file, file)


def _read_layout(content: Path, file: Path) -> _Layout:
    """Read the options and the dictionary of a file, and map its input matrix into memory."""
    try:
        with content.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            words, position, (rows, columns), (shortest, longest) = _parse(mapped, file)
    except (struct.error, ValueError, OverflowError) as error:  # it ends too early, or a size is impossible
        raise _damaged(file) from error
    matrix = np.memmap(content, "<f4", "r", position, (rows, columns))
    return _Layout(words, matrix[: len(words)], Subwords(shortest, longest, matrix[len(words) :]))


def _parse(content: mmap.mmap, file: Path) -> tuple[list[bytes], int, tuple[int, int], tuple[int, int]]:
    """Return the words, the position and the shape of the input matrix, and the shortest and longest n-grams."""
    fields = _HEADER.unpack_from(content)
    version, dimensions = fields[1], fields[2]
    model, bucket, shortest, longest = fields[9:13]
    size, count, labels, _, pruned = fields[15:]
    if not 0 < version <= NEWEST_VERSION:
        raise VectorsInvalid(f"{file} has version {version} of fastText's format; save it with fastText 0.9")
    if version == NEWEST_VERSION - 1 and model == _SUPERVISED:
        longest = 0  # such models have no n-grams, whatever they say
    position = _HEADER.size
    if count + labels != size or min(count, labels) < 0 or size * (_ENTRY.size + 1) > len(content) - position:
        raise _damaged(file)
    words = []
    for _ in range(size):
        end = content.find(b"\0", position, position + LONGEST_WORD)
        if end < 0:
            raise _damaged(file)
        words.append(content[position:end])
        _, kind = _ENTRY.unpack_from(content, end + 1)
        if kind != (len(words) > count):  # words come before labels
            raise _damaged(file)
        position = end + 1 + _ENTRY.size
    is_quantised, rows, columns = _MATRIX.unpack_from(content, position)
    position += _MATRIX.size
    if is_quantised or pruned >= 0:
        raise VectorsInvalid(
            f"{file} is quantised (.ftz); name the .bin file that it was made from, or save its vectors as .vec"
        )
    has_ngrams = longest > 0
    if columns != dimensions or not 0 < columns <= MAX_DIMENSIONS or bucket < 0 or (has_ngrams and bucket == 0):
        raise _damaged(file)
    if not count or rows != count + bucket or rows * columns * 4 > len(content) - position:
        raise _damaged(file)
    if has_ngrams and not 0 <= shortest <= longest:
        raise _damaged(file)
    return words[:count], position, (rows, columns), (shortest, longest)


def _damaged(file: Path) -> VectorsInvalid:
    return VectorsInvalid(f"{file} is cut off or damaged, though it begins as a model of fastText; download it again")


def compose_vectors(words: Sequence[bytes], rows: np.ndarray, subwords: Subwords) -> np.ndarray:
    """Return the vectors of words: the mean of each word's own row and of the rows of its n-grams."""
    sums = np.array(rows, np.float32)
    counts = np.ones(len(words), np.int64)
    step = max(1, BLOCK_NUMBERS // max(1, sums.shape[1]))
    with np.errstate(over="ignore", invalid="ignore"):
        for numbers, hashes in _hash_ngrams(words, subwords.shortest, subwords.longest):
            buckets = hashes % np.uint32(len(subwords.buckets))
            counts += np.bincount(numbers, minlength=len(words))
            for start in range(0, len(numbers), step):
                part = numbers[start : start + step]  # in ascending order
                firsts = np.flatnonzero(np.diff(part, prepend=-1))
                sums[part[firsts]] += np.add.reduceat(subwords.buckets[buckets[start : start + step]], firsts, axis=0)
        return sums / counts[:, None].astype(np.float32)


def _hash_ngrams(words: Sequence[bytes], shortest: int, longest: int) -> Iterator[tuple[IntArray, np.ndarray]]:
    """Yield, for each size of n-grams, the numbers of the words in ascending order and the hashes of their n-grams.

    All words are processed at once: each n-gram of size n is one of size n - 1 and the bytes of its next character. The hash is
    32-bit FNV-1a over bytes that are extended with their sign, as in fastText.
    """
    marked = [b"" if word == _END_OF_SENTENCE else b"<" + word + b">" for word in words]
    text = np.frombuffer(b"".join(marked) + b"\0", np.uint8)
    extended = text.astype(np.int8).astype(np.int32).view(np.uint32)
    continues = (text & 0xC0) == 0x80
    lengths = np.array([len(each) for each in marked], np.int64)
    ends = np.cumsum(lengths)
    starts = np.flatnonzero(~continues[:-1])
    numbers = np.repeat(np.arange(len(words)), lengths)[starts]
    first = (ends - lengths)[numbers] == starts
    end, position = ends[numbers], starts.copy()
    hashes = np.full(len(starts), _BASIS, np.uint32)
    for size in range(1, longest + 1):
        active = position < end
        if not active.any():
            return
        numbers, first, end = numbers[active], first[active], end[active]
        position, hashes = position[active], hashes[active]
        growing = np.ones(len(position), bool)
        while growing.any():  # the first byte of the character, then those that continue it
            hashes[growing] = (hashes[growing] ^ extended[position[growing]]) * _PRIME
            position[growing] += 1
            growing &= (position < end) & continues[position]
        if size >= shortest:
            is_edge = (first | (position == end)) if size == 1 else np.zeros(len(position), bool)
            yield numbers[~is_edge], hashes[~is_edge]
