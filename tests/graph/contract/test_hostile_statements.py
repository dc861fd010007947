"""Random statements, valid and hostile: each ends in an answer or in one of our errors, within its time limit and a second.

A nightly run tries 500 on each engine and prints its seed; other runs try fewer.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.core.errors import WaywordError
from wayword.graph.ladybug import sandbox
from wayword.graph.schema import NODES, RELATIONSHIPS
from wayword.graph.store import Store

from ...support.cypher_values import PARAMETERS
from ...support.examples import share_of_examples
from ...support.graphs import animals, base
from ...support.stores import STORES

pytestmark = pytest.mark.slow

LIMIT, SLACK = 1.0, 5.0
"""Seconds that a statement may take, and those that a busy machine may add."""

_SERVER = (pytest.mark.server, pytest.mark.xdist_group("neo4j"))

LABELS = st.sampled_from([*NODES, "Synsets", "synset", "Nothing", "HYPERNYM", "_ID", "Ünïcode", "`a b`", ""])
TYPES = st.sampled_from([*RELATIONSHIPS, "HYPERNIM", "Synset", "HYPERNYM|SIMILAR", "HYPERNYM*1..30", "SENSE*", "*0..", "*5..1"])
PROPERTIES = st.sampled_from(["id", "name", "lemmas", "hyponyms", "nam", "_LABEL", "`x y`", "toString", "1", "id.id"])
ATOMS = st.sampled_from(
    [
        "1", "-1", "9223372036854775807", "99999999999999999999", "1e400", "0.0", "1.5e-320", "'a'", "'it\\'s'", '"é😀"', "''",
        "null", "true", "n", "m", "r", "p", "x", "$x", "$missing", "[]", "[1, 2]", "[1, 'a']", "{a: 1}", "{_ID: 1}", "{}",
        "[null]",
        "date('2020-01-01')", "date('10000-01-01')", "interval('1000000000 days')", "duration('P99999999Y')", "timestamp('x')",
        "range(1, 10)", "range(1, 1000000000)", "range(1, 10, 0)", "repeat('x', 1000000000)", "nodes(null)", "count(*)",
        "map(['_NODES'], [[1]])", "[y IN [1] | y]", "n {.name}", "'\\u0041'", "'unclosed", "`", "/* open", "(((1", "1 / 0",
        "FROM",
    ]
)  # fmt: skip
FUNCTIONS = st.sampled_from(
    ["size", "abs", "toInteger", "toString", "head", "last", "type", "labels", "nodes", "length", "collect", "sum", "max",
     "sqrt",
     "id", "properties", "no_such_function", "read_csv_serial", "split", "coalesce", "exp", "date", "keys", "elementId"]
)  # fmt: skip
OPERATORS = st.sampled_from(
    ["+", "-", "*", "/", "%", "^", "=", "<>", "<", "AND", "OR", "IN", "STARTS WITH", "CONTAINS", "=~", "||"]
)
EXPRESSIONS = st.recursive(
    ATOMS | PROPERTIES.map(lambda name: f"n.{name}"),
    lambda inner: st.one_of(
        st.tuples(FUNCTIONS, inner).map(lambda parts: f"{parts[0]}({parts[1]})"),
        st.tuples(inner, OPERATORS, inner).map(" ".join),
        st.tuples(inner, inner).map(lambda parts: f"[{parts[0]}, {parts[1]}]"),
        st.tuples(PROPERTIES, inner).map(lambda parts: f"{{{parts[0]}: {parts[1]}}}"),
        st.tuples(inner, inner, inner).map(lambda parts: f"CASE WHEN {parts[0]} THEN {parts[1]} ELSE {parts[2]} END"),
        inner.map(lambda text: f"NOT ({text})"),
    ),
    max_leaves=5,
)
PATTERNS = st.one_of(
    LABELS.map(lambda label: f"(n:{label})"),
    st.tuples(LABELS, TYPES, LABELS).map(lambda names: f"p = (n:{names[0]})-[r:{names[1]}]->(m:{names[2]})"),
    st.sampled_from(
        ["(n)", "(n), (m), (o), (q), (s), (t), (u)", "(n)-[r]-(m)-[]-()", "p = (n)-[*1..30]-(m)", "(n)--(n)", "(n", "()"]
    ),
    PROPERTIES.map(lambda name: f"(n:Synset {{{name}: $x}})"),
)
CLAUSES = st.one_of(
    PATTERNS.map(lambda pattern: f"MATCH {pattern}"),
    PATTERNS.map(lambda pattern: f"OPTIONAL MATCH {pattern}"),
    st.tuples(PATTERNS, EXPRESSIONS).map(lambda parts: f"MATCH {parts[0]} WHERE {parts[1]}"),
    EXPRESSIONS.map(lambda text: f"UNWIND {text} AS x"),
    EXPRESSIONS.map(lambda text: f"WITH *, {text} AS y"),
    st.sampled_from(
        [
            "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b", "SET n.name = 'x'", "DETACH DELETE n",
            "CREATE (:Stem {id: 'z'})",
            "LOAD CSV FROM 'file:///etc/passwd' AS line", "CALL db.labels()", "; MATCH (n) DELETE n", "// comment\r",
            "MERGE (z:Stem)",
            "CALL { MATCH (n) RETURN n }", "\u200b", "UNION",
        ]
    ),
)  # fmt: skip
ENDINGS = st.sampled_from(["", " LIMIT 3", " ORDER BY n", " SKIP -1", " LIMIT $x", " ;", " ORDER BY", " UNION RETURN 1 AS y"])
STATEMENTS = st.one_of(
    st.tuples(st.lists(CLAUSES, max_size=3).map(" ".join), EXPRESSIONS, ENDINGS).map(
        lambda parts: f"{parts[0]} RETURN {parts[1]} AS y{parts[2]}".strip()
    ),
    st.tuples(PATTERNS, EXPRESSIONS).map(lambda parts: f"MATCH {parts[0]} RETURN {parts[1]}"),
    st.sampled_from(
        ["RETURN " + "[" * 50 + "]" * 50, "RETURN " + "+".join(["1"] * 20_000), "RETURN 1" + "[1]" * 5_000, "", "\ud800"]
    ),
    st.text(max_size=40).map(lambda text: f"RETURN {text}"),
    st.sampled_from([None, 1, b"RETURN 1"]),
)
HOSTILE_VALUES = st.sampled_from(
    [HTTPStatus.OK, float("nan"), 2**64, {None: 1}, {"_NODES": []}, b"x", "\ud800", [1, "a"], [{}], object(), [0] * 200_000]
)


@pytest.fixture(scope="module", params=["embedded", pytest.param("neo4j", marks=_SERVER)])
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store that is unchanged at the end, and leaves no process behind."""
    with STORES[request.param](tmp_path_factory.mktemp("hostile")) as store:
        store.replace_base(base(), animals())
        store.cypher("RETURN 1 AS one")
        before = (store.counts(), store.state_id(), store.nodes(["wordnet:1-n"]))
        yield store
        assert (store.counts(), store.state_id(), store.nodes(["wordnet:1-n"])) == before
        assert len(_children()) <= sandbox.MAX_IDLE
        store.close()
        assert _children() == []


def _children() -> list[int]:
    """Return the processes that this one has started for statements."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int(entry.joinpath("stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
            if parent == os.getpid() and b"sandbox_worker" in entry.joinpath("cmdline").read_bytes():
                found.append(int(entry.name))
        except (OSError, ValueError):  # it has ended
            continue
    return found


@share_of_examples(0.5)
@given(statement=STATEMENTS, value=PARAMETERS | HOSTILE_VALUES)
def test_a_statement_ends_in_an_answer_or_in_one_of_our_errors_in_time(filled: Store, statement: Any, value: Any) -> None:
    start = time.monotonic()
    error = None
    try:
        answer = filled.cypher(statement, {"x": value}, limit=10, timeout=LIMIT)
        assert len(answer.rows) <= 10
    except WaywordError as raised:
        error = raised
    assert time.monotonic() - start < LIMIT + SLACK
    if error is not None:
        assert error.exit_code == 2
        assert 0 < len(str(error)) < 1_000
        assert "\n" not in str(error)
