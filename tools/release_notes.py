"""Check that a tag is ready for release and print its section of the changelog.

Usage: python tools/release_notes.py TAG
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def read_version(source: str) -> str:
    """Return the version that the source of the package states."""
    found = re.search(r'^__version__ = "(.+)"$', source, re.MULTILINE)
    if found is None:
        raise ValueError('src/wayword/__init__.py has no line __version__ = "..."')
    return found[1]


def release_notes(tag: str, version: str, changelog: str) -> str:
    """Return the section of a version without its heading.

    Raises:
        ValueError: The tag cannot be released; the message says why.
    """
    if tag != f"v{version}":
        raise ValueError(f"the tag {tag} is not v{version}, the version in src/wayword/__init__.py; make them equal")
    heading = rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n"
    section = re.search(rf"{heading}(.*?)(?=^## \[|\Z)", changelog, re.MULTILINE | re.DOTALL)
    if section is None:
        raise ValueError(f"CHANGELOG.md has no heading ## [{version}] - YYYY-MM-DD; rename the section Unreleased")
    if not section[1].strip():
        raise ValueError(f"the section [{version}] of CHANGELOG.md is empty; describe the changes")
    return section[1].strip() + "\n"


def main() -> None:
    """Print the notes, or exit with 1 and the reason."""
    if len(sys.argv) != 2:
        sys.exit("usage: python tools/release_notes.py TAG")
    try:
        version = read_version((ROOT / "src/wayword/__init__.py").read_text(encoding="utf-8"))
        sys.stdout.write(release_notes(sys.argv[1], version, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")))
    except ValueError as error:
        sys.exit(f"Error: {error}")


if __name__ == "__main__":
    main()
