"""Refuse user Cypher whose execution plan on the server does more than read the graph.

``cypher.guard`` checks the words of a statement before any engine sees it. The plan is checked as well, because the access mode
READ still permits reading files, calling procedures, showing settings and terminating transactions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..errors import CypherRefused

if TYPE_CHECKING:
    import neo4j

_FORBIDDEN_OPERATORS = (
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


def check_plan(summary: neo4j.ResultSummary) -> None:
    """Refuse a statement whose ``EXPLAIN`` says that it would do more than read the graph."""
    if summary.query_type not in ("r", None):
        raise CypherRefused("the statement would change the graph, and statements may only read")
    for name in _operators(summary.plan or {}):
        if name.startswith(_FORBIDDEN_OPERATORS):
            raise CypherRefused(f"the plan of the statement contains {name}, and statements may only read the graph")


def _operators(plan: Mapping[str, Any]) -> Iterator[str]:
    stack = [plan]
    while stack:
        operator = stack.pop()
        yield str(operator.get("operatorType", "")).partition("@")[0]
        stack += operator.get("children", [])
