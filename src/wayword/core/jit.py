"""Just-in-time compilation with numba, which ``wayword[fast]`` installs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def machine_code(function: F) -> F:
    """Compile a function at its first call, and cache the result on disk if there is a writable cache folder."""
    try:
        return cast("F", njit(cache=True, nogil=True)(function))
    except RuntimeError:  # no writable cache folder: each process compiles again
        return cast("F", njit(nogil=True)(function))
