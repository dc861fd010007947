"""Attacks on the embedded engine through users' statements; the engine's own holes are reached past the guard too."""

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

from wayword.graph.errors import CypherError, CypherFailed, CypherRefused, CypherTimeout, StoreMissing, StoreUnreadable
from wayword.graph.ladybug.sandbox import Sandbox
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.graph.records import Answer

from ...support.graphs import animals, base, edges, nodes

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sandbox") / "graph"
    EmbeddedStore(path).replace_base(base(), animals())
    return path


@pytest.fixture(scope="module")
def sandbox(loaded: Path) -> Iterator[Sandbox]:
    """The process for statements, without the guard before it."""
    made = Sandbox(loaded)
    yield made
    made.close()


def _run(sandbox: Sandbox, statement: str, timeout: float = 20.0) -> Answer:
    return sandbox.run(statement, {}, limit=10, timeout=timeout)


def _answers(sandbox: Sandbox) -> bool:
    return _run(sandbox, "MATCH (s:Synset) RETURN count(*)").rows == ((4,),)


def _child(sandbox: Sandbox) -> int:
    assert sandbox._child is not None
    return sandbox._child._process.pid


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
def test_the_process_reaches_no_file_and_changes_nothing(sandbox: Sandbox, tmp_path: Path, statement: str) -> None:
    secret, out = tmp_path / "secret.csv", tmp_path / "out.csv"
    secret.write_text("the secret\nwas read\n")
    with pytest.raises(CypherError) as caught:
        _run(sandbox, statement.format(secret=secret, out=out))
    assert "the secret" not in str(caught.value)
    assert not out.exists()
    assert _answers(sandbox)


def test_a_checkpoint_leaves_nothing_behind(loaded: Path) -> None:
    sandbox = Sandbox(loaded)
    with pytest.raises(CypherError):
        _run(sandbox, "CHECKPOINT")
    sandbox.close()
    assert [each.name for each in loaded.parent.iterdir()] == [loaded.name]
    with EmbeddedStore(loaded) as store:
        assert store.counts()["wordnet"]["Synset"] == 4


def test_a_switched_off_time_limit_does_not_help(sandbox: Sandbox) -> None:
    with pytest.raises(CypherError):
        _run(sandbox, "CALL timeout=0; UNWIND range(1, 100000000) AS x UNWIND range(1, 100000) AS y RETURN count(*)", 1.0)
    assert _answers(sandbox)


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
def test_no_statement_takes_the_caller_down(sandbox: Sandbox, statement: str) -> None:
    began = time.monotonic()
    with pytest.raises(CypherError) as caught:
        _run(sandbox, statement, 3.0)
    assert isinstance(caught.value, CypherFailed | CypherTimeout)
    assert "\n" not in str(caught.value)
    assert time.monotonic() - began < 20
    assert _answers(sandbox)


def test_the_memory_of_the_process_is_bounded(sandbox: Sandbox) -> None:
    assert _answers(sandbox)
    for statement in ("RETURN repeat('x', 4000000000)", "UNWIND range(1, 30000000) AS x RETURN collect(x)"):
        with pytest.raises(CypherError):
            _run(sandbox, statement)
    assert _answers(sandbox)
    status = Path(f"/proc/{_child(sandbox)}/status")
    if not status.exists():
        pytest.skip("needs /proc to see the memory of a process")
    (peak,) = [int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM")]
    assert peak < 1_600_000


def test_the_process_is_kept_and_made_anew_after_a_death(loaded: Path) -> None:
    sandbox = Sandbox(loaded)
    assert _answers(sandbox)
    first = _child(sandbox)
    assert _answers(sandbox)
    assert _child(sandbox) == first
    os.kill(first, signal.SIGKILL)
    while sandbox._child is not None and sandbox._child.alive():
        time.sleep(0.01)
    assert _answers(sandbox)
    second = _child(sandbox)
    assert second != first
    with pytest.raises(CypherFailed, match=r"engine stopped .*signal 11"):
        _run(sandbox, "RETURN nodes(null)")
    assert _answers(sandbox)
    sandbox.close()
    assert not Path(f"/proc/{second}").exists()


def test_a_new_file_is_opened(tmp_path: Path) -> None:
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


def test_threads_do_not_mix_their_answers(loaded: Path) -> None:
    found: dict[int, object] = {}
    with EmbeddedStore(loaded) as store:

        def ask(number: int) -> None:
            found[number] = [store.cypher("MATCH (:Stem {id: 'dog'}) RETURN $x", {"x": number}).rows for _ in range(20)]

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == {number: [((number,),)] * 20 for number in range(6)}


def test_ctrl_c_ends_the_statement_at_once(loaded: Path) -> None:
    """The statement runs in another process group; only ours gets the signal, and the child must not stay behind."""
    script = f"""
import sys
from wayword.graph.ladybug.store import EmbeddedStore
store = EmbeddedStore({str(loaded)!r})
store.cypher("RETURN 1")
print(store._sandbox._child._process.pid, flush=True)
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


def test_no_process_stays_when_the_caller_dies(loaded: Path) -> None:
    script = f"""
import os, signal
from wayword.graph.ladybug.store import EmbeddedStore
store = EmbeddedStore({str(loaded)!r})
store.cypher("RETURN 1")
print(store._sandbox._child._process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    run = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, timeout=60, check=False)
    child = Path(f"/proc/{int(run.stdout)}")
    until = time.monotonic() + 10
    while (
        child.exists() and child.joinpath("stat").read_text().rpartition(")")[2].split()[0] != "Z" and time.monotonic() < until
    ):
        time.sleep(0.05)
    assert not child.exists() or child.joinpath("stat").read_text().rpartition(")")[2].split()[0] == "Z"


def test_a_running_statement_does_not_outlive_its_caller_by_much(loaded: Path) -> None:
    script = f"""
import os, signal, threading, time
from wayword.graph.ladybug.store import EmbeddedStore
store = EmbeddedStore({str(loaded)!r})
store.cypher("RETURN 1")
print(store._sandbox._child._process.pid, flush=True)
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGKILL)).start()
store.cypher("UNWIND range(1, 60000) AS x UNWIND range(1, 60000) AS y WITH x + y AS z WHERE z = -1 RETURN z", timeout=1)
"""
    run = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, timeout=60, check=False)
    child = Path(f"/proc/{int(run.stdout)}/stat")
    until = time.monotonic() + 15
    while child.exists() and child.read_text().rpartition(")")[2].split()[0] != "Z" and time.monotonic() < until:
        time.sleep(0.05)
    assert not child.exists() or child.read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.parametrize(
    "statement",
    ["CALL timeout=0", "CALL read_csv_serial('/etc/passwd') RETURN *", "MATCH (n) RETURN n; CALL timeout=0", "CHECKPOINT"],
)
def test_the_guard_stands_before_it(loaded: Path, statement: str) -> None:
    with EmbeddedStore(loaded) as store, pytest.raises(CypherRefused):
        store.cypher(statement)
    assert store._sandbox is None


def test_a_store_that_is_not_there(tmp_path: Path) -> None:
    with EmbeddedStore(tmp_path / "none") as store, pytest.raises(StoreMissing, match="wayword load"):
        store.cypher("RETURN 1")


def test_many_rows_come_through(tmp_path: Path) -> None:
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
