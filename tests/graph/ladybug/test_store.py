"""The embedded store: its file, its lock, and its behaviour beside other handles and processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from wayword.graph.arrow_schema import node_columns
from wayword.graph.errors import LoadError, StoreBusy, StoreMissing, StoreUnreadable
from wayword.graph.ladybug import load as load_module
from wayword.graph.ladybug.load_lock import load_lock, lock_path
from wayword.graph.ladybug.reader import WINDOW, Reader
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.graph.records import Batch

from ...support import ROOT
from ...support.graphs import animals, base, edges, nodes, sibling_files, words

pytestmark = pytest.mark.slow


def test_opening_reads_nothing_and_reading_a_missing_store_is_an_error(path: Path) -> None:
    with EmbeddedStore(path) as store:
        assert store.signature() is None
        assert store.size() is None
        for read in (
            store.bases,
            store.revision,
            store.counts,
            lambda: store.nodes(["a"]),
            lambda: store.edges(["a"], [], "out"),
        ):
            with pytest.raises(StoreMissing, match=path.name):
                read()
        with pytest.raises(StoreMissing):
            next(store.stream_nodes("Stem"))
    assert sibling_files(path) == []


def test_opening_imports_no_engine() -> None:
    script = """
import sys
from wayword.graph.ladybug.store import EmbeddedStore
EmbeddedStore("nowhere")
print(sorted({"ladybug", "pyarrow", "numpy", "neo4j"} & set(sys.modules)))
"""
    assert subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, check=True).stdout.strip() == "[]"


def test_a_load_leaves_one_file(path: Path) -> None:
    with EmbeddedStore(path) as store:
        store.replace_base(base(), animals())
        assert sibling_files(path) == [path.name]
        assert store.size() == path.stat().st_size
        assert store.address == str(path)
        store.replace_base(base(), animals())
        with pytest.raises(LoadError):
            store.replace_base(base(), [nodes("Synset", {"id": "x"})])
        assert sibling_files(path) == [path.name]


def test_a_load_creates_missing_folders(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "graph"
    EmbeddedStore(path).replace_base(base(), animals())
    assert path.is_file()


def test_a_path_may_contain_glob_characters(tmp_path: Path) -> None:
    path = tmp_path / "it's [a] *graph?"
    (tmp_path / "it's a xgraphy.loading-1").mkdir()
    with EmbeddedStore(path) as store:
        store.replace_base(base(), animals())
        assert store.counts()["wordnet"]["Synset"] == 4
        assert store.cypher("MATCH (s:Synset) RETURN count(*)").rows == ((4,),)
    assert sibling_files(path) == sorted([path.name, "it's a xgraphy.loading-1"])


def test_a_load_through_a_link_replaces_the_target_and_keeps_the_link(tmp_path: Path) -> None:
    link = tmp_path / "link"
    (tmp_path / "real").mkdir()
    link.symlink_to(tmp_path / "real" / "graph")
    EmbeddedStore(link).replace_base(base(), animals())
    EmbeddedStore(link).replace_base(base(), animals())
    assert link.is_symlink()
    assert (tmp_path / "real" / "graph").is_file()


def test_an_open_handle_sees_a_new_file(path: Path) -> None:
    with EmbeddedStore(path) as reader, EmbeddedStore(path) as writer:
        first = writer.replace_base(base(), animals())
        assert reader.bases() == [first]
        before = reader.signature()
        second = writer.replace_base(base(), words("wordnet", "cat"))
        assert reader.signature() != before
        assert reader.bases() == [second]
        assert reader.labels("wordnet", ["dog", "cat"]).keys() == {"cat"}


def test_reading_does_not_change_the_signature(path: Path) -> None:
    with EmbeddedStore(path) as store:
        store.replace_base(base(), animals())
        before = store.signature()
        store.bases()
        store.cypher("MATCH (s:Synset) RETURN s")
        assert store.signature() == before


def test_each_read_in_a_thread_sees_one_load(path: Path) -> None:
    """Each call sees one load: all synsets are of the same generation."""
    stop = threading.Event()
    failures: list[object] = []

    def load(store: EmbeddedStore, number: int) -> None:
        ids = [f"wordnet:{number}-{each}" for each in range(5)]
        senses = [("wordnet/a", each, {"rank": 1, "lemma": str(number)}) for each in ids]
        label = nodes("Label", {"id": "wordnet/a", "name": "a"})
        store.replace_base(base(), [label, nodes("Synset", *({"id": each} for each in ids)), edges("SENSE", *senses)])

    def read() -> None:
        try:
            while not stop.is_set():
                senses = store.labels("wordnet", ["a"])["a"].senses
                if len(senses) != 5 or len({sense.lemma for sense in senses}) != 1:
                    failures.append(senses)
        except Exception as error:
            failures.append(error)

    with EmbeddedStore(path) as store, EmbeddedStore(path) as writer:
        load(writer, 0)
        threads = [threading.Thread(target=read) for _ in range(3)]
        for thread in threads:
            thread.start()
        for number in range(1, 6):
            load(writer, number)
        stop.set()
        for thread in threads:
            thread.join()
    assert failures == []


def test_a_second_load_is_refused_while_one_is_running(path: Path) -> None:
    with EmbeddedStore(path) as store, EmbeddedStore(path) as other:
        store.replace_base(base(), animals())

        def batches() -> Iterator[Batch]:
            with pytest.raises(StoreBusy, match=f"process {os.getpid()} "):
                other.replace_base(base("other"), animals("other"))
            assert other.counts()["wordnet"]["Synset"] == 4
            yield nodes("Synset", {"id": "wordnet:9"})

        store.replace_base(base(), batches())
        assert other.replace_base(base("other"), animals("other")).id == "other"


def test_a_load_in_another_process_is_named_and_its_death_releases_the_lock(path: Path) -> None:
    script = f"""
