"""Encoders of cleaned tweets: a transformer, or word vectors that were trained on the tweets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from ...core.arrays import Float32Array
from ...core.errors import hint
from ..encoders.transformer import Encoder, Pooling
from ..errors import ThesaurusInvalid
from .language import check_installed as check_language_detector
from .nearest_hnsw import check_installed as check_index
from .thesaurus_file import ThesaurusInfo
from .word_models import KINDS, Kind, WordModel, check_gensim, model_fingerprint

Words = Sequence[str]


@dataclass(frozen=True, slots=True)
class TweetEncoder:
    """An encoder of tweets.

    - ``fingerprint`` identifies the model
    - ``encode`` returns a row for each tweet, given as its words
    - ``model`` is the model of a word encoder
    """

    name: str
    fingerprint: str
    pooling: str
    dimensions: int
    encode: Callable[[Sequence[Words]], Float32Array]
    model: WordModel | None = None


def encoder_label(name: str) -> str:
    """Return the name of an encoder for people: of a folder the last two parts, else the name on Hugging Face.

    >>> encoder_label("vinai/bertweet-base"), encoder_label("/models/minilm/model")
    ('vinai/bertweet-base', 'minilm/model')
    """
    return "/".join(Path(name).parts[-2:])


def is_word_model(name: str) -> TypeGuard[Kind]:
    """Return whether this names a kind of model that is trained on the tweets, not an existing model."""
    return name in KINDS


def check_packages(name: str, *, approximate: bool = False) -> None:
    """Raise an ``EncoderMissing`` before long work if a package that a training needs is not installed."""
    check_language_detector()
    if is_word_model(name):
        check_gensim()
    if approximate:
        check_index()


def transformer_encoder(name: str, pooling: Pooling = "mean", note: Callable[[str], None] = lambda _: None) -> TweetEncoder:
    """Open the transformer of this name; a tweet is encoded as its cleaned words, joined by blanks."""
    encoder = Encoder.open(name, note, needs_spans=False)

    def encode(tweets: Sequence[Words]) -> Float32Array:
        return encoder.encode_texts([" ".join(words) for words in tweets], pooling)

    return TweetEncoder(name, encoder.fingerprint, pooling, encoder.dimensions, encode)


def word_encoder(model: WordModel) -> TweetEncoder:
    """Make an encoder of a word model; a tweet is the mean of its words."""
    return TweetEncoder(model.kind, model.kind, "mean", model.dimensions, model.encode_texts, model)


def word_model_path(path: Path, kind: str) -> Path:
    """Return where the word model is stored that a thesaurus file was trained with.

    >>> word_model_path(Path("flu.parquet"), "fasttext").name
    'flu.fasttext.bin'
    """
    return path.with_suffix(f".{kind}.bin")


def find_word_model(info: ThesaurusInfo, path: Path, name: str | None = None) -> Path:
    """Return the file of the word model that the thesaurus in ``path`` was trained with; ``name`` overrides it."""
    return path.parent / (info.words or "") if name is None else Path(name)


def reopen_encoder(
    info: ThesaurusInfo, path: Path, name: str | None = None, note: Callable[[str], None] = lambda _: None
) -> TweetEncoder:
    """Open the encoder that a thesaurus was trained with.

    Args:
        info: How the thesaurus was trained.
        path: The file of the thesaurus; a word model is stored beside it.
        name: Where the encoder is now, if it was moved.
        note: Called before a model is downloaded.

    Raises:
        ThesaurusInvalid: The encoder is missing, or not the one that the thesaurus was trained with.
    """
    kind = info.encoder
    if is_word_model(kind):
        if info.words is None:
            raise ThesaurusInvalid(f"{path} was stored by an experiment without its {kind} model; train a new thesaurus")
        file = find_word_model(info, path, name)
        if not file.is_file():
            raise ThesaurusInvalid(
                f"there is no file {file}, the {kind} model of {path}",
                hint("set", option="encoder", what="its location"),
            )
        if model_fingerprint(file) != info.fingerprint:  # before it is opened: gensim reads on for ever if it is cut off
            raise ThesaurusInvalid(f"{file} is not the model of {path}; restore that model, or train the thesaurus again")
        model = WordModel.open(kind, file)
        return TweetEncoder(kind, info.fingerprint, "mean", model.dimensions, model.encode_texts, model)
    encoder = transformer_encoder(name or info.encoder, "cls" if info.pooling == "cls" else "mean", note)
    if encoder.fingerprint != info.fingerprint:
        raise ThesaurusInvalid(
            f"{name or info.encoder} is not the encoder of {path}",
            hint("set", option="encoder", what="the encoder of the thesaurus"),
        )
    return encoder
