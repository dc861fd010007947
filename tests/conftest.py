"""What every test may ask for: real data, hypothesis profiles, and a home that is not the user's."""

from __future__ import annotations

import fcntl
import os
import pickle
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from .oracles.wiki_base import Base, read_base
from .support.sharing import made_once

DATA_VARIABLE = "WAYWORD_TEST_DATA"

settings.register_profile("wayword", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("wayword"), derandomize=True, print_blob=True, database=None)
settings.register_profile("quick", settings.get_profile("wayword"), max_examples=20)
settings.register_profile("nightly", settings.get_profile("wayword"), max_examples=1_000, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "wayword")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Bytes are called by their length: packed ones hold the time, and workers must collect the same tests."""
    return f"{len(val)}-bytes" if isinstance(val, bytes) else None


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data; a test that asks for it skips where there is none."""
    folder = os.environ.get(DATA_VARIABLE)
    if not folder:
        pytest.skip(f"needs real data: set {DATA_VARIABLE} to its folder")
    path = Path(folder)
    if not path.is_dir():
        pytest.fail(f"{DATA_VARIABLE} is {folder}, which is no folder")
    return path


@pytest.fixture(scope="session", autouse=True)
def _signals_heard() -> None:
    """A run that was started in the background ignores Ctrl-C, and so would every process that a test starts."""
    for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, usual)


@pytest.fixture(scope="session", autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or writes the user's own store, nor depends on the user's settings."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("home")))
        patch.delenv("WAYWORD_LEDGER", raising=False)
        for name in ("WAYWORD_STORE", "NO_COLOR", "FORCE_COLOR"):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a test may put a store; there is nothing else in the folder."""
    return tmp_path / "graph.wayword"


@pytest.fixture(scope="session")
def wordnet31(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An embedded store with the real WordNet 3.1, loaded once for all workers of a run; read it only."""
    from wayword.graph.ingestion import ingest
    from wayword.graph.ladybug.store import EmbeddedStore
    from wayword.loaders import open_wordnet

    def make(path: Path) -> None:
        with EmbeddedStore(path) as store:
            ingest(store, open_wordnet(data / "wordnet" / "wordnet31_nltk_dict.tar.gz"))

    return made_once(tmp_path_factory, "wordnet31", make)


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
