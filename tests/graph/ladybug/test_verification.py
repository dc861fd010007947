"""A store is verified before the engine opens it, so that damage is an error and never other rows or a crash."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from io import FileIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.graph.errors import EngineFault, StoreDamaged, StoreMissing, StoreUnreadable
from wayword.graph.ladybug import verification
from wayword.graph.ladybug.digest import Examination, examine
from wayword.graph.ladybug.errors import translate_errors
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.graph.ladybug.verification import verify
from wayword.graph.records import CheckedPart

from ...support.examples import share_of_examples
from ...support.graphs import animals, base, remove_digest, sibling_files, words

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store to copy."""
    path = tmp_path_factory.mktemp("sound") / "graph"
    EmbeddedStore(path).replace_base(base(), animals())
    return path


@pytest.fixture
def copy(sound: Path, path: Path) -> Path:
    shutil.copyfile(sound, path)
    return path


@pytest.fixture
def examined(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    """The files that were read to verify them. Files that were just written count as well as older ones."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(verification, "_TICK", -1 << 60)
    monkeypatch.setattr(verification, "_verified", {})
    found: list[Path] = []

    def note(file: FileIO) -> Examination:
        found.append(Path(file.name))
        return examine(file)

    monkeypatch.setattr(verification, "examine", note)
    return found


def damage(path: Path, position: int = -5000) -> None:
    """Change a bit of a file in its place, or change it back, and restore the time of the file's last change."""
    status = path.stat()
    with path.open("r+b") as file:
        file.seek(position, os.SEEK_SET if position >= 0 else os.SEEK_END)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1]))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert path.stat().st_mtime_ns == status.st_mtime_ns


