"""BERTag: train a thesaurus of hashtags on cleaned tweets, and update it with new ones.

Each pair of a tweet and one of its hashtags is a training example and is used once: retweets and tweets with the same words are
duplicates. Tweets are processed in batches, so that a file may be larger than memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Self

import numpy as np

from ...core.arrays import IntArray
from ...core.errors import hint
from ...core.left_out import describe_left_out
from ...core.progress import Progress, no_progress
from ...core.thesaurus import Thesaurus
from ..errors import ThesaurusInvalid, TweetsInvalid
from .centroids import Centroids, Rule
from .cleaning import CleanTweet, retweet_key
from .encoders import word_encoder
from .nearest import Neighbours, nearest_neighbours, update_neighbours
from .seen_tweets import Keys, SeenTweets, tweet_key
from .thesaurus_file import ThesaurusInfo, TrainedThesaurus
from .word_models import Kind, train

if TYPE_CHECKING:
    from .encoders import TweetEncoder


BATCH_SIZE = 2_048
"""Tweets that are encoded together."""

DUPLICATE_TWEET = "duplicate_tweet"
NOT_FINITE = "not_finite"
NO_KNOWN_WORD = "no_known_word"


def no_training_data(left_out: Counter[str]) -> TweetsInvalid:
    """Return the error that no tweet is left for training, with the most frequent reasons."""
    reasons = ", ".join(describe_left_out(code, count) for code, count in left_out.most_common(3) if count)
    return TweetsInvalid(
        f"no tweet can be used{f' (left out: {reasons})' if reasons else ''}; give English tweets with hashtags"
    )


class TweetMemory:
    """The training examples that have been used: which tweets for which hashtags, in the order of use."""

    def __init__(self) -> None:
        self._seen = SeenTweets()
        self._numbers: dict[str, int] = {}
        self._owners: list[IntArray] = []
        self._keys: list[Keys] = []

    @classmethod
    def from_keys(cls, hashtags: Iterable[str], keys: Sequence[Keys]) -> TweetMemory:
        """Restore the memory from the tweet keys of each hashtag."""
        memory = cls()
        memory._numbers = {name: number for number, name in enumerate(hashtags)}
        memory._owners = [np.full(len(hashtag_keys), number) for number, hashtag_keys in enumerate(keys)]
        memory._keys = list(keys)
        memory._seen = SeenTweets([np.concatenate(memory._keys)] if memory._keys else [])
        return memory

    def select_new(self, tweets: Sequence[CleanTweet]) -> list[CleanTweet]:
        """Add tweets, and return those with a hashtag that is new for them, without their other hashtags."""
        texts = [(retweet_key(each.words), tuple(dict.fromkeys(each.hashtags))) for each in tweets]
        pairs = [(text, name) for text, names in texts for name in names]
        keys = np.fromiter((tweet_key(text, name) for text, name in pairs), np.uint64, len(pairs))
        owners = (self._numbers.setdefault(name, len(self._numbers)) for _, name in pairs)
        is_new = self._seen.add(keys)
        self._owners.append(np.fromiter(owners, np.int64, len(pairs))[is_new])
        self._keys.append(keys[is_new])
        flags = iter(is_new.tolist())
        selected = [
            CleanTweet(each.words, tuple(name for name in names if next(flags)))
            for each, (_, names) in zip(tweets, texts, strict=True)
        ]
        return [each for each in selected if each.hashtags]

    def keys_by_hashtag(self, numbers: dict[str, int]) -> list[Keys]:
        """Return the tweet keys of each hashtag, by the given numbers; hashtags without a number are dropped."""
        keys = np.concatenate([np.zeros(0, np.uint64), *self._keys])
        renumbered = np.array([numbers.get(name, -1) for name in self._numbers], np.int64)
        hashtag_of_key = renumbered[np.concatenate([np.zeros(0, np.int64), *self._owners])]
        order = np.argsort(hashtag_of_key, kind="stable")
        starts = np.searchsorted(hashtag_of_key[order], np.arange(len(numbers) + 1))
        return [keys[order[first:last]] for first, last in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]


def make_examples(tweets: Iterable[CleanTweet], memory: TweetMemory, left_out: Counter[str]) -> Iterator[list[CleanTweet]]:
    """Yield the examples in batches, without those that the memory has; duplicate tweets are counted."""
    remaining = iter(tweets)
    while batch := list(islice(remaining, BATCH_SIZE)):
        examples = memory.select_new(batch)
        left_out[DUPLICATE_TWEET] += len(batch) - len(examples)
        if examples:
            yield examples


def add_examples(
    batches: Iterable[list[CleanTweet]],
    encoder: TweetEncoder,
    centroids: Centroids,
    left_out: Counter[str],
    rule: Rule = "exact",
    progress: Progress = no_progress,
) -> tuple[int, IntArray]:
    """Encode examples and add them to centroids; return the count of tweets and the numbers of the changed hashtags."""
    done, changed = 0, [np.zeros(0, np.int64)]
    for batch in batches:
        vectors = encoder.encode([each.words for each in batch])
        is_finite = np.isfinite(vectors).all(axis=1)
        is_usable = is_finite & vectors.any(axis=1)
        left_out[NOT_FINITE] += int((~is_finite).sum())
        left_out[NO_KNOWN_WORD] += int((is_finite & ~is_usable).sum())
        used = [batch[row] for row in np.flatnonzero(is_usable).tolist()]
        names = [name for each in used for name in each.hashtags]
        rows = np.repeat(np.flatnonzero(is_usable), [len(each.hashtags) for each in used])
        if names:
            changed.append(centroids.add(names, vectors[rows], rule))
        done += len(used)
        progress("encoding tweets (tweets)", done, None)
    return done, np.unique(np.concatenate(changed))


class ExampleSpool:
    """Examples in temporary files, to be read more than once; a context manager that deletes them."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="wayword-")
        self.words = Path(self._folder.name) / "words.txt"
        self._hashtags = Path(self._folder.name) / "hashtags.txt"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def fill(self, tweets: Iterable[CleanTweet], memory: TweetMemory, left_out: Counter[str]) -> int:
        """Write the examples of these tweets and return their count; raise a ``TweetsInvalid`` if there are none."""
        count = self.write(make_examples(tweets, memory, left_out))
        if not count:
            raise no_training_data(left_out)
        return count

    def write(self, batches: Iterable[list[CleanTweet]]) -> int:
        """Write examples and return their count."""
        count = 0
        with self.words.open("w", encoding="utf-8") as words, self._hashtags.open("w", encoding="utf-8") as hashtags:
            for batch in batches:
                words.writelines(f"{' '.join(each.words)}\n" for each in batch)
                hashtags.writelines(f"{' '.join(each.hashtags)}\n" for each in batch)
                count += len(batch)
        return count

    def read(self) -> Iterator[list[CleanTweet]]:
        """Yield the examples in batches."""
        with (
            self.words.open(encoding="utf-8", newline="\n") as words,
            self._hashtags.open(encoding="utf-8", newline="\n") as tags,
        ):
            rows = (
                CleanTweet(tuple(text[:-1].split(" ")), tuple(names[:-1].split(" ")))
                for text, names in zip(words, tags, strict=True)
            )
            while batch := list(islice(rows, BATCH_SIZE)):
                yield batch


