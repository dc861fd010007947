"""The size of a loaded WordNet on disk."""

from __future__ import annotations

import tarfile
from typing import TYPE_CHECKING

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
    return table(["", "on disk", "relative to the source"], rows)
