"""Loads into a Neo4j server killed at random moments: readers always see either the old base or the new one.

``WAYWORD_TEST_KILLS`` sets the number of kills.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time

import pytest

from wayword.graph.errors import StoreUnreadable
from wayword.graph.neo4j import consistent_reads
from wayword.graph.neo4j.store import ServerStore

from ...support import ROOT
from ...support.generations import ENVIRONMENT, generation, generation_of, kills
from ...support.graphs import animals, base
from ...support.neo4j_servers import NEO4J, neo4j_address, run, use_empty_server
from ...support.neo4j_views import recover

# Loads one generation after the other in small transactions; prints when each begins and when it is done.
SCRIPT = """
import sys
from tests.support.generations import generation
from tests.support.graphs import base
from wayword.graph.neo4j import load
from wayword.graph.neo4j.store import ServerStore

load.TRANSACTION_SIZE = 100
with ServerStore(sys.argv[1]) as store:
    for number in range(int(sys.argv[2]), 1_000_000):
        print("started", number, flush=True)
        store.replace_base(base("wordnet", generation=number), generation(number))
        print("done", number, flush=True)
"""


def load_and_kill(address: str, number: int, seconds: float) -> int:
    """Have a process load from this generation on, kill it after some seconds, and return the last generation it finished."""
    command = [sys.executable, "-c", SCRIPT, address, str(number)]
    finished = number - 1
    with subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"started {number}\n"
        time.sleep(seconds)
        process.kill()
        for line in process.stdout:
            if line.startswith("done") and line.endswith("\n"):
                finished = int(line.split()[1])
    return finished


@NEO4J
@pytest.mark.slow
def test_a_killed_load_leaves_the_old_base_or_the_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consistent_reads, "INTERRUPTED_AFTER", 0.5)
    random_numbers = random.Random(20)
    with use_empty_server(neo4j_address()) as address, ServerStore(address) as store:
        run(address, "CREATE (:Synset {id: 'x', mine: true})-[:HYPERNYM]->(:WaywordPerson {mine: true})")
        store.replace_base(base("other"), animals("other"))
        start = time.monotonic()
        store.replace_base(base("wordnet", generation=0), generation(0))
        duration = time.monotonic() - start
        current = 0
        for _ in range(kills(3)):
            finished = load_and_kill(address, current + 1, random_numbers.uniform(0.0, 2 * duration))
            try:
                generation_now = generation_of(store)
            except StoreUnreadable:
                recover(store)
                generation_now = generation_of(store)
            assert generation_now in (finished, finished + 1)
            recover(store)
            assert generation_of(store) == generation_now
            current = generation_now
        store.replace_base(base("wordnet"), [])
        assert store.counts()["other"]["Synset"] == 4
        assert run(address, "MATCH (n) WHERE n.mine RETURN count(n)") == [[2]]
        staged = "MATCH (n) WHERE any(label IN labels(n) WHERE label =~ 'WaywordLoading.*|WaywordRetired') RETURN count(n)"
        assert run(address, staged) == [[0]]
