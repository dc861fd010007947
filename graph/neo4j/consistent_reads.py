"""Reads that see one state of a base, on a server that shows a load while it is being switched in.

The server shows a commit while it applies it, and a switch takes many. So every read takes the state and revision of the
bases it is about before and after, and is done again unless both are the same and ready. A short read does all three in one
statement: an aggregation ends before what follows it begins.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import StoreBusy, StoreUnreadable
from .load_lock import is_loading
from .markers import LIVE

if TYPE_CHECKING:
    import pyarrow as pa

    from .connection import Connection

T = TypeVar("T")
Stamp = list[list[Any]]

PATIENCE = 60.0
"""Seconds to wait for a load that is being switched in."""

INTERRUPTED = 3.0
"""Seconds after which a switch that no load is to be seen behind counts as interrupted."""

SPOOLED = 32 << 20
"""Bytes of a stream that are kept in memory before it goes to a temporary file."""

_STAMP = "collect(CASE WHEN b IS NULL THEN NULL ELSE [b.id, b.state, b.revision] END)"


_BASES = f"OPTIONAL MATCH (b:Base:{LIVE}) WHERE $bases IS NULL OR b.id IN $bases"


def short(body: str) -> str:
    """A statement that gives the stamp before, the rows of ``body`` (it returns a list as ``rows``), and the stamp after."""
    return (
        f"{_BASES} WITH b ORDER BY b.id WITH {_STAMP} AS before CALL (before) {{ {body} }} "
        f"{_BASES} WITH before, rows, b ORDER BY b.id "
        f"RETURN before, rows, {_STAMP} AS after"
    )


def stamp(connection: Connection, bases: Iterable[str] | None = None) -> Stamp:
    """Which of these bases (None: of all) are there, in which state and revision."""
    ((found,),) = connection.read(f"{_BASES} WITH b ORDER BY b.id RETURN {_STAMP}", {"bases": _names(bases)})
    return list(found)


def _names(bases: Iterable[str] | None) -> list[str] | None:
    return None if bases is None else sorted(set(bases))


def read_short(connection: Connection, statement: str, bases: Iterable[str] | None, parameters: Mapping[str, Any]) -> list[Any]:
    """The rows of a statement that ``short`` made, of one state of these bases (None: of all)."""
    given = {**parameters, "bases": _names(bases)}

    def attempt() -> tuple[Stamp, list[Any], Stamp]:
        ((before, rows, after),) = connection.read(statement, given)
        return before, rows, after

    return settled(connection, attempt)


def read_long(connection: Connection, bases: Iterable[str] | None, work: Callable[[], T]) -> T:
    """What ``work`` reads in as many statements as it likes, of one state."""
    wanted = _names(bases)

    def attempt() -> tuple[Stamp, T | None, Stamp]:
        before = stamp(connection, wanted)
        if not _ready(before):
            return before, None, before
        found = work()
        return before, found, stamp(connection, wanted)

    return settled(connection, attempt)  # type: ignore[return-value]


def settled(connection: Connection, attempt: Callable[[], tuple[Stamp, T, Stamp]]) -> T:
    """Attempt a read until it saw one state that is ready; an error that says why, if that takes too long."""
    begun = time.monotonic()
    pause = 0.01
    while True:
        before, found, after = attempt()
        if before == after and _ready(after):
            return found
        waited = time.monotonic() - begun
        switching = [base for base, state, _ in after if state != "ready"]
        if switching and waited > INTERRUPTED and not is_loading(connection):
            raise StoreUnreadable(
                f"a load of {switching[0]} into {connection.address} was interrupted while it was switched in;"
                " load any base again, which finishes it first"
            )
        if waited > PATIENCE:
            raise StoreBusy(
                f"{connection.address} was being loaded into for {waited:.0f} seconds"
                f"{f' ({switching[0]})' if switching else ''}; try again when the load has ended"
            )
        time.sleep(pause)
        pause = min(2 * pause, 0.5)


def _ready(found: Stamp) -> bool:
    return all(state == "ready" for _, state, _ in found)


def spooled(
    connection: Connection, bases: Iterable[str] | None, statement: str, parameters: Mapping[str, Any], columns: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """All rows of a statement as record batches with these columns, of one state and in flat memory."""
    import pyarrow as pa

    with ExitStack() as stack:
        file = stack.enter_context(tempfile.SpooledTemporaryFile(SPOOLED))

        def fill() -> None:
            file.seek(0)
            file.truncate()
            with connection.session(fetch_size=10_000) as session, pa.ipc.new_stream(file, columns) as writer:
                for rows in _chunks(session.run(statement, dict(parameters)), 10_000):
                    arrays = [
                        pa.array(values, each.type) for values, each in zip(zip(*rows, strict=True), columns, strict=True)
                    ]
                    writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=columns))

        read_long(connection, bases, fill)
        file.seek(0)
        with pa.ipc.open_stream(file) as reader:
            yield from reader


def _chunks(result: Iterable[Any], size: int) -> Iterator[list[list[Any]]]:
    rows: list[list[Any]] = []
    for record in result:
        rows.append(record.values())
        if len(rows) == size:
            yield rows
            rows = []
    if rows:
        yield rows
