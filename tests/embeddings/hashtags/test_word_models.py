"""Word models that are damaged are refused before gensim reads them, which might take for ever or all memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from wayword.embeddings.errors import EncoderInvalid
from wayword.embeddings.hashtags.word_models import KINDS, Kind, WordModel

models = pytest.importorskip("gensim.models")


def save(kind: Kind, file: Path) -> bytes:
    options = {"vector_size": 3, "min_count": 1, "epochs": 1}
    text = [["dog", "cat", "été"]] * 3
    model = models.Word2Vec(text, **options) if kind == "word2vec" else models.FastText(text, bucket=5, **options)
    with WordModel(kind, model.wv, model).save(file):
        pass
    return file.read_bytes()


@pytest.mark.parametrize("kind", KINDS)
def test_saved_model_is_opened(tmp_path: Path, kind: Kind) -> None:
    save(kind, tmp_path / "m.bin")
    assert WordModel.open(kind, tmp_path / "m.bin").encode_texts([["dog"]]).any()


@pytest.mark.parametrize("kind", KINDS)
def test_model_that_is_cut_off_anywhere_is_refused(tmp_path: Path, kind: Kind) -> None:
    file = tmp_path / "m.bin"
    content = save(kind, file)
    for size in range(0, len(content) // 2, 11):
        file.write_bytes(content[:size])
        with pytest.raises(EncoderInvalid, match=rf"is not a {kind} model"):
            WordModel.open(kind, file)


@pytest.mark.parametrize(
    ("kind", "content"), [("word2vec", b"9999999999 300\ndog "), ("fasttext", b"\xba\x16O/" + b"\x7f" * 99)]
)
def test_announced_sizes_are_compared_with_the_file(tmp_path: Path, kind: Kind, content: bytes) -> None:
    (tmp_path / "m.bin").write_bytes(content)
    with pytest.raises(EncoderInvalid, match=rf"is not a {kind} model"):
        WordModel.open(kind, tmp_path / "m.bin")
