"""Expensive inputs that tests only read: built once per run for all workers, or once per state of code and data."""

from __future__ import annotations

import hashlib
import os
import sys
import sysconfig
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from filelock import FileLock

from . import ROOT

Build = Callable[[Path], None]


def run_folder(factory: pytest.TempPathFactory) -> Path:
    """Return the temporary folder that all workers of this run share."""
    own = factory.getbasetemp()
    return own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own


def build_once(factory: pytest.TempPathFactory, name: str, build: Build) -> Path:
    """Return a file that one worker of this run builds; the others wait for it.

    The file is alone in its folder, so caches that the product writes beside it are shared too and end with the run.
    """
    path = run_folder(factory) / name / "graph.lbug"
    path.parent.mkdir(exist_ok=True)
    _build(path, build)
    return path


def build_cached(cache: pytest.Cache, name: str, build: Build, *, code: Iterable[str], data: Iterable[Path] = ()) -> Path:
    """Return a file that is cached between runs until something that it was built from changes.

    Args:
        cache: pytest's cache; ``make clean`` and ``pytest --cache-clear`` empty it.
        name: Names the file; older files of this name are removed.
        build: Writes the file to the path it receives.
        code: Patterns of the modules that build it, relative to the root of the repository.
        data: The files it is built from.
    """
    key = _digest([*sorted(path for pattern in code for path in ROOT.glob(pattern)), *data])
    path = cache.mkdir(name) / key
    _build(path, build, remove_others=True)
    return path


def _build(path: Path, build: Build, *, remove_others: bool = False) -> None:
    with FileLock(path.parent / "lock"):
        if not path.exists():
            if remove_others:
                for other in path.parent.iterdir():
                    if other.name != "lock":
                        other.unlink()
            partial = path.with_name(f"partial-{path.name}")
            build(partial)
            partial.rename(path)


def _digest(paths: Iterable[Path]) -> str:
    """Return a hash of the files' names and contents, the interpreter and the installed packages."""
    packages = sorted(path.name for path in Path(sysconfig.get_path("purelib")).glob("*.dist-info"))
    digest = hashlib.sha256("\0".join([sys.version, *packages]).encode())
    for path in paths:
        with path.open("rb") as file:
            digest.update(f"{path.name}\0{hashlib.file_digest(file, 'sha256').hexdigest()}\0".encode())
    return digest.hexdigest()[:20]
