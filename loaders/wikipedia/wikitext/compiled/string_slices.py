"""Slices of a buffer of UTF-8 bytes as an Arrow column of strings."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from .....core.jit import machine_code


def slice_strings(buffer: np.ndarray, begins: np.ndarray, ends: np.ndarray) -> pa.Array:
    """Return the slices between these positions; null if a slice would end before it begins.

    >>> slice_strings(np.frombuffer(b"dog cat", np.uint8), np.array([0, 4, 1]), np.array([3, 7, 0])).to_pylist()
    ['dog', 'cat', None]
    """
    is_valid = ends >= begins
    sizes = np.where(is_valid, ends - begins, 0)
    offsets = np.zeros(len(begins) + 1, np.int32)
    np.cumsum(sizes, out=offsets[1:])
    content = np.empty(int(offsets[-1]), np.uint8)
    copy_slices(buffer, begins, offsets, content)
    valid = None if is_valid.all() else pa.array(is_valid).buffers()[1]
    return pa.Array.from_buffers(pa.string(), len(begins), [valid, pa.py_buffer(offsets), pa.py_buffer(content)])


@machine_code
def copy_slices(buffer: np.ndarray, begins: np.ndarray, offsets: np.ndarray, content: np.ndarray) -> None:
    """Copy each slice to its offset."""
    for number in range(len(begins)):
        begin, first = begins[number], offsets[number]
        for offset in range(offsets[number + 1] - first):
            content[first + offset] = buffer[begin + offset]
