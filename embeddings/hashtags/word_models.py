"""Word2Vec and FastText, trained with gensim on the tweets themselves; the vector of a tweet is the mean of its words.

Hyperparameters are those of the paper (window 2, no minimum count, 30 epochs) and otherwise gensim's defaults. Training uses
one thread, because it is not deterministic with more. Models are stored in the formats of the original tools.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import numpy as np

from ...core.arrays import Float32Array
from ...core.atomic_files import atomic_write
from ...core.messages import first_line
from ...core.optional_packages import require_package
from ...core.progress import Progress, no_progress
from ..errors import EncoderInvalid, EncoderMissing
from ..fasttext_files import check_layout

Kind = Literal["word2vec", "fasttext"]
KINDS: tuple[Kind, ...] = ("word2vec", "fasttext")

WINDOW, MIN_COUNT, EPOCHS = 2, 1, 30
"""Words to each side, occurrences that a word needs, and passes over the tweets, all from the paper."""

DIMENSIONS = 100

LONGEST_HEADER = 100
"""The maximum length of the first line of a word2vec model, which has two numbers."""

BUCKETS = 200_000
"""Hash buckets for character n-grams in FastText: gensim's default of two million takes 800 MB, and tweets fill a tenth."""


class WordModel:
    """Word vectors of gensim; with the whole ``model``, after training, they can also be saved."""

    def __init__(self, kind: Kind, vectors: Any, model: Any = None) -> None:
        self.kind = kind
        self._vectors, self._model = vectors, model
        self.dimensions = int(vectors.vector_size)

    @classmethod
    def open(cls, kind: Kind, path: Path) -> WordModel:
        """Open a model that ``save`` wrote."""
        check_gensim()
        from gensim.models import KeyedVectors
        from gensim.models.fasttext import load_facebook_vectors

        try:
            _check_size(kind, path)
            if kind == "word2vec":
                return cls(kind, KeyedVectors.load_word2vec_format(str(path), binary=True))
            return cls(kind, load_facebook_vectors(str(path)))
        except Exception as error:  # a damaged file can raise anything in gensim
            raise EncoderInvalid(f"{path} is not a {kind} model ({first_line(error)}); train the thesaurus again") from error

    def encode_texts(self, texts: Sequence[Sequence[str]]) -> Float32Array:
        """Return the mean of the vectors of each text's words; zeros if no word is known.

        Word2Vec only knows the words of its training; FastText composes vectors of other words from their character n-grams.
        """
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, words in zip(vectors, texts, strict=True):
            # Training splits at blanks, so a phone number with blanks is several words here as well.
            known = [word for word in " ".join(words).split() if word in self._vectors]
            if known:
                row[:] = np.mean([self._vectors[word] for word in known], axis=0)
        return vectors

    @contextmanager
    def save(self, path: Path) -> Iterator[str]:
        """Write a model after its training, in word2vec's binary format or FastText's, and yield its fingerprint.

        The file replaces an existing one only when the ``with`` block ends without an error, so that a file which refers to it
        can be written inside.
        """
        from gensim.models.fasttext import save_facebook_model

        with atomic_write(path) as stream, TemporaryDirectory() as folder:
            file = str(Path(folder) / "model.bin")
            if self.kind == "word2vec":
                self._vectors.save_word2vec_format(file, binary=True)
            else:
                save_facebook_model(self._model, file)
            with Path(file).open("rb") as written:
                shutil.copyfileobj(written, stream)
            stream.flush()
            yield model_fingerprint(Path(file))


def _check_size(kind: Kind, path: Path) -> None:
    """Raise if a model is cut off; gensim would read on for ever, or reserve any memory that the file announces."""
    if kind == "fasttext":
        check_layout(path)
        return
    with path.open("rb") as file:
        count, dimensions = map(int, file.readline(LONGEST_HEADER).split())
    if min(count, dimensions) < 1 or count * dimensions * 4 > path.stat().st_size:
        raise EncoderInvalid("it is cut off")


def model_fingerprint(path: Path) -> str:
    """Return a hash of a model file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def check_gensim() -> None:
    """Raise an ``EncoderMissing`` if gensim is not installed."""
    require_package("gensim", "word2vec and fasttext need", EncoderMissing)


def train(kind: Kind, tweets: Path, seed: int, progress: Progress = no_progress) -> WordModel:
    """Train a model on a file with one tweet per line, its words separated by blanks."""
    check_gensim()
    from gensim.models import FastText, Word2Vec
    from gensim.models.callbacks import CallbackAny2Vec
    from gensim.models.word2vec import LineSentence

    class ReportEpoch(CallbackAny2Vec):  # type: ignore[misc] # gensim has no types
        epochs = 0

        def on_epoch_end(self, _model: Any) -> None:
            self.epochs += 1
            progress(f"training {kind} (epochs)", self.epochs, self.epochs / EPOCHS)

    options = {
        "vector_size": DIMENSIONS,
        "window": WINDOW,
        "min_count": MIN_COUNT,
        "epochs": EPOCHS,
        "workers": 1,
        "seed": seed & 0xFFFFFFFF,
        "callbacks": [ReportEpoch()],
        "max_final_vocab": None,
    }
    sentences = LineSentence(str(tweets))
    model = Word2Vec(sentences, **options) if kind == "word2vec" else FastText(sentences, bucket=BUCKETS, **options)
    return WordModel(kind, model.wv, model)
