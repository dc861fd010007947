"""NLTK's WordNet reader, to compare with."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


def unpack_wordnet(data: Path, folder: Path) -> Path:
    """Unpack WordNet 3.1 of the test data to where NLTK looks for it below a folder; return the folder."""
    with tarfile.open(data / "wordnet" / "wordnet31_nltk_dict.tar.gz") as archive:
        archive.extractall(folder / "corpora", filter="data")
    (folder / "corpora" / "wordnet31").rename(folder / "corpora" / "wordnet")
    return folder


@contextmanager
def nltk_reader(folder: Path) -> Iterator[Any]:
    """NLTK's reader of ``corpora/wordnet`` in a folder, which must be in NLTK's data path."""
    import nltk.data
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    no_other_languages = object()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nltk.data, "path", [str(folder)])
        reader = WordNetCorpusReader(nltk.data.find("corpora/wordnet"), no_other_languages)
        try:
            yield reader
        finally:
            for file in reader._data_file_map.values():
                file.close()
