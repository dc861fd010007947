"""Check the file of an embedded store for damage, without ever opening a damaged file in this process."""

from __future__ import annotations

from collections import deque
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from ...core.executors import start_processes
from ..errors import StoreError, StoreUnreadable
from ..records import CheckedPart
from ..schema import NODES, RELATIONSHIPS
from .digest import examine
from .reader import check_file as check_signature
from .verification import refuse_leftovers


def check_file(path: Path) -> CheckedPart:
    """Compare a file with its digest; without a digest read all its rows, because only the engine can find damage then.

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
        problem = _read_in_process(path)
        return CheckedPart("store", str(path), "damaged" if problem else "unverified", {problem: 1} if problem else {})
    problems = {f"changed_{found.changed}": found.changed_blocks or 1} if found.changed else {}
    return CheckedPart("store", str(path), found.state, problems)


def _read_in_process(path: Path) -> str | None:
    """Read all rows in another process, which the engine may crash; return the code of the problem."""
    try:
        with start_processes(1) as executor:
            return executor.submit(_read_rows, str(path)).result()
    except BrokenProcessPool:
        return "engine_crash"


def _read_rows(path: str) -> str | None:
    from .store import EmbeddedStore

    with EmbeddedStore(path) as store:
        try:
            store.counts()
            for label in NODES:
                deque(store.stream_nodes(label), maxlen=0)
            for type in RELATIONSHIPS:
                deque(store.stream_edges(type), maxlen=0)
        except StoreError:
            return "unreadable_rows"
    return None
