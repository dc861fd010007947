"""Clean tweets: reduce them to the words and hashtags that are encoded.

In this order: convert to lower case; remove URLs, mentions, punctuation except #, and stop words; reject tweets that are not
English. The language is detected before stop words are removed, because the words that remain are often too few: first with the
hashtags, without their #, and then without hashtags.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from enum import StrEnum
from itertools import chain, islice
from typing import NamedTuple

from ...core.executors import WORKER_LOST_ADVICE
from ..errors import CleaningWorkerLost
from .language import check_installed, is_english
from .tokenizer import LONGEST, tokenize

BATCH_SIZE, MAX_PENDING = 256, 32
"""The number of tweets in a batch for a process, and the maximum number of pending batches."""

MIN_PARALLEL = BATCH_SIZE * MAX_PENDING
"""Fewer tweets than this are cleaned in the calling process."""

MIN_LETTERS = 10
"""The number of letters outside hashtags that suffices to detect the language without the hashtags."""


class CleanTweet(NamedTuple):
    """The words of a tweet, including its hashtags, and the hashtags alone; both in the order of the text."""

    words: tuple[str, ...]
    hashtags: tuple[str, ...]


class Rejection(StrEnum):
    """The reason why a tweet is left out, as a code."""

    NO_HASHTAG = "no_hashtag"
    NOT_ENGLISH = "not_english"
    LONG_TEXT = "long_text"


def clean_tweet(text: str) -> CleanTweet | Rejection:
    """Return the words and hashtags of a tweet, or why it is left out.

    >>> clean_tweet("Why do children get the #flu so often? http://t.co/x").words
    ('children', 'get', '#flu', 'often')
    >>> clean_tweet("Why do children get the flu?"), clean_tweet("Los niños duermen muy poco #gripe")
    (<Rejection.NO_HASHTAG: 'no_hashtag'>, <Rejection.NOT_ENGLISH: 'not_english'>)
    """
    if len(text) <= LONGEST and not any(mark in text for mark in "#＃&"):  # an entity may become a #
        return Rejection.NO_HASHTAG
    try:
        tokens = tokenize(text)
    except TimeoutError:  # NLTK limits the time of its patterns
        tokens = None
    if tokens is None:
        return Rejection.LONG_TEXT
    if not tokens.hashtags:
        return Rejection.NO_HASHTAG
    if not is_english_tweet(tokens.language_words, tokens.hashtags):
        return Rejection.NOT_ENGLISH
    return CleanTweet(tokens.words, tokens.hashtags)


def is_english_tweet(words: Sequence[str], hashtags: Sequence[str]) -> bool:
    """Return whether a tweet is English with its hashtags or, if enough text remains, without them.

    A hashtag in another script does not make a tweet foreign.

    >>> is_english_tweet(["the", "nurses", "met", "there", "健康", "здоровье"], ["#健康", "#здоровье"])
    True
    """
    if is_english(" ".join(words)):
        return True
    names = {each.lstrip("#") for each in hashtags}
    rest = " ".join(each for each in words if each not in names)
    return sum(map(str.isalpha, rest)) >= MIN_LETTERS and is_english(rest)


def clean_tweets(texts: Iterable[str], executor: Executor | None = None) -> Iterator[CleanTweet | Rejection]:
    """Clean tweets lazily and in order.

    Args:
        texts: The texts of the tweets. Only a bounded number is read ahead of the results.
        executor: Cleans batches in parallel; not used for fewer than ``MIN_PARALLEL`` texts, because processes start slowly.

    Returns:
        For each text its words and hashtags, or the reason to leave it out.

    Raises:
        EncoderMissing: The package that detects languages is not installed.
        CleaningWorkerLost: A process of the executor died (raised during iteration).

    >>> [isinstance(each, CleanTweet) for each in clean_tweets(["wash your hands #flu", "wash your hands"])]
    [True, False]
    """
    check_installed()
    return map(clean_tweet, texts) if executor is None else _clean_with_executor(iter(texts), executor)


def retweet_key(words: Sequence[str]) -> str:
    """Return the key that a tweet shares with its retweets: its words without a leading "rt".

    >>> retweet_key(["rt", "wash", "hands", "#flu"]) == retweet_key(["wash", "hands", "#flu"])
    True
    """
    first = next((position for position, word in enumerate(words) if word != "rt"), len(words))
    return " ".join(words[first:])


def _clean_with_executor(texts: Iterator[str], executor: Executor) -> Iterator[CleanTweet | Rejection]:
    first = [text[: LONGEST + 1] for text in islice(texts, MIN_PARALLEL)]
    return map(clean_tweet, first) if len(first) < MIN_PARALLEL else _submit_batches(chain(first, texts), executor)


def _submit_batches(texts: Iterator[str], executor: Executor) -> Iterator[CleanTweet | Rejection]:
    pending: deque[Future[list[CleanTweet | Rejection]]] = deque()
    try:
        while batch := [text[: LONGEST + 1] for text in islice(texts, BATCH_SIZE)]:
            pending.append(executor.submit(_clean_batch, batch))
            if len(pending) == MAX_PENDING:
                yield from pending.popleft().result()
        while pending:
            yield from pending.popleft().result()
    except BrokenProcessPool as error:
        raise CleaningWorkerLost(f"a process that cleaned tweets died: {WORKER_LOST_ADVICE}") from error
    finally:
        for each in pending:
            each.cancel()


def _clean_batch(texts: list[str]) -> list[CleanTweet | Rejection]:
    return [clean_tweet(text) for text in texts]
