"""Files by others become batches of nodes and relationships here; no module of this room knows a database."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from .errors import SourceDamaged, SourceError, SourceMissing, SourceRefused, SourceUnfit
from .loader import Loader

__all__ = ["Loader", "SourceDamaged", "SourceError", "SourceMissing", "SourceRefused", "SourceUnfit", "wordnet"]


def _quiet(note: str) -> None:
    """A listener that hears nothing."""


def wordnet(source: str | Path | None = None, name: str = "wordnet", note: Callable[[str], None] = _quiet) -> Loader:
    """A loader for a WordNet: a ``dict`` directory, an archive of one, a WN-LMF file, or whatever can be found.

    ``note`` is told what was tried and taken. What is wrong with a source is a ``SourceError``, here or while the loader's
    batches are taken.

    >>> wordnet("no/such/folder")
    Traceback (most recent call last):
    ...
    wayword.loaders.errors.SourceMissing: there is no file or folder 'no/such/folder'; check the path
    """
    from . import sources, wordnet_files

    found = sources.anywhere(note) if source is None else sources.at(source)
    if found.folder is not None:
        for file in wordnet_files.NEEDED:
            found.folder.open(file).close()
        described = wordnet_files.described(found.folder)
        return Loader(name, f"{described}, {found.name}", partial(wordnet_files.read, found.folder))
    from . import lmf

    assert found.file is not None  # noqa: S101 - a source is one of the two
    return Loader(name, f"{lmf.described(found.file)}, {found.name}", partial(lmf.read, found.file))
