"""Small text files that a user names, such as settings: one that is no such file is not read to its end."""

from __future__ import annotations

from pathlib import Path

LARGEST = 1 << 20
"""Bytes; lists of stop words and profiles are a hundredth of that."""


def read_small_file(path: Path) -> str:
    """The text of a file in UTF-8; a ``ValueError`` if it is longer than such files are."""
    with path.open("rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ValueError(f"longer than {LARGEST:,} bytes")
    return content.decode("utf-8-sig")
