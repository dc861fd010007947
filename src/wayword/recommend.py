"""Make recommenders of hashtags from files of tweets; trained models are cached per set of files."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
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
    column: str | None = None,
    workers: int | None = None,
    progress: Progress = no_progress,
) -> Recommender:
    """Train a recommender on tweets, or open it from the cache.

    Args:
        sources: Files, folders or archives of tweets, or ``-`` for stdin.
        left_out: Counts, by code, the tweets that are left out; unchanged if the recommender is cached.
        seed: The random seed of the training.
        similar: The smallest cosine at which a tweet counts as similar to a text.
        popularity: Whether hashtags are ranked by their use in the similar tweets (similar) or in all tweets (all).
        column: The column, or JSON field, of the texts, if it has an uncommon name.
        workers: Processes that clean tweets; by default one per processor.
        progress: Receives the current step, the number of rows done, and the share done (None: unknown).
    """
    from .evaluation.reval.recommender import Recommender

    model, tweets = _load_model(sources, left_out, seed, column, workers, progress)
    return Recommender(model.encode_texts, tweets, similar, popularity)


def read_words(text: str) -> list[str]:
    """Split a text for which hashtags are recommended into words, as tweets are."""
    from .embeddings.hashtags.tokenizer import tokenize

    tweet = tokenize(text)
    if tweet is None:
        raise TweetsInvalid(f"the text is longer than any tweet ({len(text):,} characters); shorten it")
    return list(tweet.words)


def _load_model(
    sources: Sequence[str],
    left_out: Counter[str],
    seed: int,
    column: str | None,
    workers: int | None,
    progress: Progress,
) -> tuple[WordModel, Tweets]:
    from .embeddings.hashtags.training import ExampleSpool, TweetMemory
    from .embeddings.hashtags.word_models import WordModel, check_gensim, train
    from .loaders.tweets import TweetCounts

    check_gensim()
    folder = _cache_folder(sources, seed, column)
    model_file, tweets_file = (None, None) if folder is None else (folder / "words.bin", folder / "tweets.parquet")
    if model_file is not None and tweets_file is not None and tweets_file.is_file():
        with suppress(WaywordError, ValueError, KeyError, OSError):  # a damaged cache is replaced
            return WordModel.open("word2vec", model_file), _read(tweets_file)
    with ExampleSpool() as spool:
        with read_clean_tweets(sources, TweetCounts(left_out), column, workers, progress) as clean_tweets:
            spool.fill(clean_tweets, TweetMemory(), left_out)
        model = train("word2vec", spool.words, seed, progress)
        tweets = [(example.words, example.hashtags) for batch in spool.read() for example in batch]
    if model_file is not None and tweets_file is not None:
        with suppress(FileError, OSError):  # without a cache the next call trains again
            model_file.parent.mkdir(parents=True, exist_ok=True)
            with model.save(model_file):
                _write(tweets_file, tweets)
    return model, tweets


def _cache_folder(sources: Sequence[str], seed: int, column: str | None) -> Path | None:
    """Return the cache folder of a model trained on these files; None if they cannot be read twice."""
    from platformdirs import user_cache_path

    from .core.optional_packages import read_version
    from .loaders.tweets.sources import list_files

    if "-" in sources:
        return None
    files = [file for source in sources for file in list_files(source)]
    key = json.dumps([__version__, read_version("gensim"), seed, column, describe_files(files)])
    return user_cache_path("wayword") / "recommenders" / hashlib.sha256(key.encode()).hexdigest()[:32]


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
