"""BERTag: from cleaned tweets to the thesaurus, and what new tweets change in it.

Each pair of a tweet and one of its hashtags is an example, and counts once: a retweet, or the same words again, adds nothing.
Tweets go by in batches, so that a file may be larger than memory.
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


AT_ONCE = 2_048
"""Tweets that are encoded together."""

RETWEETS = "tweets that counted for their hashtag already"
DAMAGED = "tweets whose vector is no number"
UNKNOWN = "tweets of which no word is known"


def no_training_data(left_out: Counter[str]) -> TweetsInvalid:
    """The error to raise where nothing can be learnt, with what was left out most."""
    why = ", ".join(f"{what}: {count:,}" for what, count in left_out.most_common(3) if count)
    return TweetsInvalid(f"no tweet can be learnt from{f' ({why})' if why else ''}; give tweets in English that have hashtags")


class TweetMemory:
    """Which tweets counted for which hashtags, in the order in which they came."""

    def __init__(self) -> None:
        self._seen = SeenTweets()
        self._numbers: dict[str, int] = {}
        self._owners: list[IntArray] = []
        self._keys: list[Keys] = []

    @classmethod
    def of(cls, hashtags: Iterable[str], keys: Sequence[Keys]) -> TweetMemory:
        """What a thesaurus file remembers."""
        made = cls()
        made._numbers = {name: number for number, name in enumerate(hashtags)}
        made._owners = [np.full(len(some), number) for number, some in enumerate(keys)]
        made._keys = list(keys)
        made._seen = SeenTweets([np.concatenate(made._keys)] if made._keys else [])
        return made

    def fresh(self, tweets: Sequence[CleanTweet]) -> list[CleanTweet]:
        """The tweets that count for a hashtag for which they did not count before."""
        known = [(retweet_key(each.words), tuple(dict.fromkeys(each.hashtags))) for each in tweets]
        pairs = [(text, name) for text, own in known for name in own]
        keys = np.fromiter((tweet_key(text, name) for text, name in pairs), np.uint64, len(pairs))
        owners = (self._numbers.setdefault(name, len(self._numbers)) for _, name in pairs)
        new = self._seen.new(keys)
        self._owners.append(np.fromiter(owners, np.int64, len(pairs))[new])
        self._keys.append(keys[new])
        flags = iter(new.tolist())
        found = [
            CleanTweet(each.words, tuple(name for name in own if next(flags)))
            for each, (_, own) in zip(tweets, known, strict=True)
        ]
        return [each for each in found if each.hashtags]

    def by_hashtag(self, numbers: dict[str, int]) -> list[Keys]:
        """For each hashtag the tweets that counted for it; those of hashtags without a number are forgotten."""
        keys = np.concatenate([np.zeros(0, np.uint64), *self._keys])
        wanted = np.array([numbers.get(name, -1) for name in self._numbers], np.int64)
        owner = wanted[np.concatenate([np.zeros(0, np.int64), *self._owners])]
        order = np.argsort(owner, kind="stable")
        edges = np.searchsorted(owner[order], np.arange(len(numbers) + 1))
        return [keys[order[first:last]] for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)]


def make_examples(tweets: Iterable[CleanTweet], remembered: TweetMemory, left_out: Counter[str]) -> Iterator[list[CleanTweet]]:
    """The examples in batches; what counted before is left out, and counted."""
    waiting = iter(tweets)
    while batch := list(islice(waiting, AT_ONCE)):
        fresh = remembered.fresh(batch)
        left_out[RETWEETS] += len(batch) - len(fresh)
        if fresh:
            yield fresh


def add_examples(
    batches: Iterable[list[CleanTweet]],
    encoder: TweetEncoder,
    dictionary: Centroids,
    left_out: Counter[str],
    rule: Rule = "exact",
    progress: Progress = no_progress,
) -> tuple[int, IntArray]:
    """Take examples into a dictionary; how many tweets these were, and which hashtags have changed."""
    done, changed = 0, [np.zeros(0, np.int64)]
    for batch in batches:
        vectors = encoder.vectors([each.words for each in batch])
        finite = np.isfinite(vectors).all(axis=1)
        fine = finite & vectors.any(axis=1)
        left_out[DAMAGED] += int((~finite).sum())
        left_out[UNKNOWN] += int((finite & ~fine).sum())
        used = [batch[row] for row in np.flatnonzero(fine).tolist()]
        names = [name for each in used for name in each.hashtags]
        rows = np.repeat(np.flatnonzero(fine), [len(each.hashtags) for each in used])
        if names:
            changed.append(dictionary.add(names, vectors[rows], rule))
        done += len(used)
        progress("encoding tweets (tweets)", done, None)
    return done, np.unique(np.concatenate(changed))


class ExampleSpool:
    """Examples on disk, to be read more than once; a context manager."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="wayword-")
        self.words = Path(self._folder.name) / "words.txt"
        self._hashtags = Path(self._folder.name) / "hashtags.txt"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def fill(self, tweets: Iterable[CleanTweet], remembered: TweetMemory, left_out: Counter[str]) -> int:
        """Keep the examples of these tweets; how many there are, which is one or more."""
        count = self.write(make_examples(tweets, remembered, left_out))
        if not count:
            raise no_training_data(left_out)
        return count

    def write(self, batches: Iterable[list[CleanTweet]]) -> int:
        """Keep the examples; how many there are."""
        count = 0
        with self.words.open("w", encoding="utf-8") as words, self._hashtags.open("w", encoding="utf-8") as hashtags:
            for batch in batches:
                words.writelines(f"{' '.join(each.words)}\n" for each in batch)
                hashtags.writelines(f"{' '.join(each.hashtags)}\n" for each in batch)
                count += len(batch)
        return count

    def read(self) -> Iterator[list[CleanTweet]]:
        """The examples again, in batches."""
        with (
            self.words.open(encoding="utf-8", newline="\n") as words,
            self._hashtags.open(encoding="utf-8", newline="\n") as tags,
        ):
            rows = (
                CleanTweet(tuple(text[:-1].split(" ")), tuple(names[:-1].split(" ")))
                for text, names in zip(words, tags, strict=True)
            )
            while batch := list(islice(rows, AT_ONCE)):
                yield batch


