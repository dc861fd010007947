"""Read gensim's saved KeyedVectors, or the model that contains them, without gensim."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from .errors import VectorsInvalid
from .fasttext_files import Subwords, block_size, compose_vectors
from .matrices import map_matrix
from .plain_pickle import PickledObject, PickleInvalid, read_pickle

_REAL_TYPES = ("f2", "f4", "f8")


def read_gensim_blocks(content: Path, file: Path) -> Iterator[tuple[list[str], np.ndarray]]:
    """Yield blocks of words and vectors; gensim saves large matrices in separate files beside the pickle.

    Args:
        content: The file, or a copy of it without compression.
        file: The file, for messages.
    """
    try:
        saved = read_pickle(content)
    except PickleInvalid as error:
        raise VectorsInvalid(
            f"{file} is not a file of gensim's KeyedVectors ({error}); save the vectors of a model, model.wv"
        ) from None
    prefix = ""
    if isinstance(saved, PickledObject) and isinstance(saved.attribute("wv"), PickledObject):
        saved, prefix = saved.attribute("wv"), "wv."
    words = (saved.attribute("index_to_key") or saved.attribute("index2word")) if isinstance(saved, PickledObject) else None
    if not isinstance(words, list) or not words:
        raise VectorsInvalid(f"{file} is not a file of gensim's KeyedVectors (no words); save the vectors of a model, model.wv")
    matrices = {
        name: _find_matrix(file, saved, name, prefix) for name in ("vectors", "syn0", "vectors_vocab", "vectors_ngrams")
    }
    vectors = next((matrices[name] for name in ("vectors", "syn0", "vectors_vocab") if matrices[name] is not None), None)
    if vectors is None or len(vectors) != len(words):
        raise VectorsInvalid(f"{file} has no KeyedVectors; save the vectors of a model, model.wv, with all files beside it")
    subwords = None
    if (
        vectors is matrices["vectors_vocab"] and saved.attribute("bucket") != 0
    ):  # of fastText, whose vectors gensim makes when it opens the file
        subwords = _find_subwords(saved, matrices["vectors_ngrams"])
        if subwords is None:
            raise VectorsInvalid(f"{file} has words of fastText without their n-grams; save model.wv with all files beside it")
    step = block_size(vectors.shape[1])
    for start in range(0, len(words), step):
        block = [word if isinstance(word, str) else str(word)[:100] for word in words[start : start + step]]
        rows = np.asarray(vectors[start : start + step], np.float32)
        yield (
            block,
            rows if subwords is None else compose_vectors([word.encode(errors="replace") for word in block], rows, subwords),
        )


def _find_subwords(saved: PickledObject, ngrams: np.ndarray | None) -> Subwords | None:
    shortest, longest, buckets = (saved.attribute(name) for name in ("min_n", "max_n", "bucket"))
    if not all(isinstance(each, int) for each in (shortest, longest, buckets)):
        return None
    if ngrams is None or len(ngrams) != buckets or not 0 <= shortest <= longest:
        return None
    return Subwords(shortest, longest, ngrams)


def _find_matrix(file: Path, saved: PickledObject, name: str, prefix: str) -> np.ndarray | None:
    value = saved.attribute(name)
    if value is not None:
        return _build_matrix(value)
    separate = file.with_name(f"{file.name}.{prefix}{name}.npy")
    return map_matrix(separate) if separate.is_file() else None


def _build_matrix(value: Any) -> np.ndarray | None:
    """Return a matrix of floats from the parts of a pickled array, None if they do not make one."""
    match value:
        case PickledObject(name=name, state=(int(), shape, type, bool(is_fortran), data)) if name.endswith("._reconstruct"):
            pass
        case PickledObject(name=name, arguments=(data, type, shape, str(order))) if name.endswith("._frombuffer"):
            is_fortran = order == "F"
        case _:
            return None
    element, content = _element_type(type), _find_bytes(data)
    match shape:
        case (int(rows), int(columns)) if element is not None and content is not None and rows > 0 and columns > 0:
            if rows * columns * element.itemsize != len(content):
                return None
            return np.frombuffer(content, element).reshape((rows, columns), order="F" if is_fortran else "C")
    return None


def _element_type(value: Any) -> np.dtype[Any] | None:
    """Return the type of a pickled array's elements if it is one of floats; it is never made from the file's own words."""
    match value:
        case PickledObject(name="numpy.dtype", arguments=(str(code), *_), state=(int(), ("<" | ">") as order, *_)):
            return np.dtype(f"{order}{code}") if code in _REAL_TYPES else None
    return None


def _find_bytes(value: Any) -> bytes | bytearray | None:
    """Return the content of a pickled array; protocol 2 stores bytes as the characters of Latin-1."""
    match value:
        case bytes() | bytearray():
            return value
        case PickledObject(name="_codecs.encode", arguments=(str(text), *_)) | str(text):
            try:
                return text.encode("latin-1")
            except UnicodeEncodeError:
                return None
    return None
