"""Users' statements on a server: what they may do, how long they may take, and their values."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

from wayword.graph.cypher.deadline import Deadline
from wayword.graph.cypher.guard import CheckedStatement
from wayword.graph.errors import (
    CypherError,
    CypherFailed,
    CypherRefused,
    CypherTimeout,
    StoreError,
    StoreUnreachable,
)
from wayword.graph.neo4j.store import ServerStore
from wayword.graph.neo4j.user_cypher import run_statement

from ...support.graphs import animals, base
from ...support.neo4j_servers import NEO4J, run
from ...support.neo4j_views import RUNNING, read_everything


@NEO4J
def test_the_first_label_of_a_node_is_that_of_the_schema(store: ServerStore) -> None:
    store.replace_base(base(), animals())
    assert store.cypher("MATCH (s:Synset {id: 'wordnet:1-n'}) RETURN labels(s)[0] AS label").rows == (("Synset",),)


ATTACKS = [
    "MATCH (s:Synset) SET s.name = 'x' RETURN s",
    r"MATCH (s:Synset) \u0053ET s.name = 'x' RETURN s",
    "CREATE (:Person)",
    "MATCH (s:Synset) DETACH DELETE s",
    "CREATE INDEX attack FOR (p:Person) ON (p.name)",
    "DROP CONSTRAINT wayword_id",
    "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
    "UNWIND [1] AS x CALL (x) { LOAD CSV FROM 'http://127.0.0.1:9/' AS line RETURN line } RETURN line",
    "TERMINATE TRANSACTIONS 'neo4j-transaction-1'",
    "SHOW TRANSACTIONS",
    "SHOW SETTINGS",
    "SHOW USERS",
    "CALL dbms.killConnection('bolt-1')",
    "CALL dbms.listConfig() YIELD name RETURN name",
    "CALL db.labels()",
    "MATCH (s:Synset) CALL (s) { SET s.name = 'x' } IN TRANSACTIONS OF 1 ROWS RETURN s",
    "ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'b'",
    "CREATE USER attacker SET PASSWORD 'attackers-password'",
    "USE system SHOW DATABASES",
    "CREATE DATABASE attack",
    "STOP DATABASE neo4j",
]


@NEO4J
@pytest.mark.parametrize("attack", ATTACKS)
def test_the_check_of_the_plan_refuses_without_the_guard(store: ServerStore, address: str, attack: str) -> None:
    store.replace_base(base(), animals())
    before = read_everything(store)
    state = [run(address, f"SHOW {what} YIELD name RETURN name") for what in ("INDEXES", "CONSTRAINTS", "DATABASES")]
    with pytest.raises(CypherError) as caught:
        run_statement(store._connection, CheckedStatement(attack, {}, 10, Deadline(10.0)))
    assert "\n" not in str(caught.value)
    with pytest.raises(CypherRefused):
        store.cypher(attack)
    assert read_everything(store) == before
    assert [run(address, f"SHOW {what} YIELD name RETURN name") for what in ("INDEXES", "CONSTRAINTS", "DATABASES")] == state
    assert len(run(address, "SHOW USERS")) == 1


@NEO4J
@pytest.mark.parametrize(
    "statement",
    [
        "UNWIND range(1, 1000000000) AS x RETURN count(x)",
        "UNWIND range(1, 100000) AS x UNWIND range(1, 100000) AS y WITH x, y WHERE x + y < 0 RETURN x",
    ],
)
def test_a_statement_that_takes_too_long_is_terminated(store: ServerStore, address: str, statement: str) -> None:
    with pytest.raises(CypherTimeout, match=r"than 0\.5 s .*; raise timeout"):
        store.cypher(statement, timeout=0.5)
    assert run(address, RUNNING) == [[0]]
    assert store.cypher("RETURN 1 AS one").rows == ((1,),)


@NEO4J
def test_a_statement_that_the_server_cannot_terminate_is_abandoned(store: ServerStore) -> None:
    with pytest.raises(CypherTimeout):
        store.cypher("RETURN reduce(a = 0, x IN range(1, 100000000) | a + x)", timeout=0.5)
    assert store.cypher("RETURN 1 AS one").rows == ((1,),)


@NEO4J
def test_rows_beyond_the_limit_are_not_fetched(store: ServerStore) -> None:
    answer = store.cypher("UNWIND range(1, 1000000000) AS x RETURN x", limit=3)
    assert answer.rows == ((1,), (2,), (3,))
    assert answer.truncated


@NEO4J
def test_the_deepest_allowed_nesting_is_answered_or_terminated(store: ServerStore) -> None:
    deep = "[" * 49 + "1" + "]" * 49
    try:
        ((value,),) = store.cypher(f"RETURN {deep} AS deep", timeout=5).rows
    except (CypherTimeout, CypherFailed):
        pass
    else:
        assert str(value) == deep
    assert store.cypher("RETURN 1 AS one").rows == ((1,),)


@NEO4J
def test_ctrl_c_terminates_the_statement_on_the_server(store: ServerStore, address: str) -> None:
    def interrupt() -> None:
        while run(address, RUNNING) == [[0]]:
            time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)

    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    watcher = threading.Thread(target=interrupt)
    try:
        watcher.start()
        with pytest.raises(KeyboardInterrupt):
            store.cypher("UNWIND range(1, 1000000000000) AS x RETURN count(x)", timeout=120)
    finally:
        watcher.join()
        signal.signal(signal.SIGINT, handler)
    assert run(address, RUNNING) == [[0]]


@NEO4J
@pytest.mark.parametrize(
    "value",
    [
        "date('+10000-01-01')",
        "[date('-0001-01-01')]",
        "{a: datetime('9999-12-31T23:59:59-18:00')}",
        "date('+10000-01-01') + duration('P1D')",
    ],
)
def test_a_value_that_python_cannot_represent_fails_the_statement_only(store: ServerStore, value: str) -> None:
    with pytest.raises(CypherFailed, match=r"Python cannot represent .*; convert it to text with toString\(\)"):
        store.cypher(f"RETURN {value} AS value")
    assert store.cypher("RETURN toString(date('+10000-01-01')) AS value").rows == (("+10000-01-01",),)


@NEO4J
def test_a_stored_value_that_python_cannot_represent_is_reported(store: ServerStore, address: str) -> None:
    store.replace_base(base(), animals())
    run(address, "MATCH (s:Synset {id: 'wordnet:1-n'}) SET s.gloss = date('+10000-01-01')")
    with pytest.raises(StoreError, match=r"a value that Python cannot represent") as caught:
        list(store.stream_nodes("Synset"))
    assert not isinstance(caught.value, StoreUnreachable)
