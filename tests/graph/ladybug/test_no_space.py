"""Where an embedded store cannot be written: no room, no right, no memory. The old one stays as it was."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from wayword.graph.errors import StoreError, StoreFull, StoreMissing
from wayword.graph.ladybug import bulk_writer
from wayword.graph.ladybug.store import EmbeddedStore

from ...support import ROOT
from ...support.graphs import animals, base, beside

pytestmark = pytest.mark.slow


def test_a_path_below_a_file_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with EmbeddedStore(tmp_path / "file" / "graph") as store:
        with pytest.raises(StoreFull, match="should be its folder is a file"):
            store.replace_base(base(), animals())
        with pytest.raises(StoreMissing):
            store.bases()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written(path: Path) -> None:
    EmbeddedStore(path).replace_base(base(), animals())
    path.parent.chmod(0o500)
    try:
        with EmbeddedStore(path) as store:
            with pytest.raises(StoreFull, match="Permission denied"):
                store.replace_base(base(), animals())
            assert store.counts()["wordnet"]["Synset"] == 4
    finally:
        path.parent.chmod(0o700)


@pytest.mark.parametrize(("left", "said"), [(0, "no room on the disk"), (1 << 30, "numBytesRead: 0; it is as it was")])
def test_a_disk_that_filled_while_the_engine_wrote_is_looked_at(
    path: Path, monkeypatch: pytest.MonkeyPatch, left: int, said: str
) -> None:
    made = EmbeddedStore(path).replace_base(base(), animals())
    there = os.statvfs(path.parent)

    def failing(*_: object) -> None:
        raise RuntimeError("IO exception: Cannot read from file: graph fileDescriptor: 6 numBytesRead: 0")

    fields = (there.f_bsize, 1, *there[2:4], left, *there[5:])
    with monkeypatch.context() as patch:
        patch.setattr(bulk_writer, "_copy", failing)
        patch.setattr(os, "statvfs", lambda _: os.statvfs_result(fields))
        with pytest.raises(StoreError, match=said):
            EmbeddedStore(path).replace_base(base(), animals())
    with EmbeddedStore(path) as store:
        assert store.bases() == [made]
    assert beside(path) == [path.name]


@pytest.mark.parametrize(("megabytes", "said"), [(6_000, "done"), (1_200, "too little memory")])
def test_a_process_of_few_addresses_loads_and_reads_or_is_told_why_not(path: Path, megabytes: int, said: str) -> None:
    script = f"""
import ladybug, pyarrow, resource
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.graph.errors import StoreError
from tests.support.graphs import base, animals
resource.setrlimit(resource.RLIMIT_AS, ({megabytes} << 20, {megabytes} << 20))
store = EmbeddedStore({str(path)!r})
for name in ("wordnet", "other"):
    try:
        store.replace_base(base(name), animals(name))
        print(len(store.bases()), store.counts()[name]["Synset"], "done")
    except StoreError as error:
        print(error)
"""
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=120, check=True)
    lines = run.stdout.splitlines()
    assert len(lines) == 2
    assert all(said in line for line in lines), lines


def _limited(path: Path, size: int) -> str:
    """What happens to a load in a process whose files may not be larger than this: a full disk, as the engine sees it."""
    script = f"""
import resource, signal
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.graph.errors import WaywordError
from tests.support.graphs import base, nodes, animals
import ladybug, pyarrow
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
def rows(first):
    return nodes("Synset", *({{"id": f"wordnet:{{n}}", "gloss": str(n) * 50}} for n in range(first, first + 1000)))
batches = map(rows, range(0, 30000, 1000))
try:
    EmbeddedStore({str(path)!r}).replace_base(base(), batches)
    print("done")
except WaywordError as error:
    print(type(error).__name__, error)
"""
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=120, check=False)
    assert run.returncode == 0
    return run.stdout


@pytest.mark.parametrize("size", [3, 20_000, 150_000, 300_000, 1_000_000])
def test_a_full_disk_leaves_the_store_as_it_was(path: Path, size: int) -> None:
    made = EmbeddedStore(path).replace_base(base(), animals())
    assert _limited(path, size).startswith("StoreFull no room")
    with EmbeddedStore(path) as store:
        assert store.bases() == [made]
    assert beside(path) == [path.name]


def test_what_is_limited_is_the_file_alone(path: Path) -> None:
    assert _limited(path, resource.RLIM_INFINITY) == "done\n"
