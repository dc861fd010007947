"""Read small text files that users name, such as profiles and lists of stop words."""

from __future__ import annotations

from pathlib import Path

MAX_BYTES = 1 << 20
"""The maximum size; lists of stop words and profiles are a hundred times smaller."""


def read_small_file(path: Path) -> str:
    """Read a file in UTF-8.

    Raises:
        ValueError: The file is too large or not UTF-8.
    """
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError(f"larger than {MAX_BYTES:,} bytes")
    return content.decode("utf-8-sig")
