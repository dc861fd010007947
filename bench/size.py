"""The sizes of a loaded WordNet and of the installed package on disk."""

from __future__ import annotations

import os
import re
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, files, requires
from pathlib import Path
from typing import TYPE_CHECKING

import wayword

from .measure import megabytes, size_of
from .report import table
from .setting import ARCHIVE

if TYPE_CHECKING:
    from .setting import Setting


def measure(setting: Setting) -> str:
    """Measure sizes on disk."""
    source = setting.file(ARCHIVE)
    with tarfile.open(source) as archive:
        unpacked = sum(member.size for member in archive if member.isfile())
    sizes = {
        "embedded store": size_of(setting.store),
        "its projection": sum(map(size_of, setting.store.parent.glob("*.projection"))),
        "the source: WordNet 3.1 database files": unpacked,
        "the source, compressed (tar.gz)": size_of(source),
    }
    rows = [[name, megabytes(size), f"{size / unpacked:.2f}x"] for name, size in sizes.items()]
    package = [
        ["wayword without its dependencies", megabytes(installed_size({"wayword"}))],
        ["wayword with all that a plain installation needs", megabytes(installed_size(required_packages("wayword")))],
    ]
    parts = [table(["", "on disk", "relative to the source"], rows), table(["", "installed"], package)]
    return "\n\n".join(parts)


def required_packages(name: str) -> set[str]:
    """Return the names of a package and of all installed packages that it needs without extras."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        each = waiting.pop()
        with suppress(PackageNotFoundError):  # needed on other systems only
            needed = [one for one in requires(each) or () if "extra ==" not in one]
            found.add(each)
            names = {re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", one)[0].lower()) for one in needed}
            waiting += names - found
    return found


def installed_size(packages: Iterable[str]) -> int:
    """Return the bytes of the files of installed packages, without bytecode."""
    return sum(size_of(file) for package in packages for file in _files(package) if file.suffix != ".pyc" and file.exists())


def _files(package: str) -> Iterator[Path]:
    if package != "wayword":
        yield from (Path(str(file.locate())) for file in files(package) or ())
        return
    for folder, _, names in os.walk(wayword.__path__[0], followlinks=True):  # of an editable installation
        yield from (Path(folder, name) for name in names)
