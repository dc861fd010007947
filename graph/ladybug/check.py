"""Check the file of an embedded store for damage, without ever opening a damaged file in this process."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from ...core.executors import start_processes
from ..errors import StoreError, StoreUnreadable
from ..records import CheckedPart
from .digest import examine
from .reader import check_file as check_signature
from .verification import refuse_leftovers


def check_file(path: Path, read_rows: Callable[[str], None]) -> CheckedPart:
    """Compare a file with its digest; without a digest read all its rows, because only the engine can find damage then.

    Args:
        path: The store.
        read_rows: Reads all rows of a store, in another process.

    Raises:
        StoreError: There is no store, or another program has left unfinished changes beside it.
    """
    check_signature(path)
    refuse_leftovers(path)
    try:
        with path.open("rb", buffering=0) as file:
            found = examine(file)
    except OSError as error:
        raise StoreUnreadable(f"cannot read the store {path}: {error.strerror or error}") from error
    if found.state == "unverified":
        problem = _find_read_problem(path, read_rows)
        return CheckedPart("store", str(path), "damaged" if problem else "unverified", {problem: 1} if problem else {})
    problems = {f"changed_{found.changed}": found.changed_blocks or 1} if found.changed else {}
    return CheckedPart("store", str(path), found.state, problems)


def _find_read_problem(path: Path, read_rows: Callable[[str], None]) -> str | None:
    """Read all rows in another process, which the engine may crash; return the code of the problem."""
    try:
        with start_processes(1) as executor:
            executor.submit(read_rows, str(path)).result()
    except BrokenProcessPool:
        return "engine_crash"
    except StoreError:
        return "unreadable_rows"
    return None
