"""What is measured on: real data, a loaded store, NLTK on the same files, a Neo4j; each made when it is first asked for."""

from __future__ import annotations

import os
import sys
import tarfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from .measure import Failed, Ran, run
from .report import goals

Note = Callable[[str], None]
ARCHIVE = "wordnet/wordnet31_nltk_dict.tar.gz"
LMF = "wordnet/oewn-git-d94538a-lmf.xml.gz"


class LeftOut(Exception):
    """Something cannot be measured here; the message says what it needs."""


@dataclass
class Setting:
    """One run of the benchmarks; ``folder`` is its own and goes with it."""

    folder: Path
    data: Path | None
    repeats: int
    quick: bool
    note: Note
    stack: ExitStack = field(default_factory=ExitStack)

    def file(self, name: str) -> Path:
        """A file of the real data."""
        if self.data is None:
            raise LeftOut("needs real data: set WAYWORD_TEST_DATA to its folder")
        path = self.data / name
        if not path.exists():
            raise LeftOut(f"needs {path}, which is not there")
        return path

    def few(self, most: int) -> int:
        """How often something is repeated that takes long."""
        return min(self.repeats, most)

    @staticmethod
    def wayword(store: str | Path, *words: str | Path) -> list[str | Path]:
        """The command line of a user, on a store."""
        return [Path(sys.executable).with_name("wayword"), "--quiet", "--store", store, *words]

    @cached_property
    def store(self) -> Path:
        """An embedded store with its projection: WordNet 3.1, or what is found where there is no real data."""
        path = self.folder / "store" / "graph"
        self.note("loading WordNet into an embedded store")
        source = [] if self.data is None else [self.file(ARCHIVE)]
        run(self.wayword(path, "load", "wordnet", *source), watch=False)
        run(self.wayword(path, "score", "enclose", "birdcage"), watch=False)
        return path

    @cached_property
    def nltk_data(self) -> Path:
        """A folder for NLTK's data path: WordNet 3.1 under the name ``wordnet``, without which its readers do not open."""
        folder = self.folder / "nltk_data"
        with tarfile.open(self.file(ARCHIVE)) as archive:
            archive.extractall(folder / "corpora", filter="data")
        (folder / "corpora" / "wordnet31").rename(folder / "corpora" / "wordnet")
        return folder

    @cached_property
    def nltk(self) -> Any:
        """NLTK's reader of WordNet 3.1, loaded."""
        import nltk.data

        nltk.data.path.insert(0, str(self.nltk_data))
        from nltk.corpus import wordnet

        self.note("NLTK reads the same files")
        wordnet.ensure_loaded()
        return wordnet

    @cached_property
    def neo4j(self) -> str:
        """The address of an empty Neo4j that is this run's alone."""
        import pytest
        from tests.support.neo4j_servers import emptied, neo4j_address

        self.note("starting Neo4j")
        os.environ["WAYWORD_TEST_NEO4J_FULL"] = "1"  # as users run it
        try:
            return self.stack.enter_context(emptied(neo4j_address()))
        except (pytest.skip.Exception, pytest.fail.Exception) as reason:
            raise LeftOut(str(reason)) from None

    def load_neo4j(self) -> Ran:
        """Load WordNet 3.1 into the server."""
        self.note("loading WordNet into Neo4j")
        return run(self.wayword(self.neo4j, "load", "wordnet", self.file(ARCHIVE)))

    @cached_property
    def first_load(self) -> Ran:
        """How the load into the empty server went; it is made once."""
        return self.load_neo4j()

    @property
    def in_neo4j(self) -> str:
        """The address of a Neo4j with WordNet 3.1."""
        assert self.first_load.seconds > 0
        return self.neo4j


__all__ = ["ARCHIVE", "LMF", "Failed", "LeftOut", "Setting"]


def section(setting: Setting, *parts: Callable[[Setting], tuple[list[list[str]], str]]) -> str:
    """What several parts have measured: their goals in one table, then what each tells; a part may be left out."""
    asked: list[list[str]] = []
    told: list[str] = []
    for part in parts:
        try:
            wanted, text = part(setting)
        except LeftOut as reason:
            setting.note(f"{getattr(part, '__name__', 'a part').strip('_')} is left out: {reason}")
            continue
        asked += wanted
        told.append(text)
    return "\n\n".join([goals(*asked), *told])
