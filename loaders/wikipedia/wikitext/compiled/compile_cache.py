"""Compiles the scanner once for each version, which takes half a minute; numba caches the result.

A marker file next to the cache or in the user's cache folder records that it is complete. A load of a large dump compiles the
scanner in a separate process while it already reads the dump, and switches to it when it is ready.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path

from .....core.optional_packages import is_installed
from .....graph.errors import LoadError

FOLDER = Path(__file__).parent


@cache
def marker_files() -> tuple[Path, ...]:
    """Return the possible marker files; their name is a hash of everything on which the machine code depends."""
    from platformdirs import user_cache_path

    digest = hashlib.sha256(f"{version('numba')} {sys.version} {os.uname().machine} {_processor_features()}".encode())
    constants = (FOLDER.parent / f"{name}.py" for name in ("masking", "page_state", "targets"))
    for module in sorted([*FOLDER.glob("*.py"), *constants]):
        digest.update(module.read_bytes())
    name = f"machine-{digest.hexdigest()[:20]}"
    return FOLDER / "__pycache__" / name, user_cache_path("wayword") / name


def _processor_features() -> str:
    """Return the instruction sets of the processor, or an empty string if the system does not report them."""
    path = Path("/proc/cpuinfo")
    if not path.exists():
        return ""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return next((line for line in lines if line.startswith(("flags", "Features"))), "")


def can_compile() -> bool:
    """Whether numba is installed."""
    return is_installed("numba")


def is_compiled() -> bool:
    """Whether the compiled scanner is in the cache."""
    return can_compile() and any(marker.exists() for marker in marker_files())


def compile_scanner() -> None:
    """Compile the scanner and write a marker file, unless there is one. Concurrent processes wait for the first."""
    from ...languages import find_language
    from ...site import make_site
    from ..titles import Titles
    from .pages import scan_pages
    from .scanner import CompiledScanner

    with _lock_marker() as marker:
        if is_compiled():
            return
        cache_folder = Path(scan_pages.stats.cache_path or FOLDER)  # type: ignore[attr-defined]
        for stale in cache_folder.glob("*.nb[ic]"):  # numba does not notice changes in the functions that a function calls
            stale.unlink(missing_ok=True)
        CompiledScanner(Titles(make_site("enwiki")), find_language("en")).read_all(["[[dog|cat]]s"])
        marker.touch()


@contextmanager
def _lock_marker() -> Iterator[Path]:
    """Yield the first marker file that can be written, and lock it against other processes."""
    from filelock import FileLock

    for marker in marker_files():
        try:
            marker.parent.mkdir(parents=True, exist_ok=True)
            lock = FileLock(marker.with_suffix(".lock")).acquire()
        except OSError:
            continue
        with lock:
            yield marker
        return
    folders = " or ".join(str(marker.parent) for marker in marker_files())
    raise LoadError(f"cannot cache the compiled scanner in {folders}; make one of these folders writable")


@contextmanager
def compile_in_background() -> Iterator[None]:
    """Compile the scanner in another process while the block runs, unless it is cached; stop at the end of the block."""
    if not can_compile() or is_compiled():
        yield
        return
    command = [sys.executable, "-m", f"{__package__}.warm_up"]
    null = subprocess.DEVNULL
    compiler = subprocess.Popen(command, stdin=null, stdout=null, stderr=null)  # noqa: S603 - this very interpreter
    try:
        yield
    finally:
        compiler.terminate()
        compiler.wait()
