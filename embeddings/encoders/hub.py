"""Find the files of an encoder, and download them from the Hugging Face hub after announcing their size and origin."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...core.messages import first_line
from ..errors import EncoderMissing

FILE_PATTERNS = ("*.json", "*.txt", "*.model", "*.safetensors")
"""The files of a model; weights only as safetensors, which cannot contain code."""


def fetch_encoder(name: str, note: Callable[[str], None]) -> Path:
    """Return the folder of an encoder: the named folder, the cached download, or a new download."""
    folder = Path(name).expanduser()
    try:
        if folder.is_dir():
            if not (folder / "config.json").is_file():
                raise EncoderMissing(f"the folder {name} has no config.json; name the folder of a transformers model")
            return folder
    except OSError as error:
        raise EncoderMissing(f"{name} cannot be read ({error.strerror}); check the path and its permissions") from error
    if folder.exists() or name.startswith((".", "/", "~")) or name.count("/") > 1:
        raise EncoderMissing(f"there is no folder {name}; name the folder of a transformers model, or a model on Hugging Face")
    from huggingface_hub import HfApi, constants, snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    with suppress(LocalEntryNotFoundError, HFValidationError, OSError):  # it is not in the cache
        cached = Path(snapshot_download(name, allow_patterns=list(FILE_PATTERNS), local_files_only=True))
        if any(cached.glob("*.safetensors")):
            return cached
    if constants.HF_HUB_OFFLINE:
        raise EncoderMissing(f"the encoder {name} is not in the cache, and HF_HUB_OFFLINE forbids its download; name a folder")
    try:
        files = _list_files(HfApi().model_info(name, files_metadata=True))
        if not any(file.endswith(".safetensors") for file, _ in files):
            raise EncoderMissing(f"{name} has no safetensors weights on {constants.ENDPOINT}; name another encoder")
        size = sum(size for _, size in files)
        note(f"downloading {name}, {size / 1e6:,.1f} MB, from {constants.ENDPOINT} into {constants.HF_HUB_CACHE}")
        return Path(snapshot_download(name, allow_patterns=[file for file, _ in files]))
    except EncoderMissing:
        raise
    except Exception as error:  # the client raises errors of several libraries
        raise EncoderMissing(f"the encoder {name} cannot be downloaded ({first_line(error)}); name a folder") from error


def _list_files(info: Any) -> list[tuple[str, int]]:
    """Return the files to download, with their sizes in bytes."""
    from fnmatch import fnmatch

    files = [each for each in info.siblings or () if any(fnmatch(each.rfilename, pattern) for pattern in FILE_PATTERNS)]
    return [(each.rfilename, int(each.size or 0)) for each in files if os.sep not in each.rfilename]
