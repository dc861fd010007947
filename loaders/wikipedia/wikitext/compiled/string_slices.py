"""Pieces of a buffer of bytes as a column of texts."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from .....core.jit import machine_code


def slices(buffer: np.ndarray, begins: np.ndarray, ends: np.ndarray) -> pa.Array:
    """The pieces between these places; where one would end before it begins there is none (null).

    >>> slices(np.frombuffer(b"dog cat", np.uint8), np.array([0, 4, 1]), np.array([3, 7, 0])).to_pylist()
    ['dog', 'cat', None]
    """
    there = ends >= begins
    sizes = np.where(there, ends - begins, 0)
    offsets = np.zeros(len(begins) + 1, np.int32)
    np.cumsum(sizes, out=offsets[1:])
    content = np.empty(int(offsets[-1]), np.uint8)
    gather(buffer, begins, offsets, content)
    valid = None if there.all() else pa.array(there).buffers()[1]
    return pa.Array.from_buffers(pa.string(), len(begins), [valid, pa.py_buffer(offsets), pa.py_buffer(content)])


@machine_code
def gather(buffer: np.ndarray, begins: np.ndarray, offsets: np.ndarray, content: np.ndarray) -> None:
    """Copy each piece to its place."""
    for number in range(len(begins)):
        begin, first = begins[number], offsets[number]
        for place in range(offsets[number + 1] - first):
            content[first + place] = buffer[begin + place]
