"""Damaged files of vectors give an answer or a one-line error: no crash, no other exception, and bounded memory."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from pathlib import Path

import numpy as np
import pytest

from ..support.little_memory import needs_limits, run_with_little_memory

MUTANTS = 150
"""Damaged copies of each file."""

IMPORTS = "from tests.embeddings.test_damaged_vectors import open_mutants"
TEXT = b"3 2\ndog 1 2\ncat 0.5 -1e3\n\xc3\xa9t\xc3\xa9 3 4\n"
PIECES = [
    *(b"\xff" * 4, b"\xff" * 8, b"\xff\xff\xff\x7f", b"\0" * 8, b"r\xff\xff\xff\x7f"),
    *(b"]" * 50, b"(" * 30, b"99999999999", b" ", b"\n", b"O8", b"\xed\xa0\x80", b"1e999", b"nan"),
]


def write_files(folder: Path) -> None:
    """Write a file of each kind."""
    fasttext = pytest.importorskip("gensim.models.fasttext")
    keyed = pytest.importorskip("gensim.models").KeyedVectors(2)
    keyed.add_vectors(["dog", "cat", "été"], np.array([[1, 2], [0.5, -1], [3, 4]], np.float32))
    model = fasttext.FastText([["dog", "cat", "été"]] * 3, vector_size=2, min_count=1, bucket=5, epochs=1)
    fasttext.save_facebook_model(model, str(folder / "fasttext.bin"))
    for protocol in (2, 4, 5):
        keyed.save(str(folder / f"gensim{protocol}.kv"), pickle_protocol=protocol)
        model.wv.save(str(folder / f"fasttext{protocol}.kv"), pickle_protocol=protocol)
    keyed.save_word2vec_format(str(folder / "word2vec.bin"), binary=True)
    np.save(folder / "matrix.npy", np.ones((3, 2)))
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr("words.vec", TEXT)
    contents = {
        "word2vec.txt": TEXT,
        "glove.txt": TEXT[4:],
        "words.vec.gz": gzip.compress(TEXT),
        "words.vec.zip": archive.getvalue(),
        "words.vec.bz2": bz2.compress(TEXT),
        "words.vec.xz": lzma.compress(TEXT),
        "gensim.kv.gz": gzip.compress((folder / "gensim4.kv").read_bytes()),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)


def mutate(content: bytes, rng: np.random.Generator) -> bytes:
    """Damage a file in a few places."""
    mutant = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 8])):
        position, kind = int(rng.integers(len(mutant) + 1)), rng.integers(5)
        piece = PIECES[rng.integers(len(PIECES))] if rng.integers(2) else bytes(rng.integers(0, 256, 1, np.uint8))
        if kind == 0:
            mutant[position:position] = piece
        elif kind == 1:
            del mutant[position : position + int(rng.integers(1, 20))]
        elif kind == 2 and not rng.integers(4):
            del mutant[position:]
        else:
            mutant[position : position + len(piece)] = piece
    return bytes(mutant)


def open_mutants(folder: Path) -> None:
    """Open damaged copies of each file; any exception other than a ``WaywordError`` is a failure."""
    from wayword.core.errors import WaywordError
    from wayword.embeddings.vector_files import open_vectors

    rng = np.random.default_rng(7)
    vocabulary = folder.parent / "vocabulary.txt"
    vocabulary.write_text("dog\ncat\nmouse\n")
    for source in sorted(folder.iterdir()):
        content, answers, mutant = source.read_bytes(), 0, folder.parent / source.name
        for number in range(MUTANTS):
            mutant.write_bytes(mutate(content, rng) if number else content)
            try:
                open_vectors(mutant, vocabulary if mutant.suffix == ".npy" else None).sums([["dog"], ["été"]])
                answers += 1
            except WaywordError:
                continue
        assert 0 < answers < MUTANTS, source


@pytest.mark.slow
@needs_limits
def test_damaged_files_of_every_kind_are_answered_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "files"
    folder.mkdir()
    write_files(folder)
    statements = "from pathlib import Path\nopen_mutants(Path(argument))\nprint('done')"
    assert run_with_little_memory(IMPORTS, statements, folder) == "done\n"
