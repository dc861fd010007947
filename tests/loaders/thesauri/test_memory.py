"""A thesaurus, which has many more relationships than nodes, is streamed in little memory."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from wayword.core.thesaurus import Thesaurus
from wayword.graph.ingestion import ingest
from wayword.graph.ladybug.reader import Reader
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.loaders import open_hashtags
from wayword.search.hashtags.lookup import read_synonyms

COUNT, EACH = 20_000, 20


@pytest.mark.slow
def test_thesaurus_is_streamed_when_memory_is_too_small_for_a_whole_chunk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = np.arange(COUNT)
    synonyms = (np.repeat(numbers, EACH) + np.tile(np.arange(1, EACH + 1), COUNT)) % COUNT
    offsets = np.arange(COUNT + 1) * EACH
    dense = Thesaurus([f"#{number:05}" for number in numbers], offsets, synonyms, np.full(len(synonyms), 0.5))
    monkeypatch.setattr("wayword.loaders.thesauri.reader.read_thesaurus", lambda *_: dense)
    with EmbeddedStore(tmp_path / "graph") as store:
        ingest(store, open_hashtags("dense.csv"))
        monkeypatch.setattr("wayword.graph.ladybug.store.Reader", partial(Reader, pool=48 << 20))
        found = read_synonyms(store)
    assert list(found.hashtags) == list(dense.hashtags)
    assert np.array_equal(found.offsets, dense.offsets)
    assert np.array_equal(found.synonyms, dense.synonyms)
