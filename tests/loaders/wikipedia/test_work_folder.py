"""The work folder of a load: stages are done once, and whose folder it is matters."""

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


class Stopped(Exception):
    """Stands for a process that dies in the middle of a stage."""


def writes(text: str, done: list[str]) -> Callable[[Path], StageFacts]:
    def work(folder: Path) -> StageFacts:
        assert not list(folder.iterdir())
        done.append(text)
        (folder / "rows").write_text(text)
        return StageFacts({"left": 3}, {"left": ["one"]})

    return work


def dies(folder: Path) -> StageFacts:
    (folder / "rows").write_text("half of it")
    raise Stopped


def test_a_stage_is_done_once(tmp_path: Path) -> None:
    done: list[str] = []
    for _ in range(2):
        with WorkFolder(tmp_path / "work") as bundle:
            facts = bundle.stage("read", {"size": 1}, writes("a", done))
            assert facts == StageFacts({"left": 3}, {"left": ["one"]})
            assert (bundle.path("read") / "rows").read_text() == "a"
    assert done == ["a"]


def test_a_stage_is_done_again_when_what_it_depends_on_has_changed(tmp_path: Path) -> None:
    done: list[str] = []
    for size, text in ((1, "a"), (2, "b"), (2, "never"), (1, "c")):
        with WorkFolder(tmp_path / "work") as bundle:
            bundle.stage("read", {"size": size}, writes(text, done))
    assert done == ["a", "b", "c"]


def test_a_stage_that_died_is_done_again_and_those_before_it_are_not(tmp_path: Path) -> None:
    done: list[str] = []
    with WorkFolder(tmp_path / "work") as bundle:
        bundle.stage("read", {}, writes("a", done))
        with pytest.raises(Stopped):
            bundle.stage("join", {}, dies)
    with WorkFolder(tmp_path / "work") as bundle:
        bundle.stage("read", {}, writes("a", done))
        bundle.stage("join", {}, writes("b", done))
        assert (bundle.path("join") / "rows").read_text() == "b"
    assert done == ["a", "b"]


def test_a_stage_that_dies_when_it_is_done_again_leaves_no_trust_in_the_old_one(tmp_path: Path) -> None:
    done: list[str] = []
    with WorkFolder(tmp_path / "work") as bundle:
        bundle.stage("read", {"size": 1}, writes("a", done))
        with pytest.raises(Stopped):
            bundle.stage("read", {"size": 2}, dies)
    with WorkFolder(tmp_path / "work") as bundle:
        bundle.stage("read", {"size": 1}, writes("b", done))
    assert done == ["a", "b"]


