"""Map the matrix of a .npy file into memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..core.messages import first_line
from .errors import VectorsInvalid

MAX_DIMENSIONS = 1 << 16


def map_matrix(file: Path) -> np.ndarray:
    """Map a matrix of real numbers, with a row for each word, or raise a ``VectorsInvalid``."""
    try:
        matrix: np.ndarray = np.load(file, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # a damaged header can raise anything in numpy
        raise VectorsInvalid(
            f"{file} is not a matrix of numbers ({first_line(error)}); name a .npy file with a row for each word"
        ) from None
    if matrix.ndim != 2 or matrix.dtype.kind != "f" or not 0 < matrix.shape[1] <= MAX_DIMENSIONS:
        raise VectorsInvalid(f"{file} is not a matrix of real numbers; name a .npy file with a row for each word")
    return matrix
