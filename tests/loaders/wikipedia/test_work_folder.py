"""The work folder of a load: stages run once, and files of others are safe."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from wayword.loaders.wikipedia.work_folder import (
    FORMAT,
    LOCK,
    MANIFEST,
    PARTIAL,
    StageFacts,
    WorkFolder,
    WorkFolderBusy,
    WorkFolderRefused,
    default_folder,
)


class SimulatedDeath(Exception):
    """Simulates a process that dies during a stage."""


def writing_stage(text: str, runs: list[str]) -> Callable[[Path], StageFacts]:
    def work(folder: Path) -> StageFacts:
        assert not list(folder.iterdir())
        runs.append(text)
        (folder / "rows").write_text(text)
        return StageFacts({"left": 3}, {"left": ["one"]})

    return work


def failing_stage(folder: Path) -> StageFacts:
    (folder / "rows").write_text("half of it")
    raise SimulatedDeath


def test_a_stage_runs_once(tmp_path: Path) -> None:
    runs: list[str] = []
    for _ in range(2):
        with WorkFolder(tmp_path / "work") as folder:
            facts = folder.run_stage("read", {"size": 1}, writing_stage("a", runs))
            assert facts == StageFacts({"left": 3}, {"left": ["one"]})
            assert (folder.path("read") / "rows").read_text() == "a"
    assert runs == ["a"]


def test_a_stage_runs_again_when_its_dependencies_change(tmp_path: Path) -> None:
    runs: list[str] = []
    for size, text in ((1, "a"), (2, "b"), (2, "never"), (1, "c")):
        with WorkFolder(tmp_path / "work") as folder:
            folder.run_stage("read", {"size": size}, writing_stage(text, runs))
    assert runs == ["a", "b", "c"]


def test_only_the_failed_stage_runs_again(tmp_path: Path) -> None:
    runs: list[str] = []
    with WorkFolder(tmp_path / "work") as folder:
        folder.run_stage("read", {}, writing_stage("a", runs))
        with pytest.raises(SimulatedDeath):
            folder.run_stage("join", {}, failing_stage)
    with WorkFolder(tmp_path / "work") as folder:
        folder.run_stage("read", {}, writing_stage("a", runs))
        folder.run_stage("join", {}, writing_stage("b", runs))
        assert (folder.path("join") / "rows").read_text() == "b"
    assert runs == ["a", "b"]


def test_files_of_a_stage_that_failed_to_run_again_are_not_used(tmp_path: Path) -> None:
    runs: list[str] = []
    with WorkFolder(tmp_path / "work") as folder:
        folder.run_stage("read", {"size": 1}, writing_stage("a", runs))
        with pytest.raises(SimulatedDeath):
            folder.run_stage("read", {"size": 2}, failing_stage)
    with WorkFolder(tmp_path / "work") as folder:
        folder.run_stage("read", {"size": 1}, writing_stage("b", runs))
    assert runs == ["a", "b"]


@pytest.mark.parametrize("harm", [Path.unlink, lambda file: file.write_text("cut off and something")])
def test_a_stage_with_changed_files_runs_again(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    runs: list[str] = []
    with WorkFolder(tmp_path / "work") as folder:
        folder.run_stage("read", {}, writing_stage("a", runs))
    harm(tmp_path / "work" / "read" / "rows")
    with WorkFolder(tmp_path / "work") as folder:
        folder.run_stage("read", {}, writing_stage("b", runs))
    assert runs == ["a", "b"]


def test_a_folder_with_other_files_is_rejected_and_unchanged(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with (
        pytest.raises(WorkFolderRefused, match=r"holds other files, such as 'thesis\.tex'; name a new or empty folder"),
        WorkFolder(tmp_path),
    ):
        pass
    assert [each.name for each in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("harm", [lambda work: None, lambda work: (work / "read" / "rows").write_text("cut")])
def test_files_of_users_are_never_removed(tmp_path: Path, size: int, harm: Callable[[Path], object]) -> None:
    work = tmp_path / "work"
    with WorkFolder(work) as folder:
        folder.run_stage("read", {"size": 1}, writing_stage("a", []))
    harm(work)
    (work / "mine").write_text("years of work")
    with WorkFolder(work) as folder:
        folder.run_stage("read", {"size": size}, writing_stage("b", []))
    for place in (work / "read" / "mine", work / "read" / "more" / "mine"):
        place.parent.mkdir(exist_ok=True)
        place.write_text("years of work")
        with (
            pytest.raises(WorkFolderRefused, match="is not a file of this load and would be lost; move it elsewhere"),
            WorkFolder(work),
        ):
            pass
        assert place.read_text() == "years of work"
        place.rename(tmp_path / "moved")
    (work / "read" / "more").rmdir()
    with WorkFolder(work) as folder:
        folder.run_stage("read", {"size": 3}, writing_stage("c", []))
    assert (work / "mine").read_text() == "years of work"


@pytest.mark.parametrize("name", ["join", "join/mine"])
def test_a_stage_never_replaces_a_file_of_the_same_name(tmp_path: Path, name: str) -> None:
    with WorkFolder(tmp_path) as folder:
        folder.run_stage("read", {}, writing_stage("a", []))
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("years of work")
    with pytest.raises(WorkFolderRefused, match="would be lost"), WorkFolder(tmp_path) as folder:
        folder.run_stage("join", {}, writing_stage("b", []))
    assert (tmp_path / name).read_text() == "years of work"


def test_a_work_folder_of_another_dump_is_rejected_and_unchanged(tmp_path: Path) -> None:
    with WorkFolder(tmp_path, "a.xml of awiki"):
        pass
    with WorkFolder(tmp_path, "b.xml of bwiki") as folder:
        folder.run_stage("read", {}, writing_stage("b", []))
    with (
        pytest.raises(
            WorkFolderRefused,
            match=r"work on another dump, b\.xml of bwiki; name another folder",
        ),
        WorkFolder(tmp_path, "a.xml of awiki"),
    ):
        pass
    with WorkFolder(tmp_path, "b.xml of bwiki") as folder:
        folder.run_stage("read", {"changed": True}, writing_stage("c", []))
    assert (tmp_path / "read" / "rows").read_text() == "c"


def test_a_stage_interrupted_at_its_end_runs_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise SimulatedDeath

    runs: list[str] = []
    for size in (1, 2):
        monkeypatch.setattr(Path, "rename", stop)
        with WorkFolder(tmp_path) as folder, pytest.raises(SimulatedDeath):
            folder.run_stage("read", {"size": size}, writing_stage("a", []))
        monkeypatch.undo()
        with WorkFolder(tmp_path) as folder:
            folder.run_stage("read", {"size": size}, writing_stage("b", runs))
    assert runs == ["b", "b"]


def test_a_file_as_work_folder_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(WorkFolderRefused, match="is a file; name a new or empty folder"),
        WorkFolder(tmp_path / "file"),
    ):
        pass


STAGE = '{"key": "a", "files": {}, "facts": %s}'
HEAD = f'{{"format": {FORMAT}'
MANIFESTS = [
    "",
    "[]",
    '{"format": 0}',
    HEAD + ', "stages": {"read": {"key": "", "files": 5, "facts": {}}}}',
    "\x00",
    "[" * 100_000,
    HEAD + "}",
    HEAD + ', "stages": {"read": 5}}',
]
FACTS = [
    "5",
    "{}, []",
    '{"more": {}}',
    '{"left_out": {"a": "b"}}',
    '{"left_out": 1}',
    '{"examples": {"a": [1]}}',
    '{"examples": 1}',
]


@pytest.mark.parametrize(
    "content",
    [*MANIFESTS, *(HEAD + ', "stages": {"read": %s}}' % (STAGE % each) for each in FACTS)],
    ids=range(len(MANIFESTS) + len(FACTS)),
)
def test_a_malformed_manifest_is_rejected(tmp_path: Path, content: str) -> None:
    (tmp_path / MANIFEST).write_text(content)
    with pytest.raises(WorkFolderRefused, match="is damaged or not a manifest of wayword; remove "), WorkFolder(tmp_path):
        pass


@pytest.mark.parametrize("left", [[LOCK], [PARTIAL], [LOCK, PARTIAL]])
def test_a_folder_without_a_manifest_after_an_interruption_is_used(tmp_path: Path, left: list[str]) -> None:
    for name in left:
        (tmp_path / name).touch()
    runs: list[str] = []
    with WorkFolder(tmp_path) as folder:
        folder.run_stage("read", {}, writing_stage("a", runs))
    assert runs == ["a"]


def test_stages_of_another_format_run_again(tmp_path: Path) -> None:
    runs: list[str] = []
    with WorkFolder(tmp_path) as folder:
        folder.run_stage("read", {}, writing_stage("a", runs))
    manifest = json.loads((tmp_path / MANIFEST).read_text())
    (tmp_path / MANIFEST).write_text(json.dumps(manifest | {"format": 0}))
    with WorkFolder(tmp_path) as folder:
        folder.run_stage("read", {}, writing_stage("b", runs))
    assert runs == ["a", "b"]


def test_a_locked_folder_is_rejected(tmp_path: Path) -> None:
    with (
        WorkFolder(tmp_path / "work"),
        pytest.raises(WorkFolderBusy, match=r"another load uses .*; name another folder"),
        WorkFolder(tmp_path / "work"),
    ):
        pass
    with WorkFolder(tmp_path / "work"):
        pass


def test_loads_of_one_dump_at_the_same_time_have_a_default_folder_each(tmp_path: Path) -> None:
    path, runs = tmp_path / "work", list[str]()
    with WorkFolder(path, share=True) as first, WorkFolder(path, share=True) as second:
        assert first.folder != second.folder
        second.run_stage("read", {}, writing_stage("interrupted", runs))
        first.remove()
    with WorkFolder(path, share=True) as resumed:
        resumed.run_stage("read", {}, writing_stage("not needed", runs))
        resumed.remove()
    assert runs == ["interrupted"]
    assert list(tmp_path.iterdir()) == []


def test_a_default_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "mine").touch()
    with WorkFolder(tmp_path / "work", share=True) as folder:
        folder.run_stage("read", {}, writing_stage("a", []))
        folder.remove()
    assert [each.name for each in tmp_path.rglob("*")] == ["work", "mine"]


def test_a_folder_that_cannot_be_created_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(WorkFolderRefused, match=r"cannot write to the work folder .*; name a writable folder"),
        WorkFolder(tmp_path / "file" / "work"),
    ):
        pass


def test_a_removed_folder_can_be_created_again(tmp_path: Path) -> None:
    runs: list[str] = []
    with WorkFolder(tmp_path / "work") as folder:
        folder.run_stage("read", {}, writing_stage("a", runs))
        folder.remove()
    assert not (tmp_path / "work").exists()
    with WorkFolder(tmp_path / "work") as folder:
        folder.run_stage("read", {}, writing_stage("b", runs))
    assert runs == ["a", "b"]


def test_the_scratch_folder_is_removed(tmp_path: Path) -> None:
    with WorkFolder(tmp_path) as folder:
        with folder.scratch() as place:
            (place / "spill").touch()
        assert not place.exists()


def test_each_dump_has_its_own_default_folder_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first, second = tmp_path / "a" / "dump.xml", tmp_path / "b" / "dump.xml"
    assert default_folder(first) != default_folder(second)
    assert default_folder(first).is_relative_to(tmp_path / "cache" / "wayword")
    monkeypatch.chdir(tmp_path)
    assert default_folder(Path(os.curdir, "a", "dump.xml")) == default_folder(first)
