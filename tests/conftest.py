"""Fixtures and settings of all tests: real data, hypothesis profiles, and a home directory that is not the user's."""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from .support.sharing import build_cached, build_once

if TYPE_CHECKING:
    from .oracles.wiki_base import Base

DATA_VARIABLE = "WAYWORD_TEST_DATA"
SCHOOLS = Path("wiki", "schoolswiki-pages-articles-multistream.xml.bz2")
STORE_CODE = ("src/wayword/core/**/*.py", "graph/**/*.py", "loaders/*.py")
"""The modules that write every embedded store, besides those of its loader."""

settings.register_profile("wayword", deadline=None, suppress_health_check=[HealthCheck.too_slow])
PROFILE = settings.get_profile("wayword")
settings.register_profile("ci", PROFILE, max_examples=20, derandomize=True, print_blob=True, database=None)
settings.register_profile("quick", PROFILE, max_examples=10)
settings.register_profile("nightly", PROFILE, max_examples=1_000, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "wayword")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name bytes by their length: gzip writes the time into them, and all workers must collect the same names."""
    return f"{len(val)}-bytes" if isinstance(val, bytes) else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests that load a whole WordNet into the server last: deleting it for the next test takes half a minute."""
    items.sort(key=lambda item: "server" in item.keywords and ("[real" in item.name or "-real]" in item.name))


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data; tests that use it are skipped without it."""
    folder = os.environ.get(DATA_VARIABLE)
    if not folder:
        pytest.skip(f"needs real data: set {DATA_VARIABLE} to its folder")
    path = Path(folder)
    if not path.is_dir():
        pytest.fail(f"{DATA_VARIABLE} is {folder}, which is not a folder")
    return path


@pytest.fixture(scope="session", autouse=True)
def _default_signals() -> None:
    """Handle signals as in the foreground: a background run ignores Ctrl-C, and its child processes would inherit that."""
    for number, default in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, default)


@pytest.fixture(scope="session", autouse=True)
def _clean_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep tests away from the user's store, ledger and terminal settings."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("home")))
        patch.delenv("WAYWORD_LEDGER", raising=False)
        for name in ("WAYWORD_STORE", "NO_COLOR", "FORCE_COLOR"):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Path for a new store, in an empty folder."""
    return tmp_path / "graph.wayword"


@pytest.fixture(scope="session")
def wordnet31(data: Path, tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Path:
    """An embedded store with the real WordNet 3.1 that all workers of a run share; only read it."""
    source = data / "wordnet" / "wordnet31_nltk_dict.tar.gz"

    def load(path: Path) -> None:
        from wayword.graph.ingestion import ingest
        from wayword.graph.ladybug.store import EmbeddedStore
        from wayword.loaders import open_wordnet

        with EmbeddedStore(path) as store:
            ingest(store, open_wordnet(source))

    def copy(path: Path) -> None:
        code = [*STORE_CODE, "loaders/wordnet/**/*.py"]
        shutil.copyfile(build_cached(pytestconfig.cache, "wordnet31", load, code=code, data=[source]), path)

    return build_once(tmp_path_factory, "wordnet31", copy)


@pytest.fixture(scope="session")
def schoolswiki_store(data: Path, tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Path:
    """An embedded store with Schools Wikipedia that all workers of a run share; only read it."""
    source = data / SCHOOLS

    def load(path: Path) -> None:
        from wayword.graph.ingestion import ingest
        from wayword.graph.ladybug.store import EmbeddedStore
        from wayword.loaders import open_wikipedia

        with (
            tempfile.TemporaryDirectory() as folder,
            EmbeddedStore(path) as store,
            open_wikipedia(source, bundle=Path(folder) / "bundle", workers=2) as loader,
        ):
            ingest(store, loader)

    def copy(path: Path) -> None:
        code = [*STORE_CODE, "loaders/wikipedia/**/*.py"]
        shutil.copyfile(build_cached(pytestconfig.cache, "schoolswiki-store", load, code=code, data=[source]), path)

    return build_once(tmp_path_factory, "schoolswiki-store", copy)


@pytest.fixture(scope="session")
def stop_words(data: Path) -> frozenset[str]:
    """KEA's stop words, which the reference scores were computed with."""
    return frozenset((data / "human" / "kea_stopwords_en.txt").read_text(encoding="utf-8").split())


@pytest.fixture(scope="session")
def invented(data: Path, pytestconfig: pytest.Config) -> Base:
    """The small invented wiki, as the oracle reads it."""
    return _read_oracle(pytestconfig, "invented", data / "wiki" / "checks" / "invented.xml")


@pytest.fixture(scope="session")
def schoolswiki(data: Path, pytestconfig: pytest.Config) -> Base:
    """Schools Wikipedia, as the oracle reads it; the first time takes most of a minute."""
    return _read_oracle(pytestconfig, "schoolswiki", data / SCHOOLS)


def _read_oracle(config: pytest.Config, name: str, source: Path) -> Base:
    from .oracles.wiki_base import Base, read_base

    def read(path: Path) -> None:
        path.write_bytes(pickle.dumps(read_base(source)))

    path = build_cached(config.cache, f"oracle-{name}", read, code=["tests/oracles/*.py"], data=[source])
    base = pickle.loads(path.read_bytes())
    assert isinstance(base, Base)
    return base
