"""The oracle's reading of the real wikis, made once for all workers of a run."""

from __future__ import annotations

import fcntl
import os
import pickle
from pathlib import Path

import pytest

from .oracle_base import Base, read_base


@pytest.fixture(scope="session")
def stop_words(data: Path) -> frozenset[str]:
    """KEA's stop words, with which the checks were made."""
    return frozenset((data / "human" / "kea_stopwords_en.txt").read_text(encoding="utf-8").split())


@pytest.fixture(scope="session")
def invented(data: Path) -> Base:
    """The small wiki of the checks, as the oracle reads it."""
    return read_base(data / "wiki" / "checks" / "invented.xml")


@pytest.fixture(scope="session")
def schoolswiki(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Base:
    """Schools Wikipedia, as the oracle reads it: most of a minute."""
    shared = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        shared = shared.parent
    kept = shared / "schoolswiki.oracle"
    with (shared / "schoolswiki.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            kept.write_bytes(pickle.dumps(read_base(data / "wiki" / "schoolswiki-pages-articles-multistream.xml.bz2")))
    base = pickle.loads(kept.read_bytes())
    assert isinstance(base, Base)
    return base
