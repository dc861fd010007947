"""Loads of the embedded store killed at random moments: the store is the old one or the new one, whole, every time.

``WAYWORD_TEST_KILLS`` says how many; the default is small.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from wayword.graph.embedded import EmbeddedStore
from wayword.graph.store import Batch

from .graphs import animals, base, edges, nodes

VARIABLE = "WAYWORD_TEST_KILLS"
KILLS = int(os.environ.get(VARIABLE, "10"))
ROWS = 3_000

ROOT = Path(__file__).parent.parent

# Loads generation after generation, each with its number everywhere, and says so once a generation is in place.
SCRIPT = """
import sys
from wayword.graph.embedded import EmbeddedStore
from tests.test_kills import generation
from tests.graphs import base

store = EmbeddedStore(sys.argv[1])
for number in range(int(sys.argv[2]), 1_000_000):
    made = store.replace(base("wordnet", generation=number), generation(number))
    print(number, made.revision, flush=True)
"""


def generation(number: int) -> list[Batch]:
    """The rows of one generation: a different number of them each time, all with the generation's number."""
    count = ROWS + number % 7
    ids = [f"wordnet:{number}-{each}" for each in range(count)]
    names = [f"word {each}" for each in range(count)]
    return [
        nodes("Stem", *({"id": name} for name in names)),
        nodes("Label", *({"id": f"wordnet/{name}", "name": name, "uses": number} for name in names)),
        nodes("Synset", *({"id": each, "gloss": str(number)} for each in ids)),
        edges("FORM", *((name, f"wordnet/{name}") for name in names)),
        edges("SENSE", *((f"wordnet/{name}", each, {"rank": number}) for name, each in zip(names, ids, strict=True))),
        edges("HYPERNYM", *((ids[each], ids[each // 2]) for each in range(1, count))),
    ]


def _check(path: Path, acknowledged: tuple[int, int]) -> int:
    """The generation that the store holds; it is whole, and not older than what was acknowledged."""
    with EmbeddedStore(path) as store:
        other, found = sorted(store.bases(), key=lambda base: base.id)
        number = found.left_out["generation"]
        assert number in (acknowledged[0], acknowledged[0] + 1)
        assert found.revision >= acknowledged[1]
        assert (number == acknowledged[0]) == (found.revision == acknowledged[1])
        count = ROWS + number % 7
        counts = store.counts()
        assert counts == {
            "other": {
                "Label": 6,
                "Synset": 4,
                "FORM": 6,
                "SENSE": 4,
                "INFLECTION_OF": 1,
                "HYPERNYM": 3,
                "DERIVATION": 2,
                "SIMILAR": 1,
            },
            "wordnet": {"Label": count, "Synset": count, "FORM": count, "SENSE": count, "HYPERNYM": count - 1},
            "": {"Stem": count + 5},
        }
        entry = store.labels("wordnet", [f"word {count - 1}"])[f"word {count - 1}"]
        assert [(sense.entity, sense.rank) for sense in entry.senses] == [(f"wordnet:{number}-{count - 1}", number)]
        glosses = {value for batch in store.stream_nodes("Synset", "wordnet") for value in batch["gloss"].to_pylist()}
        assert glosses == {str(number)}
        assert other.id == "other"
    return number


@pytest.mark.slow
def test_a_killed_load_leaves_the_old_graph_or_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "graph"
    with EmbeddedStore(path) as store:
        store.replace(base("other"), animals("other"))
        first = store.replace(base("wordnet", generation=0), generation(0))
    held = (0, first.revision)
    chance = random.Random(20)
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    for _ in range(KILLS):
        command = [sys.executable, "-c", SCRIPT, str(path), str(held[0] + 1)]
        with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            wanted = chance.randrange(2)
            for _ in range(wanted):
                held = _told(process.stdout.readline())
            time.sleep(chance.uniform(0.0, 1.0))
            process.kill()
            for line in process.stdout:
                if line.endswith("\n"):
                    held = _told(line)
        number = _check(path, held)
        if number != held[0]:  # in place, and killed before it could say so
            with EmbeddedStore(path) as store:
                held = (number, store.revision())
    with EmbeddedStore(path) as store:
        store.replace(base("wordnet"), [])
        assert sorted(each.name for each in tmp_path.iterdir()) == [path.name]
        assert store.counts()["other"]["Synset"] == 4


def _told(line: str) -> tuple[int, int]:
    number, revision = line.split()
    return int(number), int(revision)
