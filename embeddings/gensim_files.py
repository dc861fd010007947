"""Read gensim's saved KeyedVectors without gensim, and without executing code from the pickle.

Only the classes that such a file needs can be unpickled; a file with any other name is rejected.
"""

from __future__ import annotations

import pickle
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from .errors import VectorsInvalid

BLOCK_SIZE = 4_096
NUMPY_2 = np.lib.NumpyVersion(np.__version__) >= "2.0.0"


class _GensimObject:
    """A substitute for any class of gensim: its attributes without its code."""

    def __init__(self, *_: object) -> None:
        pass

    def __setstate__(self, state: Any) -> None:
        self.__dict__.update(state)


_ALLOWED = {
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    ("collections", "defaultdict"): defaultdict,
    ("builtins", "dict"): dict,
    ("builtins", "list"): list,
    ("builtins", "set"): set,
}
_RECONSTRUCT = {"_reconstruct", "scalar", "_frombuffer"}
_NUMPY_INTERNALS = {f"numpy.{core}.{module}" for core in ("core", "_core") for module in ("multiarray", "numeric")}


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _ALLOWED:
            return _ALLOWED[module, name]
        if module in _NUMPY_INTERNALS and name in _RECONSTRUCT:
            # numpy 2 renamed numpy.core to numpy._core; a file written by either is read by either.
            core = import_module("numpy._core" if NUMPY_2 else "numpy.core")
            return getattr(core.multiarray, name, None) or getattr(core.numeric, name)
        if module.split(".")[0] == "gensim" and module.startswith("gensim.models."):
            return _GensimObject
        raise pickle.UnpicklingError(f"it refers to {module}.{name}")


def read_gensim_blocks(file: Path) -> Iterator[tuple[list[str], np.ndarray]]:
    """Yield blocks of words and vectors; gensim saves large matrices in separate files beside the pickle."""
    try:
        with file.open("rb") as opened:
            saved = _Unpickler(opened).load()
    except (
        pickle.UnpicklingError,
        EOFError,
        AttributeError,
        ImportError,
        IndexError,
        KeyError,
        TypeError,
        ValueError,
    ) as error:
        raise VectorsInvalid(
            f"{file} is not a file of gensim's KeyedVectors ({error}); save the vectors of a model, model.wv"
        ) from None
    saved = getattr(saved, "wv", saved)
    words = getattr(saved, "index_to_key", None) or getattr(saved, "index2word", None)
    vectors = _find_matrix(file, saved)
    if not isinstance(words, list) or vectors is None or len(vectors) != len(words):
        raise VectorsInvalid(f"{file} has no KeyedVectors; save the vectors of a model, model.wv, with all files beside it")
    for start in range(0, len(words), BLOCK_SIZE):
        yield list(map(str, words[start : start + BLOCK_SIZE])), np.asarray(vectors[start : start + BLOCK_SIZE], np.float32)


def _find_matrix(file: Path, saved: Any) -> np.ndarray | None:
    for name in ("vectors", "vectors_vocab", "syn0"):
        value = getattr(saved, name, None)
        if isinstance(value, np.ndarray) and value.ndim == 2:
            return value
        separate = file.with_name(f"{file.name}.{name}.npy")
        if value is None and separate.exists():
            matrix: np.ndarray = np.load(separate, mmap_mode="r", allow_pickle=False)
            return matrix
    return None
