"""Cleaned tweets: the words and hashtags that vectors are made of.

In this order: lower case; without URLs, mentions, punctuation but #, and stop words; a tweet that is not English goes. Whether
it is English is asked of its words before stop words are dropped, with hashtags without their #, and then without these: what
is left afterwards is often too little to tell.
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

AT_ONCE, IN_FLIGHT = 256, 32
"""Tweets that go to a process together, and how many such lots are on their way at most."""

FEW = AT_ONCE * IN_FLIGHT
"""Fewer tweets than these are not handed out."""


ENOUGH = 10
"""Letters that tell a language without the hashtags."""


class CleanTweet(NamedTuple):
    """A tweet's words, its hashtags among them, and the hashtags alone; both in the order of the text."""

    words: tuple[str, ...]
    hashtags: tuple[str, ...]


class Rejection(StrEnum):
    """Why a tweet is left out."""

    NO_HASHTAG = "tweets without a hashtag"
    NOT_ENGLISH = "tweets that are not English"
    TOO_LONG = "texts that are too long for a tweet"


def clean_tweet(text: str) -> CleanTweet | Rejection:
    """A tweet as vectors are made of it, or why it is left out.

    >>> clean_tweet("Why do children get the #flu so often? http://t.co/x").words
    ('children', 'get', '#flu', 'often')
    >>> clean_tweet("Why do children get the flu?"), clean_tweet("Los niños duermen muy poco #gripe")
    (<Unfit.NO_HASHTAG: 'tweets without a hashtag'>, <Unfit.NOT_ENGLISH: 'tweets that are not English'>)
    """
    if len(text) <= LONGEST and not any(mark in text for mark in "#＃&"):  # of an entity a # may come
        return Rejection.NO_HASHTAG
    try:
        found = tokenize(text)
    except TimeoutError:  # of the tokenizer, which bounds the time of its patterns
        found = None
    if found is None:
        return Rejection.TOO_LONG
    if not found.hashtags:
        return Rejection.NO_HASHTAG
    if not speaks_english(found.telling, found.hashtags):
        return Rejection.NOT_ENGLISH
    return CleanTweet(found.words, found.hashtags)


def speaks_english(words: Sequence[str], hashtags: Sequence[str]) -> bool:
    """Whether a tweet is English, with its hashtags or without them: one of them in another script is no other language.

    >>> speaks_english(["the", "nurses", "met", "there", "健康", "здоровье"], ["#健康", "#здоровье"])
    True
    """
    if is_english(" ".join(words)):
        return True
    names = {each.lstrip("#") for each in hashtags}
    beside = " ".join(each for each in words if each not in names)
    return sum(map(str.isalpha, beside)) >= ENOUGH and is_english(beside)


def clean_tweets(texts: Iterable[str], executor: Executor | None = None) -> Iterator[CleanTweet | Rejection]:
    """Each tweet cleaned, or why it is left out, in their order; only so many texts are read ahead of what is taken.

    With an ``executor`` its processes do the work; without one, or for few texts, this process does.

    >>> [isinstance(each, CleanTweet) for each in clean_tweets(["wash your hands #flu", "wash your hands"])]
    [True, False]
    """
    check_installed()
    return map(clean_tweet, texts) if executor is None else _shared(iter(texts), executor)


def retweet_key(words: Sequence[str]) -> str:
    """What a tweet and its retweets have in common: its words without an "rt" before them.

    >>> retweet_key(["rt", "wash", "hands", "#flu"]) == retweet_key(["wash", "hands", "#flu"])
    True
    """
    first = next((place for place, word in enumerate(words) if word != "rt"), len(words))
    return " ".join(words[first:])


def _shared(texts: Iterator[str], executor: Executor) -> Iterator[CleanTweet | Rejection]:
    """Few texts are cleaned here: a process takes longer to start."""
    first = [text[: LONGEST + 1] for text in islice(texts, FEW)]
    return map(clean_tweet, first) if len(first) < FEW else _handed_out(chain(first, texts), executor)


def _handed_out(texts: Iterator[str], executor: Executor) -> Iterator[CleanTweet | Rejection]:
    running: deque[Future[list[CleanTweet | Rejection]]] = deque()
    try:
        while lot := [text[: LONGEST + 1] for text in islice(texts, AT_ONCE)]:
            running.append(executor.submit(_clean_all, lot))
            if len(running) == IN_FLIGHT:
                yield from running.popleft().result()
        while running:
            yield from running.popleft().result()
    except BrokenProcessPool as error:
        raise CleaningWorkerLost(f"a process that cleaned tweets has ended before its time: {WORKER_LOST_ADVICE}") from error
    finally:
        for each in running:
            each.cancel()


def _clean_all(texts: list[str]) -> list[CleanTweet | Rejection]:
    return [clean_tweet(text) for text in texts]