def train_word_model(kind: Kind, spool: ExampleSpool, seed: int, progress: Progress = no_progress) -> TweetEncoder:
    """Train word vectors on the examples."""
    return word_encoder(train(kind, spool.words, seed, progress))


def train_thesaurus(
    info: ThesaurusInfo,
    batches: Iterable[list[CleanTweet]],
    encoder: TweetEncoder,
    memory: TweetMemory,
    left_out: Counter[str],
    progress: Progress = no_progress,
) -> TrainedThesaurus:
    """Train a thesaurus from scratch.

    Args:
        info: The options of the training; its ``tweets`` is filled in.
        batches: The examples, from ``make_examples`` or an ``ExampleSpool``.
        encoder: Makes the vectors of tweets.
        memory: The memory that the examples were selected with; it is stored with the thesaurus.
        left_out: Counts the tweets that cannot be encoded, by code.
        progress: Called after each batch and each block of comparisons.

    Raises:
        TweetsInvalid: No example can be encoded.
    """
    centroids = Centroids(encoder.dimensions)
    count, _ = add_examples(batches, encoder, centroids, left_out, progress=progress)
    if not count:
        raise no_training_data(left_out)
    info = replace(info, tweets=count)
    return _finish(info, centroids, memory, _find_neighbours(info, centroids, progress))


