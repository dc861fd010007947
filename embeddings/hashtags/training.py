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
import numpy.typing as npt

from ...core.progress import Progress, silent
from ...core.thesaurus import Thesaurus
from ..errors import ThesaurusUnfit, TweetsUnfit
from .centroids import Dictionary, Rule
from .cleaning import Cleaned, identity
from .encoders import of_words
from .nearest import Neighbours, nearest, renewed
from .seen_tweets import Keys, Seen, key_of
from .thesaurus_file import About, Kept
from .word_models import Kind, train

if TYPE_CHECKING:
    from .encoders import TweetEncoder

Whole = npt.NDArray[np.int64]

AT_ONCE = 2_048
"""Tweets that are encoded together."""

RETWEETS = "tweets that counted for their hashtag already"
DAMAGED = "tweets whose vector is no number"
UNKNOWN = "tweets of which no word is known"


def nothing(left_out: Counter[str]) -> TweetsUnfit:
    """The error to raise where nothing can be learnt, with what was left out most."""
    why = ", ".join(f"{what}: {count:,}" for what, count in left_out.most_common(3) if count)
    return TweetsUnfit(f"no tweet can be learnt from{f' ({why})' if why else ''}; give tweets in English that have hashtags")


class Remembered:
    """Which tweets counted for which hashtags, in the order in which they came."""

    def __init__(self) -> None:
        self._seen = Seen()
        self._numbers: dict[str, int] = {}
        self._owners: list[Whole] = []
        self._keys: list[Keys] = []

    @classmethod
    def of(cls, hashtags: Iterable[str], keys: Sequence[Keys]) -> Remembered:
        """What a thesaurus file remembers."""
        made = cls()
        made._numbers = {name: number for number, name in enumerate(hashtags)}
        made._owners = [np.full(len(some), number) for number, some in enumerate(keys)]
        made._keys = list(keys)
        made._seen = Seen([np.concatenate(made._keys)] if made._keys else [])
        return made

    def fresh(self, tweets: Sequence[Cleaned]) -> list[Cleaned]:
        """The tweets that count for a hashtag for which they did not count before."""
        known = [(identity(each.words), tuple(dict.fromkeys(each.hashtags))) for each in tweets]
        pairs = [(text, name) for text, own in known for name in own]
        keys = np.fromiter((key_of(text, name) for text, name in pairs), np.uint64, len(pairs))
        owners = (self._numbers.setdefault(name, len(self._numbers)) for _, name in pairs)
        new = self._seen.new(keys)
        self._owners.append(np.fromiter(owners, np.int64, len(pairs))[new])
        self._keys.append(keys[new])
        flags = iter(new.tolist())
        found = [
            Cleaned(each.words, tuple(name for name in own if next(flags)))
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


def examples(tweets: Iterable[Cleaned], remembered: Remembered, left_out: Counter[str]) -> Iterator[list[Cleaned]]:
    """The examples in batches; what counted before is left out, and counted."""
    waiting = iter(tweets)
    while batch := list(islice(waiting, AT_ONCE)):
        fresh = remembered.fresh(batch)
        left_out[RETWEETS] += len(batch) - len(fresh)
        if fresh:
            yield fresh


def learn(
    batches: Iterable[list[Cleaned]],
    encoder: TweetEncoder,
    dictionary: Dictionary,
    left_out: Counter[str],
    rule: Rule = "exact",
    progress: Progress = silent,
) -> tuple[int, Whole]:
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


class Spool:
    """Examples on disk, to be read more than once; a context manager."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="wayword-")
        self.words = Path(self._folder.name) / "words.txt"
        self._hashtags = Path(self._folder.name) / "hashtags.txt"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def fill(self, tweets: Iterable[Cleaned], remembered: Remembered, left_out: Counter[str]) -> int:
        """Keep the examples of these tweets; how many there are, which is one or more."""
        count = self.write(examples(tweets, remembered, left_out))
        if not count:
            raise nothing(left_out)
        return count

    def write(self, batches: Iterable[list[Cleaned]]) -> int:
        """Keep the examples; how many there are."""
        count = 0
        with self.words.open("w", encoding="utf-8") as words, self._hashtags.open("w", encoding="utf-8") as hashtags:
            for batch in batches:
                words.writelines(f"{' '.join(each.words)}\n" for each in batch)
                hashtags.writelines(f"{' '.join(each.hashtags)}\n" for each in batch)
                count += len(batch)
        return count

    def read(self) -> Iterator[list[Cleaned]]:
        """The examples again, in batches."""
        with (
            self.words.open(encoding="utf-8", newline="\n") as words,
            self._hashtags.open(encoding="utf-8", newline="\n") as tags,
        ):
            rows = (
                Cleaned(tuple(text[:-1].split(" ")), tuple(names[:-1].split(" ")))
                for text, names in zip(words, tags, strict=True)
            )
            while batch := list(islice(rows, AT_ONCE)):
                yield batch


def word_model(kind: Kind, spool: Spool, seed: int, progress: Progress = silent) -> TweetEncoder:
    """A model of words, trained on the examples."""
    return of_words(train(kind, spool.words, seed, progress))


def learnt(
    about: About,
    batches: Iterable[list[Cleaned]],
    encoder: TweetEncoder,
    remembered: Remembered,
    left_out: Counter[str],
    progress: Progress = silent,
) -> Kept:
    """A thesaurus from its beginning; ``about`` says how it is to be made."""
    dictionary = Dictionary(encoder.dimensions)
    done, _ = learn(batches, encoder, dictionary, left_out, progress=progress)
    if not done:
        raise nothing(left_out)
    about = replace(about, tweets=done)
    return _settled(about, dictionary, remembered, _found(about, dictionary, progress))


def _settled(about: About, dictionary: Dictionary, remembered: Remembered, found: Neighbours) -> Kept:
    """The thesaurus as it is written."""
    return Kept(about, dictionary, cut(found, about.within), remembered.by_hashtag(dictionary.numbers))


def _found(about: About, dictionary: Dictionary, progress: Progress) -> Neighbours:
    """The synonyms of all hashtags."""
    units = dictionary.units()
    if about.approximate:
        from .nearest_hnsw import nearly_nearest

        return nearly_nearest(units, about.k, progress)
    return nearest(units, about.k, progress)


def cut(found: Neighbours, within: float | None) -> Neighbours:
    """Those neighbours that are no farther than this."""
    if within is None:
        return found
    far = found.distances > within
    return Neighbours(np.where(far, -1, found.numbers), np.where(far, np.inf, found.distances))


def updated(
    kept: Kept,
    tweets: Iterable[Cleaned],
    encoder: TweetEncoder,
    rule: Rule,
    left_out: Counter[str],
    progress: Progress = silent,
) -> Kept:
    """A thesaurus after new tweets; only what they change is worked out again."""
    if encoder.dimensions != kept.dictionary.dimensions:
        raise ThesaurusUnfit(
            f"the encoder makes vectors of {encoder.dimensions} numbers, the thesaurus holds some of "
            f"{kept.dictionary.dimensions}; name the encoder that made it"
        )
    dictionary = kept.dictionary
    remembered = Remembered.of(dictionary.numbers, kept.seen)
    done, changed = learn(examples(tweets, remembered, left_out), encoder, dictionary, left_out, rule, progress)
    about = replace(
        kept.about,
        rule=rule if done and rule == "printed" else kept.about.rule,
        tweets=kept.about.tweets + done,
        left_out=dict(Counter(kept.about.left_out) + left_out),
    )
    if about.approximate:
        found = _found(about, dictionary, progress)
    else:
        found = renewed(dictionary.units(), kept.neighbours, changed, about.k)
    return _settled(about, dictionary, remembered, found)


def thesaurus_of(kept: Kept) -> Thesaurus:
    """The synonyms as measures take them."""
    numbers, distances = kept.neighbours
    there = numbers >= 0
    offsets = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    return Thesaurus(list(kept.dictionary.numbers), offsets, numbers[there], distances[there], kept.dictionary.tweets)
