"""What makes a vector of a cleaned tweet: a transformer, or a model of words that was trained on the tweets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from ...core.arrays import Float32Array
from ..encoders.transformer import Encoder, Pooling
from ..errors import ThesaurusInvalid
from .thesaurus_file import ThesaurusInfo
from .word_models import KINDS, Kind, WordModel, model_fingerprint

Words = Sequence[str]


@dataclass(frozen=True, slots=True)
class TweetEncoder:
    """Makes vectors of tweets; ``fingerprint`` tells it from every other, ``model`` is the model of words where it is one."""

    name: str
    fingerprint: str
    pooling: str
    dimensions: int
    vectors: Callable[[Sequence[Words]], Float32Array]
    model: WordModel | None = None


def encoder_label(name: str) -> str:
    """What people call an encoder: a name on Hugging Face as it is, of a folder the last two parts.

    >>> encoder_label("vinai/bertweet-base"), encoder_label("/models/minilm/model")
    ('vinai/bertweet-base', 'minilm/model')
    """
    return "/".join(Path(name).parts[-2:])


def is_word_model(name: str) -> TypeGuard[Kind]:
    """Whether this names a model that is trained on the tweets, and not one that is there already."""
    return name in KINDS


def transformer_encoder(name: str, pooling: Pooling = "mean", note: Callable[[str], None] = lambda _: None) -> TweetEncoder:
    """The encoder of this name, a folder or one on Hugging Face; it reads the words of a tweet as they were left."""
    encoder = Encoder.open(name, note, pieces=False)

    def vectors(tweets: Sequence[Words]) -> Float32Array:
        return encoder.sentences([" ".join(words) for words in tweets], pooling)

    return TweetEncoder(name, encoder.fingerprint, pooling, encoder.dimensions, vectors)


def word_encoder(model: WordModel) -> TweetEncoder:
    """A model of words; a tweet is the mean of its words."""
    return TweetEncoder(model.kind, model.kind, "mean", model.dimensions, model.sentences, model)


def word_model_path(path: Path, kind: str) -> Path:
    """Where the model of words is kept that a thesaurus file was made with.

    >>> word_model_path(Path("flu.parquet"), "fasttext").name
    'flu.fasttext.bin'
    """
    return path.with_suffix(f".{kind}.bin")


def find_word_model(about: ThesaurusInfo, path: Path, name: str | None = None) -> Path:
    """Where the model of words is that made the thesaurus in this file; ``name`` says so if it is elsewhere."""
    return path.parent / (about.words or "") if name is None else Path(name)


def reopen_encoder(
    about: ThesaurusInfo, path: Path, name: str | None = None, note: Callable[[str], None] = lambda _: None
) -> TweetEncoder:
    """The encoder that made the thesaurus in this file; ``name`` says where it is now, if it is elsewhere."""
    kind = about.encoder
    if is_word_model(kind):
        if about.words is None:
            raise ThesaurusInvalid(f"{path} came without its {kind} model, as an experiment keeps it; train it to go on")
        file = find_word_model(about, path, name)
        if not file.is_file():
            raise ThesaurusInvalid(
                f"{file} is not the file of the {kind} model that made {path}; put that back, or name it with --encoder"
            )
        found = WordModel.open(kind, file)
        if model_fingerprint(file) != about.fingerprint:
            raise ThesaurusInvalid(f"{file} is not the model that made {path}; put that one back, or train the thesaurus again")
        return TweetEncoder(kind, about.fingerprint, "mean", found.dimensions, found.sentences, found)
    opened = transformer_encoder(name or about.encoder, "cls" if about.pooling == "cls" else "mean", note)
    if opened.fingerprint != about.fingerprint:
        raise ThesaurusInvalid(
            f"{name or about.encoder} is not the encoder that made {path}; name that one with --encoder, or train again"
        )
    return opened
