"""The store that the commands query."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from wayword.cli.main import run

from ..support.command_line import CAGES
from ..support.mini_wordnet import write_files
from ..support.sharing import build_once


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with a small WordNet, a copy of its own for each module."""

    def load(path: Path) -> None:
        write_files(path.with_name("dict"), CAGES)
        assert run(["-q", "--store", str(path), "load", "wordnet", str(path.with_name("dict"))]) == 0

    return str(shutil.copy(build_once(tmp_path_factory, "cages", load), tmp_path_factory.mktemp("store") / "graph.lbug"))