import sys
from pathlib import Path
from wayword.graph.ladybug.load_lock import load_lock
with load_lock(Path({str(path)!r})):
    print("held", flush=True)
    sys.stdin.read()
"""
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        with EmbeddedStore(path) as store, pytest.raises(StoreBusy, match=f"process {process.pid} is changing"):
            store.replace_base(base(), animals())
        process.kill()
    with EmbeddedStore(path) as store:
        store.replace_base(base(), animals())
    assert sibling_files(path) == [path.name]


def test_the_lock_file_is_removed_after_the_load(path: Path) -> None:
    with load_lock(path):
        assert lock_path(path).read_text() == f"{os.getpid()}\n"
        with pytest.raises(StoreBusy), load_lock(path):
            pass
    assert not lock_path(path).exists()
    with load_lock(path):
        pass


def test_files_of_other_programs_beside_a_store_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "poetry.lock").write_text("theirs")
    (tmp_path / "poetry.loading-photos").mkdir()
    with EmbeddedStore(tmp_path / "poetry") as store:
        store.replace_base(base(), animals())
        store.remove_base("wordnet")
    assert (tmp_path / "poetry.lock").read_text() == "theirs"
    assert (tmp_path / "poetry.loading-photos").is_dir()


@pytest.mark.parametrize("before", [None, animals()])
def test_a_file_that_appears_at_the_path_during_a_load_is_not_replaced(path: Path, before: list[Batch] | None) -> None:
    with EmbeddedStore(path) as store:
        if before is not None:
            store.replace_base(base(), before)

        def batches() -> Iterator[Batch]:
            path.unlink(missing_ok=True)
            path.write_text("theirs")
            yield from animals()

        with pytest.raises(StoreUnreadable, match="another program changed"):
            store.replace_base(base(), batches())
    assert path.read_text() == "theirs"
    assert sibling_files(path) == [path.name]


def test_a_removal_that_fails_leaves_the_base(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with EmbeddedStore(path) as store:
        loaded = store.replace_base(base(), animals())
        counts = store.counts()
        with monkeypatch.context() as patch:
            patch.setattr(load_module, "_switch", die)
            with pytest.raises(KeyboardInterrupt):
                store.remove_base("wordnet")
        assert (store.bases(), store.counts()) == ([loaded], counts)
    assert sibling_files(path) == [path.name]


def test_nothing_is_created_by_removing_a_base_of_a_missing_store(tmp_path: Path) -> None:
    with EmbeddedStore(tmp_path / "none" / "graph") as store, pytest.raises(StoreMissing):
        store.remove_base("wordnet")
    assert list(tmp_path.iterdir()) == []


def test_progress_counts_the_rows_of_the_load_and_not_those_of_other_bases(path: Path) -> None:
    calls: list[tuple[str, int, float | None]] = []
    with EmbeddedStore(path) as store:
        for name in ("one", "two", "three"):
            store.replace_base(base(name), animals(name))
        batches = words("four", "dog", "bird")
        store.replace_base(base("four"), batches, lambda *call: calls.append(call))
    rows = sum(batch.rows.num_rows for batch in words("four", "dog", "bird"))
    assert {step for step, *_ in calls} == {"copying the other bases", "reading", "storing"}
    assert max(count for step, count, _ in calls if step == "copying the other bases") == 0
    assert max(count for step, count, _ in calls if step == "reading") == rows
    assert max(count for step, count, _ in calls if step == "storing") == rows
    assert calls[-1][2] == 1


@pytest.mark.parametrize(
    "name", ["a b", 'it\'s "quoted"', "größe☃", "x.bz2", "x.zip", "x.xml", "x.json", "x.csv", "x.parquet", ".gz"]
)
def test_a_store_can_have_any_name_that_the_engine_can_open(tmp_path: Path, name: str) -> None:
    with EmbeddedStore(tmp_path / name) as store:
        loaded = store.replace_base(base(), animals())
        assert store.bases() == [loaded]
        assert store.cypher("MATCH (s:Synset) RETURN count(*)").rows == ((4,),)


@pytest.mark.parametrize("name", ["x.gz", "x.tar.GZ", "x.gzip", "new/", "folder/"])
def test_a_name_that_could_be_written_but_not_read_is_refused_at_once(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreUnreadable, match="choose another"):
        EmbeddedStore(f"{tmp_path}/{name}")


def test_a_pipe_is_refused_without_waiting_for_its_other_end(path: Path) -> None:
    os.mkfifo(path)
    with EmbeddedStore(path) as store:
        for call in (store.bases, lambda: store.replace_base(base(), animals()), lambda: store.remove_base("wordnet")):
            with pytest.raises(StoreUnreadable, match="a pipe or a device"):
                call()


def test_folders_of_dead_loads_are_removed(path: Path) -> None:
    stray, other = path.with_name(f"{path.name}.loading-99999"), path.with_name("other.loading-99999")
    for each in (stray, other):
        each.mkdir()
        (each / "graph").write_text("half a graph")
    EmbeddedStore(path).replace_base(base(), animals())
    assert sibling_files(path) == [path.name, other.name]


def test_ctrl_c_during_a_load_leaves_the_old_store_and_no_files(path: Path) -> None:
    """Interrupt while rows are read, and while the engine copies them."""
    old = EmbeddedStore(path).replace_base(base(), animals())
    script = f"""
