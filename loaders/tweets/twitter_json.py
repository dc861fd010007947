"""Extract tweets from JSON: strings, simple objects, and objects of Twitter's API, versions 1 and 2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...core.normalisation import replace_surrogates

ParsedTweet = tuple[str, str | None]
"""A text and its id, if the object has one."""

LIST_FIELDS = ("data", "statuses", "tweets")
"""The fields of API responses that have a list of tweets."""

TEXT_FIELDS = ("full_text", "text", "tweet", "content")
USED_FIELDS = frozenset(
    {*LIST_FIELDS, *TEXT_FIELDS, "extended_tweet", "note_tweet", "retweeted_status", "id", "id_str", "tweet_id"}
)


def parse_tweets(value: Any) -> Iterator[ParsedTweet | None]:
    """Yield the tweets of a value, None for each entry without a text.

    >>> list(parse_tweets({"data": [{"id": "1", "text": "Wash your hands #flu"}, {"id": "2"}]}))
    [('Wash your hands #flu', '1'), None]
    """
    if isinstance(value, dict) and _text(value) is None:
        for name in LIST_FIELDS:
            inner = value.get(name)
            if isinstance(inner, list):
                for item in inner:
                    yield _parse_tweet(item)
                return
            if isinstance(inner, dict):
                yield _parse_tweet(inner)
                return
    if isinstance(value, list):
        for item in value:
            yield _parse_tweet(item)
        return
    yield _parse_tweet(value)


def _parse_tweet(value: Any) -> ParsedTweet | None:
    if isinstance(value, dict) and isinstance(value.get("tweet"), dict):
        value = value["tweet"]
    text = _text(value)
    return None if text is None else (replace_surrogates(text), _id(value))


def _text(value: Any) -> str | None:
    """Return the full text of a tweet; for retweets, which version 1 truncates, it is built from the original."""
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
    """Return the full text of an object; for a long tweet it is in a nested object."""
    nested = (value.get("extended_tweet"), "full_text"), (value.get("note_tweet"), "text")
    for inner, name in nested:
        if isinstance(inner, dict) and isinstance(inner.get(name), str):
            return str(inner[name])
    return next((text for name in TEXT_FIELDS if isinstance(text := value.get(name), str)), None)


def _id(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    id = next((value[name] for name in ("id_str", "id", "tweet_id") if value.get(name)), None)
    return str(id) if isinstance(id, str | int) else None
