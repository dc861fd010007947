"""Loads into a Neo4j server killed at random moments: what can be read is the old base or the new one, whole, every time.

``WAYWORD_TEST_KILLS`` says how many; the default is small.
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
from ...support.neo4j_servers import NEO4J, emptied, neo4j_address, run

# Loads generation after generation in small transactions; says when it begins one and when it is in place.
SCRIPT = """
import sys
from tests.support.generations import generation
from tests.support.graphs import base
from wayword.graph.neo4j import load
from wayword.graph.neo4j.store import ServerStore

load.AT_ONCE = 100
with ServerStore(sys.argv[1]) as store:
    for number in range(int(sys.argv[2]), 1_000_000):
        print("begun", number, flush=True)
        store.replace_base(base("wordnet", generation=number), generation(number))
        print("done", number, flush=True)
"""


def load_and_kill(address: str, number: int, seconds: float) -> int:
    """Have a process load from this generation on, kill it a while after it began, and tell the last that it finished."""
    command = [sys.executable, "-c", SCRIPT, address, str(number)]
    finished = number - 1
    with subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"begun {number}\n"
        time.sleep(seconds)
        process.kill()
        for line in process.stdout:
            if line.startswith("done") and line.endswith("\n"):
                finished = int(line.split()[1])
    return finished


@NEO4J
@pytest.mark.slow
def test_a_killed_load_leaves_the_old_base_or_the_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consistent_reads, "INTERRUPTED", 0.5)
    chance = random.Random(20)
    with emptied(neo4j_address()) as address, ServerStore(address) as store:
        run(address, "CREATE (:Synset {id: 'x', mine: true})-[:HYPERNYM]->(:WaywordPerson {mine: true})")
        store.replace_base(base("other"), animals("other"))
        begun = time.monotonic()
        store.replace_base(base("wordnet", generation=0), generation(0))
        span = 2 * (time.monotonic() - begun)
        held = 0
        for _ in range(kills(3)):
            finished = load_and_kill(address, held + 1, chance.uniform(0.0, span))
            try:
                found = generation_of(store)
            except StoreUnreadable:
                assert store.recover()
                found = generation_of(store)
            assert found in (finished, finished + 1)
            store.recover()
            assert generation_of(store) == found
            held = found
        store.replace_base(base("wordnet"), [])
        assert store.counts()["other"]["Synset"] == 4
        assert run(address, "MATCH (n) WHERE n.mine RETURN count(n)") == [[2]]
        staged = "MATCH (n) WHERE any(label IN labels(n) WHERE label =~ 'WaywordLoading.*|WaywordRetired') RETURN count(n)"
        assert run(address, staged) == [[0]]