@pytest.mark.parametrize("harm", [Path.unlink, lambda file: file.write_text("cut off and something")])
def test_a_stage_whose_files_are_not_as_they_were_is_done_again(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    done: list[str] = []
    with WorkFolder(tmp_path / "work") as bundle:
        bundle.stage("read", {}, writes("a", done))
    harm(tmp_path / "work" / "read" / "rows")
    with WorkFolder(tmp_path / "work") as bundle:
        bundle.stage("read", {}, writes("b", done))
    assert done == ["a", "b"]


def test_a_folder_of_others_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with (
        pytest.raises(WorkFolderRefused, match=r"holds other files, 'thesis\.tex' for one; name a new or empty folder"),
        WorkFolder(tmp_path),
    ):
        pass
    assert [each.name for each in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("harm", [lambda work: None, lambda work: (work / "read" / "rows").write_text("cut")])
def test_what_people_put_beside_the_files_of_a_stage_is_never_lost(
    tmp_path: Path, size: int, harm: Callable[[Path], object]
) -> None:
    work = tmp_path / "work"
    with WorkFolder(work) as bundle:
        bundle.stage("read", {"size": 1}, writes("a", []))
    harm(work)
    (work / "mine").write_text("years of work")
    with WorkFolder(work) as bundle:
        bundle.stage("read", {"size": size}, writes("b", []))
    for place in (work / "read" / "mine", work / "read" / "more" / "mine"):
        place.parent.mkdir(exist_ok=True)
        place.write_text("years of work")
        with (
            pytest.raises(WorkFolderRefused, match="is not of the work of a load, and would be lost; move it"),
            WorkFolder(work),
        ):
            pass
        assert place.read_text() == "years of work"
        place.rename(tmp_path / "kept")
    (work / "read" / "more").rmdir()
    with WorkFolder(work) as bundle:
        bundle.stage("read", {"size": 3}, writes("c", []))
    assert (work / "mine").read_text() == "years of work"


@pytest.mark.parametrize("name", ["join", "join/mine"])
def test_a_stage_does_not_take_the_place_of_what_people_called_like_it(tmp_path: Path, name: str) -> None:
    with WorkFolder(tmp_path) as bundle:
        bundle.stage("read", {}, writes("a", []))
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("years of work")
    with pytest.raises(WorkFolderRefused, match="would be lost"), WorkFolder(tmp_path) as bundle:
        bundle.stage("join", {}, writes("b", []))
    assert (tmp_path / name).read_text() == "years of work"


def test_the_work_on_another_dump_is_refused_and_left_alone(tmp_path: Path) -> None:
    with WorkFolder(tmp_path, "a.xml of awiki"):
        pass
    with WorkFolder(tmp_path, "b.xml of bwiki") as bundle:
        bundle.stage("read", {}, writes("b", []))
    with (
        pytest.raises(WorkFolderRefused, match=r"work on another dump, b\.xml of bwiki; name another"),
        WorkFolder(tmp_path, "a.xml of awiki"),
    ):
        pass
    with WorkFolder(tmp_path, "b.xml of bwiki") as bundle:
        bundle.stage("read", {"changed": True}, writes("c", []))
    assert (tmp_path / "read" / "rows").read_text() == "c"


def test_a_stage_that_is_stopped_at_its_end_is_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise Stopped

    done: list[str] = []
    for size in (1, 2):
        monkeypatch.setattr(Path, "rename", stop)
        with WorkFolder(tmp_path) as bundle, pytest.raises(Stopped):
            bundle.stage("read", {"size": size}, writes("a", []))
        monkeypatch.undo()
        with WorkFolder(tmp_path) as bundle:
            bundle.stage("read", {"size": size}, writes("b", done))
    assert done == ["b", "b"]


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(WorkFolderRefused, match="is a file; name a folder"), WorkFolder(tmp_path / "file"):
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


@pytest.mark.parametrize("content", [*MANIFESTS, *(HEAD + ', "stages": {"read": %s}}' % (STAGE % each) for each in FACTS)])
def test_a_manifest_that_is_none_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / MANIFEST).write_text(content)
    with pytest.raises(WorkFolderRefused, match="no manifest of ours; remove "), WorkFolder(tmp_path):
        pass


@pytest.mark.parametrize("left", [[LOCK], [PARTIAL], [LOCK, PARTIAL]])
def test_a_folder_that_a_load_had_only_begun_is_taken_up(tmp_path: Path, left: list[str]) -> None:
    for name in left:
        (tmp_path / name).touch()
    done: list[str] = []
    with WorkFolder(tmp_path) as bundle:
        bundle.stage("read", {}, writes("a", done))
    assert done == ["a"]


def test_a_bundle_of_another_format_is_made_anew(tmp_path: Path) -> None:
    done: list[str] = []
    with WorkFolder(tmp_path) as bundle:
        bundle.stage("read", {}, writes("a", done))
    manifest = json.loads((tmp_path / MANIFEST).read_text())
    (tmp_path / MANIFEST).write_text(json.dumps(manifest | {"format": 0}))
    with WorkFolder(tmp_path) as bundle:
        bundle.stage("read", {}, writes("b", done))
    assert done == ["a", "b"]


def test_one_load_at_a_time(tmp_path: Path) -> None:
    with (
        WorkFolder(tmp_path / "work"),
        pytest.raises(WorkFolderBusy, match="another load works in"),
        WorkFolder(tmp_path / "work"),
    ):
        pass
    with WorkFolder(tmp_path / "work"):
        pass


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(WorkFolderRefused, match="cannot work in"), WorkFolder(tmp_path / "file" / "work"):
        pass


def test_what_was_removed_is_gone_and_can_be_made_again(tmp_path: Path) -> None:
    done: list[str] = []
    with WorkFolder(tmp_path / "work") as bundle:
        bundle.stage("read", {}, writes("a", done))
        bundle.remove()
    assert not (tmp_path / "work").exists()
    with WorkFolder(tmp_path / "work") as bundle:
        bundle.stage("read", {}, writes("b", done))
    assert done == ["a", "b"]


def test_scratch_is_gone_afterwards(tmp_path: Path) -> None:
    with WorkFolder(tmp_path) as bundle:
        with bundle.scratch() as place:
            (place / "spill").touch()
        assert not place.exists()


def test_the_default_folder_lies_in_the_cache_and_tells_dumps_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first, second = tmp_path / "a" / "dump.xml", tmp_path / "b" / "dump.xml"
    assert default_folder(first) != default_folder(second)
    assert default_folder(first).is_relative_to(tmp_path / "cache" / "wayword")
    monkeypatch.chdir(tmp_path)
    assert default_folder(Path(os.curdir, "a", "dump.xml")) == default_folder(first)
