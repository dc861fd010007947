"""Loads of the embedded store killed at random moments: the store is always the old one or the new one.

``WAYWORD_TEST_KILLS`` sets the number of kills.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from wayword.graph.ladybug.store import EmbeddedStore

from ...support import ROOT
from ...support.generations import ENVIRONMENT, generation, generation_of, kills
from ...support.graphs import animals, base

# Loads one generation after the other, and prints the number and revision of each.
SCRIPT = """
import sys
from wayword.graph.ladybug import bulk_writer
from wayword.graph.ladybug.store import EmbeddedStore
from tests.support.generations import generation
from tests.support.graphs import base

if sys.argv[3:]:
    bulk_writer.MAX_UNWRITTEN, bulk_writer.PIECE = map(int, sys.argv[3:])
store = EmbeddedStore(sys.argv[1])
for number in range(int(sys.argv[2]), 1_000_000):
    loaded = store.replace_base(base("wordnet", generation=number), generation(number))
    print(number, loaded.revision, flush=True)
"""


def _check(path: Path, acknowledged: tuple[int, int]) -> int:
    """Return the generation in the store, which must be complete and either the acknowledged one or the next."""
    with EmbeddedStore(path) as store:
        number, revision = generation_of(store), store.revision()
    assert number in (acknowledged[0], acknowledged[0] + 1)
    assert revision >= acknowledged[1]
    assert (number == acknowledged[0]) == (revision == acknowledged[1])
    return number


@pytest.mark.slow
@pytest.mark.parametrize("steps", [(), ("100", "1000")], ids=["in one go", "in steps"])
def test_a_killed_load_leaves_the_old_graph_or_the_new_one(tmp_path: Path, steps: tuple[str, ...]) -> None:
    path = tmp_path / "graph"
    with EmbeddedStore(path) as store:
        store.replace_base(base("other"), animals("other"))
        first = store.replace_base(base("wordnet", generation=0), generation(0))
    acknowledged = (0, first.revision)
    random_numbers = random.Random(20)
    for _ in range(kills(10)):
        command = [sys.executable, "-c", SCRIPT, str(path), str(acknowledged[0] + 1), *steps]
        with subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for _ in range(random_numbers.randrange(2)):
                acknowledged = _parse(process.stdout.readline())
            time.sleep(random_numbers.uniform(0.0, 1.0))
            process.kill()
            for line in process.stdout:
                if line.endswith("\n"):
                    acknowledged = _parse(line)
        number = _check(path, acknowledged)
        if number != acknowledged[0]:  # killed between the switch and the print
            with EmbeddedStore(path) as store:
                acknowledged = (number, store.revision())
    with EmbeddedStore(path) as store:
        store.replace_base(base("wordnet"), [])
        assert sorted(each.name for each in tmp_path.iterdir()) == [path.name]
        assert store.counts()["other"]["Synset"] == 4


def _parse(line: str) -> tuple[int, int]:
    number, revision = line.split()
    return int(number), int(revision)
