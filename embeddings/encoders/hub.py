"""Finds the files of an encoder, and fetches them only after it was said what, from where, and how large."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...core.messages import first_line
from ..errors import EncoderMissing

WANTED = ("*.json", "*.txt", "*.model", "*.safetensors")
"""The files of a model that are needed; its weights in safetensors only, which hold no programs."""


def fetch_encoder(name: str, note: Callable[[str], None]) -> Path:
    """The folder of an encoder: the one that is named, one that was fetched before, or one that is fetched now."""
    folder = Path(name).expanduser()
    try:
        if folder.is_dir():
            if not (folder / "config.json").is_file():
                raise EncoderMissing(f"the folder {name} holds no config.json; name the folder of a transformers model")
            return folder
    except OSError as error:
        raise EncoderMissing(f"{name} cannot be read ({error.strerror}); check the path and its permissions") from error
    if folder.exists() or name.startswith((".", "/", "~")) or name.count("/") > 1:
        raise EncoderMissing(f"there is no folder {name}; name the folder of a transformers model, or one on Hugging Face")
    from huggingface_hub import HfApi, constants, snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    with suppress(LocalEntryNotFoundError, HFValidationError, OSError):  # it was never fetched
        found = Path(snapshot_download(name, allow_patterns=list(WANTED), local_files_only=True))
        if any(found.glob("*.safetensors")):
            return found
    if constants.HF_HUB_OFFLINE:
        raise EncoderMissing(f"the encoder {name} is not here, and HF_HUB_OFFLINE says not to fetch it; name a folder")
    try:
        files = _files(HfApi().model_info(name, files_metadata=True))
        if not any(file.endswith(".safetensors") for file, _ in files):
            raise EncoderMissing(f"{name} has no weights in safetensors on {constants.ENDPOINT}; name another encoder")
        size = sum(size for _, size in files)
        note(f"fetching {name}, {size / 1e6:,.1f} MB, from {constants.ENDPOINT} into {constants.HF_HUB_CACHE}")
        return Path(snapshot_download(name, allow_patterns=[file for file, _ in files]))
    except EncoderMissing:
        raise
    except Exception as error:  # the hub's client has errors of several libraries
        raise EncoderMissing(
            f"the encoder {name} is not here and cannot be fetched ({first_line(error)}); name a folder"
        ) from error


def _files(about: Any) -> list[tuple[str, int]]:
    """The files that are needed, with their sizes."""
    from fnmatch import fnmatch

    kept = [each for each in about.siblings or () if any(fnmatch(each.rfilename, wanted) for wanted in WANTED)]
    return [(each.rfilename, int(each.size or 0)) for each in kept if os.sep not in each.rfilename]
