"""Refuse user Cypher whose execution plan on the server does more than read the graph.

``cypher.guard`` checks the words of a statement before any engine sees it. The plan is checked as well, because the access mode
READ still permits reading files, calling procedures, showing settings and terminating transactions.

The plan also has the server's warnings about names that nothing on it has. For Neo4j they are null; here they are errors, as on
the embedded engine, except for names of wayword's schema that no base uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..cypher import problems
from ..errors import CypherRefused
from ..schema import NODES, RELATIONSHIPS

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


_PROPERTIES = {name for node in NODES.values() for name in node.properties} | {
    name for relationship in RELATIONSHIPS.values() for name in relationship.properties
}


def check_plan(summary: neo4j.ResultSummary) -> None:
    """Refuse a statement whose ``EXPLAIN`` says that it would do more than read the graph."""
    if summary.query_type not in ("r", None):
        raise CypherRefused("the statement would change the graph, and statements may only read")
    for name in _operators(summary.plan or {}):
        if name.startswith(_FORBIDDEN_OPERATORS):
            raise CypherRefused(f"the plan of the statement contains {name}, and statements may only read the graph")


_MISSING = re.compile(r"missing [a-z ]+ is: (.*)\)", re.DOTALL)


def check_names(summary: neo4j.ResultSummary, statement: str) -> None:
    """Refuse a statement with a label, relationship type or property that neither the server nor the schema has."""
    # The driver's own properties for these are deprecated in one of its versions or experimental in another.
    for status in summary.metadata.get("statuses", summary.metadata.get("notifications", ())):
        match = _MISSING.search(status.get("description", ""))
        if match is None:
            continue
        name, code = match[1], str(status.get("neo4j_code", status.get("code")))
        if code.endswith("UnknownLabelWarning") and name not in NODES:
            raise problems.unknown_label(name)
        if code.endswith("UnknownRelationshipTypeWarning") and name not in RELATIONSHIPS:
            raise problems.unknown_type(name)
        if code.endswith("UnknownPropertyKeyWarning") and name not in _PROPERTIES:
            raise problems.unknown_property(name, statement)


def _operators(plan: Mapping[str, Any]) -> Iterator[str]:
    stack = [plan]
    while stack:
        operator = stack.pop()
        yield str(operator.get("operatorType", "")).partition("@")[0]
        stack += operator.get("children", [])
