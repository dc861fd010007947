"""The work folder of a load: what its stages have made, and which of them are done.

A stage works in a folder of its own, which gets its name and an entry in the manifest when it is whole. The entry has a key
made of all that the stage depends on, those before it included, so that a stage is done again when any of that has changed,
and never otherwise. It also lists the files of the stage: no others are ever removed, for people keep theirs beside them.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pyarrow as pa

from ...core.messages import first_line
from ...core.normalization import is_encodable
from ..errors import SourceError

if TYPE_CHECKING:
    from filelock import BaseFileLock

FORMAT = 5
"""Grows when the files of a stage come to mean something else."""

MANIFEST = "wayword-bundle.json"
LOCK = "wayword-bundle.lock"
PARTIAL = "wayword-bundle.partial"
"""The manifest while it is written; a full disk or a power cut can leave it without the manifest itself."""

WORKING, SCRATCH = "wayword-bundle.working", "wayword-bundle.scratch"
"""The folders of a stage that is not done yet, and of what is too large for memory."""

NOT_DONE = ""
"""The key of a stage whose files are no longer to be trusted."""

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class WorkFolderRefused(SourceError):
    """The folder named for the work is not one of ours, cannot be written, or has no room."""


class WorkFolderBusy(SourceError):
    """Another load works in the same folder."""


@dataclass(frozen=True, slots=True)
class StageFacts:
    """What a stage tells beside its files: counts of what was left out, and some examples."""

    left_out: Mapping[str, int] = field(default_factory=dict)
    examples: Mapping[str, list[str]] = field(default_factory=dict)


def disk_full_error(folder: Path) -> WorkFolderRefused:
    """What is said where the disk of a work folder is full."""
    return WorkFolderRefused(
        f"no room on the disk of {folder}, where the dump is worked on: free some space or name another "
        "folder with --bundle, and load again; what is done so far is kept"
    )


def damage_error(folder: Path, error: Exception) -> WorkFolderRefused:
    """What is said where the files in a work folder are not as they were written, as after a power cut."""
    return WorkFolderRefused(f"the work in {folder} is damaged ({first_line(error)}); remove that folder, and load again")


def key_of(facts: Mapping[str, object]) -> str:
    """A short text that is the same for equal facts only.

    >>> key_of({"a": 1, "b": 2}) == key_of({"b": 2, "a": 1}) != key_of({"a": 1, "b": 3})
    True
    """
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()[:24]


def default_folder(dump: Path) -> Path:
    """Where the work on a dump is done, if nobody names a place: in the user's cache, never beside the dump."""
    from platformdirs import user_cache_path

    name = hashlib.sha256(os.fsencode(dump.resolve())).hexdigest()[:12]
    shown = re.sub(r"[^\w.-]", "_", dump.name[:60])
    return user_cache_path("wayword") / "wikipedia" / f"{shown}-{name}"