def train_word_model(kind: Kind, spool: ExampleSpool, seed: int, progress: Progress = no_progress) -> TweetEncoder:
    """A model of words, trained on the examples."""
    return word_encoder(train(kind, spool.words, seed, progress))


def train_thesaurus(
    about: ThesaurusInfo,
    batches: Iterable[list[CleanTweet]],
    encoder: TweetEncoder,
    remembered: TweetMemory,
    left_out: Counter[str],
    progress: Progress = no_progress,
) -> TrainedThesaurus:
    """A thesaurus from its beginning; ``about`` says how it is to be made."""
    dictionary = Centroids(encoder.dimensions)
    done, _ = add_examples(batches, encoder, dictionary, left_out, progress=progress)
    if not done:
        raise no_training_data(left_out)
    about = replace(about, tweets=done)
    return _settled(about, dictionary, remembered, _found(about, dictionary, progress))


def _settled(about: ThesaurusInfo, dictionary: Centroids, remembered: TweetMemory, found: Neighbours) -> TrainedThesaurus:
    """The thesaurus as it is written."""
    return TrainedThesaurus(about, dictionary, within_distance(found, about.within), remembered.by_hashtag(dictionary.numbers))


def _found(about: ThesaurusInfo, dictionary: Centroids, progress: Progress) -> Neighbours:
    """The synonyms of all hashtags."""
    units = dictionary.units()
    if about.approximate:
        from .nearest_hnsw import approximate_neighbours

        return approximate_neighbours(units, about.k, progress)
    return nearest_neighbours(units, about.k, progress)


def within_distance(found: Neighbours, within: float | None) -> Neighbours:
    """Those neighbours that are no farther than this."""
    if within is None:
        return found
    far = found.distances > within
    return Neighbours(np.where(far, -1, found.numbers), np.where(far, np.inf, found.distances))


def update_thesaurus(
    kept: TrainedThesaurus,
    tweets: Iterable[CleanTweet],
    encoder: TweetEncoder,
    rule: Rule,
    left_out: Counter[str],
    progress: Progress = no_progress,
) -> TrainedThesaurus:
    """A thesaurus after new tweets; only what they change is worked out again."""
    if encoder.dimensions != kept.dictionary.dimensions:
        raise ThesaurusInvalid(
            f"the encoder makes vectors of {encoder.dimensions} numbers, the thesaurus holds some of "
            f"{kept.dictionary.dimensions}; name the encoder that made it"
        )
    dictionary = kept.dictionary
    remembered = TweetMemory.of(dictionary.numbers, kept.seen)
    done, changed = add_examples(make_examples(tweets, remembered, left_out), encoder, dictionary, left_out, rule, progress)
    about = replace(
        kept.about,
        rule=rule if done and rule == "printed" else kept.about.rule,
        tweets=kept.about.tweets + done,
        left_out=dict(Counter(kept.about.left_out) + left_out),
    )
    if about.approximate:
        found = _found(about, dictionary, progress)
    else:
        found = update_neighbours(dictionary.units(), kept.neighbours, changed, about.k)
    return _settled(about, dictionary, remembered, found)


def to_thesaurus(kept: TrainedThesaurus) -> Thesaurus:
    """The synonyms as measures take them."""
    numbers, distances = kept.neighbours
    there = numbers >= 0
    offsets = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    return Thesaurus(list(kept.dictionary.numbers), offsets, numbers[there], distances[there], kept.dictionary.tweets)
