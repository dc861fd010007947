"""The binary models of fastText give the vectors that gensim reads from them, and damaged ones are refused."""

from __future__ import annotations

import gzip
import struct
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wayword.embeddings.errors import VectorsInvalid
from wayword.embeddings.fasttext_files import read_fasttext_blocks
from wayword.embeddings.vector_files import open_vectors

fasttext = pytest.importorskip("gensim.models.fasttext")

SENTENCES = [["dog", "dogs", "New", "x", "été", "健康中国", "🤒a"]] * 3
OPTIONS: list[dict[str, int]] = [{}, {"min_n": 1, "max_n": 2}, {"max_n": 0}, {"min_n": 2, "max_n": 9, "bucket": 3}]


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def train(file: Path, options: Mapping[str, int] = MappingProxyType({}), sentences: list[list[str]] = SENTENCES) -> bytes:
    model = fasttext.FastText(sentences, **{"vector_size": 3, "min_count": 1, "bucket": 50, "epochs": 1, **options})
    fasttext.save_facebook_model(model, str(file))
    return file.read_bytes()


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("compressed", [False, True])
def test_vectors_are_those_of_gensim(tmp_path: Path, options: dict[str, int], compressed: bool) -> None:
    file = tmp_path / "model.bin"
    content = train(file, options)
    expected = fasttext.load_facebook_vectors(str(file))
    file.write_bytes(gzip.compress(content) if compressed else content)
    vectors = open_vectors(file)
    assert len(vectors) == len(expected.index_to_key) == 7
    for word in expected.index_to_key:
        assert vectors.sums([[word]])[0] == pytest.approx(expected[word], abs=1e-6)


Word = st.text(st.characters(exclude_categories=["Cs", "Zs", "Cc"]), min_size=1, max_size=8)


@settings(max_examples=15, deadline=None)
@given(st.lists(Word, min_size=1, unique=True), st.integers(1, 4), st.integers(0, 4))
def test_ngrams_of_any_word_are_those_of_gensim(
    tmp_path_factory: pytest.TempPathFactory, words: list[str], shortest: int, more: int
) -> None:
    file = tmp_path_factory.getbasetemp() / "any.bin"
    train(file, {"min_n": shortest, "max_n": shortest + more}, [words])
    expected = fasttext.load_facebook_vectors(str(file))
    for block, matrix in read_fasttext_blocks(file, file):
        for word, vector in zip(block, matrix, strict=True):
            assert vector == pytest.approx(expected[word.decode()], abs=1e-6)


def test_file_that_is_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "model.bin"
    content = train(file)
    end = content.index(b"\0", 100)
    matrix_end = len(content) - 2 * 8 - 1 - 7 * 3 * 4  # the output matrix follows, and is not needed
    for size in {*range(4, end + 40), *range(end + 40, matrix_end, 17), matrix_end - 1}:
        file.write_bytes(content[:size])
        with pytest.raises(VectorsInvalid, match=r"cut off or damaged|is quantised"):
            list(read_fasttext_blocks(file, file))
    file.write_bytes(content[:matrix_end])
    assert list(read_fasttext_blocks(file, file))


def test_quantised_and_newer_models_are_named(tmp_path: Path) -> None:
    file = tmp_path / "model.ftz"
    content = bytearray(train(file))
    matrix = content.index(struct.pack("<?2q", False, 57, 3))
    content[matrix] = 1
    file.write_bytes(content)
    with pytest.raises(VectorsInvalid, match=r"is quantised \(.ftz\); name the .bin file"):
        open_vectors(file)
    content[4] = 13
    file.write_bytes(content)
    with pytest.raises(VectorsInvalid, match="has version 13 of fastText's format"):
        open_vectors(file)


def test_labels_of_supervised_models_are_no_words(tmp_path: Path) -> None:
    file = tmp_path / "model.bin"
    content = bytearray(train(file))
    expected = dict(_rows(file))
    sizes = content.index(struct.pack("<3i", 7, 7, 0))
    content[sizes : sizes + 12] = struct.pack("<3i", 8, 7, 1)
    matrix = content.index(struct.pack("<?2q", False, 57, 3))
    content[matrix:matrix] = b"__label__x\0" + struct.pack("<qb", 1, 1)
    file.write_bytes(content)
    assert dict(_rows(file)) == expected


def _rows(file: Path) -> list[tuple[bytes, tuple[float, ...]]]:
    return [
        (word, tuple(row.tolist()))
        for block, matrix in read_fasttext_blocks(file, file)
        for word, row in zip(block, matrix, strict=True)
    ]


def test_word_that_is_not_utf8_is_left_out_and_counted(tmp_path: Path) -> None:
    file = tmp_path / "model.bin"
    file.write_bytes(train(file).replace("été".encode(), b"\xe9t\xe9tt"))
    vectors = open_vectors(file)
    assert (len(vectors), vectors.left_out) == (6, {"undecodable_word": 1})
