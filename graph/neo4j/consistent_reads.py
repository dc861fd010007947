"""Consistent reads: each sees one state of a base, even while a load switches bases.

A switch takes many transactions, each of which is visible at once, even while it is being applied. So every read also reads
the state and revision of its bases before and after its rows, and is repeated until both are equal and ``ready``. Revisions
never repeat, so if they are equal, no load began or ended in between. A short read does all three in one statement; the order
is guaranteed, because an aggregation completes before the next clause begins.

The same check rejects bases with another schema, which an older or newer version of wayword has loaded. Only the list of bases
can still be read, so that they can be loaded again.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import StoreBusy, StoreUnreadable
from ..schema import schema_fingerprint
from .load_lock import is_loading
from .markers import LIVE

if TYPE_CHECKING:
    import pyarrow as pa

    from .connection import Connection

T = TypeVar("T")
BaseStates = list[list[Any]]
"""For each base its id, state, revision, and whether its schema is ours; ordered by id."""

SWITCH_TIMEOUT = 60.0
"""Seconds to wait for a load that is switching."""

INTERRUPTED_AFTER = 3.0
"""Seconds after which a switch is considered interrupted if no load is visible."""

SPOOLED_BYTES = 32 << 20
"""Size of a stream above which it moves from memory to a temporary file."""

_FETCH_SIZE = 10_000
_BASES = f"OPTIONAL MATCH (b:Base:{LIVE}) WHERE $bases IS NULL OR b.id IN $bases WITH * ORDER BY b.id"
_STATES = "collect(CASE WHEN b IS NULL THEN NULL ELSE [b.id, b.state, b.revision, coalesce(b.schema = $schema, false)] END)"


def make_statement(body: str) -> str:
    """Return a statement that reads the states, the rows of ``body`` (a list ``rows``), and the states again."""
    return f"{_BASES} WITH {_STATES} AS before CALL (before) {{ {body} }} {_BASES} RETURN before, rows, {_STATES} AS after"


def read_states(connection: Connection, bases: Iterable[str] | None = None) -> BaseStates:
    """Return the states of some bases, or of all."""
    ((states,),) = connection.read(f"{_BASES} RETURN {_STATES}", _parameters(bases))
    return list(states)


def _parameters(bases: Iterable[str] | None) -> dict[str, Any]:
    return {"bases": None if bases is None else sorted(set(bases)), "schema": schema_fingerprint()}


def read_statement(
    connection: Connection, statement: str, bases: Iterable[str] | None, parameters: Mapping[str, Any]
) -> list[Any]:
    """Return the rows of a statement made by ``make_statement``, in one state of some bases, or of all."""
    all_parameters = {**parameters, **_parameters(bases)}

    def attempt() -> tuple[BaseStates, list[Any], BaseStates]:
        ((before, rows, after),) = connection.read(statement, all_parameters)
        return before, rows, after

    return retry_until_consistent(connection, attempt)


def read_consistently(
    connection: Connection,
    bases: Iterable[str] | None,
    read: Callable[[], T],
    *,
    any_schema: bool = False,
    timeout: float = SWITCH_TIMEOUT,
) -> T:
    """Return the result of ``read``, whose statements all see one state of some bases, or of all."""

    def attempt() -> tuple[BaseStates, T | None, BaseStates]:
        before = read_states(connection, bases)
        if not _are_ready(before):
            return before, None, before
        result = read()
        return before, result, read_states(connection, bases)

    return retry_until_consistent(connection, attempt, any_schema=any_schema, timeout=timeout)  # type: ignore[return-value]


def retry_until_consistent(
    connection: Connection,
    attempt: Callable[[], tuple[BaseStates, T, BaseStates]],
    *,
    any_schema: bool = False,
    timeout: float = SWITCH_TIMEOUT,
) -> T:
    """Repeat a read until it has seen a single state in which all bases are ready.

    Args:
        connection: The server.
        attempt: Reads once; returns the states before, the result, and the states after.
        any_schema: Whether bases of another schema may be read.
        timeout: Seconds to wait for loads that are switching.

    Raises:
        StoreUnreadable: A load was interrupted while it switched, or a base has another schema.
        StoreBusy: A load did not finish switching in time.
    """
    start = time.monotonic()
    pause = 0.01
    while True:
        before, result, after = attempt()
        if before == after and _are_ready(after):
            if not any_schema:
                _refuse_other_schemas(connection, after)
            return result
        waited = time.monotonic() - start
        switching = [base for base, state, *_ in after if state != "ready"]
        if switching and waited > INTERRUPTED_AFTER and not is_loading(connection):
            raise StoreUnreadable(
                f"a load or removal of {switching[0]} in {connection.address} was interrupted while it switched;"
                " load or remove any base, which finishes the interrupted change first"
            )
        if waited > min(timeout, SWITCH_TIMEOUT):
            base = f" ({switching[0]})" if switching else ""
            raise StoreBusy(
                f"loads into {connection.address} have not let this read finish for {waited:.0f} seconds{base}; try again later"
            )
        time.sleep(pause)
        pause = min(2 * pause, 0.5)


def _are_ready(states: BaseStates) -> bool:
    return all(state == "ready" for _, state, *_ in states)


def _refuse_other_schemas(connection: Connection, states: BaseStates) -> None:
    for base, _, _, is_ours in states:
        if not is_ours:
            raise StoreUnreadable(
                f"the base {base} in {connection.address} was loaded by another version of wayword; load it again"
            )


def stream(
    connection: Connection, bases: Iterable[str] | None, statement: str, parameters: Mapping[str, Any], columns: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield all rows of a statement as batches with these columns, in one state of the bases and in bounded memory.

    The rows are spooled first, since only the last one shows whether they are consistent.
    """
    import pyarrow as pa

    with ExitStack() as stack:
        file = stack.enter_context(tempfile.SpooledTemporaryFile(SPOOLED_BYTES))

        def spool() -> None:
            file.seek(0)
            file.truncate()
            with connection.session(fetch_size=_FETCH_SIZE) as session, pa.ipc.new_stream(file, columns) as writer:
                for rows in _chunks(session.run(statement, dict(parameters)), _FETCH_SIZE):
                    arrays = [
                        pa.array(values, field.type) for values, field in zip(zip(*rows, strict=True), columns, strict=True)
                    ]
                    writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=columns))

        read_consistently(connection, bases, spool)
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
