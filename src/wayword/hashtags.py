"""From files of tweets to cleaned tweets, and on to a thesaurus of their hashtags."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .core.errors import WaywordError
from .core.progress import Progress, silent

if TYPE_CHECKING:
    from .embeddings.encoders.transformer import Pooling
    from .embeddings.hashtags.centroids import Rule
    from .embeddings.hashtags.cleaning import Cleaned
    from .embeddings.hashtags.thesaurus_file import Kept
    from .evaluation.reval.experiment import Experiment
    from .evaluation.reval.experiment_result import Outcome
    from .evaluation.runs.ledger import Ledger


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
def cleaned_tweets(
    sources: Sequence[str],
    left_out: Counter[str],
    notes: Counter[str] | None = None,
    workers: int | None = None,
    progress: Progress = silent,
) -> Iterator[Iterator[Cleaned]]:
    """The cleaned tweets of these files; what is left out is counted while they are taken."""
    from .core.executors import cores, pool
    from .embeddings.hashtags.cleaning import Cleaned, cleaned
    from .loaders.tweets import read_tweets

    def kept(results: Iterator[object]) -> Iterator[Cleaned]:
        for number, each in enumerate(results, start=1):
            if isinstance(each, Cleaned):
                yield each
            else:
                left_out[str(each)] += 1
            if not number % _TOLD:
                progress("cleaning tweets (tweets)", number, None)

    tweets = read_tweets(sources, left_out, notes)
    with pool(cores() if workers is None else workers) as executor:
        yield kept(cleaned((tweet.text for tweet in tweets), executor))


_TOLD = 1_000


def trained(
    sources: Sequence[str],
    how: Training,
    output: Path,
    left_out: Counter[str],
    notes: Counter[str],
    workers: int | None = None,
    progress: Progress = silent,
    note: Callable[[str], None] = lambda _: None,
) -> Kept:
    """Learn hashtags from tweets and write their thesaurus."""
    from .embeddings.hashtags.encoders import is_word_model, of_transformer, words_file
    from .embeddings.hashtags.thesaurus_file import About, check_output, write_thesaurus
    from .embeddings.hashtags.training import Remembered, Spool, examples, learnt, word_model

    check_output(output, sources)
    remembered, name = Remembered(), how.encoder
    if is_word_model(name) and how.pooling != "mean":
        raise TrainingRefused(f"{name} has no token before a text; leave --pooling cls out")
    with cleaned_tweets(sources, left_out, notes, workers, progress) as tweets, Spool() as spool:
        if is_word_model(name):
            spool.fill(tweets, remembered, left_out)
            encoder, batches = word_model(name, spool, how.seed, progress), spool.read()
        else:
            encoder, batches = of_transformer(name, how.pooling, note), examples(tweets, remembered, left_out)
        about = About(name, encoder.fingerprint, how.pooling, how.k, how.within, approximate=how.approximate, seed=how.seed)
        kept = learnt(about, batches, encoder, remembered, left_out, progress)
    left = {what: number for what, number in left_out.items() if number}
    kept = replace(kept, about=replace(kept.about, left_out=left))
    if encoder.model is None or output.suffix.lower() == ".csv":
        write_thesaurus(output, kept)
        return kept
    file = words_file(output, how.encoder)
    with encoder.model.saved(file) as fingerprint:  # either both files are new or none
        kept = replace(kept, about=replace(kept.about, fingerprint=fingerprint, words=file.name))
        write_thesaurus(output, kept)
    return kept


def retrained(
    thesaurus: Path,
    sources: Sequence[str],
    output: Path,
    left_out: Counter[str],
    notes: Counter[str],
    rule: Rule = "exact",
    encoder: str | None = None,
    workers: int | None = None,
    progress: Progress = silent,
    note: Callable[[str], None] = lambda _: None,
) -> tuple[Kept, Grown]:
    """Take new tweets into a thesaurus, and how it has grown."""
    from .embeddings.hashtags.encoders import reopened, words_of
    from .embeddings.hashtags.thesaurus_file import check_output, read_kept, write_thesaurus
    from .embeddings.hashtags.training import updated

    check_output(output, sources, whole=True)
    before = read_kept(thesaurus)
    tweets_before, hashtags_before = before.about.tweets, len(before.dictionary)
    opened = reopened(before.about, thesaurus, encoder, note)
    with cleaned_tweets(sources, left_out, notes, workers, progress) as tweets:
        after = updated(before, tweets, opened, rule, left_out, progress)
    if after.about.words is not None:  # which stays where it is, wherever the thesaurus goes
        words = os.path.relpath(words_of(after.about, thesaurus, encoder), output.parent)
        after = replace(after, about=replace(after.about, words=words))
    write_thesaurus(output, after)
    return after, Grown(after.about.tweets - tweets_before, len(after.dictionary) - hashtags_before)


def experimented(
    asked: Experiment,
    ledger: Ledger | None,
    notes: Counter[str] | None = None,
    keep: Path | None = None,
    workers: int | None = None,
    progress: Progress = silent,
    note: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Carry out an experiment over the tweets that it names."""
    from .evaluation.reval.experiment import run

    left_out = Counter[str]()
    with cleaned_tweets(asked.sources, left_out, notes, workers, progress) as tweets:
        return run(asked, tweets, left_out, ledger, keep, progress, note)


def mapped(
    sources: Sequence[str],
    encoder: str,
    pooling: Pooling,
    most: int,
    seed: int,
    output: str,
    left_out: Counter[str],
    workers: int | None = None,
    progress: Progress = silent,
    note: Callable[[str], None] = lambda _: None,
) -> None:
    """Draw the map of the tweets of the most used hashtags."""
    from .embeddings.hashtags.training import Remembered, Spool
    from .evaluation.reval.experiment import encoder_of
    from .evaluation.reval.figures import draw_map
    from .rendering.plots import check_figure

    check_figure(output)
    with cleaned_tweets(sources, left_out, None, workers, progress) as tweets, Spool() as spool:
        spool.fill(tweets, Remembered(), left_out)
        opened = encoder_of(encoder, pooling, spool, seed, progress, note)
        draw_map(spool, opened, most, seed, output, progress)