def _finish(info: ThesaurusInfo, centroids: Centroids, memory: TweetMemory, neighbours: Neighbours) -> TrainedThesaurus:
    return TrainedThesaurus(
        info, centroids, within_distance(neighbours, info.within), memory.keys_by_hashtag(centroids.numbers)
    )


def _find_neighbours(info: ThesaurusInfo, centroids: Centroids, progress: Progress) -> Neighbours:
    units = centroids.units()
    if info.approximate:
        from .nearest_hnsw import approximate_neighbours

        return approximate_neighbours(units, info.k, progress)
    return nearest_neighbours(units, info.k, progress)


def within_distance(neighbours: Neighbours, limit: float | None) -> Neighbours:
    """Remove the neighbours whose distance exceeds a limit, if there is one."""
    if limit is None:
        return neighbours
    is_far = neighbours.distances > limit
    return Neighbours(np.where(is_far, -1, neighbours.numbers), np.where(is_far, np.inf, neighbours.distances))


def update_thesaurus(
    trained: TrainedThesaurus,
    tweets: Iterable[CleanTweet],
    encoder: TweetEncoder,
    rule: Rule,
    left_out: Counter[str],
    progress: Progress = no_progress,
) -> TrainedThesaurus:
    """Update a thesaurus with new tweets; only the neighbours that these affect are recomputed.

    Args:
        trained: The thesaurus. Its centroids are changed in place, so it must not be used afterwards.
        tweets: The new tweets; those that the thesaurus has already been trained on are counted as duplicates.
        encoder: The encoder that the thesaurus was trained with.
        rule: ``exact`` gives the same result as training on all tweets at once; ``printed`` is equation (1) of the paper.
        left_out: Counts the tweets that are left out, by code.
        progress: Called after each batch.

    Raises:
        ThesaurusInvalid: The vectors of the encoder have other dimensions than those of the thesaurus.
    """
    centroids, info = trained.centroids, trained.info
    if encoder.dimensions != centroids.dimensions:
        raise ThesaurusInvalid(
            f"the vectors of the encoder have {encoder.dimensions} dimensions, those of the thesaurus {centroids.dimensions}",
            hint("set", option="encoder", what="the encoder of the thesaurus"),
        )
    memory = TweetMemory.from_keys(centroids.numbers, trained.tweet_keys)
    count, changed = add_examples(make_examples(tweets, memory, left_out), encoder, centroids, left_out, rule, progress)
    info = replace(
        info,
        rule=rule if count and rule == "printed" else info.rule,
        tweets=info.tweets + count,
        left_out=dict(Counter(info.left_out) + left_out),
    )
    if info.approximate:
        neighbours = _find_neighbours(info, centroids, progress)
    else:
        neighbours = update_neighbours(centroids.units(), trained.neighbours, changed, info.k)
    return _finish(info, centroids, memory, neighbours)


def to_thesaurus(trained: TrainedThesaurus) -> Thesaurus:
    """Convert a trained thesaurus to the type that loaders and measures share, without its vectors."""
    numbers, distances = trained.neighbours
    exists = numbers >= 0
    offsets = np.concatenate([[0], np.cumsum(exists.sum(axis=1))])
    hashtags = list(trained.centroids.numbers)
    return Thesaurus(hashtags, offsets, numbers[exists], distances[exists], trained.centroids.tweets)
