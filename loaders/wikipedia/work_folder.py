"""The work folder of a load: the files of its stages, and which stages are complete.

A stage writes into a separate folder, which gets its final name and an entry in the manifest when the stage is complete. The
entry has a key computed from everything that the stage depends on, including the stages before it, so a stage runs again if
and only if one of these has changed. The entry also lists the files of the stage. Only listed files are ever removed, so other
files in the folder are safe.
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

from ...core.errors import hint
from ...core.messages import first_line
from ...core.normalisation import is_encodable
from ..errors import SourceError

if TYPE_CHECKING:
    from filelock import BaseFileLock

FORMAT = 6
"""Version of the files of all stages; a stage of another version runs again."""

MANIFEST = "wayword-bundle.json"
LOCK = "wayword-bundle.lock"
PARTIAL = "wayword-bundle.partial"
"""The manifest while it is written; a full disk or a power cut can leave it behind without a manifest."""

WORKING, SCRATCH = "wayword-bundle.working", "wayword-bundle.scratch"
"""The folders of the running stage and of data that does not fit into memory."""

MAX_LOADS = 16
"""Loads of one dump that may run at the same time, each in its own default work folder."""

STALE = ""
"""The key of a stage whose files must not be used."""

_DISK_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_ANOTHER = hint("set", option="bundle", what="another folder")


class WorkFolderRefused(SourceError):
    """The work folder has other files, cannot be written, or is on a full disk."""


class WorkFolderBusy(SourceError):
    """Another load uses the same work folder."""


@dataclass(frozen=True, slots=True)
class StageFacts:
    """The results of a stage besides its files: counts of what was left out by code, and some examples of each."""

    left_out: Mapping[str, int] = field(default_factory=dict)
    examples: Mapping[str, list[str]] = field(default_factory=dict)


def disk_full_error(folder: Path) -> WorkFolderRefused:
    """Return the error for a full disk."""
    return WorkFolderRefused(f"the disk of the work folder {folder} is full; free some space and load again, which resumes")


def damage_error(folder: Path, error: Exception) -> WorkFolderRefused:
    """Return the error for files of a stage that cannot be read again, as after a power cut."""
    return WorkFolderRefused(f"the files in {folder} are damaged ({first_line(error)}); remove that folder and load again")


def key_of(facts: Mapping[str, object]) -> str:
    """Return a short text that is equal for equal facts only.

    >>> key_of({"a": 1, "b": 2}) == key_of({"b": 2, "a": 1}) != key_of({"a": 1, "b": 3})
    True
    """
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()[:24]


def default_folder(dump: Path) -> Path:
    """Return the default work folder for a dump, in the user's cache directory."""
    from platformdirs import user_cache_path

    digest = hashlib.sha256(os.fsencode(dump.resolve())).hexdigest()[:12]
    readable = re.sub(r"[^\w.-]", "_", dump.name[:60])
    return user_cache_path("wayword") / "wikipedia" / f"{readable}-{digest}"


