"""Word2Vec and FastText trained on the tweets themselves; the vector of a tweet is the mean of those of its words.

gensim trains them, as in the paper: a window of 2, every word counts, 30 epochs; the rest is as gensim has it. One thread,
because more make another model each time. A model is kept in the form of its makers, which any tool can read.
"""

from __future__ import annotations

import hashlib
import importlib.util
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
from ...core.progress import Progress, no_progress
from ..errors import EncoderInvalid, EncoderMissing

Kind = Literal["word2vec", "fasttext"]
KINDS: tuple[Kind, ...] = ("word2vec", "fasttext")

WINDOW, LEAST, EPOCHS = 2, 1, 30
"""As the paper has them: words to each side, how often a word must occur, and how often the tweets are read."""

DIMENSIONS = 100

BUCKETS = 200_000
"""Places for parts of words in FastText: gensim's two million take 800 MB, and tweets fill a tenth of them."""


class WordModel:
    """Words by their vectors; ``whole`` is all of the model where it was trained just now, and can be saved."""

    def __init__(self, kind: Kind, vectors: Any, whole: Any = None) -> None:
        self.kind = kind
        self._vectors, self._whole = vectors, whole
        self.dimensions = int(vectors.vector_size)

    @classmethod
    def open(cls, kind: Kind, path: Path) -> WordModel:
        """The model that was saved to this file."""
        need_gensim()
        from gensim.models import KeyedVectors
        from gensim.models.fasttext import load_facebook_vectors

        try:
            if kind == "word2vec":
                return cls(kind, KeyedVectors.load_word2vec_format(str(path), binary=True))
            return cls(kind, load_facebook_vectors(str(path)))
        except Exception as error:  # whatever a damaged file makes of gensim
            raise EncoderInvalid(f"{path} holds no {kind} model ({first_line(error)}); train the thesaurus again") from error

    def sentences(self, texts: Sequence[Sequence[str]]) -> Float32Array:
        """The mean of the vectors of each text's words; zeros where no word is known.

        Word2Vec knows the words that it was trained on, FastText makes something of any other out of its parts.
        """
        found = np.zeros((len(texts), self.dimensions), np.float32)
        for row, words in zip(found, texts, strict=True):
            # What stands between blanks is a word where a model is trained, so it is one here.
            known = [word for word in " ".join(words).split() if word in self._vectors]
            if known:
                row[:] = np.mean([self._vectors[word] for word in known], axis=0)
        return found

    @contextmanager
    def saved(self, path: Path) -> Iterator[str]:
        """Write a model that was trained just now, in word2vec's binary form or FastText's; what tells it from every other.

        It takes its place only when the block ends well, so that what goes with it can be written there.
        """
        from gensim.models.fasttext import save_facebook_model

        with atomic_write(path) as stream, TemporaryDirectory() as folder:
            made = str(Path(folder) / "model.bin")
            if self.kind == "word2vec":
                self._vectors.save_word2vec_format(made, binary=True)
            else:
                save_facebook_model(self._whole, made)
            with Path(made).open("rb") as written:
                shutil.copyfileobj(written, stream)
            stream.flush()
            yield model_fingerprint(Path(made))


def model_fingerprint(path: Path) -> str:
    """What tells a model of words from every other."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def need_gensim() -> None:
    """Say what to install where gensim is missing."""
    if importlib.util.find_spec("gensim") is None:
        raise EncoderMissing("models of words need gensim: pip install 'wayword[hashtags]'")


def train(kind: Kind, tweets: Path, seed: int, progress: Progress = no_progress) -> WordModel:
    """Train a model on a file of tweets: a tweet a line, its words parted by blanks."""
    need_gensim()
    from gensim.models import FastText, Word2Vec
    from gensim.models.callbacks import CallbackAny2Vec
    from gensim.models.word2vec import LineSentence

    class Told(CallbackAny2Vec):  # type: ignore[misc] # gensim has no types
        done = 0

        def on_epoch_end(self, _model: Any) -> None:
            self.done += 1
            progress(f"training {kind} (epochs)", self.done, self.done / EPOCHS)

    given = {
        "vector_size": DIMENSIONS,
        "window": WINDOW,
        "min_count": LEAST,
        "epochs": EPOCHS,
        "workers": 1,
        "seed": seed & 0xFFFFFFFF,
        "callbacks": [Told()],
        "max_final_vocab": None,
    }
    sentences = LineSentence(str(tweets))
    model = Word2Vec(sentences, **given) if kind == "word2vec" else FastText(sentences, bucket=BUCKETS, **given)
    return WordModel(kind, model.wv, model)
