"""Atomic writes: files and folders that are written beside their target and replace it once they are complete."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from .errors import WaywordError

STORE_SIGNATURE = b"LBUG"
"""First bytes of an embedded store; output never overwrites one, because only a load may replace it."""

SQLITE_SIGNATURE = b"SQLite format 3\0"
"""First bytes of an SQLite file, such as a ledger; output never overwrites one."""


class FileError(WaywordError):
    """A file or folder that the user named cannot be read or written."""


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write that replaces ``path`` when the block succeeds; if it fails, ``path`` is unchanged.

    A link is followed, and the permissions of an existing file are preserved. A pipe or device, such as ``/dev/stdout``, is
    written directly.

    Raises:
        FileError: The path is a folder, a store or an SQLite database, or cannot be written.
    """
    try:
        if path.exists() and not path.is_file():
            if path.is_dir():
                raise FileError(f"{path} is a folder; name a file in it")
            with path.open("wb") as target:
                yield target
            return
        goal = path.resolve()
        _refuse_database(path, goal)
        handle, name = tempfile.mkstemp(dir=goal.parent, prefix=f".{goal.name[:40]}.", suffix=".partial")
    except OSError as error:
        raise write_error(path, error) from None
    partial = Path(name)
    try:
        with os.fdopen(handle, "wb") as target:
            yield target
            target.flush()
            os.fsync(target.fileno())
        partial.chmod(_mode(goal))
        _refuse_database(path, goal)  # again, because writing may take long
        partial.replace(goal)
    except OSError as error:
        raise write_error(path, error) from None
    finally:
        partial.unlink(missing_ok=True)


def check_writable(path: Path) -> None:
    """Raise ``FileError`` if ``atomic_write`` would; call it before long work."""
    try:
        if path.is_dir():
            raise FileError(f"{path} is a folder; name a file in it")
        if not path.absolute().parent.is_dir():
            raise FileError(f"{path}: the folder {str(path.parent)!r} does not exist; create it first")
        goal = path.resolve()
        _refuse_database(path, goal)
        if not path.exists() or path.is_file():  # atomic_write creates a temporary file beside it
            tempfile.TemporaryFile(dir=goal.parent).close()
    except OSError as error:
        raise write_error(path, error) from None


@contextmanager
def atomic_folder(path: Path, manifest: str) -> Iterator[Path]:
    """Create a folder to write to that replaces ``path`` when the block succeeds; if it fails, ``path`` is unchanged.

    Args:
        path: The folder. An existing one is replaced only if every file in it is listed in its manifest.
        manifest: The name of a JSON file in the folder, which lists under ``files`` what ``list_files`` returns.

    Raises:
        FileError: The path is a file, contains other files, or cannot be written.
    """
    goal = path.resolve()
    try:
        if goal.exists() and not goal.is_dir():
            raise FileError(f"{path} is a file; name a folder")
        _refuse_other_files(path, goal, manifest)
        partial = Path(tempfile.mkdtemp(dir=goal.parent, prefix=f".{goal.name[:40]}.", suffix=".partial"))
    except OSError as error:
        raise write_error(path, error) from None
    try:
        yield partial
        partial.chmod(0o777 & ~_umask())
        old = partial.with_suffix(".old")
        _refuse_other_files(path, goal, manifest)  # again, because writing may take long
        if goal.exists():
            goal.rename(old)
        partial.rename(goal)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise write_error(path, error) from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def list_files(folder: Path) -> list[str]:
    """Return the relative paths of all files and folders in a folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def _refuse_other_files(path: Path, goal: Path, manifest: str) -> None:
    """Raise ``FileError`` if a folder contains anything that its manifest does not list."""
    present = list_files(goal) if goal.is_dir() else []
    if not present:
        return
    listed = {manifest, *_read_manifest(goal / manifest)}
    other = next((name for name in present if name not in listed), None)
    if other is not None:
        raise FileError(
            f"{path} contains other files, such as {other!r}, which would be deleted; move them away, or name a new folder"
        )


def _read_manifest(path: Path) -> list[str]:
    if not path.is_file():
        return []
    try:
        return [str(name) for name in json.loads(path.read_bytes())["files"]]
    except (ValueError, KeyError, TypeError, RecursionError):  # not a manifest of wayword, so it lists none of our files
        return []


def _refuse_database(path: Path, goal: Path) -> None:
    if not goal.is_file():
        return
    with goal.open("rb") as file:
        head = file.read(len(SQLITE_SIGNATURE))
    if head.startswith(STORE_SIGNATURE):
        raise FileError(f"{path} is a store, which writing would destroy; name another file")
    if head == SQLITE_SIGNATURE:
        raise FileError(f"{path} is an SQLite database, which writing would destroy; name another file")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _mode(goal: Path) -> int:
    """Return the permissions of the file that is replaced, or the default ones."""
    if goal.exists():
        return goal.stat().st_mode & 0o7777
    return 0o666 & ~_umask()


def write_error(path: Path, error: OSError) -> FileError:
    """Return the error to raise if the operating system refuses to write a path."""
    return FileError(f"{path} cannot be written ({error.strerror or error}); choose another path or free some space")


def describe_files(paths: Iterable[Path]) -> list[list[object]]:
    """Describe files, and all files in folders; what is missing or no file, such as a pipe, is left out."""
    try:
        files = [file for path in paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
        return [describe_file(file) for file in files if file.is_file()]
    except OSError as error:
        raise FileError(f"{error.filename} cannot be read ({error.strerror or error}); check its permissions") from None


def describe_file(path: Path) -> list[object]:
    """Return path, size and modification time, which are equal as long as the file has not changed."""
    status = path.stat()
    return [str(path.resolve()), status.st_size, status.st_mtime_ns]
