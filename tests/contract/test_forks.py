"""A store that was open when its process forked answers in both processes: nothing hangs, and nothing is mixed up or ended."""

from __future__ import annotations

import json
import multiprocessing
import os
import select
import signal
import threading
from collections.abc import Callable
from typing import Any

import pytest

from wayword.graph.store import Store

from ..graphs import animals, base

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")]

PATIENCE = 60.0

READS: dict[str, Callable[[Store], Any]] = {
    "senses": lambda store: [sense.entity for sense in store.labels("wordnet", ["dog"])["dog"].senses],
    "cypher": lambda store: [list(row) for row in store.cypher("MATCH (s:Synset) RETURN count(*)").rows],
    "nodes": lambda store: store.nodes(["wordnet:1-n", "dog"]),
    "stream": lambda store: [batch.num_rows for batch in store.stream_nodes("Synset")],
}
RIGHT = {"senses": ["wordnet:1-n", "wordnet:2-n"], "cypher": [[4]], "stream": [4]}


def in_a_fork(work: Callable[[], Any]) -> Any:
    """What ``work`` gives in a process that is forked from this one, within a minute."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            os.write(writing, json.dumps(work()).encode())
        except BaseException as error:
            os.write(writing, json.dumps(repr(error)).encode())
        finally:
            os._exit(0)
    os.close(writing)
    try:
        if not select.select([reading], [], [], PATIENCE)[0]:
            os.kill(process, signal.SIGKILL)
            return "hangs"
        return json.loads(os.read(reading, 1 << 16))
    finally:
        os.close(reading)
        os.waitpid(process, 0)


@pytest.fixture
def used(engine: Store) -> Store:
    """A store that has answered everything once, so that all it can have open is open."""
    engine.replace(base(), animals())
    for read in READS.values():
        read(engine)
    return engine


@pytest.mark.parametrize("what", READS)
def test_a_fork_reads_what_its_parent_reads(used: Store, what: str) -> None:
    expected = READS[what](used)
    assert RIGHT.get(what, expected) == expected
    assert in_a_fork(lambda: READS[what](used)) == expected
    assert READS[what](used) == expected


def test_both_read_at_the_same_time(used: Store) -> None:
    expected = {what: read(used) for what, read in READS.items()}

    def often() -> list[str]:
        return [what for _ in range(10) for what, read in READS.items() if read(used) != expected[what]]

    found: list[Any] = []
    watcher = threading.Thread(target=lambda: found.append(in_a_fork(often)))
    watcher.start()
    here = often()
    watcher.join()
    assert (here, found) == ([], [[]])


def test_a_fork_of_a_fork_and_closing_in_one(used: Store) -> None:
    def fork_again() -> Any:
        inner = in_a_fork(lambda: READS["senses"](used))
        used.close()
        return inner

    assert in_a_fork(fork_again) == RIGHT["senses"]
    assert in_a_fork(lambda: used.close()) is None
    assert READS["cypher"](used) == RIGHT["cypher"]
    assert READS["senses"](used) == RIGHT["senses"]


def test_a_fork_while_another_thread_reads(used: Store) -> None:
    """The lock that the other thread holds has nobody in the new process to let it go."""
    ended = threading.Event()

    def read() -> None:
        while not ended.is_set():
            READS["senses"](used)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for _ in range(5):
            assert in_a_fork(lambda: READS["senses"](used)) == RIGHT["senses"]
    finally:
        ended.set()
        reader.join()


def _tell(store: Store, pipe: Any) -> None:
    pipe.send([READS["senses"](store), READS["cypher"](store)])


def test_multiprocessing_that_forks(used: Store) -> None:
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=_tell, args=(used, there))
    process.start()
    try:
        assert here.poll(PATIENCE)
        assert here.recv() == [RIGHT["senses"], RIGHT["cypher"]]
        process.join(PATIENCE)
        assert process.exitcode == 0
    finally:
        process.kill()
