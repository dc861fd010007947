"""The time limit of a statement on a server is the caller's, whatever the server does."""

from __future__ import annotations

import threading
import time

import pytest

from wayword.core.errors import hint
from wayword.graph.errors import CypherTimeout
from wayword.graph.neo4j.store import ServerStore

from ...support.frozen_server import freezable
from ...support.neo4j_servers import NEO4J

pytestmark = pytest.mark.slow

SLOW = "UNWIND range(1, 1000000000000) AS x RETURN count(x)"


SLACK = 5.0
"""Seconds that a busy machine may add; what waits for a server or another statement takes far longer, or for ever."""


def seconds_until_timeout(store: ServerStore, statement: str, timeout: float, **parameters: object) -> float:
    start = time.monotonic()
    with pytest.raises(CypherTimeout) as caught:
        store.cypher(statement, parameters, timeout=timeout)
    assert caught.value.hints == (hint("raise", option="timeout"),)
    return time.monotonic() - start


@NEO4J
def test_a_frozen_server_blocks_nobody_beyond_the_time_limit(address: str) -> None:
    with freezable(address) as proxy, ServerStore(proxy.address) as store:
        assert store.cypher("RETURN 1 AS one").rows == ((1,),)
        proxy.freeze()
        for _ in range(3):
            assert seconds_until_timeout(store, "RETURN 1 AS one", 0.5) < 0.5 + SLACK
        proxy.thaw()
        assert store.cypher("RETURN 1 AS one").rows == ((1,),)


@NEO4J
def test_a_server_that_is_frozen_before_the_first_connection_blocks_neither_statements_nor_closing(address: str) -> None:
    with freezable(address) as proxy:
        proxy.freeze()
        store = ServerStore(proxy.address)
        start = time.monotonic()
        with pytest.raises(CypherTimeout, match=r"did not answer within 0\.5 s; check whether the server is running"):
            store.cypher("RETURN 1 AS one", timeout=0.5)
        store.close()
        assert time.monotonic() - start < 0.5 + SLACK


@NEO4J
@pytest.mark.parametrize(
    "statement",
    [
        SLOW,
        "RETURN reduce(a = 0, x IN range(1, 100000000) | a + x) AS sum",
        "UNWIND range(1, 10000000) AS x RETURN collect(x) AS all",
        "RETURN size($x) AS n",
    ],
)
def test_a_slow_statement_ends_in_time_and_delays_no_other(store: ServerStore, statement: str) -> None:
    store.cypher("RETURN 1 AS one")
    assert seconds_until_timeout(store, statement, 0.5, x=[1] * 2_000_000) < 0.5 + SLACK
    assert store.cypher("RETURN 1 AS one", timeout=5).rows == ((1,),)


@NEO4J
def test_statements_at_the_same_time_do_not_wait_for_each_other(store: ServerStore) -> None:
    store.cypher("RETURN 1 AS one")
    slow = [threading.Thread(target=seconds_until_timeout, args=(store, SLOW, 6.0)) for _ in range(3)]
    for thread in slow:
        thread.start()
    for _ in range(3):
        assert store.cypher("RETURN 1 AS one", timeout=5).rows == ((1,),)
    assert all(thread.is_alive() for thread in slow)
    for thread in slow:
        thread.join()
