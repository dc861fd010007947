"""Translate LadybugDB's errors.

The engine raises plain ``RuntimeError`` (and, for damaged files, almost any other built-in exception) without a code or class,
so the text of its messages is the only way to tell errors apart. All of these texts are in this module.
"""

from __future__ import annotations

import errno
import os
import re
import resource
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ...core.messages import first_line, truncate
from ..cypher import problems
from ..cypher.guard import CheckedStatement, Edit, apply_edits, original_offset
from ..errors import (
    CypherError,
    CypherFailed,
    CypherSyntax,
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
        if _contains(str(error), _OUT_OF_MEMORY):
            raise _memory_full(path, error) from error
        blocked = isinstance(error, FileExistsError | NotADirectoryError)
        reason = "a part of its path is a file, not a folder" if blocked else error.strerror or first_line(error)
        raise StoreFull(f"cannot write the store {path}: {reason}; choose another path") from error
    except (RuntimeError, MemoryError) as error:
        # On a full disk the engine often only reports a failed read.
        limited = _file_limit() is not None and _contains(str(error), _CANNOT_TRANSFER)
        if limited or _contains(str(error), _OUT_OF_SPACE) or _free_space(path) < _EMPTY_STORE:
            raise _disk_full(path) from error
        if isinstance(error, MemoryError) or _contains(str(error), _OUT_OF_MEMORY):
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


def statement_error(text: str, checked: CheckedStatement, edits: Sequence[Edit] = ()) -> CypherError:
    """Return the error to raise for the engine's message about a user's statement, which had ``edits`` made to it."""
    if _contains(text, _OUT_OF_MEMORY):
        return memory_error()
    if text == "Interrupted.":
        return checked.deadline.error()
    if "read-only" in text:
        return problems.not_permitted()
    statement = checked.text
    kind, _, problem = text.partition(": ")
    if kind == "Parser exception":
        return _parser_error(problem, statement, edits)
    for pattern, make_error in _PROBLEMS:
        if (match := pattern.match(problem)) is not None:
            return make_error(match, statement)
    return problems.unexplained(CypherSyntax if kind in ("Binder exception", "Catalog exception") else CypherFailed)


def _parser_error(problem: str, statement: str, edits: Sequence[Edit]) -> CypherError:
    match = _POSITION.search(problem)
    if match is None:
        return problems.unexplained(CypherSyntax)
    changed = apply_edits(statement, edits)
    lines = changed.split("\n")
    offset = sum(len(line) + 1 for line in lines[: int(match[1]) - 1]) + int(match[2])
    return problems.syntax_error(statement, original_offset(offset, edits))


def _names(text: str) -> list[str]:
    return [name for name in re.split(r",\s*(?![^(]*\))", text) if name]


def _expression(name: str, statement: str) -> str:
    """Return where an expression is that the engine quotes, if that is certain."""
    return f" at {problems.place(statement, statement.find(name), len(name))}" if statement.count(name) == 1 else ""


_OPERATORS = {"NEGATE": "-", "LIST_EXTRACT": "[]", "LIST_CONTAINS": "IN"}
"""Operators that the engine names like functions."""

_POSITION = re.compile(r".*\(line: (\d+), offset: (\d+)\)", re.DOTALL)
_PROBLEMS: list[tuple[re.Pattern[str], Callable[[re.Match[str], str], CypherError]]] = [
    (re.compile(pattern, re.DOTALL), make_error)
    for pattern, make_error in (
        (r"Variable (.*) is not in scope\.", lambda match, statement: problems.unknown_variable(match[1], statement)),
        (r"Table (.*) does not exist\.", lambda match, statement: problems.unknown_label_or_type(match[1], statement)),
        (r"Cannot bind (.*) as a node pattern label", lambda match, _: problems.unknown_label(match[1])),
        (r"Cannot bind (.*) as a relationship pattern label", lambda match, _: problems.unknown_type(match[1])),
        (
            r"Cannot find property (.*) for (.*)\.",
            lambda match, statement: problems.unknown_property(match[1], statement, match[2]),
        ),
        (r"Invalid struct field name: (.*)\.", lambda match, _: CypherSyntax(f"the map has no key {truncate(match[1], 60)}")),
        (r"function (.*) does not exist", lambda match, statement: problems.unknown_function(match[1], statement)),
        (r"(.*) is neither an internal type", lambda match, _: CypherSyntax(f"there is no type {truncate(match[1], 60)}")),
        (
            r"Cannot match a built-in function for given function (.+?)\((.*?)\)\. Supported",
            lambda match, _: problems.wrong_arguments(match[1], _names(match[2])),
        ),
        (
            r"Function (\S+) did not receive correct arguments:\s*Actual:\s*\((.*?)\)\n",
            lambda match, _: problems.wrong_arguments(_OPERATORS.get(match[1], match[1]), _names(match[2])),
        ),
        (
            r"(?:Expression )?(.*) has data type (\S+) but (?:expected (\S+)\.|(\S+) was expected)",
            lambda match, statement: problems.wrong_type(
                match[2], (match[3] or match[4]).strip("()").split(","), _expression(match[1], statement)
            ),
        ),
        (r'Cast failed\. Could not convert "(.*)" to (\w+)', lambda match, _: problems.not_convertible(match[1], match[2])),
        (
            r'Error occurred during parsing (\w+)\. Given: "(.*?)"',
            lambda match, _: problems.not_convertible(match[2], match[1]),
        ),
        (r"Cast failed\. (.*) is not in (\w+) range", lambda match, _: problems.not_convertible(match[1], match[2])),
        (r"Value (.*) is not a valid (\w+)", lambda match, _: problems.not_convertible(match[1], match[2])),
        (r"Type Mismatch: Cannot compare types (.*) and (.*)", lambda match, _: problems.not_comparable(match.groups())),
        (
            r"Multiple result columns with the same name",
            lambda *_: CypherSyntax("two columns have the same name; give one another name with AS"),
        ),
        (r"Divide by zero|Modulo by zero", lambda *_: problems.division_by_zero()),
        (r"Value .* is not within", lambda *_: problems.number_overflow()),
        (
            r"Expression in WITH must be aliased",
            lambda *_: CypherSyntax("a computed column of WITH has no name; add AS and a name"),
        ),
        (
            r"The number of columns to union",
            lambda *_: CypherSyntax("the parts of a UNION return different numbers of columns; return the same columns"),
        ),
        (
            r"The number of rows to skip/limit",
            lambda *_: CypherSyntax("SKIP and LIMIT need a whole number that is not negative; write one"),
        ),
        (
            r".* contains nested aggregation",
            lambda *_: CypherSyntax("an aggregate is inside another aggregate; compute the inner one in a WITH before it"),
        ),
        (
            r"Upper bound of rel .* exceeds maximum: (\d+)",
            lambda match, _: CypherSyntax(
                f"a * pattern may have at most {match[1]} hops on this engine; lower its upper bound"
            ),
        ),
        (
            r"Found duplicate field (.*) in STRUCT",
            lambda match, _: CypherSyntax(f"a map has the key {truncate(match[1], 60)} twice; remove one"),
        ),
        (
            r"List extract takes 1-based position",
            lambda *_: CypherFailed("a list has no element 0 on this engine, which counts from 1; use head() or last()"),
        ),
        (r"Step of range cannot be 0", lambda *_: CypherFailed("the step of range() is 0; use another")),
    )
]


def memory_error() -> CypherFailed:
    """Return the error of a statement that needs more memory than its process may use."""
    return CypherFailed("the statement needs more memory than it may use; return fewer rows at once, or add LIMIT")


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
