"""Read files of human judgements: text or JSON, which may be compressed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ...core.compression import UnpackingError, open_decompressed
from ..errors import GoldError


def read_text(file: str | os.PathLike[str], what: str) -> str:
    """Read a text file in UTF-8.

    Args:
        file: The path of the file, which may be compressed.
        what: What the file should be, for the message of the error, such as "a HyperLex file".

    Raises:
        GoldError: The file cannot be read or is not UTF-8.
    """
    path = Path(file)
    try:
        with open_decompressed(path) as stream:
            return stream.read().decode("utf-8-sig")
    except UnpackingError as error:
        raise GoldError(f"{path} is {error}") from error
    except (OSError, ValueError) as error:
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
