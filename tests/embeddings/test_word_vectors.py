"""Word vectors are read from files of every common format, and invalid files are rejected."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import pickle
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from wayword.embeddings.errors import VectorsError, VectorsInvalid, VectorsMissing
from wayword.embeddings.vector_files import open_vectors
from wayword.embeddings.word_vectors import WordVectors, cosines

WORDS = ["dog", "cat", "New York", "été"]
MATRIX = np.array([[1.0, 0.5], [0.25, -2.0], [0.0, 3.0], [8.0, 9.0]], np.float32)


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def lines(words: list[str] = WORDS, matrix: np.ndarray = MATRIX) -> str:
    return "".join(f"{word} {' '.join(map(str, row.tolist()))}\n" for word, row in zip(words, matrix, strict=True))


def glove(file: Path) -> None:
    file.write_text(lines(), encoding="utf-8")


def word2vec_text(file: Path) -> None:
    file.write_text("4 2\n" + lines(), encoding="utf-8")


def compressed(compress: Callable[[bytes], bytes], file: Path) -> None:
    file.write_bytes(compress(("4 2\n" + lines()).encode()))


def compress_zip(content: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("words.vec", content)
    return stream.getvalue()


COMPRESS: list[Callable[[bytes], bytes]] = [gzip.compress, bz2.compress, lzma.compress, compress_zip]


def word2vec_binary(file: Path, end: bytes = b"\n") -> None:
    rows = (word.encode() + b" " + row.astype("<f4").tobytes() + end for word, row in zip(BINARY, MATRIX, strict=True))
    file.write_bytes(b"4 2\n" + b"".join(rows))


BINARY = ["dog", "cat", "New_York", "été"]


def with_parquet(file: Path) -> None:
    np.save(file.with_suffix(".npy"), MATRIX)
    file.with_suffix(".npy").rename(file)
    pq.write_table(pa.table({"index": WORDS}), file.with_suffix(".parquet"))


def with_json(file: Path) -> None:
    with_parquet(file)
    file.with_suffix(".parquet").unlink()
    file.with_suffix(".json").write_text(json.dumps({word: number for number, word in enumerate(WORDS)}))


def with_lines(file: Path) -> None:
    with_json(file)
    file.with_suffix(".json").unlink()
    file.with_suffix(".vocab").write_text("".join(f"{word}\t7\n" for word in WORDS), encoding="utf-8")


WRITERS: list[Callable[[Path], None]] = [
    *(glove, word2vec_text, word2vec_binary, with_parquet, with_json, with_lines),
    *(partial(compressed, compress) for compress in COMPRESS),
]


@pytest.mark.parametrize("write", WRITERS)
def test_every_format_gives_the_same_vectors(tmp_path: Path, write: Callable[[Path], None]) -> None:
    file = tmp_path / "vectors.any"
    write(file)
    for _ in range(2):  # the second time from the cache
        vectors = open_vectors(file)
        words = BINARY if write is word2vec_binary else WORDS
        assert (len(vectors), vectors.dimensions) == (4, 2)
        assert vectors.knows([*words, "unicorn"]) == [True] * 4 + [False]
        assert vectors.sums([[word] for word in words]).tolist() == MATRIX.astype(float).tolist()


@pytest.mark.parametrize("separate", [False, True])
@pytest.mark.parametrize("protocol", [2, 3, 4, 5])  # they store arrays in different ways
def test_files_of_gensim_are_read(tmp_path: Path, separate: bool, protocol: int) -> None:
    keyed = pytest.importorskip("gensim.models.keyedvectors").KeyedVectors(2)
    keyed.add_vectors(BINARY, MATRIX)
    keyed.save(str(tmp_path / "saved.kv"), sep_limit=1 if separate else 10**9, pickle_protocol=protocol)
    assert separate == (tmp_path / "saved.kv.vectors.npy").exists()
    assert open_vectors(tmp_path / "saved.kv").sums([["cat"], ["dog", "cat"]]).tolist() == [[0.25, -2.0], [1.25, -1.5]]
    for binary in (False, True):
        keyed.save_word2vec_format(str(tmp_path / f"w2v{binary}"), binary=binary)
        assert open_vectors(tmp_path / f"w2v{binary}").sums([["été"]]).tolist() == [[8.0, 9.0]]


@pytest.mark.parametrize("compress", [bytes, *COMPRESS])
@pytest.mark.parametrize("protocol", [2, 4])
def test_fasttext_vectors_of_gensim_are_composed_of_ngrams(
    tmp_path: Path, protocol: int, compress: Callable[[bytes], bytes]
) -> None:
    fasttext = pytest.importorskip("gensim.models.fasttext")
    model = fasttext.FastText([["dog", "dogs", "été"]] * 5, vector_size=3, min_count=1, bucket=7)
    model.wv.save(str(tmp_path / "plain.kv"), pickle_protocol=protocol)
    (tmp_path / "any.kv").write_bytes(compress((tmp_path / "plain.kv").read_bytes()))
    vectors = open_vectors(tmp_path / "any.kv")
    for word in model.wv.index_to_key:
        assert vectors.sums([[word]])[0] == pytest.approx(model.wv[word], abs=1e-6)


def test_whole_model_of_gensim_is_read(tmp_path: Path) -> None:
    models = pytest.importorskip("gensim.models")
    model = models.Word2Vec([["dog", "cat"]] * 5, vector_size=3, min_count=1)
    model.save(str(tmp_path / "any.model"))
    assert open_vectors(tmp_path / "any.model").sums([["dog"]])[0] == pytest.approx(model.wv["dog"])


@pytest.mark.parametrize("is_binary", [False, True])
def test_word_that_is_not_utf8_is_left_out_and_counted(tmp_path: Path, is_binary: bool) -> None:
    file = tmp_path / "any.vec"
    write = word2vec_binary if is_binary else word2vec_text
    write(file)
    file.write_bytes(file.read_bytes().replace(b"cat", b"c\xe9t"))
    for _ in range(2):  # the second time from the cache
        vectors = open_vectors(file)
        assert (len(vectors), vectors.left_out) == (3, {"undecodable_word": 1})
        assert vectors.sums([["été"]]).tolist() == [[8.0, 9.0]]


def test_archives_and_unread_formats_are_named(tmp_path: Path) -> None:
    file = tmp_path / "any"
    np.save(tmp_path / "m.npy", MATRIX)
    for content, message in (
        (gzip.compress((tmp_path / "m.npy").read_bytes()), "a compressed .npy file; unpack it"),
        (b"\x28\xb5\x2f\xfd0000", "is compressed by zstd, which wayword does not read; unpack it"),
        (gzip.compress(lines().encode())[:-9], "is cut off or damaged"),
    ):
        file.write_bytes(content)
        with pytest.raises(VectorsInvalid, match=message):
            open_vectors(file)


class PickledObjects:
    """An element type with a field of objects, which says that it has none."""

    def __reduce__(self) -> tuple[object, ...]:
        return np.dtype, ("V8", False, True), (3, "|", None, ("a",), {"a": (np.dtype("O"), 0)}, 8, 8, 0)


def array_of_objects() -> bytes:
    """Return KeyedVectors whose matrix has pointers of the file's choice: numpy follows them."""
    state = pickle.dumps((1, (1, 1), PickledObjects(), False, b"A" * 8), 3)[2:-1]
    array = b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(K\x00tC\x01btR" + state + b"b"
    words = b"X\x0c\x00\x00\x00index_to_key](X\x01\x00\x00\x00ae"
    vectors = b"X\x07\x00\x00\x00vectors" + array
    return b"\x80\x03cgensim.models.keyedvectors\nKeyedVectors\n)\x81}(" + words + vectors + b"ub."


class PickledCode:
    def __reduce__(self) -> tuple[object, ...]:
        return (Path.write_text, (Path("harm"), "done"))


def test_pickle_with_code_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.kv").write_bytes(pickle.dumps(PickledCode()))
    with pytest.raises(VectorsInvalid, match="is not a file of gensim"):
        open_vectors(tmp_path / "bad.kv")
    assert not (tmp_path / "harm").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"dog 1 2\ncat 1\n", r"line 2 is not a word followed by 2 numbers"),
        (b"dog 1 2\ncat one two\n", r"line 2 is not a word followed by 2 numbers"),
        (b"3 2\ndog 1 2\ncat 1 2\n", "announces 3 vectors and has 2"),
        (b"2 2\ndog \x00\x00\x80\x3f\x00\x00\x00", "after 0 of 2 vectors"),
        (b"2 0\nab \xff\xfe\xfd\xfc", "vectors of 0 numbers"),
        (b"\x80\x04.", "is not a file of gensim"),
        (b"\x80\x02]r\xff\xff\xff\x7f.", "is not a file of gensim"),
        (array_of_objects(), "has no KeyedVectors"),
        (b"<html><body>not found</body></html>", "line 1 is not a word followed by"),
        (b"\x93NUMPY\x01\x00v\x00{'descr': '<i8'", "is not a matrix|has no words"),
    ],
)
def test_invalid_file_is_a_one_line_error(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "vectors.any"
    file.write_bytes(content)
    with pytest.raises(VectorsError, match=message) as caught:
        open_vectors(file)
    assert "\n" not in str(caught.value)
    assert not [*(tmp_path / "cache").rglob("done")]


def test_missing_file_and_wrong_vocabulary_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(VectorsMissing, match="name a file of word vectors"):
        open_vectors(tmp_path / "none")
    with_lines(tmp_path / "v.npy")
    (tmp_path / "short.txt").write_text("dog\n")
    with pytest.raises(VectorsInvalid, match=r"has 4 rows and .* 1 words"):
        open_vectors(tmp_path / "v.npy", tmp_path / "short.txt")


def test_vectors_that_are_not_finite_are_unknown_and_counted() -> None:
    vectors = WordVectors("some", ["dog", "cat", "dog"], np.array([[1.0, np.nan], [1.0, 2.0], [5.0, 5.0]]))
    assert vectors.knows(["dog", "cat"]) == [False, True]
    assert vectors.sums([["dog", "cat"]]).tolist() == [[1.0, 2.0]]
    assert vectors.damaged == 1


def test_zero_vector_has_cosine_0() -> None:
    assert cosines(np.zeros((2, 3)), np.ones(3)).tolist() == [0.0, 0.0]
