"""The store that the commands are tried on."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ..support.command_line import CAGES
from ..support.mini_wordnet import write_files


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with a small WordNet, loaded by the command."""
    folder = tmp_path_factory.mktemp("store")
    write_files(folder / "dict", CAGES)
    store = str(folder / "graph.lbug")
    ran = subprocess.run(
        [sys.executable, "-m", "wayword", "--store", store, "load", "wordnet", str(folder / "dict")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("Loaded wordnet from ")
    assert "6 synsets" in ran.stdout
    assert f"Next: wayword --store {store} score" in ran.stderr
    return store
