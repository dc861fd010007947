"""Loads that cannot write: no disk space, no permission, no memory. The store is unchanged."""

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
from ...support.graphs import animals, base, sibling_files

pytestmark = pytest.mark.slow


def test_a_path_below_a_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with EmbeddedStore(tmp_path / "file" / "graph") as store:
        with pytest.raises(StoreFull, match="a part of its path is a file, not a folder"):
            store.replace_base(base(), animals())
        with pytest.raises(StoreMissing):
            store.bases()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_write_permission_is_reported(path: Path) -> None:
    EmbeddedStore(path).replace_base(base(), animals())
    path.parent.chmod(0o500)
    try:
        with EmbeddedStore(path) as store:
            with pytest.raises(StoreFull, match="Permission denied"):
                store.replace_base(base(), animals())
            assert store.counts()["wordnet"]["Synset"] == 4
    finally:
        path.parent.chmod(0o700)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a file system that takes no files")
def test_a_folder_that_takes_no_files_is_reported() -> None:
    with EmbeddedStore(Path("/proc/graph")) as store, pytest.raises(StoreFull, match="cannot write /proc/graph"):
        store.replace_base(base(), animals())


@pytest.mark.parametrize(("free", "message"), [(0, "is full"), (1 << 30, r"numBytesRead: 0\); the store is unchanged")])
def test_a_read_error_on_a_full_disk_is_reported_as_a_full_disk(
    path: Path, monkeypatch: pytest.MonkeyPatch, free: int, message: str
) -> None:
    old = EmbeddedStore(path).replace_base(base(), animals())
    disk = os.statvfs(path.parent)

    def fail(*_: object) -> None:
        raise RuntimeError("IO exception: Cannot read from file: graph fileDescriptor: 6 numBytesRead: 0")

    fields = (disk.f_bsize, 1, *disk[2:4], free, *disk[5:])
    with monkeypatch.context() as patch:
        patch.setattr(bulk_writer.BulkWriter, "copy", fail)
        patch.setattr(os, "statvfs", lambda _: os.statvfs_result(fields))
        with pytest.raises(StoreError, match=message):
            EmbeddedStore(path).replace_base(base(), animals())
    with EmbeddedStore(path) as store:
        assert store.bases() == [old]
    assert sibling_files(path) == [path.name]


@pytest.mark.parametrize(("megabytes", "message"), [(6_000, "done"), (1_200, "too little memory")])
def test_a_limited_address_space_is_enough_or_reported(path: Path, megabytes: int, message: str) -> None:
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
    assert all(message in line for line in lines), lines


def _load_with_file_limit(path: Path, size: int) -> str:
    """Load in a process whose files cannot exceed a size, which looks like a full disk to the engine; return the outcome."""
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


@pytest.mark.parametrize("size", [3, 10_240, 20_000, 51_200, 300_000, 1_000_000, 2_500_000, 3_000_000])
def test_a_full_disk_leaves_the_store_unchanged(path: Path, size: int) -> None:
    new = path.with_name("new")
    assert _load_with_file_limit(new, size).startswith(f"StoreFull the disk of {new} is full, or the limit of {size:,} bytes")
    assert not sibling_files(path)
    old = EmbeddedStore(path).replace_base(base(), animals())
    assert _load_with_file_limit(path, size).startswith("StoreFull the disk of")
    with EmbeddedStore(path) as store:
        assert store.bases() == [old]
    assert sibling_files(path) == [path.name]


def test_the_same_load_succeeds_without_the_limit(path: Path) -> None:
    assert _load_with_file_limit(path, resource.RLIM_INFINITY) == "done\n"
