"""Read files of human judgements: text or JSON, possibly compressed with gzip."""

from __future__ import annotations

import gzip
import json
import os
import zlib
from pathlib import Path
from typing import Any

from ..errors import GoldError

GZIP = b"\x1f\x8b"


def read_text(file: str | os.PathLike[str], what: str) -> str:
    """Read a text file in UTF-8.

    Args:
        file: The path of the file.
        what: What the file should be, for the message of the error, such as "a HyperLex file".

    Raises:
        GoldError: The file cannot be read or is not UTF-8.
    """
    path = Path(file)
    try:
        content = path.read_bytes()
        return (gzip.decompress(content) if content.startswith(GZIP) else content).decode("utf-8-sig")
    except (OSError, EOFError, ValueError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise GoldError(f"{path}: cannot be read ({reason}); give {what}") from error


def read_json(file: str | os.PathLike[str], what: str) -> dict[str, Any]:
    """Read a JSON file that has an object; see ``read_text``.

    Raises:
        GoldError: The file cannot be read or has no JSON object.
    """
    return parse_json(Path(file), read_text(file, what), what)


def parse_json(path: Path, text: str, what: str) -> dict[str, Any]:
    """Parse the text of a JSON file that has an object.

    Raises:
        GoldError: It is not JSON, or not an object.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = f":{error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise GoldError(f"{path}{line}: is not JSON ({error}); give {what}") from error
    if not isinstance(value, dict):
        raise GoldError(f"{path}: has no JSON object; give {what}")
    return value
