"""From files of tweets to cleaned tweets, and on to a thesaurus of their hashtags."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .core.errors import WaywordError
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
    """Options of a training that cannot be together."""


@dataclass(frozen=True, slots=True)
class Training:
    """How a thesaurus is to be made of tweets; ``seed`` is that of a model of words."""

    encoder: str
    pooling: Pooling = "mean"
    k: int = 70
    within: float | None = None
    approximate: bool = False
    seed: int = 0


class Grown(NamedTuple):
    """What new tweets have added to a thesaurus."""

    tweets: int
    hashtags: int


@contextmanager
def read_clean_tweets(
    sources: Sequence[str],
    counts: TweetCounts,
    workers: int | None = None,
    progress: Progress = no_progress,
) -> Iterator[Iterator[CleanTweet]]:
    """Read and clean the tweets of these files; ``counts`` is filled while they are consumed."""
    from .core.executors import cpu_count, process_pool
    from .embeddings.hashtags.cleaning import CleanTweet, clean_tweets
    from .loaders.tweets import read_tweets

    def kept(results: Iterator[CleanTweet | Rejection]) -> Iterator[CleanTweet]:
        for number, each in enumerate(results, start=1):
            if isinstance(each, CleanTweet):
                yield each
            else:
                counts.left_out[each] += 1
            if not number % _TOLD:
                progress("cleaning tweets (tweets)", number, None)

    tweets = read_tweets(sources, counts)
    with process_pool(cpu_count() if workers is None else workers) as executor:
        yield kept(clean_tweets((tweet.text for tweet in tweets), executor))


_TOLD = 1_000


def train(
    sources: Sequence[str],
    how: Training,
    output: Path,
    counts: TweetCounts,
    workers: int | None = None,
    progress: Progress = no_progress,
    note: Callable[[str], None] = lambda _: None,
) -> TrainedThesaurus:
    """Learn hashtags from tweets and write their thesaurus."""
    from .embeddings.hashtags.encoders import is_word_model, transformer_encoder, word_model_path
    from .embeddings.hashtags.thesaurus_file import ThesaurusInfo, check_output, write_thesaurus
    from .embeddings.hashtags.training import ExampleSpool, TweetMemory, make_examples, train_thesaurus, train_word_model

    check_output(output, sources)
    remembered, name = TweetMemory(), how.encoder
    if is_word_model(name) and how.pooling != "mean":
        raise TrainingRefused(f"{name} has no token before a text; leave --pooling cls out")
    with read_clean_tweets(sources, counts, workers, progress) as tweets, ExampleSpool() as spool:
        if is_word_model(name):
            spool.fill(tweets, remembered, counts.left_out)
            encoder, batches = train_word_model(name, spool, how.seed, progress), spool.read()
        else:
            encoder, batches = transformer_encoder(name, how.pooling, note), make_examples(tweets, remembered, counts.left_out)
        about = ThesaurusInfo(
            name, encoder.fingerprint, how.pooling, how.k, how.within, approximate=how.approximate, seed=how.seed
        )
        kept = train_thesaurus(about, batches, encoder, remembered, counts.left_out, progress)
    kept = replace(kept, info=replace(kept.info, left_out=dict(+counts.left_out)))
    if encoder.model is None or output.suffix.lower() == ".csv":
        write_thesaurus(output, kept)
        return kept
    file = word_model_path(output, how.encoder)
    with encoder.model.save(file) as fingerprint:  # either both files are new or none
        kept = replace(kept, info=replace(kept.info, fingerprint=fingerprint, words=file.name))
        write_thesaurus(output, kept)
    return kept


def update(
    thesaurus: Path,
    sources: Sequence[str],
    output: Path,
    counts: TweetCounts,
    rule: Rule = "exact",
    encoder: str | None = None,
    workers: int | None = None,
    progress: Progress = no_progress,
    note: Callable[[str], None] = lambda _: None,
) -> tuple[TrainedThesaurus, Grown]:
    """Take new tweets into a thesaurus, and how it has grown."""
    from .embeddings.hashtags.encoders import find_word_model, reopen_encoder
    from .embeddings.hashtags.thesaurus_file import check_output, read_trained, write_thesaurus
    from .embeddings.hashtags.training import update_thesaurus

    check_output(output, sources, needs_vectors=True)
    before = read_trained(thesaurus)
    tweets_before, hashtags_before = before.info.tweets, len(before.centroids)
    opened = reopen_encoder(before.info, thesaurus, encoder, note)
    with read_clean_tweets(sources, counts, workers, progress) as tweets:
        after = update_thesaurus(before, tweets, opened, rule, counts.left_out, progress)
    if after.info.words is not None:  # which stays where it is, wherever the thesaurus goes
        words = os.path.relpath(find_word_model(after.info, thesaurus, encoder), output.parent)
        after = replace(after, info=replace(after.info, words=words))
    write_thesaurus(output, after)
    return after, Grown(after.info.tweets - tweets_before, len(after.centroids) - hashtags_before)


def run_experiment(
    asked: Experiment,
    ledger: Ledger | None,
    counts: TweetCounts | None = None,
    keep: Path | None = None,
    workers: int | None = None,
    progress: Progress = no_progress,
    note: Callable[[str], None] = lambda _: None,
) -> ExperimentResult:
    """Carry out an experiment over the tweets that it names."""
    from .evaluation.reval.experiment import run_experiment
    from .loaders.tweets import TweetCounts

    counts = TweetCounts() if counts is None else counts
    with read_clean_tweets(asked.sources, counts, workers, progress) as tweets:
        return run_experiment(asked, tweets, counts.left_out, ledger, keep, progress, note)


def draw_hashtag_map(
    sources: Sequence[str],
    encoder: str,
    pooling: Pooling,
    most: int,
    seed: int,
    output: str,
    counts: TweetCounts,
    workers: int | None = None,
    progress: Progress = no_progress,
    note: Callable[[str], None] = lambda _: None,
) -> None:
    """Draw the map of the tweets of the most used hashtags."""
    from .embeddings.hashtags.training import ExampleSpool, TweetMemory
    from .evaluation.reval.experiment import make_encoder
    from .evaluation.reval.figures import draw_map
    from .rendering.plots import check_figure_path

    check_figure_path(output)
    with read_clean_tweets(sources, counts, workers, progress) as tweets, ExampleSpool() as spool:
        spool.fill(tweets, TweetMemory(), counts.left_out)
        opened = make_encoder(encoder, pooling, spool, seed, progress, note)
        draw_map(spool, opened, most, seed, output, progress)