READS: dict[str, Callable[[EmbeddedStore], object]] = {
    "bases": lambda store: store.bases(),
    "counts": lambda store: store.counts(),
    "labels": lambda store: store.labels("wordnet", ["dog"]),
    "edges": lambda store: store.edges(["dog"], ["FORM"], "out"),
    "stream": lambda store: list(store.stream_nodes("Synset")),
    "cypher": lambda store: store.cypher("RETURN 1"),
    "load": lambda store: store.replace_base(base("other"), animals("other")),
}


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_no_access_to_a_damaged_store_reaches_the_engine(
    copy: Path, read: Callable[[EmbeddedStore], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    damage(copy)
    content = copy.read_bytes()
    monkeypatch.setattr("ladybug.Database.__init__", lambda *_, **__: pytest.fail("the engine opened the file"))
    with EmbeddedStore(copy) as store, pytest.raises(StoreDamaged, match=r"1 of its 1 blocks has .*delete it and load again"):
        read(store)
    assert copy.read_bytes() == content
    assert sibling_files(copy) == [copy.name]


@share_of_examples(0.5)
@given(data=st.data())
def test_a_store_with_changed_bits_is_refused_by_every_access(sound: Path, data: st.DataObject) -> None:
    """Random bits of the whole file change; ``make nightly`` tries hundreds of files."""
    content = bytearray(sound.read_bytes())
    for bit in data.draw(st.sets(st.integers(0, 8 * len(content) - 1), min_size=1, max_size=8)):
        content[bit // 8] ^= 1 << bit % 8
    path = sound.with_name("changed")
    path.write_bytes(content)
    read = READS[data.draw(st.sampled_from(list(READS)))]
    with (
        EmbeddedStore(path) as store,
        pytest.raises(StoreUnreadable, match=r"restore a copy, or delete it|not a wayword store"),
    ):
        read(store)
    assert path.read_bytes() == content


@pytest.fixture(scope="module")
def wordnet_copy(wordnet31: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copyfile(wordnet31, tmp_path_factory.mktemp("wordnet") / "graph"))


@share_of_examples(0.2)
@given(data=st.data())
def test_a_changed_bit_of_a_real_store_is_found(wordnet_copy: Path, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, wordnet_copy.stat().st_size - 1))
    damage(wordnet_copy, position)
    with pytest.raises(StoreDamaged, match=r"1 of its 97 blocks has changed|its digest has changed"):
        verify(wordnet_copy)
    damage(wordnet_copy, position)
    assert verify(wordnet_copy)


def test_a_change_under_an_open_handle_is_noticed_even_with_the_time_restored(copy: Path) -> None:
    with EmbeddedStore(copy) as store:
        assert store.bases()
        damage(copy)
        with pytest.raises(StoreDamaged):
            store.bases()
        with pytest.raises(StoreDamaged):
            store.cypher("RETURN 1")


@pytest.mark.parametrize("length", [4096, 100_000, -1])
def test_a_truncated_store_is_damaged(copy: Path, length: int) -> None:
    copy.write_bytes(copy.read_bytes()[:length])
    with EmbeddedStore(copy) as store, pytest.raises(StoreDamaged, match="its length has changed"):
        store.bases()


def test_a_store_that_was_swapped_for_another_answers_from_the_other(copy: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    EmbeddedStore(other).replace_base(base(), words("wordnet", "cat"))
    with EmbeddedStore(copy) as store:
        assert store.labels("wordnet", ["dog"])
        shutil.copyfile(other, copy)
        assert store.labels("wordnet", ["dog", "cat"]).keys() == {"cat"}


def test_a_store_without_a_digest_can_be_read(copy: Path) -> None:
    remove_digest(copy)
    assert not verify(copy)
    with EmbeddedStore(copy) as store:
        assert store.counts()["wordnet"]["Synset"] == 4
        store.replace_base(base("other"), animals("other"))
        assert verify(copy)


def test_another_program_can_write_into_a_store_which_is_unverified_then(copy: Path) -> None:
    import ladybug

    with ladybug.Database(copy) as database, ladybug.Connection(database) as connection:
        connection.execute("CREATE NODE TABLE Mine(id STRING, PRIMARY KEY (id))")
        connection.execute("CHECKPOINT")
    with EmbeddedStore(copy) as store:
        assert store.counts()["wordnet"]["Synset"] == 4
    assert not verify(copy)


@pytest.mark.parametrize("ending", [".wal", ".wal.checkpoint", ".shadow"])
def test_unfinished_changes_of_another_program_are_refused_and_left_alone(path: Path, sound: Path, ending: str) -> None:
    leftover = path.with_name(path.name + ending)
    leftover.write_bytes(b"changes")
    with EmbeddedStore(path) as store:
        with pytest.raises(StoreUnreadable, match=r"left from another program.*move the file away"):
            store.replace_base(base(), animals())
        shutil.copyfile(sound, path)
        for read in READS.values():
            with pytest.raises(StoreUnreadable, match=r"left from another program.*move the file away"):
                read(store)
        assert sibling_files(path) == [path.name, leftover.name]
        leftover.rename(path.with_name("away"))
        assert store.bases()


def test_a_process_verifies_each_state_of_a_file_once(copy: Path, examined: list[Path]) -> None:
    for _ in range(3):
        with EmbeddedStore(copy) as store:
            store.bases()
            list(store.stream_nodes("Synset"))
    assert examined == [copy]
    damage(copy)
    for _ in range(2):
        with pytest.raises(StoreDamaged):
            verify(copy)
    assert examined == [copy] * 3


def test_a_file_that_was_just_changed_is_verified_each_time(copy: Path, examined: list[Path]) -> None:
    verification._TICK = 1 << 60
    assert verify(copy)
    assert verify(copy)
    assert len(examined) == 2


def test_a_large_file_is_verified_once_for_all_processes_and_again_after_a_change(
    copy: Path, examined: list[Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def start_process() -> None:
        monkeypatch.setattr(verification, "_verified", {})

    verify(copy)
    start_process()
    verify(copy)
    assert len(examined) == 2  # a small file is verified by each
    monkeypatch.setattr(verification, "ALWAYS", 0)
    for _ in range(3):
        start_process()
        verify(copy)
    assert len(examined) == 3
    assert verify(copy, thorough=True)
    assert len(examined) == 4
    (record,) = (tmp_path / "cache" / "wayword").iterdir()
    for content in (b"", b"[1]", b"{}", b"\xff", b"[1, 2, 3, 4, 5]"):
        record.write_bytes(content)
        start_process()
        verify(copy)
    assert len(examined) == 9
    damage(copy)
    start_process()
    with pytest.raises(StoreDamaged):
        verify(copy)


def test_an_error_on_a_verified_store_is_never_called_damage(path: Path) -> None:
    with pytest.raises(EngineFault, match="as it was written; please report"), translate_errors(path, verified=True):
        raise RuntimeError("Storage exception: unknown")
    for error in (TypeError("'<' not supported between NoneType and str"), ValueError("no"), LookupError("no")):
        with pytest.raises(type(error)), translate_errors(path, verified=True):
            raise error
    with pytest.raises(TypeError), translate_errors(path):
        raise TypeError("'<' not supported between NoneType and str")


def test_a_check_tells_sound_stores_from_damaged_and_unverified_ones(copy: Path) -> None:
    with EmbeddedStore(copy) as store:
        assert store.check() == CheckedPart("store", str(copy), "sound")
        damage(copy)
        assert store.check() == CheckedPart("store", str(copy), "damaged", {"changed_blocks": 1})
        damage(copy)
        remove_digest(copy)
        assert store.check() == CheckedPart("store", str(copy), "unverified")
        copy.write_bytes(copy.read_bytes()[:200_000])
        assert store.check().problems == {"unreadable_rows": 1}
        copy.unlink()
        with pytest.raises(StoreMissing):
            store.check()


def test_a_crash_of_the_engine_is_damage_to_a_check(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remove_digest(copy)
    monkeypatch.setattr("wayword.graph.ladybug.store._read_all", _crash)
    with EmbeddedStore(copy) as store:
        assert store.check() == CheckedPart("store", str(copy), "damaged", {"engine_crash": 1})


def _crash(_path: str) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)
