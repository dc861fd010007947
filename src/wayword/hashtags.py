"""Train, update and evaluate thesauri of hashtags from files of tweets."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .core.errors import WaywordError, hint
from .core.progress import Progress, no_progress

if TYPE_CHECKING:
    from .embeddings.encoders.transformer import Pooling
    from .embeddings.hashtags.centroids import Rule
    from .embeddings.hashtags.cleaning import CleanTweet, Rejection
    from .embeddings.hashtags.thesaurus_file import TrainedThesaurus
    from .evaluation.reval.experiment import Experiment
    from .evaluation.reval.experiment_result import ExperimentResult
    from .evaluation.runs.ledger import Ledger
    from .loaders.tweets import TweetCounts


class TrainingRefused(WaywordError):
    """Options of a training contradict each other."""


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """The options of a training.

    Attributes:
        encoder: The folder or the name of a transformer, or word2vec or fasttext, which are trained on the tweets.
        pooling: Whether a tweet's vector is the mean of its tokens or the token before them (cls).
        k: Synonyms per hashtag, at most.
        within: The largest cosine distance of a synonym, if any.
        approximate: Find synonyms with an index that may miss some, for millions of hashtags.
        seed: The random seed of word2vec and fasttext.
        column: The column, or JSON field, of the texts, if it has an uncommon name.
    """

    encoder: str
    pooling: Pooling = "mean"
    k: int = 70
    within: float | None = None
    approximate: bool = False
    seed: int = 0
    column: str | None = None


class Growth(NamedTuple):
    """Counts of the tweets and hashtags that an update added."""

    tweets: int
    hashtags: int


@contextmanager
def read_clean_tweets(
    sources: Sequence[str],
    counts: TweetCounts,
    column: str | None = None,
    workers: int | None = None,
    progress: Progress = no_progress,
) -> Iterator[Iterator[CleanTweet]]:
    """Read and clean the tweets of these files, whose texts are in this column; ``counts`` is filled meanwhile."""
    from .core.executors import cpu_count, process_pool
    from .embeddings.hashtags.cleaning import CleanTweet, clean_tweets
    from .embeddings.hashtags.language import check_installed
    from .loaders.tweets import read_tweets

    check_installed()  # before processes start

    def select_clean(results: Iterator[CleanTweet | Rejection]) -> Iterator[CleanTweet]:
        for number, result in enumerate(results, start=1):
            if isinstance(result, CleanTweet):
                yield result
            else:
                counts.left_out[str(result)] += 1
            if not number % _REPORT_EVERY:
                progress("cleaning tweets (tweets)", number, None)

    tweets = read_tweets(sources, counts, column)
    with process_pool(cpu_count() if workers is None else workers) as executor:
        yield select_clean(clean_tweets((tweet.text for tweet in tweets), executor))


_REPORT_EVERY = 1_000


def train(
    sources: Sequence[str],
    options: TrainingOptions,
    output: Path,
    counts: TweetCounts,
    workers: int | None = None,
    progress: Progress = no_progress,
    note: Callable[[str], None] = lambda _: None,
) -> TrainedThesaurus:
    """Train a thesaurus of the hashtags in tweets and write it to a file.

    Args:
        sources: Files, folders or archives of tweets, or ``-`` for stdin.
        options: How to train.
        output: A file ending in .parquet or .csv.
        counts: Counts, by code, what is left out and what is unusual about the files; filled while tweets are read.
        workers: Processes that clean tweets; by default one per processor.
        progress: Receives the current step, the number of rows done, and the share done (None: unknown).
        note: Receives messages.
    """
    from .embeddings.hashtags.encoders import check_packages, is_word_model, transformer_encoder, word_model_path
    from .embeddings.hashtags.thesaurus_file import ThesaurusInfo, check_output, write_thesaurus
    from .embeddings.hashtags.training import ExampleSpool, TweetMemory, make_examples, train_thesaurus, train_word_model

    check_output(output, sources)
    check_packages(options.encoder, approximate=options.approximate)
    memory, name = TweetMemory(), options.encoder
    if is_word_model(name) and options.pooling != "mean":
        raise TrainingRefused(f"{name} has no token before a text", hint("omit", option="pooling"))
    with read_clean_tweets(sources, counts, options.column, workers, progress) as tweets, ExampleSpool() as spool:
        if is_word_model(name):
            spool.fill(tweets, memory, counts.left_out)
            encoder, batches = train_word_model(name, spool, options.seed, progress), spool.read()
        else:
            encoder, batches = transformer_encoder(name, options.pooling, note), make_examples(tweets, memory, counts.left_out)
        about = ThesaurusInfo(
            name,
            encoder.fingerprint,
            options.pooling,
            options.k,
            options.within,
            approximate=options.approximate,
            seed=options.seed,
        )
        thesaurus = train_thesaurus(about, batches, encoder, memory, counts.left_out, progress)
    thesaurus = replace(thesaurus, info=replace(thesaurus.info, left_out=dict(+counts.left_out)))
    if encoder.model is None or output.suffix.lower() == ".csv":
        write_thesaurus(output, thesaurus)
        return thesaurus
    file = word_model_path(output, options.encoder)
    with encoder.model.save(file) as fingerprint:  # both files are replaced or neither
        thesaurus = replace(thesaurus, info=replace(thesaurus.info, fingerprint=fingerprint, words=file.name))
        write_thesaurus(output, thesaurus)
    return thesaurus


def update(
    thesaurus: Path,
    sources: Sequence[str],
    output: Path,
    counts: TweetCounts,
    rule: Rule = "exact",
    encoder: str | None = None,
    column: str | None = None,
    workers: int | None = None,
    progress: Progress = no_progress,
    note: Callable[[str], None] = lambda _: None,
) -> tuple[TrainedThesaurus, Growth]:
    """Add new tweets to a thesaurus that ``train`` wrote; tweets that it was trained on before are skipped.

    Args:
        thesaurus: The thesaurus to update.
        sources: Files, folders or archives of tweets, or ``-`` for stdin.
        output: The file to write, which may be ``thesaurus`` itself.
        rule: ``exact`` (as if trained on all tweets at once) or ``printed`` (equation (1) of the paper, which drifts).
        encoder: The current path of the encoder, if it has moved.
        column: The column, or JSON field, of the texts, if it has an uncommon name.
        counts: Counts, by code, what is left out and what is unusual about the files; filled while tweets are read.
        workers: Processes that clean tweets; by default one per processor.
        progress: Receives the current step, the number of rows done, and the share done (None: unknown).
        note: Receives messages.

    Returns:
        The updated thesaurus and what was added.
    """
    from .embeddings.hashtags.encoders import check_packages, find_word_model, reopen_encoder
    from .embeddings.hashtags.thesaurus_file import check_output, read_trained, write_thesaurus
    from .embeddings.hashtags.training import update_thesaurus

    check_output(output, sources, needs_vectors=True)
    before = read_trained(thesaurus)
    check_packages(before.info.encoder, approximate=before.info.approximate)
    tweets_before, hashtags_before = before.info.tweets, len(before.centroids)
    opened = reopen_encoder(before.info, thesaurus, encoder, note)
    with read_clean_tweets(sources, counts, column, workers, progress) as tweets:
        after = update_thesaurus(before, tweets, opened, rule, counts.left_out, progress)
    if after.info.words is not None:  # the word model is not moved, even if the thesaurus is written elsewhere
        words = os.path.relpath(find_word_model(after.info, thesaurus, encoder), output.parent)
        after = replace(after, info=replace(after.info, words=words))
    write_thesaurus(output, after)
    return after, Growth(after.info.tweets - tweets_before, len(after.centroids) - hashtags_before)


def run_experiment(
    experiment: Experiment,
    ledger: Ledger | None,
    counts: TweetCounts | None = None,
    keep: Path | None = None,
    workers: int | None = None,
    progress: Progress = no_progress,
    note: Callable[[str], None] = lambda _: None,
) -> ExperimentResult:
    """Run a #REval experiment on the tweets of its sources, and record it in the ledger if there is one."""
    from .embeddings.hashtags.word_models import check_gensim
    from .evaluation.reval.experiment import run_experiment
    from .loaders.tweets import TweetCounts

    check_gensim()  # the recommender is a word model
    counts = TweetCounts() if counts is None else counts
    with read_clean_tweets(experiment.sources, counts, experiment.column, workers, progress) as tweets:
        return run_experiment(experiment, tweets, counts.left_out, ledger, keep, progress, note)


def draw_hashtag_map(
    sources: Sequence[str],
    encoder: str,
    pooling: Pooling,
    hashtags: int,
    seed: int,
    output: str,
    counts: TweetCounts,
    column: str | None = None,
    workers: int | None = None,
    progress: Progress = no_progress,
    note: Callable[[str], None] = lambda _: None,
) -> None:
    """Draw a t-SNE map of the tweets of the most used hashtags; ``hashtags`` is their number."""
    from .embeddings.encoders.transformer import locate_encoder
    from .embeddings.hashtags.encoders import check_packages, is_word_model
    from .embeddings.hashtags.training import ExampleSpool, TweetMemory
    from .evaluation.reval.experiment import make_encoder
    from .evaluation.reval.figures import check_map, draw_map

    check_map(output)
    check_packages(encoder)
    if not is_word_model(encoder):
        locate_encoder(encoder, note)
    with read_clean_tweets(sources, counts, column, workers, progress) as tweets, ExampleSpool() as spool:
        spool.fill(tweets, TweetMemory(), counts.left_out)
        opened = make_encoder(encoder, pooling, spool, seed, progress, note)
        draw_map(spool, opened, hashtags, seed, output, progress)
