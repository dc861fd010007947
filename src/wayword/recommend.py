"""A recommender of hashtags from files of tweets; what it has learnt of the same files once is kept in the user's cache."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from . import __version__
from .core.atomic_files import FileError, atomic_write, describe_files
from .core.errors import WaywordError
from .core.progress import Progress, no_progress
from .embeddings.errors import TweetsInvalid
from .hashtags import read_clean_tweets

if TYPE_CHECKING:
    from .embeddings.hashtags.word_models import WordModel
    from .evaluation.reval.recommender import Popularity, Recommender

Tweets = list[tuple[tuple[str, ...], tuple[str, ...]]]


def make_recommender(
    sources: Sequence[str],
    left_out: Counter[str],
    *,
    seed: int = 0,
    similar: float = 0.5,
    popularity: Popularity = "similar",
    workers: int | None = None,
    progress: Progress = no_progress,
) -> Recommender:
    """The recommender that these tweets make."""
    from .evaluation.reval.recommender import Recommender

    model, tweets = _learnt(sources, left_out, seed, workers, progress)
    return Recommender(model.encode_texts, tweets, similar, popularity)


def read_words(text: str) -> list[str]:
    """The words of a text that somebody is about to tweet."""
    from .embeddings.hashtags.tokenizer import tokenize

    found = tokenize(text)
    if found is None:
        raise TweetsInvalid(f"the text is longer than any tweet ({len(text):,} characters); give less of it")
    return list(found.words)


def _learnt(
    sources: Sequence[str], left_out: Counter[str], seed: int, workers: int | None, progress: Progress
) -> tuple[WordModel, Tweets]:
    from .embeddings.hashtags.training import ExampleSpool, TweetMemory
    from .embeddings.hashtags.word_models import WordModel, train
    from .loaders.tweets import TweetCounts

    place = _place(sources, seed)
    words, listed = (None, None) if place is None else (place / "words.bin", place / "tweets.parquet")
    if words is not None and listed is not None and listed.is_file():
        with suppress(WaywordError, ValueError, KeyError, OSError):  # a cache that was damaged is made again
            return WordModel.open("word2vec", words), _read(listed)
    with ExampleSpool() as spool:
        with read_clean_tweets(sources, TweetCounts(left_out), workers, progress) as tweets:
            spool.fill(tweets, TweetMemory(), left_out)
        model = train("word2vec", spool.words, seed, progress)
        known = [(each.words, each.hashtags) for batch in spool.read() for each in batch]
    if words is not None and listed is not None:
        with suppress(FileError, OSError):  # without a cache the next call learns again
            words.parent.mkdir(parents=True, exist_ok=True)
            with model.save(words):
                _write(listed, known)
    return model, known


def _place(sources: Sequence[str], seed: int) -> Path | None:
    """Where what these files teach is kept; None for what cannot be read twice."""
    from platformdirs import user_cache_path

    paths = [Path(each) for each in sources]
    if not all(path.exists() for path in paths):
        return None
    said = json.dumps([__version__, version("gensim"), seed, describe_files(paths)])
    return user_cache_path("wayword") / "recommenders" / hashlib.sha256(said.encode()).hexdigest()[:32]


def _write(path: Path, tweets: Tweets) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {"words": [words for words, _ in tweets], "hashtags": [names for _, names in tweets]}
    with atomic_write(path) as stream:
        pq.write_table(pa.table({name: pa.array(rows, pa.list_(pa.string())) for name, rows in columns.items()}), stream)


def _read(path: Path) -> Tweets:
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    columns = (table[name].to_pylist() for name in ("words", "hashtags"))
    return [(tuple(words), tuple(names)) for words, names in zip(*columns, strict=True)]