from wayword.graph.ladybug.store import EmbeddedStore
from tests.support.graphs import base, nodes
def rows(first):
    return nodes("Synset", *({{"id": f"wordnet:{{n}}", "gloss": str(n) * 50}} for n in range(first, first + 1000)))
batches = map(rows, range(0, 200000, 1000))
print("started", flush=True)
try:
    EmbeddedStore({str(path)!r}).replace_base(base(), batches, lambda *each: print(*each, flush=True))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    for start in ("reading 3000 ", "reading 200000 "):
        with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith(start):
                    break
            process.send_signal(signal.SIGINT)
            assert process.stdout.read().splitlines()[-1] == "interrupted"
        assert sibling_files(path) == [path.name]
        with EmbeddedStore(path) as store:
            assert store.bases() == [old]


def test_many_statements_are_streamed_in_bounded_memory(path: Path) -> None:
    many = [{"id": f"wordnet:{number}", "name": "a", "gloss": f"{number} " * 20} for number in range(20_000)]
    EmbeddedStore(path).replace_base(base(), [nodes("Synset", *many)])
    columns = node_columns("Synset").field("gloss")
    with Reader(path, 48 << 20) as reader:
        for number in range(40):
            statement = f"MATCH (n:Synset) WHERE {WINDOW.format('n')} AND {number} = $number RETURN n.gloss"
            batches = reader.stream("Synset", statement, {"number": number}, pa.schema([columns]))
            assert sum(batch.num_rows for batch in batches) == len(many)
