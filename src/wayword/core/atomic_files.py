"""Files that are there whole or not at all: written beside their place and moved into it when they are done."""

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
"""First bytes of an embedded store, which no output may overwrite: only a load replaces it."""


class FileError(WaywordError):
    """A file or a folder that the user named cannot be read or written."""


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """A file to write to that takes the place of ``path`` when the block ends well, and leaves no trace when it does not.

    What is no ordinary file (a pipe, ``/dev/stdout``) is written to as it is. A store is refused: only a load replaces it.
    """
    try:
        if path.exists() and not path.is_file():
            if path.is_dir():
                raise FileError(f"{path}: this is a folder; name a file in it")
            with path.open("wb") as target:
                yield target
            return
        goal = path.resolve()
        _refuse_store(path, goal)
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
        partial.replace(goal)
    except OSError as error:
        raise write_error(path, error) from None
    finally:
        partial.unlink(missing_ok=True)


def check_writable(path: Path) -> None:
    """Refuse what ``atomic_write`` would refuse, and a folder that is not there: before hours of work, not after them."""
    try:
        if path.is_dir():
            raise FileError(f"{path}: this is a folder; name a file in it")
        if not path.absolute().parent.is_dir():
            raise FileError(f"{path}: there is no folder {str(path.parent)!r} to write to; make it first")
        goal = path.resolve()
        _refuse_store(path, goal)
        if not path.exists() or path.is_file():  # what is written takes its place from beside it
            tempfile.TemporaryFile(dir=goal.parent).close()
    except OSError as error:
        raise write_error(path, error) from None


@contextmanager
def atomic_folder(path: Path, mark: str) -> Iterator[Path]:
    """A folder to write to that takes the place of ``path`` when the block ends well, and leaves no trace when it does not.

    A folder that is there is replaced if it holds nothing but what the file named ``mark`` in it lists as ``files``; any other
    is refused.
    """
    goal = path.resolve()
    try:
        if goal.exists() and not goal.is_dir():
            raise FileError(f"{path}: this is a file; name a folder")
        _refuse_others(path, goal, mark)
        partial = Path(tempfile.mkdtemp(dir=goal.parent, prefix=f".{goal.name[:40]}.", suffix=".partial"))
    except OSError as error:
        raise write_error(path, error) from None
    try:
        yield partial
        partial.chmod(0o777 & ~_umask())
        old = partial.with_suffix(".old")
        _refuse_others(path, goal, mark)  # writing takes a while
        if goal.exists():
            goal.rename(old)
        partial.rename(goal)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise write_error(path, error) from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def list_files(folder: Path) -> list[str]:
    """Everything in a folder, folders too, by its path in it."""
    return sorted(each.relative_to(folder).as_posix() for each in folder.rglob("*"))


def _refuse_others(path: Path, goal: Path, mark: str) -> None:
    """Refuse a folder in which there is anything that its mark does not list."""
    there = list_files(goal) if goal.is_dir() else []
    if not there:
        return
    known = {mark, *_marked(goal / mark)}
    other = next((each for each in there if each not in known), None)
    if other is not None:
        raise FileError(
            f"{path}: this folder holds other things, {other!r} for one, which would be deleted;"
            " move them away, or name a new folder"
        )


def _marked(mark: Path) -> list[str]:
    if not mark.is_file():
        return []
    try:
        held = json.loads(mark.read_bytes())
        return [str(each) for each in held["files"]]
    except (ValueError, KeyError, TypeError, RecursionError):  # not as we write it: nothing in the folder is known to be ours
        return []


def _refuse_store(path: Path, goal: Path) -> None:
    if not goal.is_file():
        return
    with goal.open("rb") as file:
        if file.read(len(STORE_SIGNATURE)) == STORE_SIGNATURE:
            raise FileError(f"{path}: this is a store, and writing there would destroy it; name another file")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _mode(goal: Path) -> int:
    """The permissions of the file that is replaced, or those that any new file gets."""
    if goal.exists():
        return goal.stat().st_mode & 0o7777
    return 0o666 & ~_umask()


def write_error(path: Path, error: OSError) -> FileError:
    """The error to raise where the system refuses to write ``path``."""
    return FileError(f"{path}: cannot be written ({error.strerror or error}); choose another place or make room")


def describe_files(paths: Iterable[Path]) -> list[list[object]]:
    """The same of files, and of all files in folders; what is not there is left out."""
    files = [each for path in paths for each in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    return [describe_file(each) for each in files if each.is_file()]


def describe_file(path: Path) -> list[object]:
    """What tells a file from another, and from itself after a change."""
    there = path.stat()
    return [str(path.resolve()), there.st_size, there.st_mtime_ns]
