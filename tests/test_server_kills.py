"""Loads into a Neo4j server killed at random moments: what can be read is the old base or the new one, whole, every time.

``WAYWORD_TEST_KILLS`` says how many; the default is small.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from wayword.graph import server_reading
from wayword.graph.errors import StoreUnreadable
from wayword.graph.server import ServerStore
from wayword.graph.store import Batch

from .graphs import animals, base, edges, nodes
from .servers import NEO4J, emptied, neo4j_address, run

VARIABLE = "WAYWORD_TEST_KILLS"
KILLS = int(os.environ.get(VARIABLE, "3"))
ROWS = 2_000

ROOT = Path(__file__).parent.parent

# Loads generation after generation in small transactions; says when it begins one and when it is in place.
SCRIPT = """
import sys
from tests.graphs import base
from tests.test_server_kills import generation
from wayword.graph import server_load
from wayword.graph.server import ServerStore

server_load.AT_ONCE = 100
with ServerStore(sys.argv[1]) as store:
    for number in range(int(sys.argv[2]), 1_000_000):
        print("begun", number, flush=True)
        store.replace(base("wordnet", generation=number), generation(number))
        print("done", number, flush=True)
"""


def generation(number: int) -> Iterator[Batch]:
    """The rows of one generation: a different number of them each time, all with the generation's number."""
    count = ROWS + number % 7
    ids = [f"wordnet:{number}-{each}" for each in range(count)]
    names = [f"word {each}" for each in range(count)]
    yield nodes("Stem", *({"id": name} for name in names))
    yield nodes("Label", *({"id": f"wordnet/{name}", "name": name, "uses": number} for name in names))
    yield nodes("Synset", *({"id": each, "gloss": str(number)} for each in ids))
    yield edges("FORM", *((name, f"wordnet/{name}") for name in names))
    yield edges("SENSE", *((f"wordnet/{name}", each, {"rank": number}) for name, each in zip(names, ids, strict=True)))
    yield edges("HYPERNYM", *((ids[each], ids[each // 2]) for each in range(1, count)))


def check(store: ServerStore) -> int:
    """The generation that the store holds; it is whole."""
    other, found = store.bases()
    assert other.id == "other"
    number = found.left_out["generation"]
    count = ROWS + number % 7
    counts = store.counts()
    assert counts["wordnet"] == {"Label": count, "Synset": count, "FORM": count, "SENSE": count, "HYPERNYM": count - 1}
    assert counts["other"] == {
        "Label": 6,
        "Synset": 4,
        "FORM": 6,
        "SENSE": 4,
        "INFLECTION_OF": 1,
        "HYPERNYM": 3,
        "DERIVATION": 2,
        "SIMILAR": 1,
    }
    assert counts[""] == {"Stem": count + 5}
    entry = store.labels("wordnet", [f"word {count - 1}"])[f"word {count - 1}"]
    assert [(sense.entity, sense.rank) for sense in entry.senses] == [(f"wordnet:{number}-{count - 1}", number)]
    glosses = {gloss for batch in store.stream_nodes("Synset", "wordnet") for gloss in batch["gloss"].to_pylist()}
    assert glosses == {str(number)}
    return int(number)


def load_and_kill(address: str, number: int, seconds: float) -> int:
    """Have a process load from this generation on, kill it a while after it began, and tell the last that it finished."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", SCRIPT, address, str(number)]
    finished = number - 1
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
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
    monkeypatch.setattr(server_reading, "INTERRUPTED", 0.5)
    chance = random.Random(20)
    with emptied(neo4j_address()) as address, ServerStore(address) as store:
        run(address, "CREATE (:Synset {id: 'x', mine: true})-[:HYPERNYM]->(:WaywordPerson {mine: true})")
        store.replace(base("other"), animals("other"))
        begun = time.monotonic()
        store.replace(base("wordnet", generation=0), generation(0))
        span = 2 * (time.monotonic() - begun)
        held = 0
        for _ in range(KILLS):
            finished = load_and_kill(address, held + 1, chance.uniform(0.0, span))
            try:
                found = check(store)
            except StoreUnreadable:
                assert store.recover()
                found = check(store)
            assert found in (finished, finished + 1)
            store.recover()
            assert check(store) == found
            held = found
        store.replace(base("wordnet"), [])
        assert store.counts()["other"]["Synset"] == 4
        assert run(address, "MATCH (n) WHERE n.mine RETURN count(n)") == [[2]]
        staged = "MATCH (n) WHERE any(label IN labels(n) WHERE label =~ 'WaywordLoading.*|WaywordRetired') RETURN count(n)"
        assert run(address, staged) == [[0]]
