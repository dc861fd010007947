"""Runs a user's statement on a server: read-only, with a row limit and a time limit that hold, and values as ours.

The guard has looked at the words before; here the server's own plan is looked at, because READ alone still lets a statement
read files, call procedures, show settings and end transactions.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ...core.messages import first_line
from ..cypher.values import LARGEST, TOO_LARGE, Node, Path, Relationship, byte_size
from ..errors import CypherError, CypherFailed, CypherRefused, CypherSyntax, CypherTimeout
from ..records import Answer
from ..schema import NODES
from .cancellation import LateError, make_token, run_with_timeout, terminate
from .connection import Connection

if TYPE_CHECKING:
    import neo4j

OVERTIME = 1.0
"""Seconds that the server gets to end a statement by its own clock before ours has it ended."""

_ACTS = (
    "LoadCSV",
    "ProcedureCall",
    "Show",
    "Terminate",
    "Create",
    "Merge",
    "Delete",
    "DetachDelete",
    "Set",
    "Remove",
    "Foreach",
)

Table = tuple[tuple[str, ...], list[list[Any]]]


def run_statement(connection: Connection, statement: str, parameters: Mapping[str, Any], limit: int, seconds: float) -> Answer:
    """The rows of one statement that the guard let through, at most ``limit`` of them."""
    ends = time.monotonic() + seconds
    mark = make_token()

    def work(ended: threading.Event) -> Table:
        with _transaction(connection, limit, ends - time.monotonic(), mark) as transaction:
            return _run(transaction, statement, parameters, limit, ended)

    try:
        columns, rows = run_with_timeout(work, seconds + OVERTIME, lambda: terminate(connection, mark))
    except (LateError, CypherTimeout):
        raise _late(seconds) from None
    kept = _converted(connection, rows[:limit])
    return Answer(columns, tuple(tuple(row) for row in kept), truncated=len(rows) > limit)


def _late(seconds: float) -> CypherTimeout:
    return CypherTimeout(f"the statement took longer than {seconds:g} seconds; anchor it at an {{id: ...}} or raise --timeout")


@contextmanager
def _transaction(connection: Connection, limit: int, seconds: float, mark: str) -> Iterator[neo4j.Transaction]:
    with (
        _told(connection),
        connection.driver.session(
            database=connection.database, default_access_mode="READ", fetch_size=max(1, min(limit + 1, 1000))
        ) as session,
        session.begin_transaction(metadata={"wayword": "statement", "token": mark}, timeout=max(0.001, seconds)) as transaction,
    ):
        yield transaction


def _run(
    transaction: neo4j.Transaction, statement: str, parameters: Mapping[str, Any], limit: int, ended: threading.Event
) -> Table:
    _refuse_acts(transaction.run(f"EXPLAIN {statement}", dict(parameters)).consume())
    if ended.is_set():
        raise LateError
    result = transaction.run(statement, dict(parameters))
    columns = tuple(result.keys())
    rows: list[list[Any]] = []
    left = LARGEST
    for record in result:
        rows.append(record.values())
        left -= byte_size(rows[-1], left)
        if left < 0:
            raise CypherFailed(TOO_LARGE)
        if len(rows) > limit:
            break
    transaction.rollback()
    return columns, rows


def _refuse_acts(summary: neo4j.ResultSummary) -> None:
    if summary.query_type not in ("r", None):
        raise CypherRefused("the statement would change the graph, and statements only read")
    for name in _operators(summary.plan or {}):
        if name.startswith(_ACTS):
            raise CypherRefused(f"the server would carry out {name}, and statements only read the graph")


def _operators(plan: Mapping[str, Any]) -> Iterator[str]:
    waiting = [plan]
    while waiting:
        step = waiting.pop()
        yield str(step.get("operatorType", "")).partition("@")[0]
        waiting += step.get("children", [])


@contextmanager
def _told(connection: Connection) -> Iterator[None]:
    from neo4j.exceptions import BrokenRecordError, Neo4jError

    from .connection import translate_errors

    with translate_errors(connection.address, connection.database):
        try:
            yield
        except BrokenRecordError as error:
            raise _no_form(first_line(error.__cause__ or error)) from error
        except Neo4jError as error:
            found = _of_statement(error)
            if found is None:
                raise
            raise found from error


def _of_statement(error: Any) -> CypherError | None:
    code, text = str(error.code), first_line(error.message or error)
    if "TransactionTimedOut" in code or code.endswith((".Terminated", ".TransactionTerminated", ".LockClientStopped")):
        return CypherTimeout(text)
    if code.endswith(".AccessMode"):
        return CypherRefused(f"statements only read the graph: {text}")
    if code.endswith(".SyntaxError"):
        return CypherSyntax(f"the server does not understand the statement: {text}")
    if code.startswith("Neo.ClientError.Security"):
        return None
    return CypherFailed(f"the statement failed: {text}")


def _converted(connection: Connection, rows: list[list[Any]]) -> list[list[Any]]:
    """Rows with the driver's values turned into ours. An end of a relationship that came alone is looked up."""
    from neo4j import graph

    ids: dict[str, str] = {}
    unknown: set[str] = set()

    def learn(value: Any) -> None:
        if isinstance(value, graph.Node):
            if value._properties:
                ids[value.element_id] = _key(value)
            else:
                unknown.add(value.element_id)
        elif isinstance(value, graph.Relationship):
            learn(value.start_node)
            learn(value.end_node)
        elif isinstance(value, graph.Path):
            for each in (*value.nodes, *value.relationships):
                learn(each)
        elif isinstance(value, list):
            for each in value:
                learn(each)
        elif isinstance(value, dict):
            for each in value.values():
                learn(each)

    learn(rows)
    missing = sorted(unknown - ids.keys())
    if missing:
        found = connection.read("UNWIND $ids AS e MATCH (n) WHERE elementId(n) = e RETURN e, n.id", {"ids": missing})
        ids.update({element: str(key) for element, key in found if key is not None})
    return [[_value(value, ids) for value in row] for row in rows]


def _key(node: Any) -> str:
    found = node.get("id")
    return node.element_id if found is None else str(found)


def _value(value: Any, ids: Mapping[str, str]) -> Any:
    from neo4j import graph, spatial
    from neo4j.time import Date, DateTime, Duration, Time

    match value:
        case None | bool() | int() | float() | str():
            return value
        case list():
            return [_value(each, ids) for each in value]
        case dict():
            return {key: _value(each, ids) for key, each in value.items()}
        case graph.Node():
            labels = sorted(value.labels, key=lambda label: (label not in NODES, label))
            properties = {key: _value(each, ids) for key, each in value.items()}
            return Node(ids.get(value.element_id, value.element_id), labels[0] if labels else "", properties)
        case graph.Relationship():
            ends = [
                "" if end is None else ids.get(end.element_id, end.element_id) for end in (value.start_node, value.end_node)
            ]
            return Relationship(value.type, ends[0], ends[1], {key: _value(each, ids) for key, each in value.items()})
        case graph.Path():
            return Path(
                tuple(_value(each, ids) for each in value.nodes), tuple(_value(each, ids) for each in value.relationships)
            )
        case Date() | DateTime() | Time():
            return value.to_native()
        case Duration() | spatial.Point():
            return str(value)
        case bytes() | bytearray():
            return bytes(value)
    raise _no_form(first_line(getattr(value, "error", None) or TypeError(type(value).__name__)))


def _no_form(why: str) -> CypherFailed:
    return CypherFailed(f"the answer has a value that Python cannot hold ({why}); turn it into text with toString()")