class WorkFolder:
    """A work folder locked by this process; a context manager.

    Args:
        folder: Created if it does not exist.
        dump: A description of the dump, by which its work is recognised.
        share: Whether another folder beside this one is taken if another load uses this one.

    Raises:
        WorkFolderBusy: Another process holds the lock.
        WorkFolderRefused: The folder contains other files or the work on another dump, or it cannot be written.
    """

    def __init__(self, folder: Path, dump: str = "", *, share: bool = False) -> None:
        self.folder = folder
        self._share = share
        self._dump = dump
        self._lock: BaseFileLock | None = None
        self._stages: dict[str, dict[str, Any]] = {}

    def __enter__(self) -> Self:
        with self.translate_write_errors():
            self._acquire_any()
            try:
                self._stages = self._read_manifest()
                for name in self._stages:
                    self._check_foreign_files(name)
            except BaseException:
                self.__exit__()
                raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def run_stage(self, name: str, depends: Mapping[str, object], work: Callable[[Path], StageFacts]) -> StageFacts:
        """Return the facts of a stage, whose files are in ``self.path(name)``; run it unless it is complete.

        ``work`` receives an empty folder to write to. ``depends`` is everything that its result depends on.
        """
        key = key_of(depends)
        stored = self._stages.get(name)
        if stored is not None and stored["key"] == key and stored["files"] == _file_sizes(self.path(name)):
            return StageFacts(**stored["facts"])
        with self.translate_write_errors():
            if stored is not None and stored["key"] != STALE:
                stored["key"] = STALE
                self._write_manifest()
            self._check_foreign_files(name)
            shutil.rmtree(self.path(name), ignore_errors=True)
            working = self.folder / WORKING
            shutil.rmtree(working, ignore_errors=True)
            working.mkdir()
            facts = work(working)
            self._stages[name] = {
                "key": key,
                "files": _file_sizes(working),
                "facts": {"left_out": dict(facts.left_out), "examples": dict(facts.examples)},
            }
            self._write_manifest()  # before the rename, so that the files are listed even if the process ends in between
            working.rename(self.path(name))
        return facts

    def path(self, name: str) -> Path:
        """Return the folder of a complete stage."""
        return self.folder / name

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """Provide a folder for data that does not fit into memory; it is removed afterwards."""
        folder = self.folder / SCRATCH
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def remove(self) -> None:
        """Remove the whole folder."""
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextmanager
    def translate_read_errors(self) -> Iterator[None]:
        """Turn errors of reading a stage's files into ``WorkFolderRefused``."""
        try:
            yield
        except (pa.ArrowException, OSError) as error:
            raise damage_error(self.folder, error) from error

    @contextmanager
    def translate_write_errors(self) -> Iterator[None]:
        """Turn errors of writing into ``WorkFolderRefused``."""
        try:
            yield
        except OSError as error:
            if error.errno in _DISK_FULL:
                raise disk_full_error(self.folder) from error
            raise WorkFolderRefused(
                f"cannot write to the work folder {self.folder}: {error.strerror or error}",
                hint("set", option="bundle", what="a writable folder"),
            ) from error

    def _check_foreign_files(self, name: str) -> None:
        """Raise if the folder of a stage holds files that its entry does not list: running it again would remove them."""
        folder, files = self.path(name), self._stages.get(name, {}).get("files", {})
        paths = sorted(folder.rglob("*")) if folder.is_dir() else [folder] if folder.exists() else []
        for path in paths:
            if str(path.relative_to(folder)) not in files:
                raise WorkFolderRefused(f"{path} is not a file of this load and would be lost; move it elsewhere")

    def _acquire_any(self) -> None:
        """Lock the folder or, if that is allowed, the first one beside it that no other load uses.

        Folders that exist come first: they may hold the work of an interrupted load.
        """
        folders = [self.folder]
        if self._share:
            folders += [self.folder.with_name(f"{self.folder.name}.{number}") for number in range(2, MAX_LOADS + 1)]
            folders.sort(key=lambda folder: not (folder / MANIFEST).exists())
        for folder in folders:
            self.folder = folder
            try:
                return self._acquire()
            except (WorkFolderBusy, WorkFolderRefused, FileNotFoundError):  # one that is being removed looks like a foreign one
                if folder is folders[-1]:
                    raise
        return None

    def _acquire(self) -> None:
        """Check that the folder is new, empty or a work folder, and lock it."""
        from filelock import FileLock, Timeout

        empty = hint("set", option="bundle", what="a new or empty folder")
        if self.folder.exists() and not self.folder.is_dir():
            raise WorkFolderRefused(f"{self.folder} is a file", empty)
        if not is_encodable(str(self.folder)):
            raise WorkFolderRefused(f"the path {str(self.folder)!r} is not valid UTF-8", _ANOTHER)
        self.folder.mkdir(parents=True, exist_ok=True)
        names = {path.name for path in self.folder.iterdir()}
        others = names - {LOCK, PARTIAL}
        if others and MANIFEST not in names:
            raise WorkFolderRefused(f"{self.folder} holds other files, such as {min(others)!r}", empty)
        lock = FileLock(self.folder / LOCK, thread_local=False)
        try:
            lock.acquire(blocking=False)
        except Timeout as error:
            raise WorkFolderBusy(f"another load uses {self.folder}", _ANOTHER) from error
        self._lock = lock

    def _read_manifest(self) -> dict[str, dict[str, Any]]:
        path = self.folder / MANIFEST
        if not path.exists():
            self._stages = {}
            self._write_manifest()
            return {}
        try:
            manifest = json.loads(path.read_bytes())
            stages = {name: _check_stage(stage) for name, stage in manifest["stages"].items()}
            is_current, dump = manifest["format"] == FORMAT, str(manifest.get("of", self._dump))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise WorkFolderRefused(
                f"{path} is damaged or not a manifest of wayword; remove {self.folder} if it has no other files"
            ) from error
        if dump != self._dump and stages:
            raise WorkFolderRefused(f"{self.folder} holds the work on another dump, {dump}", _ANOTHER)
        for stage in () if is_current else stages.values():
            stage["key"] = STALE
        return stages

    def _write_manifest(self) -> None:
        partial = self.folder / PARTIAL
        manifest = {"format": FORMAT, "of": self._dump, "stages": self._stages}
        partial.write_text(json.dumps(manifest, indent=1), encoding="utf-8")
        partial.replace(self.folder / MANIFEST)


def _check_stage(stage: dict[str, Any]) -> dict[str, Any]:
    """Return an entry of a manifest; raise if it has another shape."""
    facts = StageFacts(**stage["facts"])
    if not all(isinstance(count, int) for count in facts.left_out.values()):
        raise TypeError(facts.left_out)
    if not all(isinstance(example, str) for examples in facts.examples.values() for example in examples):
        raise TypeError(facts.examples)
    if not isinstance(stage["files"], dict):
        raise TypeError(stage["files"])
    return {name: stage[name] for name in ("key", "files", "facts")}


def _file_sizes(folder: Path) -> dict[str, int]:
    """Return the size of each file in a folder by relative path, which reveals missing and truncated files."""
    return {str(path.relative_to(folder)): path.stat().st_size for path in sorted(folder.rglob("*")) if path.is_file()}
