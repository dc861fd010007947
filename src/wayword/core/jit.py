"""Functions in machine code, by numba, for what is asked so often that Python is too slow; comes with ``wayword[fast]``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def machine_code(function: F) -> F:
    """Compile a function when it is first called, and keep the result on disk where there is a place to keep it."""
    try:
        return cast("F", njit(cache=True, nogil=True)(function))
    except RuntimeError:  # no folder that numba can write to: each process compiles for itself
        return cast("F", njit(nogil=True)(function))
