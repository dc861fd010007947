"""The time limit of a statement on the embedded engine is the caller's, whatever the statement waits for."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from wayword.core.errors import hint
from wayword.graph.errors import CypherError, CypherRefused, CypherTimeout, StoreError
from wayword.graph.ladybug import sandbox
from wayword.graph.ladybug.store import EmbeddedStore

from ...support.graphs import animals, base

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see the processes of statements"),
]

SLOW = "UNWIND range(1, 60000) AS x UNWIND range(1, 60000) AS y WITH x + y AS z WHERE z = -1 RETURN z"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore(tmp_path / "graph") as opened:
        opened.replace_base(base(), animals())
        opened.cypher("RETURN 1 AS one")
        yield opened
    assert children() == []


def children() -> list[int]:
    """Return the ids of the processes that this process has started for statements."""
    me, found = os.getpid(), []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int(entry.joinpath("stat").read_text().rpartition(")")[2].split()[1])
            if parent == me and "sandbox_worker" in entry.joinpath("cmdline").read_text():
                found.append(int(entry.name))
        except (OSError, ValueError):
            continue
    return found


def started_child() -> int:
    """Wait until the only process for statements has been started, and return its id."""
    deadline = time.monotonic() + 30
    while not (found := children()) and time.monotonic() < deadline:
        time.sleep(0.01)
    (child,) = found
    return child


SLACK = 5.0
"""Seconds that a busy machine may add; what waits for a process or another statement takes far longer, or for ever."""


def seconds_of(store: EmbeddedStore, statement: str, timeout: float, **parameters: object) -> tuple[float, Exception | None]:
    start = time.monotonic()
    try:
        store.cypher(statement, parameters, timeout=timeout)
    except (CypherError, StoreError) as error:
        return time.monotonic() - start, error
    return time.monotonic() - start, None


def test_a_stopped_process_is_replaced_after_the_time_limit(store: EmbeddedStore) -> None:
    (child,) = children()
    os.kill(child, signal.SIGSTOP)
    seconds, error = seconds_of(store, "RETURN 1 AS one", 1.0)
    assert seconds < 1 + SLACK
    assert isinstance(error, CypherTimeout)
    assert error.hints == (hint("raise", option="timeout"),)
    assert child not in children()
    assert store.cypher("RETURN 2 AS two").rows == ((2,),)


def test_a_process_that_does_not_read_its_parameters_is_replaced_after_the_time_limit(store: EmbeddedStore) -> None:
    (child,) = children()
    os.kill(child, signal.SIGSTOP)
    seconds, error = seconds_of(store, "RETURN size($x) AS n", 1.0, x=["a" * 1000] * 10_000)
    assert isinstance(error, CypherTimeout)
    assert seconds < 1 + SLACK


def test_lists_of_millions_end_within_the_time_limit(store: EmbeddedStore) -> None:
    for values, kind in (
        ([1] * 2_000_000, CypherTimeout),
        ([[1]] * 900_000, CypherTimeout),
        ([0.5] * 5_000_000, CypherRefused),
    ):
        seconds, error = seconds_of(store, "UNWIND $x AS x RETURN count(x) AS n", 0.5, x=values)
        assert isinstance(error, kind)
        assert seconds < 0.5 + SLACK
    assert store.cypher("RETURN 1 AS one").rows == ((1,),)


def test_a_slow_statement_delays_no_other(store: EmbeddedStore) -> None:
    slow = threading.Thread(target=seconds_of, args=(store, SLOW, 4.0))
    slow.start()
    store.cypher("RETURN 1 AS one")  # starts a second process
    for _ in range(5):
        assert seconds_of(store, "RETURN 1 AS one", 3.0)[1] is None
    assert slow.is_alive()
    slow.join()


def test_statements_that_wait_for_others_end_with_their_own_time_limit(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "MAX_CHILDREN", 2)
    results: list[tuple[float, Exception | None]] = []
    threads = [threading.Thread(target=lambda: results.append(seconds_of(store, SLOW, 1.5))) for _ in range(20)]
    for thread in threads:
        thread.start()
    time.sleep(0.7)
    assert len(children()) <= 2
    for thread in threads:
        thread.join()
    assert len(results) == 20
    assert all(isinstance(error, CypherTimeout) and seconds < 1.5 + SLACK for seconds, error in results)
    assert any("waited 1.5 s for the 2 that were running" in str(error) for _, error in results)
    assert len(children()) <= sandbox.MAX_IDLE


def test_many_fast_statements_at_once_all_get_their_answers(store: EmbeddedStore) -> None:
    results: list[tuple[float, Exception | None]] = []
    threads = [
        threading.Thread(target=lambda: results.append(seconds_of(store, "MATCH (s:Synset) RETURN count(*) AS n", 10.0)))
        for _ in range(40)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [error for _, error in results if error] == []


def test_closing_does_not_wait_for_a_running_statement(store: EmbeddedStore) -> None:
    result: list[tuple[float, Exception | None]] = []
    thread = threading.Thread(target=lambda: result.append(seconds_of(store, SLOW, 30.0)))
    thread.start()
    time.sleep(0.5)
    start = time.monotonic()
    store.close()
    assert time.monotonic() - start < SLACK
    thread.join(10)
    ((_, error),) = result
    assert isinstance(error, StoreError)
    assert "was closed before the statement had ended; open it again" in str(error)


def test_a_long_read_of_the_store_delays_no_statement(store: EmbeddedStore) -> None:
    with store._lock:  # as a read holds it
        waiting = threading.Thread(target=seconds_of, args=(store, "RETURN 1 AS one", 5.0))
        waiting.start()
        waiting.join(4)
        assert not waiting.is_alive()


def test_a_process_that_starts_too_slowly_serves_the_next_statement(tmp_path: Path) -> None:
    with EmbeddedStore(tmp_path / "graph") as store:
        store.replace_base(base(), animals())
        seconds, error = seconds_of(store, "RETURN 1 AS one", 0.01)
        assert isinstance(error, CypherTimeout)
        assert "did not start within 0.01 s; raise timeout" in str(error)
        assert seconds < SLACK
        child = started_child()
        store.cypher("RETURN 1 AS one")
        assert children() == [child]


def test_a_decoded_answer_counts_too(store: EmbeddedStore) -> None:
    seconds, _ = seconds_of(store, "UNWIND range(1, 5000000) AS x RETURN collect(x) AS all", 1.0)
    assert seconds < 1 + SLACK
