"""Run a user's statement on a server: read-only, within a row limit and a time limit.

``cypher.guard`` has checked the words of the statement; ``plan_guard`` checks the server's execution plan. Then the
statement runs in a read transaction that carries the server's own timeout. Everything that asks the server runs in a
thread, for which the caller waits no longer than its time limit; late work is terminated on the server and abandoned here.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ...core.messages import first_line
from ..cypher.guard import CheckedStatement
from ..cypher.problems import unrepresentable
from ..cypher.values import LARGEST, TOO_LARGE, Node, Path, Relationship, byte_size
from ..errors import CypherFailed, CypherTimeout
from ..records import Answer
from ..schema import NODES
from .cancellation import WorkTimeout, make_token, run_with_timeout, terminate_transactions
from .connection import Connection
from .consistent_reads import read_consistently
from .errors import EXPLAIN, translate_statement_errors
from .plan_guard import check_names, check_plan

if TYPE_CHECKING:
    import neo4j

OVERTIME = 0.2
"""Seconds after the time limit before a statement that the server has not timed out is terminated."""

GRACE = 0.4
"""Seconds that a terminated statement gets to return."""


def run_statement(connection: Connection, checked: CheckedStatement) -> Answer:
    """Run a statement that the guard has accepted, in one state of the bases; errors as in ``Store.cypher``."""
    deadline = checked.deadline
    token = make_token()
    answering = threading.Event()

    def work(cancelled: threading.Event) -> Answer:
        def attempt() -> Answer:
            answering.set()
            if cancelled.is_set():
                raise WorkTimeout
            with _transaction(connection, checked, token) as transaction:
                return _run(connection, transaction, checked, cancelled)

        return read_consistently(connection, None, attempt, timeout=deadline.remaining())

    def terminate() -> None:
        terminate_transactions(connection, token)

    try:
        return run_with_timeout(work, deadline.remaining(OVERTIME), terminate, GRACE)
    except (WorkTimeout, CypherTimeout):
        silence = f"{connection.address} did not answer within {deadline.seconds:g} s; check whether the server is running"
        raise deadline.error(None if answering.is_set() else silence) from None


@contextmanager
def _transaction(connection: Connection, checked: CheckedStatement, token: str) -> Iterator[neo4j.Transaction]:
    with (
        translate_statement_errors(connection.address, connection.database, checked.text),
        connection.open_session(
            fetch_size=max(1, min(checked.limit + 1, 1000)),
            notifications_min_severity="WARNING",  # of which ``plan_guard`` reads those about unknown names
        ) as session,
        session.begin_transaction(
            metadata={"wayword": "statement", "token": token}, timeout=max(0.001, checked.deadline.remaining())
        ) as transaction,
    ):
        yield transaction


def _run(
    connection: Connection, transaction: neo4j.Transaction, checked: CheckedStatement, cancelled: threading.Event
) -> Answer:
    statement, parameters, limit = checked.text, dict(checked.parameters), checked.limit
    plan = transaction.run(f"{EXPLAIN}{statement}", parameters).consume()
    check_plan(plan)
    check_names(plan, statement)
    if cancelled.is_set():
        raise WorkTimeout
    result = transaction.run(statement, parameters)
    columns = tuple(result.keys())
    rows: list[list[Any]] = []
    bytes_left = LARGEST
    for record in result:
        rows.append(record.values())
        bytes_left -= byte_size(rows[-1], bytes_left)
        if bytes_left < 0:
            raise CypherFailed(TOO_LARGE)
        if len(rows) > limit or cancelled.is_set():  # one row beyond the limit shows that the answer is truncated
            break
    transaction.rollback()
    converted = _convert(connection, rows[:limit])
    return Answer(columns, tuple(tuple(row) for row in converted), truncated=len(rows) > limit)


def _convert(connection: Connection, rows: list[list[Any]]) -> list[list[Any]]:
    """Convert the driver's values to ours.

    The driver returns the ends of a relationship as nodes without properties unless the answer contains them. The ids of the
    other ends are looked up.
    """
    from neo4j import graph

    ids: dict[str, str] = {}
    unknown: set[str] = set()

    def collect_ids(value: Any) -> None:
        if isinstance(value, graph.Node):
            if value._properties:
                ids[value.element_id] = _key(value)
            else:
                unknown.add(value.element_id)
        elif isinstance(value, graph.Relationship):
            collect_ids(value.start_node)
            collect_ids(value.end_node)
        elif isinstance(value, graph.Path):
            for item in (*value.nodes, *value.relationships):
                collect_ids(item)
        elif isinstance(value, list):
            for item in value:
                collect_ids(item)
        elif isinstance(value, dict):
            for item in value.values():
                collect_ids(item)

    collect_ids(rows)
    missing = sorted(unknown - ids.keys())
    if missing:
        resolved = connection.read("UNWIND $ids AS e MATCH (n) WHERE elementId(n) = e RETURN e, n.id", {"ids": missing})
        ids.update({element: str(key) for element, key in resolved if key is not None})
    return [[_value(value, ids) for value in row] for row in rows]


def _key(node: Any) -> str:
    id_ = node.get("id")
    return node.element_id if id_ is None else str(id_)


def _value(value: Any, ids: Mapping[str, str]) -> Any:
    from neo4j import graph, spatial
    from neo4j.time import Date, DateTime, Duration, Time

    match value:
        case None | bool() | int() | float() | str():
            return value
        case list():
            return [_value(item, ids) for item in value]
        case dict():
            return {key: _value(item, ids) for key, item in value.items()}
        case graph.Node():
            labels = sorted(value.labels, key=lambda label: (label not in NODES, label))
            properties = {key: _value(item, ids) for key, item in value.items()}
            return Node(ids.get(value.element_id, value.element_id), labels[0] if labels else "", properties)
        case graph.Relationship():
            ends = [
                "" if end is None else ids.get(end.element_id, end.element_id) for end in (value.start_node, value.end_node)
            ]
            return Relationship(value.type, ends[0], ends[1], {key: _value(item, ids) for key, item in value.items()})
        case graph.Path():
            return Path(
                tuple(_value(item, ids) for item in value.nodes), tuple(_value(item, ids) for item in value.relationships)
            )
        case Date() | DateTime() | Time():
            return value.to_native()
        case Duration() | spatial.Point():
            return str(value)
        case bytes() | bytearray():
            return bytes(value)
    raise unrepresentable(first_line(getattr(value, "error", None) or TypeError(type(value).__name__)))