class WorkFolder:
    """A work folder that this process holds; a context manager.

    ``folder`` is made if it is not there. One that holds anything but the work of a load, or the work ``of`` another dump, is
    refused.
    """

    def __init__(self, folder: Path, of: str = "") -> None:
        self.folder = folder
        self._of = of
        self._lock: BaseFileLock | None = None
        self._stages: dict[str, dict[str, Any]] = {}

    def __enter__(self) -> Self:
        with self.writing():
            self._claim()
            try:
                self._stages = self._read()
                for name in self._stages:
                    self._check_strangers(name)
            except BaseException:
                self.__exit__()
                raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def stage(self, name: str, depends: Mapping[str, object], work: Callable[[Path], StageFacts]) -> StageFacts:
        """What the stage of this name tells, and its files in ``self.path(name)``: from before, or by doing the ``work``.

        ``work`` is given an empty folder to write into.
        """
        key = key_of(depends)
        done = self._stages.get(name)
        if done is not None and done["key"] == key and done["files"] == _files(self.path(name)):
            return StageFacts(**done["facts"])
        with self.writing():
            if done is not None and done["key"] != NOT_DONE:
                done["key"] = NOT_DONE
                self._save()
            self._check_strangers(name)
            shutil.rmtree(self.path(name), ignore_errors=True)
            working = self.folder / WORKING
            shutil.rmtree(working, ignore_errors=True)
            working.mkdir()
            facts = work(working)
            self._stages[name] = {
                "key": key,
                "files": _files(working),
                "facts": {"left_out": dict(facts.left_out), "examples": dict(facts.examples)},
            }
            self._save()  # before the files are there, so that they are known for ours wherever this may end
            working.rename(self.path(name))
        return facts

    def path(self, name: str) -> Path:
        """Where the files of a stage lie when it is done."""
        return self.folder / name

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A folder for what is too large for memory; gone afterwards."""
        place = self.folder / SCRATCH
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        try:
            yield place
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def remove(self) -> None:
        """Take the whole folder away; the work is done."""
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Say in our words that what was written cannot be read back."""
        try:
            yield
        except (pa.ArrowException, OSError) as error:
            raise damage_error(self.folder, error) from error

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Say in our words that the folder cannot be written."""
        try:
            yield
        except OSError as error:
            if error.errno in _NO_ROOM:
                raise disk_full_error(self.folder) from error
            raise WorkFolderRefused(
                f"cannot work in {self.folder}: {error.strerror or error}; name a folder that you may write with --bundle"
            ) from error

    def _check_strangers(self, name: str) -> None:
        """Refuse to do a stage again that would take files with it which nobody knows."""
        place, files = self.path(name), self._stages.get(name, {}).get("files", {})
        found = sorted(place.rglob("*")) if place.is_dir() else [place] if place.exists() else []
        for each in found:
            if str(each.relative_to(place)) not in files:
                raise WorkFolderRefused(
                    f"{each} is not of the work of a load, and would be lost; move it to another place, "
                    "or name another folder with --bundle"
                )

    def _claim(self) -> None:
        from filelock import FileLock, Timeout

        if self.folder.exists() and not self.folder.is_dir():
            raise WorkFolderRefused(f"{self.folder} is a file; name a folder, new or empty, with --bundle")
        if not is_encodable(str(self.folder)):
            raise WorkFolderRefused(f"{str(self.folder)!r} is not written in UTF-8; name another folder with --bundle")
        self.folder.mkdir(parents=True, exist_ok=True)
        names = {each.name for each in self.folder.iterdir()}
        others = names - {LOCK, PARTIAL}
        if others and MANIFEST not in names:
            raise WorkFolderRefused(
                f"{self.folder} holds other files, {min(others)!r} for one; name a new or empty folder with --bundle"
            )
        lock = FileLock(self.folder / LOCK, thread_local=False)
        try:
            lock.acquire(blocking=False)
        except Timeout as error:
            raise WorkFolderBusy(
                f"another load works in {self.folder}; wait until it has ended, or name another folder with --bundle"
            ) from error
        self._lock = lock

    def _read(self) -> dict[str, dict[str, Any]]:
        place = self.folder / MANIFEST
        if not place.exists():
            self._stages = {}
            self._save()
            return {}
        try:
            manifest = json.loads(place.read_bytes())
            stages = {name: _checked(stage) for name, stage in manifest["stages"].items()}
            known, of = manifest["format"] == FORMAT, str(manifest.get("of", self._of))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise WorkFolderRefused(
                f"{place} is damaged, or no manifest of ours; remove {self.folder} if nothing else is in it, or name another "
                "folder with --bundle"
            ) from error
        if of != self._of and stages:
            raise WorkFolderRefused(
                f"{self.folder} holds the work on another dump, {of}; name another folder with --bundle, or remove that one"
            )
        for stage in () if known else stages.values():
            stage["key"] = NOT_DONE
        return stages

    def _save(self) -> None:
        place = self.folder / MANIFEST
        partial = self.folder / PARTIAL
        partial.write_text(json.dumps({"format": FORMAT, "of": self._of, "stages": self._stages}, indent=1), encoding="utf-8")
        partial.replace(place)


def _checked(stage: dict[str, Any]) -> dict[str, Any]:
    facts = StageFacts(**stage["facts"])
    if not all(isinstance(count, int) for count in facts.left_out.values()):
        raise TypeError(facts.left_out)
    if not all(isinstance(each, str) for shown in facts.examples.values() for each in shown):
        raise TypeError(facts.examples)
    if not isinstance(stage["files"], dict):
        raise TypeError(stage["files"])
    return {name: stage[name] for name in ("key", "files", "facts")}


def _files(folder: Path) -> dict[str, int]:
    """The files of a stage with their sizes: what a disk that was cleared or cut off no longer has."""
    return {str(each.relative_to(folder)): each.stat().st_size for each in sorted(folder.rglob("*")) if each.is_file()}
