"""Loads of the embedded store killed at random moments: the store is the old one or the new one, whole, every time.

``WAYWORD_TEST_KILLS`` says how many; the default is small.
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

# Loads generation after generation, each with its number everywhere, and says so once a generation is in place.
SCRIPT = """
import sys
from wayword.graph.ladybug import bulk_writer
from wayword.graph.ladybug.store import EmbeddedStore
from tests.support.generations import generation
from tests.support.graphs import base

if sys.argv[3:]:
    bulk_writer.SETTLE, bulk_writer.PIECE = map(int, sys.argv[3:])
store = EmbeddedStore(sys.argv[1])
for number in range(int(sys.argv[2]), 1_000_000):
    made = store.replace_base(base("wordnet", generation=number), generation(number))
    print(number, made.revision, flush=True)
"""


def _check(path: Path, acknowledged: tuple[int, int]) -> int:
    """The generation that the store holds; it is whole, and not older than what was acknowledged."""
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
    held = (0, first.revision)
    chance = random.Random(20)
    for _ in range(kills(10)):
        command = [sys.executable, "-c", SCRIPT, str(path), str(held[0] + 1), *steps]
        with subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as process:
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
        store.replace_base(base("wordnet"), [])
        assert sorted(each.name for each in tmp_path.iterdir()) == [path.name]
        assert store.counts()["other"]["Synset"] == 4


def _told(line: str) -> tuple[int, int]:
    number, revision = line.split()
    return int(number), int(revision)
