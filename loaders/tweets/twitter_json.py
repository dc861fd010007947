"""The texts of tweets in JSON: strings, simple objects, and what Twitter's API gives in version 1 and 2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...core.normalization import replace_surrogates

ParsedTweet = tuple[str, str | None]
"""A text and its id."""

LISTS = ("data", "statuses", "tweets")
"""Under which names answers of the API hold a list of tweets."""

NAMES = ("full_text", "text", "tweet", "content")
KEPT = frozenset({*LISTS, *NAMES, "extended_tweet", "note_tweet", "retweeted_status", "id", "id_str", "tweet_id"})


def parse_tweets(value: Any) -> Iterator[ParsedTweet | None]:
    """The tweets of a value; None for something without a text.

    >>> list(parse_tweets({"data": [{"id": "1", "text": "Wash your hands #flu"}, {"id": "2"}]}))
    [('Wash your hands #flu', '1'), None]
    """
    if isinstance(value, dict) and _text(value) is None:
        for name in LISTS:
            inner = value.get(name)
            if isinstance(inner, list):
                for each in inner:
                    yield _told(each)
                return
            if isinstance(inner, dict):
                yield _told(inner)
                return
    if isinstance(value, list):
        for each in value:
            yield _told(each)
        return
    yield _told(value)


def _told(value: Any) -> ParsedTweet | None:
    if isinstance(value, dict) and isinstance(value.get("tweet"), dict):
        value = value["tweet"]
    text = _text(value)
    return None if text is None else (replace_surrogates(text), _id(value))


def _text(value: Any) -> str | None:
    """The whole text of a tweet; of a retweet, which version 1 cuts off, that of the tweet that it repeats."""
    if isinstance(value, str):
        return value
    if not isinstance(value, dict):
        return None
    original = value.get("retweeted_status")
    if isinstance(original, dict) and (text := _own_text(original)) is not None:
        user = original.get("user")
        name = user.get("screen_name") if isinstance(user, dict) else None
        return f"RT @{name}: {text}" if isinstance(name, str) else f"RT {text}"
    return _own_text(value)


def _own_text(value: dict[str, Any]) -> str | None:
    longer = (value.get("extended_tweet"), "full_text"), (value.get("note_tweet"), "text")
    for inner, name in longer:
        if isinstance(inner, dict) and isinstance(inner.get(name), str):
            return str(inner[name])
    return next((text for name in NAMES if isinstance(text := value.get(name), str)), None)


def _id(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    found = next((value[name] for name in ("id_str", "id", "tweet_id") if value.get(name)), None)
    return str(found) if isinstance(found, str | int) else None
