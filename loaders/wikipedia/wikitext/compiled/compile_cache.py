"""Whether the machine code of the scanner lies ready on this machine. Compiling it takes half a minute, once for each version.

A mark beside it, or in the user's cache directory, says that numba has kept it. A load that is worth it has it compiled by a
process of its own while the dump is read already, and takes it up when it is ready.
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
from importlib.util import find_spec
from pathlib import Path

from .....graph.errors import LoadError

PLACE = Path(__file__).parent


@cache
def marks() -> tuple[Path, ...]:
    """The files of which one says so; their name has all in it on which the machine code depends."""
    from platformdirs import user_cache_path

    found = hashlib.sha256(f"{version('numba')} {sys.version} {os.uname().machine} {_processor()}".encode())
    words = (PLACE.parent / f"{name}.py" for name in ("masking", "page_state", "targets"))
    for module in sorted([*PLACE.glob("*.py"), *words]):
        found.update(module.read_bytes())
    name = f"machine-{found.hexdigest()[:20]}"
    return PLACE / "__pycache__" / name, user_cache_path("wayword") / name


def _processor() -> str:
    """What tells processors apart for which machine code differs, where the system says it."""
    place = Path("/proc/cpuinfo")
    if not place.exists():
        return ""
    lines = place.read_text(encoding="utf-8", errors="replace").splitlines()
    return next((line for line in lines if line.startswith(("flags", "Features"))), "")


def possible() -> bool:
    """Whether it can be had at all."""
    return find_spec("numba") is not None


def ready() -> bool:
    """Whether it lies ready."""
    return possible() and any(each.exists() for each in marks())


def make_ready() -> None:
    """Compile it, where that has not been done, and say so; of several processes one does it."""
    from ...languages import find_language
    from ...site import make_site
    from ..titles import Titles
    from .pages import scan_pages
    from .scanner import CompiledScanner

    with _locked() as mark:
        if ready():
            return
        kept = Path(scan_pages.stats.cache_path or PLACE)  # type: ignore[attr-defined]
        for stale in kept.glob("*.nb[ic]"):  # numba does not see that what a function calls has changed
            stale.unlink(missing_ok=True)
        CompiledScanner(Titles(make_site("enwiki")), find_language("en")).read_all(["[[dog|cat]]s"])
        mark.touch()


@contextmanager
def _locked() -> Iterator[Path]:
    """The first mark that can be written, with nobody else at work on it."""
    from filelock import FileLock

    for mark in marks():
        try:
            mark.parent.mkdir(parents=True, exist_ok=True)
            held = FileLock(mark.with_suffix(".lock")).acquire()
        except OSError:
            continue
        with held:
            yield mark
        return
    raise LoadError(f"machine code cannot be kept: neither {marks()[0].parent} nor {marks()[1].parent} can be written")


@contextmanager
def getting_ready() -> Iterator[None]:
    """Have it compiled beside what is done in the block, if need be; what is not done by then is left."""
    if not possible() or ready():
        yield
        return
    command = [sys.executable, "-m", f"{__package__}.warm_up"]
    quiet = subprocess.DEVNULL
    compiling = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)  # noqa: S603 - this very interpreter
    try:
        yield
    finally:
        compiling.terminate()
        compiling.wait()
