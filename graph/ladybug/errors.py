"""Translate LadybugDB's errors.

The engine raises plain ``RuntimeError`` (and, for damaged files, almost any other built-in exception) without a code or class,
so the text of its messages is the only way to tell errors apart. ``statement_errors`` has those about users' statements.
"""

from __future__ import annotations

import errno
import os
import re
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...core.messages import first_line
from ..errors import (
    EngineFault,
    LoadError,
    StoreError,
    StoreFull,
    StoreUnreadable,
)

_OUT_OF_MEMORY = ("Unable to allocate memory", "Mmap for size", "bad_alloc", "Cannot allocate memory")
_OUT_OF_SPACE = ("No space left", "quota exceeded", "File too large")
_OUT_OF_SPACE_CODES = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_CANNOT_OPEN = ("Could not set lock on file", "Too many open files", "Permission denied")
_UNKNOWN_NAME = "Catalog exception:"
_DUPLICATE_KEY = re.compile(r"Found duplicated primary key value (.*), which violates", re.DOTALL)
_MISSING_KEY = re.compile(r"Unable to find primary key value (.*)\.", re.DOTALL)

_CANNOT_TRANSFER = ("Cannot write to file", "Cannot read from file")

_EMPTY_STORE = 2 << 20
"""Bytes that every store takes. With less space the engine may end the process, and a failed write is due to the disk."""


class EngineMemoryError(StoreError):
    """The engine needs more memory than it may use."""


@contextmanager
def translate_errors(path: Path, *, verified: bool = False) -> Iterator[None]:
    """Translate errors of opening or reading a store file.

    A verified file is as it was written: the engine's errors are faults of the engine, and those of Python pass, as ours. In
    a file without a digest nearly any error can come from damage, but not a ``TypeError``, which an unexpected null raises.
    """
    try:
        yield
    except (RuntimeError, ValueError, LookupError, ArithmeticError, SystemError, MemoryError) as error:
        text = first_line(error)
        if verified and not isinstance(error, MemoryError | RuntimeError):
            raise
        out_of_memory = isinstance(error, MemoryError)
        if not verified and (out_of_memory or "bad_alloc" in text):
            # A damaged length field can request any amount of memory, so the file may be the cause as well.
            raise StoreUnreadable(
                f"the store {path} cannot be read ({text}): there is too little memory, or the file is damaged; free some"
                " memory, or delete it and load again"
            ) from error
        if out_of_memory or _contains(text, _OUT_OF_MEMORY):
            raise EngineMemoryError(f"too little memory to read the store {path} ({text}); give the process more") from error
        if _contains(text, _CANNOT_OPEN):
            raise StoreUnreadable(
                f"cannot open the store {path}: {text}; close other programs that use it or that keep many files open"
            ) from error
        if verified:
            raise EngineFault(
                f"the engine failed to read the store {path} ({text}), though the file is as it was written; please report this"
            ) from error
        raise StoreUnreadable(
            f"the store {path}, which has no digest, is damaged: delete it and load again ({text})"
        ) from error


@contextmanager
def translate_write_errors(path: Path) -> Iterator[None]:
    """Translate errors of writing the next file of a store. The current file is unchanged by then."""
    try:
        yield
    except OSError as error:
        if error.errno in _OUT_OF_SPACE_CODES or _contains(str(error), _OUT_OF_SPACE):
            raise _disk_full(path) from error
        if is_out_of_memory(str(error)):
            raise _memory_full(path, error) from error
        blocked = isinstance(error, FileExistsError | NotADirectoryError)
        reason = "a part of its path is a file, not a folder" if blocked else error.strerror or first_line(error)
        raise StoreFull(f"cannot write the store {path}: {reason}; choose another path") from error
    except (RuntimeError, MemoryError) as error:
        # On a full disk the engine often only reports a failed read.
        limited = _file_limit() is not None and _contains(str(error), _CANNOT_TRANSFER)
        if limited or _contains(str(error), _OUT_OF_SPACE) or _free_space(path) < _EMPTY_STORE:
            raise _disk_full(path) from error
        if isinstance(error, MemoryError) or is_out_of_memory(str(error)):
            raise _memory_full(path, error) from error
        raise StoreError(
            f"the engine could not write the store {path} ({first_line(error)}); the store is unchanged: load again"
        ) from error


def check_space(path: Path) -> None:
    """Raise ``StoreFull`` if there is not even space for an empty store, with which the engine would end the process."""
    limit = _file_limit()
    if _free_space(path) < _EMPTY_STORE or (limit is not None and limit < _EMPTY_STORE):
        raise _disk_full(path)


def _file_limit() -> int | None:
    """Return the number of bytes that a file of this process may have; None if it is not limited."""
    soft, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    return None if soft == resource.RLIM_INFINITY else soft


@contextmanager
def translate_copy_errors(table: str) -> Iterator[None]:
    """Translate errors in the rows of a table that is copied into the engine."""
    try:
        yield
    except RuntimeError as error:
        if (match := _DUPLICATE_KEY.search(str(error))) is not None:
            raise LoadError(f"two rows of {table} have the id {match[1]!r}; give each node its own id") from error
        if (match := _MISSING_KEY.search(str(error))) is not None:
            raise LoadError(f"a {table} leads from or to {match[1]!r}, which is not a node of this load") from error
        raise


def is_unknown_name(error: BaseException) -> bool:
    """Whether a statement failed because it names a table, function or macro that the file does not have."""
    return first_line(error).startswith(_UNKNOWN_NAME)


def is_out_of_memory(text: str) -> bool:
    """Whether a message of the engine says that memory was lacking."""
    return _contains(text, _OUT_OF_MEMORY)


def _contains(text: str, parts: tuple[str, ...]) -> bool:
    return any(part in text for part in parts)


def _free_space(path: Path) -> int:
    """Bytes that may still be written beside a store."""
    disk = os.statvfs(path.parent)
    return disk.f_bavail * disk.f_frsize


def _disk_full(path: Path) -> StoreFull:
    limit = _file_limit()
    limited = "" if limit is None else f", or the limit of {limit:,} bytes for files (ulimit -f) is too low"
    return StoreFull(f"the disk of {path} is full{limited}; the store is unchanged: free some space and load again")


def _memory_full(path: Path, error: BaseException) -> StoreFull:
    return StoreFull(
        f"too little memory to write the store {path} ({first_line(error)}); the store is unchanged: give the process more"
    )
