"""A load of a wiki that is killed: the store is unchanged, and the next load resumes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from wayword import loaders
from wayword.graph.ingestion import ingest
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.loaders.wikipedia.dump import dump_file as dumps
from wayword.loaders.wikipedia.pipeline import GRAPH, LINKS, PAGES, READ, SENSES

from ...support.wiki_dumps import dump, names

STAGES = [READ, PAGES, LINKS, SENSES, GRAPH]
TIMEOUT = 30.0

PROGRAM = """
import os, signal, sys
from wayword import loaders
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.graph.ingestion import ingest
from wayword.loaders.wikipedia.work_folder import WorkFolder

dump, store, folder, fatal_stage, workers = sys.argv[1:]
run_stage = WorkFolder.run_stage

def run_and_die(self, name, depends, work):
    def work_half(folder):
        facts = work(folder)
        if name == fatal_stage:
            max(folder.iterdir()).write_bytes(b"half of it")
            os.kill(os.getpid(), signal.SIGKILL)
        return facts
    return run_stage(self, name, depends, work_half)

if __name__ == "__main__":
    WorkFolder.run_stage = run_and_die
    with EmbeddedStore(store) as opened, loaders.open_wikipedia(dump, bundle=folder, workers=int(workers)) as loader:
        ingest(opened, loader)
"""


def pages(count: int = 200) -> Iterator[tuple[str, str]]:
    """Yield articles that link to each other in rings, redirects, and categories in each other."""
    for number in range(count):
        links = " ".join(f"[[A{(number * step + 1) % count}|thing {step}]]" for step in (1, 2, 3, 5, 8))
        yield f"A{number}", f"{links} ([[R{number % 40}]]) [[Category:C{number % 7}]]"
    for number in range(40):
        yield f"R{number}", f"#REDIRECT [[A{number * 3}]]"
    for number in range(7):
        yield f"Category:C{number}", f"[[Category:C{(number + 1) % 7}]] [[Category:C{number}]]"


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("wiki") / "dump.xml"
    path.write_text(dump(pages()), encoding="utf-8")
    return path


def tables(bundle: Path) -> dict[str, pa.Table]:
    return {file.name: pq.read_table(file) for file in sorted((bundle / GRAPH).iterdir())}


def load_tables(path: Path, folder: Path, workers: int = 1, executor: Executor | None = None) -> dict[str, pa.Table]:
    """Return the tables of a load that is not interrupted."""
    with loaders.open_wikipedia(path, bundle=folder, workers=workers, executor=executor) as loader:
        loader.prepare()
    return tables(folder)


@pytest.fixture(scope="module")
def expected(wiki: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, pa.Table]:
    found = load_tables(wiki, tmp_path_factory.mktemp("expected") / "bundle")
    assert all(
        found[f"{name}.parquet"].num_rows for name in ("Article", "SENSE", "LINKS_TO", "LINKS_IN_PARENTHESES", "SUBCATEGORY_OF")
    )
    return found


def modification_times(bundle: Path) -> dict[str, int]:
    """Return when the files of each complete stage were written."""
    there = [stage for stage in STAGES if (bundle / stage).is_dir()]
    return {stage: max(each.stat().st_mtime_ns for each in (bundle / stage).iterdir()) for stage in there}


@pytest.mark.slow
@pytest.mark.parametrize("stage", STAGES)
def test_a_killed_load_leaves_the_store_unchanged_and_the_next_resumes(
    wiki: Path, tmp_path: Path, expected: dict[str, pa.Table], stage: str
) -> None:
    store, bundle = tmp_path / "graph", tmp_path / "bundle"
    old = tmp_path / "old.xml"
    old.write_text(dump({"Old": ""}), encoding="utf-8")
    with EmbeddedStore(store) as opened, loaders.open_wikipedia(old, bundle=tmp_path / "old", workers=1) as loader:
        ingest(opened, loader)
    before = store.read_bytes()
    ran = subprocess.run([sys.executable, "-c", PROGRAM, wiki, store, bundle, stage, "1"], capture_output=True, text=True)
    assert ran.returncode == -signal.SIGKILL, ran.stderr
    assert store.read_bytes() == before
    done = modification_times(bundle)
    assert list(done) == STAGES[: STAGES.index(stage)]
    with EmbeddedStore(store) as opened, loaders.open_wikipedia(wiki, bundle=bundle, workers=1) as loader:
        ingest(opened, loader)
        assert set(names(opened, "Article")) == set(expected["Article.parquet"]["name"].to_pylist())
    assert {name: stamp for name, stamp in modification_times(bundle).items() if name in done} == done
    assert tables(bundle) == expected


@pytest.mark.slow
def test_workers_end_when_the_load_is_killed(wiki: Path, tmp_path: Path) -> None:
    script = tmp_path / "load.py"
    script.write_text(PROGRAM)
    command: list[str | Path] = [sys.executable, script, wiki, tmp_path / "graph", tmp_path / "bundle", READ, "2"]
    started = subprocess.Popen(command, start_new_session=True, stderr=subprocess.PIPE)
    _, errors = started.communicate(timeout=TIMEOUT)
    assert started.returncode == -signal.SIGKILL, errors
    end = time.monotonic() + TIMEOUT
    while alive(started.pid) and time.monotonic() < end:
        time.sleep(0.05)
    assert not alive(started.pid)


def alive(group: int) -> bool:
    """Whether any process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.slow
def test_the_number_of_blocks_and_workers_does_not_matter(
    wiki: Path, tmp_path: Path, expected: dict[str, pa.Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dumps, "PIECE", 5_000)
    assert len(list(dumps.Dump(wiki).blocks())) > 5
    with ThreadPoolExecutor(2) as executor:
        assert load_tables(wiki, tmp_path / "threads", executor=executor) == expected
    assert load_tables(wiki, tmp_path / "alone") == expected


@pytest.mark.slow
def test_the_number_of_processes_does_not_matter(data: Path, tmp_path: Path) -> None:
    path = data / "wiki" / "schoolswiki-pages-articles-multistream.xml.bz2"
    assert load_tables(path, tmp_path / "two", workers=2) == load_tables(path, tmp_path / "one", workers=1)
