"""Attacks on the embedded engine through users' statements, most of them without the guard in front."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from wayword.core.errors import hint
from wayword.graph.cypher.deadline import Deadline
from wayword.graph.cypher.guard import CheckedStatement
from wayword.graph.errors import CypherError, CypherFailed, CypherRefused, CypherTimeout, StoreMissing, StoreUnreadable
from wayword.graph.ladybug.sandbox import Child, Sandbox
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.graph.records import Answer

from ...support.graphs import animals, base, edges, nodes

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def store_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sandbox") / "graph"
    EmbeddedStore(path).replace_base(base(), animals())
    return path


@pytest.fixture(scope="module")
def sandbox(store_path: Path) -> Iterator[Sandbox]:
    """A sandbox without the guard in front."""
    sandbox = Sandbox(store_path)
    yield sandbox
    sandbox.close()


def _run(sandbox: Sandbox, statement: str, timeout: float = 20.0) -> Answer:
    return sandbox.run(statement, {}, CheckedStatement(statement, {}, 10, Deadline(timeout)))


def _is_usable(sandbox: Sandbox) -> bool:
    return _run(sandbox, "MATCH (s:Synset) RETURN count(*)").rows == ((4,),)


def _child_id(sandbox: Sandbox) -> int:
    (child,) = sandbox._idle
    return child._process.pid


@pytest.mark.parametrize(
    "statement",
    [
        "LOAD FROM '{secret}' RETURN *",
        "LOAD WITH HEADERS (line STRING) FROM '{secret}' RETURN line",
        "CALL read_csv_serial('{secret}') RETURN *",
        "COPY Stem FROM '{secret}'",
        "COPY (MATCH (s:Synset) RETURN s.id) TO '{out}'",
        "EXPORT DATABASE '{out}'",
        "IMPORT DATABASE '{out}'",
        "ATTACH '{secret}' AS other (dbtype lbug)",
        "INSTALL httpfs",
        "LOAD EXTENSION httpfs",
        "LOAD EXTENSION '{secret}'",
        "LOAD FROM 'https://example.org/x.csv' RETURN *",
        "CREATE (:Stem {{id: 'x'}})",
        "MATCH (s:Synset) SET s.name = 'x'",
        "MATCH (s:Synset) DETACH DELETE s",
        "DROP TABLE Stem",
        "CREATE NODE TABLE Mine(id STRING, PRIMARY KEY(id))",
        "CREATE MACRO mine(x) AS x",
    ],
)
def test_the_process_can_neither_reach_files_nor_change_the_graph(sandbox: Sandbox, tmp_path: Path, statement: str) -> None:
    secret, out = tmp_path / "secret.csv", tmp_path / "out.csv"
    secret.write_text("the secret\nwas read\n")
    with pytest.raises(CypherError) as caught:
        _run(sandbox, statement.format(secret=secret, out=out))
    assert "the secret" not in str(caught.value)
    assert not out.exists()
    assert _is_usable(sandbox)


def test_a_checkpoint_is_refused_and_leaves_no_file(store_path: Path) -> None:
    sandbox = Sandbox(store_path)
    with pytest.raises(CypherError):
        _run(sandbox, "CHECKPOINT")
    sandbox.close()
    assert [each.name for each in store_path.parent.iterdir()] == [store_path.name]
    with EmbeddedStore(store_path) as store:
        assert store.counts()["wordnet"]["Synset"] == 4


def test_a_statement_cannot_switch_off_the_time_limit(sandbox: Sandbox) -> None:
    with pytest.raises(CypherError):
        _run(sandbox, "CALL timeout=0; UNWIND range(1, 100000000) AS x UNWIND range(1, 100000) AS y RETURN count(*)", 1.0)
    assert _is_usable(sandbox)


@pytest.mark.parametrize(
    "statement",
    [
        "UNWIND range(1, 1000000000) AS x RETURN x",
        "RETURN range(1, 1000000000)",
        "RETURN size(range(1, 10000000000))",
        "RETURN repeat('x', 4000000000)",
        "MATCH (a), (b), (c), (d), (e), (f), (g), (h) RETURN collect([a.id, b.id, c.id, d.id, e.id, f.id, g.id, h.id])",
        "RETURN nodes(null)",
        "RETURN " + "(" * 5_000 + "1" + ")" * 5_000,
        "RETURN 1" + "[1]" * 10_000,
        "RETURN " + "+".join(["1"] * 20_000),
        "UNWIND range(1, 60000) AS x UNWIND range(1, 60000) AS y WITH x + y AS z WHERE z = -1 RETURN z",
    ],
    ids=lambda text: text[:40],
)
def test_no_statement_crashes_or_blocks_the_caller(sandbox: Sandbox, statement: str) -> None:
    start = time.monotonic()
    with pytest.raises(CypherError) as caught:
        _run(sandbox, statement, 3.0)
    assert isinstance(caught.value, CypherFailed | CypherTimeout)
    assert "\n" not in str(caught.value)
    assert time.monotonic() - start < 20
    assert _is_usable(sandbox)


def test_the_memory_of_the_process_is_bounded(sandbox: Sandbox) -> None:
    assert _is_usable(sandbox)
    for statement in ("RETURN repeat('x', 4000000000)", "UNWIND range(1, 30000000) AS x RETURN collect(x)"):
        with pytest.raises(CypherError):
            _run(sandbox, statement)
    assert _is_usable(sandbox)
    status = Path(f"/proc/{_child_id(sandbox)}/status")
    if not status.exists():
        pytest.skip("needs /proc to see the memory of a process")
    (peak,) = [int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM")]
    assert peak < 1_600_000


def test_the_process_is_reused_and_replaced_after_its_death(store_path: Path) -> None:
    sandbox = Sandbox(store_path)
    assert _is_usable(sandbox)
    first = _child_id(sandbox)
    assert _is_usable(sandbox)
    assert _child_id(sandbox) == first
    os.kill(first, signal.SIGKILL)
    while sandbox._idle[0].is_alive():
        time.sleep(0.01)
    assert _is_usable(sandbox)
    second = _child_id(sandbox)
    assert second != first
    with pytest.raises(CypherFailed, match=r"engine crashed .*signal 11"):
        _run(sandbox, "RETURN nodes(null)")
    assert _is_usable(sandbox)
    sandbox.close()
    assert not Path(f"/proc/{second}").exists()


def test_a_replaced_file_is_reopened_and_a_missing_one_reported(tmp_path: Path) -> None:
    with EmbeddedStore(tmp_path / "graph") as store:
        store.replace_base(base(), animals())
        assert store.cypher("MATCH (s:Synset) RETURN count(*)").rows == ((4,),)
        with EmbeddedStore(tmp_path / "graph") as other:
            other.replace_base(base(), [nodes("Synset", {"id": "wordnet:9"})])
        assert store.cypher("MATCH (s:Synset) RETURN s.id").rows == (("wordnet:9",),)
        (tmp_path / "graph").unlink()
        with pytest.raises(StoreMissing):
            store.cypher("RETURN 1")
        (tmp_path / "graph").write_text("something else")
        with pytest.raises(StoreUnreadable):
            store.cypher("RETURN 1")


def test_each_thread_gets_its_own_answers(store_path: Path) -> None:
    answers: dict[int, object] = {}
    with EmbeddedStore(store_path) as store:

        def ask(number: int) -> None:
            answers[number] = [store.cypher("MATCH (:Stem {id: 'dog'}) RETURN $x", {"x": number}).rows for _ in range(20)]

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers == {number: [((number,),)] * 20 for number in range(6)}


def test_ctrl_c_ends_the_statement_at_once(store_path: Path) -> None:
    """Only our process group receives the signal; the child must end as well."""
    script = f"""
