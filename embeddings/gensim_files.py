"""What gensim saves of its KeyedVectors, read without gensim and without running what a pickle may hold.

Only the classes that such a file needs are known here; any other name in it refuses the file.
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

BLOCK = 4_096
NUMPY_2 = np.lib.NumpyVersion(np.__version__) >= "2.0.0"


class _Saved:
    """Stands for an object of gensim's: its attributes and nothing else."""

    def __init__(self, *_: object) -> None:
        pass

    def __setstate__(self, state: Any) -> None:
        self.__dict__.update(state)


_PLAIN = {
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    ("collections", "defaultdict"): defaultdict,
    ("builtins", "dict"): dict,
    ("builtins", "list"): list,
    ("builtins", "set"): set,
}
_RECONSTRUCT = {"_reconstruct", "scalar", "_frombuffer"}
_NUMPY_INTERNALS = {f"numpy.{core}.{module}" for core in ("core", "_core") for module in ("multiarray", "numeric")}


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN:
            return _PLAIN[module, name]
        if module in _NUMPY_INTERNALS and name in _RECONSTRUCT:
            # numpy 2 renamed numpy.core to numpy._core; a file written by either is read by either.
            core = import_module("numpy._core" if NUMPY_2 else "numpy.core")
            return getattr(core.multiarray, name, None) or getattr(core.numeric, name)
        if module.split(".")[0] == "gensim" and module.startswith("gensim.models."):
            return _Saved
        raise pickle.UnpicklingError(f"it wants {module}.{name}")


def gensim_blocks(file: Path) -> Iterator[tuple[list[str], np.ndarray]]:
    """The words and vectors of a file of gensim's, some at a time; large matrices lie beside it in files of their own."""
    try:
        with file.open("rb") as opened:
            saved = _Reader(opened).load()
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
            f"{file}: is no file of gensim's KeyedVectors ({error}); save the vectors of a model, model.wv"
        ) from None
    saved = getattr(saved, "wv", saved)
    words = getattr(saved, "index_to_key", None) or getattr(saved, "index2word", None)
    vectors = _vectors(file, saved)
    if not isinstance(words, list) or vectors is None or len(vectors) != len(words):
        raise VectorsInvalid(f"{file}: holds no KeyedVectors; save the vectors of a model, model.wv, with all files beside it")
    for start in range(0, len(words), BLOCK):
        yield list(map(str, words[start : start + BLOCK])), np.asarray(vectors[start : start + BLOCK], np.float32)


def _vectors(file: Path, saved: Any) -> np.ndarray | None:
    for name in ("vectors", "vectors_vocab", "syn0"):
        held = getattr(saved, name, None)
        if isinstance(held, np.ndarray) and held.ndim == 2:
            return held
        beside = file.with_name(f"{file.name}.{name}.npy")
        if held is None and beside.exists():
            found: np.ndarray = np.load(beside, mmap_mode="r", allow_pickle=False)
            return found
    return None