import sys
from wayword.graph.ladybug.store import EmbeddedStore
store = EmbeddedStore({str(store_path)!r})
store.cypher("RETURN 1")
print(store._sandbox._idle[0]._process.pid, flush=True)
try:
    store.cypher("UNWIND range(1, 60000) AS x UNWIND range(1, 60000) AS y WITH x + y AS z WHERE z = -1 RETURN z", timeout=60)
except KeyboardInterrupt:
    print(store.cypher("MATCH (s:Synset) RETURN count(*)").rows, flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline().strip() == "((4,),)"
        assert process.wait(20) == 0
    assert not Path(f"/proc/{child}").exists()


def test_the_child_ends_when_the_caller_is_killed(store_path: Path) -> None:
    script = f"""
import os, signal
from wayword.graph.ladybug.store import EmbeddedStore
store = EmbeddedStore({str(store_path)!r})
store.cypher("RETURN 1")
print(store._sandbox._idle[0]._process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    run = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, timeout=60, check=False)
    child = Path(f"/proc/{int(run.stdout)}")
    deadline = time.monotonic() + 10
    while (
        child.exists()
        and child.joinpath("stat").read_text().rpartition(")")[2].split()[0] != "Z"
        and time.monotonic() < deadline
    ):
        time.sleep(0.05)
    assert not child.exists() or child.joinpath("stat").read_text().rpartition(")")[2].split()[0] == "Z"


def test_a_running_statement_ends_soon_after_its_caller_is_killed(store_path: Path) -> None:
    script = f"""
import os, signal, threading, time
from wayword.graph.ladybug.store import EmbeddedStore
store = EmbeddedStore({str(store_path)!r})
store.cypher("RETURN 1")
print(store._sandbox._idle[0]._process.pid, flush=True)
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGKILL)).start()
store.cypher("UNWIND range(1, 60000) AS x UNWIND range(1, 60000) AS y WITH x + y AS z WHERE z = -1 RETURN z", timeout=1)
"""
    run = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, timeout=60, check=False)
    child = Path(f"/proc/{int(run.stdout)}/stat")
    deadline = time.monotonic() + 15
    while child.exists() and child.read_text().rpartition(")")[2].split()[0] != "Z" and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not child.exists() or child.read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.parametrize(
    "statement",
    ["CALL timeout=0", "CALL read_csv_serial('/etc/passwd') RETURN *", "MATCH (n) RETURN n; CALL timeout=0", "CHECKPOINT"],
)
def test_the_guard_refuses_before_a_process_is_started(store_path: Path, statement: str) -> None:
    with EmbeddedStore(store_path) as store, pytest.raises(CypherRefused):
        store.cypher(statement)
    assert store._sandbox is None


def test_a_missing_store_is_reported_with_the_hint_to_load_one(tmp_path: Path) -> None:
    with (
        EmbeddedStore(tmp_path / "none") as store,
        pytest.raises(StoreMissing, match=r"load one with wayword\.load_wordnet\(\)"),
    ):
        store.cypher("RETURN 1")


def test_errors_of_the_child_have_their_hints(tmp_path: Path) -> None:
    with pytest.raises(StoreMissing, match="there is no store at") as caught:
        Child(tmp_path / "none", verified=False).wait_until_ready()
    assert caught.value.hints == (hint("load", kind="wordnet"),)


def test_answers_of_many_rows_are_complete(tmp_path: Path) -> None:
    count = 5_000
    with EmbeddedStore(tmp_path / "graph") as store:
        ids = [f"wordnet:{number}" for number in range(count)]
        store.replace_base(
            base(),
            [
                nodes("Synset", *({"id": each, "gloss": "x" * 200} for each in ids)),
                edges("HYPERNYM", *((each, ids[0]) for each in ids)),
            ],
        )
        answer = store.cypher("MATCH (a:Synset)-[r:HYPERNYM]->() RETURN a, r", limit=count)
        assert len(answer.rows) == count
        assert {(node.id, up.start, up.end) for node, up in answer.rows} == {(each, each, ids[0]) for each in ids}
